package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
	"ringtrace/templates"
)

func newDisableCommand(rt *runtime) *cli.Command {
	flags := append(selectorFlags(), stationFlags()...)
	flags = append(flags,
		&cli.StringFlag{Name: "campaign", Usage: "undo campaign `ID`, or the beginning of it"},
		&cli.BoolFlag{Name: "all", Usage: "undo all open campaigns of this database"},
		&cli.StringFlag{Name: "journal", Usage: "undo what `FILE` holds, a journal from another host (ringtrace campaigns export)"},
		&cli.StringFlag{Name: "collect", Usage: "then collect the trace files into `FILE`, as ringtrace collect --out does"},
		&cli.StringFlag{Name: "redact", Usage: "with --collect: take out `WHAT` binds, literals, names (comma list), or none; asked on a terminal"},
		&cli.BoolFlag{Name: "orphans", Usage: "look for events in the forms that ringtrace writes in sessions of no campaign, and ask for each"},
	)
	return exits(&cli.Command{
		Name:  "disable",
		Usage: "put everything back that the journal holds",
		Description: `Turns off exactly what the journal of a campaign holds, proves it by eventdump, releases the rings and closes the
campaign. Without --campaign it takes the one open campaign of this database; a selector takes the sessions that match,
of whichever open campaign they are.
What somebody else has set is left alone or set again. Sessions that are gone, and all sessions of an instance that
was restarted, count as done. Running it again does no harm.

Releasing a ring writes what it holds into the session's trace file.

Example:

    ringtrace disable -c '/ as sysdba'
    ringtrace disable -c '/ as sysdba' --campaign 20261130T124726Z-3f9ac1
    ringtrace disable -c '/ as sysdba' --collect case42.zip --redact binds,literals`,
		Flags:  flags,
		Action: rt.disable,
	}, exit.OK, exit.Partial, exit.NothingMatch, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing, exit.Journal)
}

func (rt *runtime) disable(c *cli.Context) error {
	v, err := rt.openVisit(c, func(*sessions.Selector) error {
		if err := rt.oneChoice(c, "campaign", "all", "journal", "orphans"); err != nil {
			return err
		}
		return rt.checkCollect(c)
	})
	if err != nil {
		return err
	}
	defer v.close()
	if c.Bool("orphans") {
		return rt.orphans(c, v)
	}
	if file := c.String("journal"); file != "" {
		v.doc.Journal = &file
		return rt.printRun(v.doc, rt.noRoom(rt.disarmFile(c.Context, v, file)))
	}
	busy := v.busy() // first: who has finished by now has left a journal
	switch err := v.choose(c.Context, v.chosen(c)); {
	case exit.CodeOf(err) == exit.NothingMatch && !busy:
		return joinExit(rt.thenCollect(c, v, err), v.unread)
	case exit.CodeOf(err) == exit.NothingMatch: // it is chosen again, when nobody arms any more
	case err != nil:
		return err
	}
	var tookBack error
	if busy || len(v.ids) > 0 {
		tookBack = rt.noRoom(rt.disarm(c.Context, v, v.chosen(c)), v.ids...)
	}
	if len(v.ids) == 0 && tookBack == nil {
		if v.unread == nil {
			rt.notef("no campaign of this database is open in %s: there is nothing to disarm", v.state.Dir.Path)
			rt.notef("what another OS user, or another --state-dir, has armed is not seen from here; look for it with: %s", rt.complete("ringtrace disable --orphans"))
		}
	}
	return joinExit(rt.thenCollect(c, v, tookBack), v.unread)
}

// oneChoice refuses two flags that each say what is meant.
func (rt *runtime) oneChoice(c *cli.Context, names ...string) error {
	first := ""
	for _, n := range names {
		if !c.IsSet(n) || c.String(n) == "false" {
			continue
		}
		if first != "" {
			return exit.Errorf(exit.Usage, "leave out one of the two", "--%s and --%s do not go together", first, n)
		}
		first = n
	}
	return nil
}

// seenNow finds sessions of journals among those of now; nil without a selector.
func (st *station) seenNow(ctx context.Context, sel *sessions.Selector) (func(*journal.SessionState) *sessions.Session, error) {
	if sel.IsZero() {
		return nil, nil
	}
	inv, err := st.finder.Inventory(ctx, sel)
	if err != nil {
		return nil, err
	}
	rows := map[sessions.Key]*sessions.Session{}
	for i := range inv.Rows {
		rows[inv.Rows[i].Key()] = &inv.Rows[i].Session
	}
	return func(s *journal.SessionState) *sessions.Session {
		k := sessions.Key{InstID: s.Session.InstID, SID: s.Session.SID, Serial: s.Session.Serial}
		row := rows[k]
		if row == nil { // it has ended: what the journal knows has to do
			row = &sessions.Session{InstID: k.InstID, SID: k.SID, Serial: k.Serial, Username: s.Username}
		}
		return row
	}, nil
}

