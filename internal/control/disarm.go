package control

import (
	"context"
	"strings"

	"ringtrace/internal/journal"
)

// Disarm takes back what the journal holds of a session, and nothing else. A
// process that is gone is done; one that carries another session is relieved
// of its ring. imported says that the journal was made from a log, in which a
// missing record proves nothing.
func (c *Controller) Disarm(ctx context.Context, s *journal.SessionState, imported bool) (Result, error) {
	t, err := TargetOf(s)
	if err != nil {
		return Result{}, err
	}
	o, err := c.begin(journal.OpDisarm, t.Wanting(WantProcess), c.disarmCommands(t))
	if err != nil {
		return Result{}, err
	}
	o.was = s
	return o.finish(c.Runner.Hold(ctx, o.t, func(h Held) error { return o.disarm(ctx, h, s, imported) }))
}

func (c *Controller) disarmCommands(t Target) []string {
	out := []string{"setorapid " + itoa(t.Process.Orapid)}
	for _, e := range c.offForms() {
		if len(e.Off) > 0 {
			out = append(out, "session_event "+e.Off[0])
		}
	}
	for _, e := range c.Events {
		if e.Kind == "ring" && len(e.Off) > 0 {
			out = append(out, "session_event "+e.Off[0])
		}
	}
	return append(out, "flush", "close_trace")
}

func (o *op) disarm(ctx context.Context, h Held, s *journal.SessionState, imported bool) error {
	unsure := s.State != journal.Armed && s.State != journal.Fired && s.State != journal.Unbuffered
	set := s.BeforeSession != nil || imported // evidence is durable before the first event
	ring := set && (o.c.Shared == nil || !o.c.Shared(o.t.Process))
	id := h.Identity()
	rec := record{before: s.BeforeSession, armed: s.Events, overrode: s.Overrode, uncertain: unsure && set, halfOff: unsure && s.UndoBegun, own: id.Own}
	switch {
	case !set && id.Own:
		return o.nothingSet(ctx, h)
	case id.Own && id.Sessions == 1:
		return o.disarmOwn(ctx, h, rec, ring)
	case id.Own:
		return o.disarmShared(ctx, h, rec, ring)
	}
	// Another session, or none, on our process: events ended with ours. If no
	// outcome was recorded, they may have been set in this one by mistake: what
	// carries exactly our text is taken back.
	o.set(journal.Done, "gone", "the process serves another session now; only its ring was released")
	o.out.State = journal.Lost
	if !unsure || !ring {
		if err := o.releaseRing(ctx, h, ring); err != nil {
			return o.answer(err)
		}
		return o.answer(o.handedOn(ctx, h, s))
	}
	left, err := o.takeBack(ctx, h, record{armed: s.Events}, ring)
	if err == nil && len(left) > 0 {
		o.set(journal.Failed, "moved", "still set in the session that came after it: "+strings.Join(left, "; "))
		o.out.State = journal.Uncertain
	} else if err == nil && id.Sessions > 1 {
		o.sharedNow()
	}
	return o.answer(err)
}

// handedOn looks whether the session that came after ours has our events, which
// end with the session [inferred] (facts/oradebug.md 3.7). On a release that hands
// them on they are still on, and the session stays open; but they stand in a
// session that nobody chose, and are not touched.
func (o *op) handedOn(ctx context.Context, h Held, s *journal.SessionState) error {
	if o.c.Heir != nil && o.c.Heir(o.t.Process) || o.c.Shared != nil && o.c.Shared(o.t.Process) {
		return nil // what it has was set for it
	}
	now, err := dump(ctx, h, "session")
	if err != nil {
		return err
	}
	events, left := o.c.ours(), []string{}
	for _, l := range now {
		if events.mine(l, s.Events, nil, false, false) {
			left = append(left, l)
		}
	}
	if len(left) > 0 {
		o.set(journal.Failed, "moved", "its process serves another session, which shows its events; they were not touched, ringtrace disable --orphans asks about them: "+strings.Join(left, "; "))
		o.out.State = journal.Uncertain
	}
	return nil
}

// nothingSet confirms that the target answers: nothing was sent to it before.
func (o *op) nothingSet(ctx context.Context, h Held) error {
	after, err := dump(ctx, h, "session")
	if err != nil {
		return o.answer(err)
	}
	o.out.After = after
	o.set(journal.Done, "", "it was never armed")
	o.out.State, o.out.Ring = journal.Clean, journal.RingNone
	return nil
}

func (o *op) disarmOwn(ctx context.Context, h Held, rec record, ring bool) error {
	left, err := o.takeBack(ctx, h, rec, ring)
	if err != nil {
		return o.answer(err)
	}
	if len(left) > 0 {
		o.set(journal.Failed, "refused", "still set: "+strings.Join(left, "; "))
		o.out.State = journal.Uncertain
		return nil
	}
	id, err := h.Identify(ctx)
	if err != nil {
		return err
	}
	o.set(journal.Done, "", "")
	o.out.State = journal.Clean
	if id.Own && id.Sessions > h.Identity().Sessions {
		o.sharedNow() // the last dump may be of the one that came
	}
	if id.Process && !id.Own {
		o.set(journal.Done, "gone", "the session ended while it was disarmed")
		o.out.State = journal.Lost
	}
	return nil
}

// disarmShared meets a process that carries more sessions than ours by now:
// events go to the one that is current. Only where eventdump shows ours it is
// our session.
func (o *op) disarmShared(ctx context.Context, h Held, rec record, ring bool) error {
	now, err := dump(ctx, h, "session")
	if err != nil {
		return o.answer(err)
	}
	if !o.c.ours().anyMine(now, rec.armed, rec.before) {
		o.set(journal.Unknown, "shared_process", "its process carries several sessions, and the current one shows nothing of ours; run disable again later")
		o.out.State = journal.Uncertain
		return nil
	}
	err = o.disarmOwn(ctx, h, rec, ring)
	if err == nil && rec.uncertain && o.out.State == journal.Clean {
		// What was seen may have been set in the other one by mistake, and ours
		// may have more.
		o.sharedNow()
	}
	return err
}

func (o *op) sharedNow() {
	o.set(journal.Unknown, "shared_process", "its process carries several sessions, and what is set in ours cannot be seen; run disable again later")
	o.out.State = journal.Uncertain
}

// answer keeps errors of the conversation and turns Oracle's into an outcome.
func (o *op) answer(err error) error {
	if err == nil || transport(err) {
		return err
	}
	o.set(journal.Failed, "refused", err.Error())
	o.out.State = journal.Uncertain
	return nil
}
