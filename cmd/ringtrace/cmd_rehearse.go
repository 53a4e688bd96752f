package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/instance"
)

// newRehearseCommand is the verb rehearse: run a script against a simulated
// instance and show what it would have changed.
func newRehearseCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:      "rehearse",
		Usage:     "run a script against a simulated instance and show what it would have changed",
		ArgsUsage: "FILE…",
		Description: "The instance is the one that `generate -c sim:` sees, so its scripts apply; it is\n" +
			"a copy, and nothing outlives the rehearsal. Spool files are not written. Several\n" +
			"files run one after the other on the same instance: the script, then its undo.\n" +
			"What is assumed of Oracle is listed in docs/simulator.md.\n\n" +
			"Example:\n\n    ringtrace generate -c sim: --username APP --ora 1555 --out case42\n    ringtrace rehearse case42/enable_1.sql case42/disable_1.sql",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scenario", Value: "quiet", Usage: "start from `SCENARIO`"},
			&cli.IntFlag{Name: "inst", Value: 1, Usage: "run the script on instance `N`"},
		},
		Action: func(c *cli.Context) error { return rt.rehearse(c) },
	}, exit.OK)
}

func (rt *runtime) rehearse(c *cli.Context) error {
	if c.NArg() == 0 {
		return exit.Errorf(exit.Usage, "write: ringtrace rehearse enable_1.sql", "rehearse needs a script")
	}
	d, err := rt.rehearsalStage(c)
	if err != nil {
		return err
	}
	in := d.Instance(c.Int("inst"))
	if in == nil {
		return exit.Errorf(exit.Usage, "add instances: -c 'sim:?instances=2'", "the simulated database has no instance %d", c.Int("inst"))
	}
	r, err := sim.Rehearse(c.Context, d, in, c.Args().Slice()...)
	if err != nil {
		hint := "name a SQL*Plus script, for example one that generate wrote"
		if errors.Is(err, fs.ErrNotExist) {
			hint = "check the name; generate writes scripts with: ringtrace generate -c sim: --all-app --ora 942 --out DIR"
		}
		return exit.Errorf(exit.Failed, hint, "%w", err)
	}
	if rt.output == outputJSON {
		return rt.printJSON(r)
	}
	return rt.rehearsalText(r)
}

// rehearsalStage builds the instance that the script runs on.
func (rt *runtime) rehearsalStage(c *cli.Context) (*instance.Database, error) {
	address := ""
	if rt.connect != "" {
		t, err := rt.target()
		if err != nil {
			return nil, err
		}
		if t.Kind != connect.Sim {
			return nil, exit.Errorf(exit.Usage, "give -c sim:, -c 'sim:?release=11.2' or nothing", "a script is rehearsed on a simulated instance, not on %s", t)
		}
		address = t.Address
	}
	spec, err := rt.simSpec(address)
	if err != nil {
		return nil, err
	}
	d, err := sim.New(spec, rt.now, nil, "")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "see docs/simulator.md", "%w", err)
	}
	if s := c.String("scenario"); s != "quiet" {
		return nil, exit.Errorf(exit.Usage, "the scenario is quiet", "there is no scenario %q", s)
	}
	return d, nil
}

// rehearsalText prints the rehearsal for a person: the commands that answered
// or changed something, then what is left on, then the way back.
func (rt *runtime) rehearsalText(r *sim.Rehearsal) error {
	var b strings.Builder
	for _, l := range r.Lines {
		if l.Answer == "" && len(l.Changed) == 0 {
			continue
		}
		mark := " "
		if !l.OK {
			mark = "!"
		}
		first, more, _ := strings.Cut(l.Command, "\n")
		if more != "" {
			first += " …"
		}
		fmt.Fprintf(&b, "%s%5d  %s\n", mark, l.Line, printable(first))
		for _, a := range strings.Split(l.Answer, "\n") {
			if a = strings.TrimRight(a, " "); a != "" {
				fmt.Fprintf(&b, "          %s\n", printable(a))
			}
		}
		for _, ch := range l.Changed {
			fmt.Fprintf(&b, "        → %s\n", printable(ch))
		}
	}
	s := r.Summary
	fmt.Fprintf(&b, "\n%d commands, %d failed, %d sessions armed on the way, %d left on; sqlplus would end with exit code %d\n",
		s.Commands, s.Failed, s.Armed, s.LeftOn, r.ExitCode)
	for _, l := range r.LeftOn {
		fmt.Fprintf(&b, "\nleft on: session %d,%d,@%d, orapid %d\n", l.SID, l.Serial, l.InstID, l.Orapid)
		for _, e := range l.Events {
			fmt.Fprintf(&b, "  %s\n", printable(e))
		}
		if l.Ring != nil {
			fmt.Fprintf(&b, "  a ring of %d bytes\n", *l.Ring)
		}
		b.WriteString("  undo:\n")
		for _, u := range l.Undo {
			fmt.Fprintf(&b, "    %s\n", printable(u))
		}
	}
	_, err := fmt.Fprint(rt.stdout, b.String())
	return err
}