// disarm takes the lock and undoes the campaigns, the newest first, because
// what was armed later was set on top of what was there before. Unless one
// campaign was named, it then tells the runs that are about to arm sessions to
// stop. That comes last because it may have to wait; as long as the lock is
// held none of them can begin.
func (rt *runtime) disarm(ctx context.Context, v *visit, ch control.Choice) error {
	unlock, err := v.lockForUndo(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if ch.ID != "" {
		return rt.disarmAll(ctx, v)
	}
	if err := v.choose(ctx, ch); err != nil { // again: who had the lock may have left more
		return joinExit(v.stopPreparing(ctx), err)
	}
	err = rt.disarmAll(ctx, v)
	return joinExit(err, v.stopPreparing(ctx))
}

// disarmAll undoes the campaigns that were chosen.
func (rt *runtime) disarmAll(ctx context.Context, v *visit) error {
	if len(v.ids) == 0 {
		return nil
	}
	var errs []error
	var left []string // the lines that take back what is left
	for _, id := range slices.Backward(v.ids) {
		d := v.undo()
		d.ID = id
		v.doc.Undo = nil
		errs = append(errs, v.disarmOne(ctx, d))
		if v.doc.Undo != nil {
			left = append(left, *v.doc.Undo)
		}
	}
	if len(left) > 1 {
		left[0] = v.state.UndoAll()
	}
	if v.doc.Undo = nil; len(left) > 0 {
		v.doc.Undo = &left[0]
	}
	err := joinExit(errs...)
	if err == nil && v.pick != nil && len(v.doc.Sessions) == 0 {
		v.doc.Undo = nil // nothing was touched, and the campaign was not meant
		return noneArmed()
	}
	return err
}

func (rt *runtime) disarmFile(ctx context.Context, v *visit, file string) error {
	unlock, err := v.lockForUndo(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	d := v.undo()
	d.File = file
	return v.disarmOne(ctx, d)
}

// lockForUndo takes the database's lock and returns what releases it. A dry run
// asks nobody to stop, and needs no lock, as it changes nothing.
func (v *visit) lockForUndo(ctx context.Context) (unlock func(), err error) {
	if v.rt.dryRun {
		return func() {}, nil
	}
	return v.release(v.state.LockForUndo(ctx, v.st.place.Database, v.note))
}

func (v *visit) release(lock *journal.Lock, err error) (func(), error) {
	if err != nil {
		return nil, err
	}
	return func() { v.st.tell(lock.Release()) }, nil
}

func (v *visit) note(s string) { v.rt.notef("%s", s) }

func (v *visit) undo() *control.Disable {
	return &control.Disable{
		Place: v.st.place, State: v.state, Runner: v.st.runner, Pick: v.pick, Proof: v.st.proof(), Look: v.see, Each: v.tell.result, Say: v.note,
	}
}

// disarmOne undoes one campaign, or shows what it would do.
func (v *visit) disarmOne(ctx context.Context, d *control.Disable) error {
	rt := v.rt
	n, maybe, bytes, err := d.Rings(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		rt.notef("releasing %s of %s writes up to %s to trace files", count(n, "ring"), templates.Bytes(bytes), templates.Bytes(int64(n)*bytes))
	}
	if maybe > 0 {
		rt.notef("%s, pending or unknown, may hold a ring of %s each", count(maybe, "session"), templates.Bytes(bytes))
	}
	if rt.dryRun {
		var talk io.Writer
		if rt.output == outputText {
			talk = printableWriter{rt.stdout}
		}
		return d.DryRun(ctx, v.doc, talk)
	}
	defer v.tell.rest()
	return d.Run(ctx, v.doc)
}

// orphans lists what looks like ours in sessions of no open campaign, and asks
// for each whether to take it away. --yes does not answer.
func (rt *runtime) orphans(c *cli.Context, v *visit) error {
	inv, err := v.st.inventoryOf(c.Context, v.sel)
	if err != nil {
		return err
	}
	take := v.lockForUndo
	if rt.dryRun { // it asks targets what is set, so it needs the lock, and asks nobody to give it up
		take = func(context.Context) (func(), error) { return v.release(v.state.Lock(v.st.place.Database)) }
	}
	unlock, err := take(c.Context)
	if err != nil {
		return rt.noRoom(err)
	}
	defer unlock()
	id, err := plan.NewCampaignID(rt.now(), rand.Reader)
	if err != nil {
		return err
	}
	o := &control.Orphans{
		Campaign: id, Place: v.st.place, State: v.state, Rows: inv.Selected(), Runner: v.st.runner, Proof: v.st.proof(),
		Ask: func(orphan control.Orphan) (bool, error) {
			return rt.ask(c.Context, fmt.Sprintf("session %s (%s) has %s; take it away", orphan.Target.Key, oneLine(orphan.Target.Username), oneLine(orphan.String())))
		},
		List: func(list []control.Orphan) {
			for i := range list {
				rt.notef("session %s (%s): %s", list[i].Target.Key, oneLine(list[i].Target.Username), oneLine(list[i].String()))
			}
		},
		Refuse: func(n int) error {
			if rt.isTerminal() {
				return nil
			}
			return exit.Errorf(exit.Refused, "run the same on a terminal and answer for each session: they may be somebody else's, so --yes does not answer this",
				"events in the forms that ringtrace writes stand in %s of no open campaign, and there is no terminal to ask about each", count(n, "session"))
		},
		DryRun: rt.dryRun,
	}
	doc, err := o.Run(c.Context)
	return rt.printRun(doc, rt.noRoom(err))
}
