package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/daemon"
	"ringtrace/internal/sim/scenario"
	"ringtrace/internal/sim/tracegen"
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
	if err := rt.wantOutput("rehearse", outputText, outputJSON); err != nil {
		return err
	}
	if c.NArg() == 0 {
		return exit.Errorf(exit.Usage, "write: ringtrace rehearse enable_1.sql", "rehearse needs a script")
	}
	r, err := rt.rehearseThere(c)
	if errors.Is(err, errRunning) {
		r, err = rt.rehearseHere(c)
	}
	var told *exit.Error
	if errors.As(err, &told) {
		return err
	}
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
	if err := rt.rehearsalText(r); err != nil {
		return err
	}
	if nobodyThere(r) {
		rt.notef("no session of this script is in the simulated instance, so only its refusing was rehearsed")
		rt.notef("hint: scripts that apply are written by ringtrace generate -c sim:, or -c sim:DIR and rehearsed with the same -c")
	}
	return nil
}

// nobodyThere reports whether a guarded script refused every session: each ^rt
// became help, and nothing was changed.
func nobodyThere(r *sim.Rehearsal) bool {
	refused := false
	for _, l := range r.Lines {
		if len(l.Changed) > 0 {
			return false
		}
		refused = refused || !l.OK && strings.HasPrefix(l.Command, "oradebug help ")
	}
	return refused
}

// errRunning says that no running instance was named.
var errRunning = errors.New("not a running instance")

// rehearseThere rehearses on a copy of the instance that runs in a folder.
func (rt *runtime) rehearseThere(c *cli.Context) (*sim.Rehearsal, error) {
	t, err := rt.rehearsalTarget()
	if err != nil {
		return nil, err
	}
	if t.Address == "" || strings.HasPrefix(t.Address, "?") {
		return nil, errRunning
	}
	if s := c.String("scenario"); s != "quiet" {
		return nil, exit.Errorf(exit.Usage, "run it there first: ringtrace sim run --dir "+quoteArg(t.Address)+" "+quoteArg(s), "--scenario is for an instance in process")
	}
	client, err := dialSim(t.Address)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, f := range c.Args().Slice() {
		abs, err := filepath.Abs(f)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(abs); err != nil {
			return nil, err
		}
		files = append(files, abs)
	}
	data, err := client.Do(c.Context, daemon.Request{Op: "rehearse", Args: files, Inst: c.Int("inst")})
	if err != nil {
		return nil, err
	}
	r := new(sim.Rehearsal)
	return r, json.Unmarshal(data, r)
}

// rehearsalTarget is --connect, which must be a simulated instance; sim: when
// it is not given.
func (rt *runtime) rehearsalTarget() (connect.Target, error) {
	if rt.connect == "" {
		return connect.Target{Kind: connect.Sim}, nil
	}
	t, err := rt.target()
	if err == nil && t.Kind != connect.Sim {
		err = exit.Errorf(exit.Usage, "give -c sim:, -c 'sim:?release=11.2' or nothing", "a script is rehearsed on a simulated instance, not on %s", t)
	}
	return t, err
}

// rehearseHere rehearses on an instance in process.
func (rt *runtime) rehearseHere(c *cli.Context) (*sim.Rehearsal, error) {
	t, err := rt.rehearsalTarget()
	if err != nil {
		return nil, err
	}
	spec, err := rt.simSpec(t.Address)
	if err != nil {
		return nil, err
	}
	d, err := sim.New(spec, rt.now, nil, "")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "see docs/simulator.md", "%w", err)
	}
	sc, err := scenario.Load(c.String("scenario"))
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "run ringtrace sim run --help for the list", "%w", err)
	}
	if err := scenario.Run(c.Context, d, tracegen.New(d, spec.Seed), sc); err != nil {
		return nil, err
	}
	in := d.Instance(c.Int("inst"))
	if in == nil {
		return nil, exit.Errorf(exit.Usage, "add instances: -c 'sim:?instances=2'", "the simulated database has no instance %d", c.Int("inst"))
	}
	return sim.Rehearse(c.Context, d, in, c.Args().Slice()...)
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
	fmt.Fprintf(&b, "\n%s, %d failed, %s armed on the way, %d left on; sqlplus would end with exit code %d\n",
		count(s.Commands, "command"), s.Failed, count(s.Armed, "session"), s.LeftOn, r.ExitCode)
	for _, l := range r.LeftOn {
		fmt.Fprintf(&b, "\nleft on: session %d,%d,@%d, orapid %d\n", l.SID, l.Serial, l.InstID, l.Orapid)
		for _, e := range l.Events {
			fmt.Fprintf(&b, "  %s\n", printable(e))
		}
		if l.Ring != nil {
			fmt.Fprintf(&b, "  a ring of %s\n", quantity.Bytes(int64(*l.Ring)))
		}
		b.WriteString("  undo:\n")
		for _, u := range l.Undo {
			fmt.Fprintf(&b, "    %s\n", printable(u))
		}
	}
	_, err := fmt.Fprint(rt.stdout, b.String())
	return err
}
