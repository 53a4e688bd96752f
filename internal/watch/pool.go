package watch

import (
	"context"
	"errors"
	"fmt"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
	"ringtrace/sessions"
)

// index maps the sessions that are there by their key.
func index(list *Listing) map[journal.Session]*sessions.Row {
	out := make(map[journal.Session]*sessions.Row, len(list.Rows))
	for i := range list.Rows {
		r := &list.Rows[i]
		if r.Reason == sessions.Killed || r.Reason == sessions.NoProcess {
			continue
		}
		out[keyOf(&r.Session)] = r
	}
	return out
}

func keyOf(s *sessions.Session) journal.Session {
	return key(journal.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial, LogonTime: s.LogonTime})
}

// leavers takes back what sessions that are not there any more may have left
// in their process, and forgets them.
func (w *Watch) leavers(ctx context.Context, rows map[journal.Session]*sessions.Row) {
	for k := range w.waiting {
		if rows[k] == nil {
			delete(w.waiting, k)
		}
	}
	for _, m := range w.sorted() {
		k := key(m.state.Session)
		if rows[k] != nil {
			continue
		}
		if !m.armed() {
			// Nothing is on, or nobody knows: then it stays in the journal for
			// disable, which asks once more.
			delete(w.members, k)
			continue
		}
		c := w.controller(ctx, k.InstID)
		if c == nil {
			continue // the next step tries again
		}
		c.Shared = w.shared(m)
		r, err := c.Disarm(context.WithoutCancel(ctx), &m.state, false)
		w.failed(k.InstID, err)
		if err != nil {
			continue
		}
		if r.State == "" && r.Reason == "gone" {
			r.State = journal.Lost // as the journal folds it
		}
		m.take(&r, nil)
		w.emit(Line{Kind: LineLeft, Session: docOf(&r, m.state.Fired), Reason: text(r.Reason), Detail: text(r.Detail)})
		delete(w.members, k)
	}
}

// expire disarms the sessions whose time is over.
func (w *Watch) expire(ctx context.Context) {
	if w.TTL <= 0 {
		return
	}
	for _, m := range w.sorted() {
		if m.armed() && w.Now().Sub(m.armedAt) >= w.TTL {
			w.takeBack(ctx, m, "ttl")
		}
	}
}

// takeBack disarms a session that is there; it is not armed again.
func (w *Watch) takeBack(ctx context.Context, m *member, reason string) {
	inst := m.state.Session.InstID
	c := w.controller(ctx, inst)
	if c == nil {
		return
	}
	c.Shared = w.shared(m)
	r, err := c.Disarm(context.WithoutCancel(ctx), &m.state, false)
	w.failed(inst, err)
	if err != nil {
		return
	}
	m.take(&r, nil)
	m.done = true
	w.notes(&r)
	kind := LineDisarmed
	if r.Result != journal.Done {
		kind = LineError
		reason = r.Reason
	}
	w.emit(Line{Kind: kind, Session: docOf(&r, m.state.Fired), Reason: text(reason), Detail: text(r.Detail)})
}

func (w *Watch) notes(r *control.Result) {
	for _, n := range r.Notes {
		w.Say(n)
	}
}

// newcomers arms the sessions that match and were not met before: in waves at
// the first step, then one by one within the limits.
func (w *Watch) newcomers(ctx context.Context, list *Listing, first bool) {
	byInst := map[int][]control.Target{}
	rows := map[journal.Session]*sessions.Row{}
	var order []int
	room := w.Limits.MaxSessions - w.Totals().Watched
	mem := memory{w: w, list: list, rooms: map[int]*control.Room{}}
	for i := range list.Rows {
		r := &list.Rows[i]
		k := keyOf(&r.Session)
		if !r.Selected || w.members[k] != nil || ctx.Err() != nil || w.fatal != nil {
			continue
		}
		if !w.may(k, r, &room, first) || !first && !mem.take(ctx, r) {
			continue
		}
		t, err := control.NewTarget(&r.Session)
		if err != nil {
			w.refuse(k, r, "refused", err.Error())
			continue
		}
		if byInst[r.InstID] == nil {
			order = append(order, r.InstID)
		}
		byInst[r.InstID], rows[k] = append(byInst[r.InstID], t), r
	}
	for _, inst := range order {
		c := w.controller(ctx, inst)
		if c == nil {
			continue
		}
		arm := func(ctx context.Context, t control.Target) (control.Result, error) {
			r, err := w.arm(ctx, c, t, rows[key(t.Key)])
			if err == nil {
				err = w.fatal // nobody hears of it any more: no further one
			}
			return r, err
		}
		waves := w.Waves
		if !first {
			waves = control.Waves{MaxFailures: -1, Pace: w.Waves.Pace, Sleep: w.Waves.Sleep}
		}
		_, err := waves.Run(ctx, byInst[inst], arm)
		if err != nil && !errors.Is(err, context.Canceled) {
			w.failed(inst, err)
		}
	}
}

