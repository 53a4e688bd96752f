package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/drill"
	"ringtrace/internal/exit"
)

func newDrillCommand(rt *runtime) *cli.Command {
	flags := append(stationFlags(),
		&cli.StringFlag{Name: "scratch-connect", Usage: "log the scratch session on as `USER@HOST:PORT/SERVICE`, with the password in RINGTRACE_PASSWORD_SCRATCH; otherwise it is a second session of --connect"},
		&cli.BoolFlag{Name: "evidence", Usage: "print what was sent and answered with every question"},
	)
	return exits(&cli.Command{
		Name:  "drill",
		Usage: "find out on a real database what its release does with rings",
		Description: `Much of what tracing into memory depends on is published nowhere. drill asks the database: it opens a scratch session
of its own, attaches to it from a SYSDBA session, sets events there, lets it raise ORA-00942, and reads its trace file.
No other session is touched. One scratch session is ended by ALTER SYSTEM KILL SESSION, to see what becomes of its ring.

It needs the scratch session's trace file: run it on the database's host, or on 12.2 and later from anywhere. The answers
are kept for this database version, and enable and watch follow them (--form auto). With -o json, or --evidence, they
can be sent as evidence. On a simulated instance they are settings of the simulator and say nothing about Oracle.

Example:

    ringtrace drill -c '/ as sysdba' --scratch-connect scott@localhost:1521/pdb1
    ringtrace drill -c '/ as sysdba' -o json > drill-19.19.json`,
		Flags:  flags,
		Action: rt.drill,
	}, exit.OK, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing)
}

func (rt *runtime) drill(c *cli.Context) error {
	if err := rt.wantOutput("drill", outputText, outputJSON); err != nil {
		return err
	}
	scratch, err := scratchTarget(c)
	if err != nil {
		return err
	}
	st, err := rt.openStation(c)
	if err != nil {
		return err
	}
	defer st.close()
	in, _ := st.place.Instance(st.finder.InstID)
	if rt.dryRun {
		rt.notef("would ask instance %s on %s, version %s, in scratch sessions of its own", in.InstanceName, in.HostName, in.Version)
		return nil
	}
	if st.simulated(c.Context) {
		rt.warnf("this is a simulation: the answers are settings of the simulator and say nothing about Oracle")
	}
	if st.target.Kind != connect.Sim {
		if err := rt.confirm(c.Context, fmt.Sprintf("set events, raise errors and kill a session, all in scratch sessions of our own, on %s (%s)", in.InstanceName, in.HostName)); err != nil {
			return err
		}
	}
	door := st.drill
	if door == nil {
		if door, err = rt.sqlplusDrill(c, st, scratch); err != nil {
			return err
		}
	}
	dir, err := rt.ensureStateDir()
	if err != nil {
		return err
	}
	dial := st.dial
	r, err := drill.Run(c.Context, drill.Bench{
		Scratch: door.scratch, Script: door.script, Switch: door.swap, Ordinary: door.ordinary, Read: st.drillFile,
		Dial: onInstance(dial, in.InstID), Timeout: durationOf(c, "command-timeout"), Database: st.place.Database, Instance: in, Simulated: st.simulated(c.Context),
		Tool: "ringtrace " + version(), Now: rt.now, Sleep: sleep, Say: func(s string) { rt.debugf("%s", s) },
	})
	if err != nil {
		return connectError(err)
	}
	path, err := r.Save(c.Context, dir)
	if err != nil {
		return err
	}
	rt.notef("kept in %s", path)
	if rt.output == outputJSON {
		return rt.printJSON(r)
	}
	return r.Print(printableWriter{rt.stdout}, c.Bool("evidence"))
}
