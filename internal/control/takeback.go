package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/oradebug"
)

// record is what is known of a session's events before they are taken back.
type record struct {
	before   []string // eventdump session before arming
	armed    []string // our lines, as eventdump showed them when armed
	overrode []string // somebody else's, to be set again
	// uncertain: no outcome says what was set.
	uncertain bool
	// halfOff: an undo was begun and has no outcome.
	halfOff bool
	// own: the session held is the one of the record, not one that came after it.
	own bool
}

// offForms lists for each of our events what turns it off: errors first, so
// that none fires into a missing ring, then sql_trace (facts/oradebug.md 3.6).
func (c *Controller) offForms() []journal.Event {
	var out []journal.Event
	for _, kind := range []plan.Kind{plan.KindError, plan.KindSQLTrace} {
		for _, e := range c.Events {
			if e.Kind == string(kind) {
				out = append(out, e)
			}
		}
	}
	return out
}

// takeBack turns off what is ours in the held session, sets again what was
// somebody else's, then releases the ring (if ring), flushes and closes the
// trace file. It returns our lines that are still there.
//
// Order: <error> off …, sql_trace off, eventdump, the older forms for what is
// left, restoring, eventdump, ring, flush, close_trace.
func (o *op) takeBack(ctx context.Context, h Held, rec record, ring bool) (left []string, err error) {
	events := o.c.ours()
	now, err := dump(ctx, h, "session")
	if err != nil {
		return nil, err
	}
	var foreign []string // about our ids, and not ours
	mine := map[string]bool{}
	for _, l := range events.filter(now) {
		if events.mine(l, rec.armed, rec.before, rec.uncertain, rec.halfOff) {
			mine[events.id(l)] = true
		} else {
			foreign = append(foreign, l)
		}
	}
	still := func(lines []string) []string {
		out := []string{}
		for _, l := range events.filter(lines) {
			if mine[events.id(l)] && !slices.Contains(foreign, l) && !slices.Contains(rec.overrode, l) {
				out = append(out, l)
			}
		}
		return out
	}
	after := now
	for try := range 2 {
		open := map[string]bool{}
		for _, l := range still(after) {
			open[events.id(l)] = true
		}
		if len(open) == 0 {
			break
		}
		if err := o.sendOff(ctx, h, open, try); err != nil {
			return nil, err
		}
		if after, err = dump(ctx, h, "session"); err != nil {
			return nil, err
		}
	}
	lost := []string{} // somebody else's that our off forms took away, now or before a crash
	for _, l := range append(foreign, rec.overrode...) {
		if !slices.Contains(after, l) && (mine[events.id(l)] || rec.uncertain && !slices.ContainsFunc(after, func(x string) bool { return events.id(x) == events.id(l) })) {
			lost = append(lost, l)
		}
	}
	if len(lost) > 0 {
		if after, err = o.restore(ctx, h, lost, rec.own, after); err != nil {
			return nil, err
		}
	}
	o.out.After = after
	if n := len(foreign); n > 0 && len(mine) == 0 {
		o.out.Notes = append(o.out.Notes, fmt.Sprintf("session %s: somebody else's event was left: %s", o.t.Key, foreign[0]))
	}
	if err := o.releaseRing(ctx, h, ring); err != nil {
		return nil, err
	}
	return still(after), nil
}

// sendOff sends the off forms of the ids: at the first try the form of 11g and
// later, then the older ones. Oracle's answer does not matter: what counts is what
// eventdump shows afterwards.
func (o *op) sendOff(ctx context.Context, h Held, ids map[string]bool, try int) error {
	for _, e := range o.c.offForms() {
		if !ids[o.c.ours().id(e.Spec)] || len(e.Off) == 0 {
			continue
		}
		forms := e.Off[:1]
		if try > 0 {
			forms = e.Off[1:]
		}
		for _, f := range forms {
			if _, err := send(ctx, h, "session_event "+f); err != nil && transport(err) {
				return err
			}
		}
	}
	return nil
}

// restore sets somebody else's events again. They were the session's: should
// another one have come into the process (own), it does not get them, and those
// that it got between two commands are taken from it.
func (o *op) restore(ctx context.Context, h Held, lines []string, own bool, after []string) ([]string, error) {
	if own {
		if id, err := h.Identify(ctx); err != nil || !id.Own {
			return after, err
		}
	}
	for _, l := range lines {
		if _, err := send(ctx, h, "session_event "+l); err != nil {
			if transport(err) {
				return after, err
			}
			o.out.Notes = append(o.out.Notes, fmt.Sprintf("session %s: somebody else's event could not be set again: %v; set it by hand: oradebug session_event %s", o.t.Key, err, l))
		}
	}
	if own {
		id, err := h.Identify(ctx)
		if err != nil {
			return after, err
		}
		if !id.Own {
			return after, o.unset(ctx, h, lines)
		}
	}
	return dump(ctx, h, "session")
}

// unset turns events off by the text that eventdump has of them.
func (o *op) unset(ctx context.Context, h Held, lines []string) error {
	for _, l := range lines {
		spec, err := oradebug.ParseSpec(l)
		if err != nil {
			continue // it was refused as well
		}
		for _, off := range spec.TurnOff() {
			if strings.HasPrefix(off, "immediate ") {
				continue
			}
			if _, err := send(ctx, h, "session_event "+off); err != nil && transport(err) {
				return err
			}
		}
	}
	return nil
}

// releaseRing flushes and frees the ring of the process, and closes its trace
// file. The ring is no event: nothing shows that it is gone (DESIGN 4).
func (o *op) releaseRing(ctx context.Context, h Held, ring bool) error {
	o.out.Ring = journal.RingNone
	var mark *ringMark
	off := ""
	if ring && o.c.RingBytes > 0 {
		mark = o.c.Proof.begin(ctx, o.t, o.was, o.c.Events)
		for _, e := range o.c.Events {
			if e.Kind != string(plan.KindRing) {
				continue
			}
			for _, f := range e.Off {
				off = "session_event " + f
				if _, err := send(ctx, h, off); err != nil {
					return err
				}
			}
		}
		o.out.Ring = journal.RingOffSent
	}
	for _, text := range []string{"flush", closeTrace} {
		if _, err := send(ctx, h, text); err != nil && transport(err) {
			return err
		}
	}
	if o.out.Ring == journal.RingOffSent {
		o.ring = mark.read(ctx, off, closeTrace)
		o.out.Ring = o.ring.off()
	}
	return nil
}

const closeTrace = "close_trace"
