package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// announce tells others, before anything is asked of a database, that this run
// is about to arm sessions: disable, typed from now on, stops it.
func (rt *runtime) announce(verb string) error {
	if rt.dryRun || rt.announced != nil {
		return nil
	}
	dir, err := rt.ensureStateDir()
	if err != nil {
		return err
	}
	a, err := journal.Dir{Path: dir}.Announce(journal.Preparing{Verb: verb, By: rt.actor(), Way: rt.way()})
	if err != nil {
		return exit.Errorf(exit.Failed, "make room there, or give --state-dir DIR of a directory that you can write", "%w", err)
	}
	rt.announced = a
	return nil
}

// armingStation connects to the database of a verb that arms sessions.
func (rt *runtime) armingStation(c *cli.Context, verb string) (*station, error) {
	if err := rt.announce(verb); err != nil {
		return nil, err
	}
	st, err := rt.openStation(c)
	if err == nil && rt.announced != nil {
		err = rt.noRoom(rt.announced.Name(st.place.Database))
	}
	return st, err
}

func (rt *runtime) unannounce() {
	if rt.announced != nil {
		rt.announced.End()
	}
}

// busy reports whether a run arms sessions of this database, or is about to:
// then the journals may change at any moment.
func (v *visit) busy() bool {
	owner, err := journal.Owner(v.state.Dir.LockPath(v.st.place.Database))
	if err != nil || owner != nil {
		return true
	}
	list, err := v.state.Preparing(v.st.place.Database)
	return err != nil || len(list) > 0
}

// stopPreparing tells those who are about to arm sessions of this database not
// to. The lock is held.
func (v *visit) stopPreparing(ctx context.Context) error {
	if !v.rt.dryRun {
		return v.state.StopPreparing(ctx, v.st.place.Database, v.note)
	}
	for _, p := range v.preparing() {
		v.rt.notef("%s", sayPreparing(&p, "the same without --dry-run"))
	}
	return nil
}

// preparing is what status shows of those who are about to arm sessions.
func (v *visit) preparing() []journal.PreparingDoc {
	list, err := v.state.Preparing(v.st.place.Database)
	if err != nil {
		v.unheard = err
		v.rt.warnf("%v", err)
	}
	out := []journal.PreparingDoc{}
	for i := range list {
		out = append(out, journal.NewPreparingDoc(&list[i]))
	}
	return out
}

// sayPreparing names one of them, with what stops it.
func sayPreparing(p *journal.PreparingDoc, stop string) string {
	where := "of a database that it has not reached yet"
	if p.Database != nil {
		where = "of database " + *p.Database
	}
	return printable(fmt.Sprintf("getting ready to arm sessions %s: %s; it has armed nothing yet; stop it with: %s", where, p.Who, stop))
}

// stopOf is the line that stops it, for verbs without a database.
func stopOf(p *journal.PreparingDoc) string {
	if p.Way == nil {
		return "ringtrace disable -c '/ as sysdba'"
	}
	return "ringtrace disable " + *p.Way
}
