package watch

import (
	"context"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sight"
	"ringtrace/sessions"
)

// react does what --on-fire says with the sessions that fired: first the other
// parties of deadlocks are written out, whose rings would move on.
func (w *Watch) react(ctx context.Context, rows map[journal.Session]*sessions.Row) {
	for _, m := range w.sorted() {
		for _, sid := range m.others {
			w.flushOther(ctx, m, sid, rows)
		}
		m.others = nil
	}
	for _, m := range w.sorted() {
		if m.want == "" || rows[key(m.state.Session)] == nil || w.fatal != nil {
			continue // a leaver's process is visited anyway
		}
		if !m.armed() {
			m.want = ""
			continue
		}
		w.policy(ctx, m)
	}
}

func (w *Watch) policy(ctx context.Context, m *member) {
	now := w.Now()
	want, reason := m.want, "fired"
	if want == Rearm {
		last := m.state.Fired[len(m.state.Fired)-1].Ora
		if len(m.hits) >= w.Limits.StormSession || w.storm.on(last, w.Limits.StormCode, now) {
			want, reason = Disarm, "storm"
		}
	}
	inst := m.state.Session.InstID
	c := w.controller(ctx, inst)
	if c == nil && want != Leave {
		return // the next step tries again
	}
	m.want = ""
	switch want {
	case Disarm:
		w.takeBack(ctx, m, reason)
		if m.armed() {
			m.want = want // the door was shut in the middle
		}
	case Rearm:
		w.flush(ctx, c, m, control.FlushOptions{Errorstack: plan.NoErrorstack, Rearm: true}, LineRearmed, "fired")
	}
	if m.armed() && want != Leave {
		// What the session wrote between its fire and our answer is not another.
		w.readOn(ctx, m, func(f sight.Found) {
			f.Records, f.Failed = 0, nil
			w.found(ctx, m, journal.Fired, &f)
		})
	}
}

// flush writes the ring of a session.
func (w *Watch) flush(ctx context.Context, c *control.Controller, m *member, f control.FlushOptions, kind Kind, reason string) {
	inst := m.state.Session.InstID
	c.Shared = nil
	r, err := c.Flush(context.WithoutCancel(ctx), &m.state, f)
	w.failed(inst, err)
	if err != nil {
		m.want = Rearm
		return
	}
	m.take(&r, nil)
	w.notes(&r)
	if r.Result != journal.Done {
		kind, reason = LineError, r.Reason
	}
	w.emit(Line{Kind: kind, Session: docOf(&r, m.state.Fired), Reason: text(reason), Detail: text(r.Detail)})
}

// flushOther writes the ring of the other party of a deadlock, if it is one of
// ours, with a dump of its cursors; it stays armed.
func (w *Watch) flushOther(ctx context.Context, m *member, sid int, rows map[journal.Session]*sessions.Row) {
	inst := m.state.Session.InstID
	if sid == m.state.Session.SID {
		return
	}
	for _, o := range w.sorted() {
		s := &o.state
		if s.Session.InstID != inst || s.Session.SID != sid || s.State != journal.Armed || rows[key(s.Session)] == nil {
			continue
		}
		c := w.controller(ctx, inst)
		if c == nil {
			return
		}
		w.flush(ctx, c, o, control.FlushOptions{Errorstack: w.Errorstack, Rearm: true}, LineFlushed, "deadlock")
		// Its own text is no fire.
		w.readOn(ctx, o, func(sight.Found) {})
	}
}

// Cursor is an open cursor of a session, for those whose text fell out of the
// ring; the JSON names are those of cursors.json in a bundle.
type Cursor struct {
	SQLID    string `json:"sql_id"`
	PlanHash int64  `json:"plan_hash_value"`
	Text     string `json:"text"`
}

// snapshot keeps the session's open cursors, once for each fire.
func (w *Watch) snapshot(ctx context.Context, m *member, now time.Time) {
	if w.Snapshot == nil || w.SaveCursors == nil {
		return
	}
	s := m.state.Session
	list, err := w.Snapshot(ctx, s.InstID, s.SID)
	if err == nil && len(list) > 0 {
		err = w.SaveCursors(w.Campaign, s, now, list)
	}
	if err != nil {
		w.Say("session " + s.String() + ": its open cursors could not be kept: " + err.Error())
	}
}
