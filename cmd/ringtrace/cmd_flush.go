package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
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
	o := control.FlushOptions{Errorstack: c.Int("errorstack"), Rearm: c.Bool("rearm")}
	v, err := rt.openVisit(c, func(sel *sessions.Selector) error { return rt.checkFlush(c, sel, o) })
	if err != nil {
		return err
	}
	defer v.close()
	do := func(ctx context.Context, ctl *control.Controller, s *journal.SessionState) (control.Result, error) {
		return ctl.Flush(ctx, s, o)
	}
	switch err := v.choose(c.Context, v.chosen(c)); {
	case exit.CodeOf(err) == exit.NothingMatch:
		return rt.printRun(v.doc, err)
	case err != nil:
		return err
	}
	if len(v.ids) == 0 && v.unread != nil {
		return v.unread
	}
	if len(v.ids) == 0 {
		return exit.Errorf(exit.NothingMatch, "arm them first: ringtrace enable --username NAME --ora NUMBER", "no campaign of this database is open: there is no ring to write")
	}
	if rt.dryRun {
		return rt.flushDry(c.Context, v, do)
	}
	err = rt.noRoom(v.touch(c.Context, v.doc, do))
	v.afterFlush()
	return rt.printRun(v.doc, err)
}

// afterFlush says what a ring that was written leaves behind.
func (v *visit) afterFlush() {
	rows := v.doc.Sessions
	for i := range rows {
		s := &rows[i]
		if s.State != string(journal.Unbuffered) || s.Outcome != string(journal.Done) {
			continue
		}
		file := "its file"
		if s.Tracefile != nil {
			file = *s.Tracefile
		}
		v.rt.notef("session %d,%d,@%d has written its ring to %s and has none any more: SQL trace goes on into that file, which grows until it is disarmed, or gets a ring again: %s",
			s.SID, s.Serial, s.InstID, file, v.rt.complete(fmt.Sprintf("ringtrace flush --sid %d,%d,@%d --rearm", s.SID, s.Serial, s.InstID)))
	}
}

func (rt *runtime) checkFlush(c *cli.Context, sel *sessions.Selector, o control.FlushOptions) error {
	switch {
	case sel.IsZero() && !sel.AllApp && !c.IsSet("campaign") && !c.Bool("all"):
		return exit.Errorf(exit.Usage, "give a selector such as --sid 69, or --campaign ID, or --all", "flush needs to know which sessions")
	case o.Errorstack < plan.NoErrorstack || o.Errorstack > 3:
		return exit.Errorf(exit.Usage, "give --errorstack 0, 1, 2 or 3", "errorstack level %d does not exist", o.Errorstack)
	}
	return rt.oneChoice(c, "campaign", "all")
}

// work is done to one armed session.
type work = func(context.Context, *control.Controller, *journal.SessionState) (control.Result, error)

// touch does a work to the armed sessions of the open campaigns.
func (v *visit) touch(ctx context.Context, doc *control.Document, do work) error {
	lock, err := v.state.Lock(v.st.place.Database)
	if err != nil {
		return err
	}
	defer func() { v.st.tell(lock.Release()) }()
	var errs []error
	proof := v.st.proof()
	for _, k := range v.campaigns {
		if k.Closed {
			continue
		}
		f := &control.FlushRun{
			ID: k.Header.Campaign, Place: v.st.place, State: v.state, Runner: v.st.runner, Pick: v.pick, Do: do, Verb: v.verb, Proof: proof,
			Each: v.tell.result, Say: v.note,
		}
		errs = append(errs, f.Run(ctx, doc))
	}
	v.tell.rest()
	if err := joinExit(errs...); err != nil {
		return err
	}
	if len(doc.Sessions) == 0 {
		doc.Undo = nil
		return noneArmed()
	}
	return nil
}

// flushDry shows what would be sent.
func (rt *runtime) flushDry(ctx context.Context, v *visit, do work) error {
	v.doc.DryRun = true
	for _, k := range v.campaigns {
		runner := &control.DryRunner{Set: func(key journal.Session) []string {
			if s := k.Find(key); s != nil {
				return s.Events
			}
			return nil
		}}
		if rt.output == outputText {
			runner.W = printableWriter{rt.stdout}
		}
		ctl := &control.Controller{Runner: runner, Recorder: &control.DryRecorder{}, Events: k.Header.Events, RingBytes: k.Header.RingBytes}
		for _, s := range k.OpenSessions() {
			if v.pick != nil && !v.pick(s) {
				continue
			}
			r, err := do(ctx, ctl, s)
			if err != nil {
				return err
			}
			r.State, r.Ring = s.State, s.Ring
			v.doc.Add(&r)
		}
	}
	return rt.printRun(v.doc, nil)
}
