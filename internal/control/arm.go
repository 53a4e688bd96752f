package control

import (
	"context"
	"fmt"
	"strings"

	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/oradebug"
)

// setCommands are the lines that arm a session.
func (c *Controller) setCommands() []string {
	if c.lines == nil {
		for _, e := range c.Events {
			if e.Kind != string(plan.KindRing) || plan.Immediate(e.Spec) {
				c.lines = append(c.lines, "session_event "+e.Spec)
			}
		}
	}
	return c.lines
}

// Arm sets the events in one session and proves it. The error is about the run
// (journal, no conversation); what became of the session is in the result.
func (c *Controller) Arm(ctx context.Context, t Target) (Result, error) {
	o, err := c.begin(journal.OpArm, t.Wanting(WantSession), append([]string{fmt.Sprintf("setorapid %d", t.Process.Orapid)}, c.setCommands()...))
	if err != nil {
		return Result{}, err
	}
	return o.finish(c.Runner.Hold(ctx, o.t, func(h Held) error { return o.arm(ctx, h) }))
}

func (o *op) arm(ctx context.Context, h Held) error {
	before, err := dump(ctx, h, "session")
	if err != nil {
		return o.untouched(err)
	}
	process, err := dump(ctx, h, "process")
	if err != nil {
		return o.untouched(err)
	}
	events := o.c.ours()
	foreign := events.filter(append(append([]string{}, before...), process...))
	if len(foreign) > 0 && o.c.Holder != nil {
		if holder := o.c.Holder(o.t); holder != "" {
			o.set(journal.Skipped, "foreign_event", "campaign "+holder+" has armed it; first: ringtrace disable --campaign "+holder)
			o.out.State = journal.Clean
			return nil
		}
	}
	if len(foreign) > 0 && !o.c.Force {
		o.set(journal.Skipped, "foreign_event", "somebody else has set "+strings.Join(foreign, "; "))
		o.out.State = journal.Clean
		return nil
	}
	// What was seen before is the way back: it has to be of our session.
	id, err := h.Identify(ctx)
	if err == nil {
		err = o.t.check(id)
	}
	if err != nil {
		return err // nothing was set
	}
	if err := o.c.Recorder.Note(journal.Evidence{
		Intent: o.seq, BeforeSession: before, BeforeProcess: process, Overrode: events.filter(before),
	}); err != nil {
		return &fatalError{err}
	}
	for _, text := range o.c.setCommands() {
		if _, err := send(ctx, h, text); err != nil {
			if transport(err) {
				return err
			}
			return o.rollback(ctx, h, before, process, "refused", err.Error())
		}
	}
	return o.proveArmed(ctx, h, before, process)
}

// untouched ends an arming before anything was set.
func (o *op) untouched(err error) error {
	if transport(err) {
		return err
	}
	o.set(journal.Failed, "refused", err.Error())
	o.out.State = journal.Clean
	return nil
}

// proveArmed compares the dumps and asks once more who the session is.
func (o *op) proveArmed(ctx context.Context, h Held, before, process []string) error {
	o.out.Ring = o.ringOn()
	after, err := dump(ctx, h, "session")
	if err != nil {
		if transport(err) {
			return err
		}
		return o.rollback(ctx, h, before, process, "refused", err.Error())
	}
	events := o.c.ours()
	lines, missing := events.fresh(before, after)
	o.out.Events, o.out.After = lines, after
	id, err := h.Identify(ctx)
	if err != nil {
		return err
	}
	if err := o.t.check(id); err != nil {
		if !id.Process {
			return fmt.Errorf("%w: it is not in V$PROCESS any more", errGone)
		}
		return o.moved(ctx, h, id, process, err.Error())
	}
	if len(missing) > 0 {
		// No error, and not there: some platforms carry a request out when the
		// target runs next (facts/oradebug.md 2.6, reported).
		o.set(journal.Unknown, "not_shown", "eventdump does not show "+strings.Join(missing, "; "))
		o.out.State = journal.Pending
		return nil
	}
	for _, l := range events.reworded(lines) {
		o.out.Notes = append(o.out.Notes, fmt.Sprintf("session %s: eventdump words it %q", o.t.Key, l))
	}
	r, err := send(ctx, h, "tracefile_name")
	if err != nil {
		if transport(err) {
			return err
		}
	} else if r.Kind == oradebug.ReplyTracefile {
		o.out.Tracefile = r.Path
	}
	o.out.TraceBytes = o.c.Proof.size(ctx, o.t, o.out.Tracefile)
	o.set(journal.Done, "", "")
	o.out.State = journal.Armed
	return nil
}

// moved rolls back when the process turned out to serve another session by the
// time the events were set. If there are several now, some of them may stand in
// one that nobody can look into: it stays open.
func (o *op) moved(ctx context.Context, h Held, id Identity, process []string, detail string) error {
	err := o.rollback(ctx, h, nil, process, "moved", detail)
	if err != nil || o.out.State != journal.Clean {
		return err
	}
	if now, err := h.Identify(ctx); err != nil {
		return err
	} else if id.Own || now.Sessions > 1 {
		o.out.State = journal.Uncertain
		o.out.Detail += "; its process carries several sessions, and what was set in the others cannot be seen until one is alone there"
	}
	return nil
}

// ringOn is what is known of the ring after sql_trace was set with it.
func (o *op) ringOn() journal.Ring {
	if o.c.RingBytes > 0 {
		return journal.RingOnAssumed
	}
	return journal.RingNone
}

// rollback takes back at once what an arming has set, while the process is
// still held: after a refusal, or when the process turned out to serve another
// session by then. What carries our text there is ours.
func (o *op) rollback(ctx context.Context, h Held, before, process []string, reason, detail string) error {
	o.set(journal.Failed, reason, detail)
	o.out.State = journal.Uncertain // unless it is proved below
	rec := record{before: before, uncertain: reason != "moved", overrode: o.c.ours().filter(before), own: reason != "moved"}
	left, err := o.takeBack(ctx, h, rec, true)
	if err != nil {
		if transport(err) {
			return err
		}
		o.out.Detail += "; taking it back: " + err.Error()
		return nil
	}
	if len(left) > 0 {
		o.out.Detail += "; still there: " + strings.Join(left, "; ")
		return nil
	}
	o.out.State = journal.Clean
	o.out.Events = []string{}
	return nil
}
