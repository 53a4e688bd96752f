package control

import (
	"context"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// FlushRun is one run of flush, or of status --probe, over one campaign. The
// caller holds the database's lock.
type FlushRun struct {
	ID     string
	Place  *Place
	State  *State
	Runner func(ctx context.Context, inst int) (Runner, error)
	Pick   func(*journal.SessionState) bool // nil: all
	// Do is what is done to each session: Controller.Flush or Probe.
	Do   func(ctx context.Context, c *Controller, s *journal.SessionState) (Result, error)
	Verb string
	// Proof looks for the text of rings; nil: nobody does.
	Proof *Proof
	Each  func(Result)
	Say   func(string)
}

// Run goes through the armed sessions.
func (f *FlushRun) Run(ctx context.Context, doc *Document) error {
	o, err := f.State.Dir.Open(f.ID, f.State.Now, journal.OpenOptions{})
	if err != nil {
		return exit.Errorf(exit.Journal, "see `ringtrace campaigns show "+f.ID+"`", "%w", err)
	}
	defer o.Journal.Close() //nolint:errcheck // every record is synced
	if err := f.Place.check(o.Campaign); err != nil {
		return err
	}
	if dirt := o.Campaign.Dirty(); len(dirt) > 0 {
		return exit.Errorf(exit.Journal, "clean up first: "+f.State.Undo(f.ID), "the journal of campaign %s is dirty: %s", f.ID, dirt[0])
	}
	run, err := o.Journal.StartRun(journal.Run{Verb: f.Verb, By: f.State.Who, Dialogue: f.State.Dialogue})
	if err != nil {
		return err
	}
	undo := f.State.Undo(f.ID)
	doc.Undo = &undo
	errs := f.each(ctx, o, run, doc)
	err = runError(ctx, doc, errs, "answered")
	if rerr := o.Journal.EndRun(journal.End{Run: run, Exit: int(exit.CodeOf(err))}); rerr != nil {
		return exit.Errorf(exit.Journal, undo, "%w", rerr)
	}
	return err
}

func (f *FlushRun) each(ctx context.Context, o *journal.Opened, run journal.Seq, doc *Document) []error {
	var errs []error
	c := o.Campaign
	controllers, down := map[int]*Controller{}, map[int]error{}
	for _, s := range c.OpenSessions() {
		if f.Pick != nil && !f.Pick(s) {
			continue
		}
		inst := s.Session.InstID
		if ctx.Err() != nil {
			r := left(s, journal.Skipped, "not_reached", "")
			doc.Add(&r)
			continue
		}
		if controllers[inst] == nil && down[inst] == nil {
			runner, err := f.Runner(ctx, inst)
			if err != nil {
				down[inst] = err
				errs = append(errs, err)
			} else {
				controllers[inst] = &Controller{Runner: runner, Recorder: o.Journal, Run: run, Events: c.Header.Events, RingBytes: c.Header.RingBytes, Proof: f.Proof}
			}
		}
		if err := down[inst]; err != nil {
			r := left(s, journal.Failed, "no_connection", err.Error())
			doc.Add(&r)
			continue
		}
		r, err := f.Do(context.WithoutCancel(ctx), controllers[inst], s)
		if r.Key != (journal.Session{}) {
			doc.Add(&r)
			if f.Each != nil {
				f.Each(r)
			}
			for _, n := range r.Notes {
				f.Say(n)
			}
		}
		if err != nil {
			errs = append(errs, err)
			down[inst] = err
		}
	}
	return errs
}