// may asks the limits; what they keep out is told of once.
func (w *Watch) may(k journal.Session, r *sessions.Row, room *int, first bool) bool {
	if ora := w.storm.any(w.Limits.StormCode, w.Now()); ora != 0 {
		if !w.braked {
			w.braked = true
			w.emit(Line{Kind: LineError, Reason: text("storm"), Detail: text(fmt.Sprintf("ORA-%05d fired %d times within a minute: nothing new is armed until a minute is quiet", ora, w.Limits.StormCode))})
		}
		return false
	}
	w.braked = false
	if *room <= 0 {
		w.hold(k, r, "session_cap", fmt.Sprintf("%d sessions are armed already (--max-sessions)", w.Limits.MaxSessions))
		return false
	}
	if !first && !w.bucket.allow(w.Now()) {
		return false // its turn comes
	}
	*room--
	delete(w.waiting, k)
	return true
}

// hold tells of a session that is not armed for now.
func (w *Watch) hold(k journal.Session, r *sessions.Row, reason, detail string) {
	if w.waiting[k] {
		return
	}
	w.waiting[k] = true
	w.skipped(k, r, reason, detail)
}

// refuse tells of a session that is never armed.
func (w *Watch) refuse(k journal.Session, r *sessions.Row, reason, detail string) {
	w.members[k] = &member{state: journal.SessionState{Session: k, State: journal.Clean, Ring: journal.RingNone}, done: true}
	w.skipped(k, r, reason, detail)
}

func (w *Watch) skipped(k journal.Session, r *sessions.Row, reason, detail string) {
	res := control.Result{Key: k, Process: processOf(r), Username: r.Username}
	res.Result, res.State, res.Reason, res.Detail = journal.Skipped, journal.Clean, reason, detail
	w.emit(Line{Kind: LineSkipped, Session: docOf(&res, nil), Reason: text(reason), Detail: text(detail)})
}

func processOf(r *sessions.Row) journal.Process {
	return journal.Process{Orapid: r.Orapid, ProcessSerial: r.ProcessSerial, Ospid: r.Ospid, Stid: r.Stid}
}

// arm arms one session and keeps it as a member, whatever came of it: a
// session that was refused is not asked again.
func (w *Watch) arm(ctx context.Context, c *control.Controller, t control.Target, row *sessions.Row) (control.Result, error) {
	m := &member{armedAt: w.Now()}
	m.state = journal.SessionState{Session: key(t.Key), Process: t.Process, Username: t.Username, State: journal.Clean, Ring: journal.RingNone}
	m.file = sight.File{InstID: t.Key.InstID, Path: row.Tracefile, Host: w.host(t.Key.InstID), Ospid: t.Process.Ospid}
	m.scan.Zone = w.zone(t.Key.InstID)
	// What is in the file before the first event is not ours.
	w.readOn(ctx, m, func(sight.Found) {})
	path := m.file.Path
	m.unseen = false // what is told of is that an armed one is not seen
	c.Shared = nil
	r, err := c.Arm(ctx, t)
	if r.Key == (journal.Session{}) {
		return r, err
	}
	w.notes(&r)
	m.take(&r, w.rec.last)
	if m.file.Path != path {
		m.from, m.scan, m.since = 0, sight.Scan{Zone: m.scan.Zone}, m.armedAt.Add(w.skew)
	}
	m.done = r.Result != journal.Done
	if err == nil { // a shut door says nothing about the session
		w.members[key(t.Key)] = m
	}
	l := Line{Kind: LineArmed, Session: docOf(&r, nil), Reason: text(r.Reason), Detail: text(r.Detail)}
	switch r.Result {
	case journal.Done:
	case journal.Skipped:
		l.Kind = LineSkipped
	default:
		l.Kind = LineError
	}
	if err == nil {
		w.emit(l)
		w.alertOf(ctx, m)
	}
	return r, err
}
