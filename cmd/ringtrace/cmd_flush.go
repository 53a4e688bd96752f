package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
)

func newFlushCommand(rt *runtime) *cli.Command {
	flags := append(selectorFlags(), stationFlags()...)
	flags = append(flags,
		&cli.StringFlag{Name: "campaign", Usage: "sessions of campaign `ID`, or the beginning of it"},
		&cli.BoolFlag{Name: "all", Usage: "sessions of all open campaigns of this database"},
		&cli.IntFlag{Name: "errorstack", Value: plan.NoErrorstack, Usage: "write a dump of this `LEVEL` too, 0 to 3"},
		&cli.BoolFlag{Name: "rearm", Usage: "ask for a ring again afterwards"},
	)
	return exits(&cli.Command{
		Name:  "flush",
		Usage: "write the rings of armed sessions now, without an error",
		Description: `For a hang, a wrong result, or the other party of a deadlock: writes what the rings of the matching sessions hold into
their trace files. The ring is gone then, and the session goes on writing to its file until it is disarmed, unless
--rearm asks for a new one. A selector, --campaign or --all says which sessions are meant.

Example:

    ringtrace flush -c '/ as sysdba' --sid 69,46228 --errorstack 1 --rearm`,
		Flags:  flags,
		Action: rt.flush,
	}, exit.OK, exit.Partial, exit.NothingMatch, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing, exit.Journal)
}

func (rt *runtime) flush(c *cli.Context) error {
	if err := rt.wantOutput("flush", outputText, outputJSON); err != nil {
		return err
	}
	sel, err := selectorOf(c)
	if err != nil {
		return err
	}
	if sel.IsZero() && !sel.AllApp && !c.IsSet("campaign") && !c.Bool("all") {
		return exit.Errorf(exit.Usage, "give a selector such as --sid 69, or --campaign ID, or --all", "flush needs to know which sessions")
	}
	if err := rt.oneChoice(c, "campaign", "all"); err != nil {
		return err
	}
	o := control.FlushOptions{Errorstack: c.Int("errorstack"), Rearm: c.Bool("rearm")}
	if o.Errorstack < plan.NoErrorstack || o.Errorstack > 3 {
		return exit.Errorf(exit.Usage, "give --errorstack 0, 1, 2 or 3", "errorstack level %d does not exist", o.Errorstack)
	}
	do := func(ctx context.Context, ctl *control.Controller, s *journal.SessionState) (control.Result, error) {
		return ctl.Flush(ctx, s, o)
	}
	state, err := rt.stateToRead()
	if err != nil {
		return err
	}
	st, err := rt.openStation(c)
	if err != nil {
		return err
	}
	defer st.close()
	doc := control.NewDocument()
	ids, err := rt.chosen(c, st, state, doc)
	if err != nil {
		return err
	}
	pick, err := st.pick(c.Context, sel)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return exit.Errorf(exit.NothingMatch, "arm them first: ringtrace enable", "no campaign of this database is open: there is no ring to write")
	}
	if rt.dryRun {
		return rt.flushDry(c.Context, state, ids, pick, doc, do)
	}
	return rt.printRun(doc, rt.touch(c.Context, st, state, ids, "flush", pick, doc, do))
}

// touch runs an operation on the armed sessions of campaigns.
func (rt *runtime) touch(ctx context.Context, st *station, state *control.State, ids []string, verb string, pick func(*journal.SessionState) bool, doc *control.Document,
	do func(context.Context, *control.Controller, *journal.SessionState) (control.Result, error),
) error {
	lock, err := state.Lock(st.place.Database)
	if err != nil {
		return err
	}
	defer func() { st.tell(lock.Release()) }()
	var errs []error
	for _, id := range ids {
		f := &control.FlushRun{
			ID: id, Place: st.place, State: state, Runner: st.runner, Pick: pick, Do: do, Verb: verb, Each: rt.tellResult,
			Say: func(s string) { rt.notef("%s", s) },
		}
		errs = append(errs, f.Run(ctx, doc))
	}
	if err := joinExit(errs...); err != nil {
		return err
	}
	if len(doc.Sessions) == 0 {
		return exit.Errorf(exit.NothingMatch, "see `ringtrace status`", "no armed session matches")
	}
	return nil
}

// flushDry shows what would be sent.
func (rt *runtime) flushDry(ctx context.Context, state *control.State, ids []string, pick func(*journal.SessionState) bool, doc *control.Document,
	do func(context.Context, *control.Controller, *journal.SessionState) (control.Result, error),
) error {
	doc.DryRun = true
	for _, id := range ids {
		k, err := state.Dir.Load(id)
		if err != nil {
			return err
		}
		runner := &control.DryRunner{Set: func(key journal.Session) []string {
			if s := k.Find(key); s != nil {
				return s.Events
			}
			return nil
		}}
		if rt.output == outputText {
			runner.W = rt.stdout
		}
		ctl := &control.Controller{Runner: runner, Recorder: &control.DryRecorder{}, Events: k.Header.Events, RingBytes: k.Header.RingBytes}
		for _, s := range k.OpenSessions() {
			if pick != nil && !pick(s) {
				continue
			}
			r, err := do(ctx, ctl, s)
			if err != nil {
				return err
			}
			r.State, r.Ring = s.State, s.Ring
			doc.Add(&r)
		}
	}
	return rt.printRun(doc, nil)
}
