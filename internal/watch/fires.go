package watch

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sight"
	"ringtrace/sessions"
)

// sorted lists the members in the order of their keys, so that two runs over
// the same world do the same.
func (w *Watch) sorted() []*member {
	out := make([]*member, 0, len(w.members))
	for _, m := range w.members {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *member) int {
		x, y := a.state.Session, b.state.Session
		for _, d := range []int{x.InstID - y.InstID, x.SID - y.SID, x.Serial - y.Serial} {
			if d != 0 {
				return d
			}
		}
		return x.LogonTime.Compare(y.LogonTime)
	})
	return out
}

// wanted reports whether an error is one that the campaign waits for.
func (w *Watch) wanted(ora int) bool {
	for _, e := range w.Events {
		if e.Kind == string(plan.KindError) && e.Ora == ora {
			return true
		}
	}
	return false
}

// readOn reads what was appended to a member's file.
func (w *Watch) readOn(ctx context.Context, m *member, f func(sight.Found)) {
	for {
		p, err := w.Sight.Look(ctx, m.file, m.from)
		if err != nil {
			w.Say(fmt.Sprintf("session %s: %v", m.state.Session, err))
			return
		}
		if !p.Seen {
			m.unseen = true
			return
		}
		m.unseen = false
		if p.Next < m.from+int64(len(p.Data)) { // the file began anew
			m.scan = sight.Scan{Zone: m.scan.Zone}
		}
		m.from = p.Next
		if len(p.Data) > 0 {
			f(m.scan.Feed(p.Data))
		}
		if !p.More {
			return
		}
	}
}

// look looks at the trace file of everything that may fire. rows is nil when
// the sessions could not be listed.
func (w *Watch) look(ctx context.Context, _ map[journal.Session]*sessions.Row) {
	for _, m := range w.sorted() {
		if !m.armed() && !m.state.Open() {
			continue
		}
		was := m.unseen
		state := m.state.State
		w.readOn(ctx, m, func(f sight.Found) { w.found(ctx, m, state, &f) })
		if m.unseen && !was && m.file.Path != "" {
			w.blind(m)
		}
	}
	w.lookAtAlerts(ctx)
}

// blind says once that nobody can tell whether the session fired.
func (w *Watch) blind(m *member) {
	r := m.result(journal.Unknown)
	r.State = journal.Uncertain
	w.emit(Line{
		Kind: LineError, Session: docOf(r, m.state.Fired), Reason: text("unseen"),
		Detail: text(fmt.Sprintf("its trace file %s cannot be seen from here, so a fire cannot be noticed; run ringtrace on host %s, or on 12.2 and later connect to that instance", m.file.Path, m.file.Host)),
	})
}

// found takes over what one piece of a file told. A header and markers alone
// are no fire.
func (w *Watch) found(ctx context.Context, m *member, was journal.State, f *sight.Found) {
	counted := map[int]bool{}
	for i := range f.Dumps {
		d := &f.Dumps[i]
		ora, ok := d.Trigger(w.wanted)
		if !ok || d.SID != 0 && (d.SID != m.state.Session.SID || d.Ser != m.state.Session.Serial) {
			continue
		}
		if !m.since.IsZero() && !d.At.IsZero() && d.At.Before(m.since) || m.known[fireKey(ora, d.At)] {
			counted[ora] = true
			continue
		}
		counted[ora] = true
		w.fire(ctx, m, ora, d.At, d.Others)
	}
	if w.RingBytes == 0 || f.Records == 0 {
		return
	}
	// Trace in the file although a ring is on: it was written, or never held
	// anything. An error line without a dump is a fire whose dumps are used up,
	// or one without a dump.
	if was == journal.Armed && len(counted) == 0 {
		for _, ora := range f.Failed {
			if w.wanted(ora) && !counted[ora] {
				counted[ora] = true
				w.fire(ctx, m, ora, f.Stamp, nil)
			}
		}
	}
	if len(counted) == 0 && m.state.State == journal.Armed {
		w.unbuffered(m)
	}
	if m.state.State == journal.Fired && w.OnFire == Leave {
		m.state.State = journal.Unbuffered
		w.observe(journal.Observed{Session: m.state.Session, State: journal.Unbuffered, Ring: journal.RingOffSent})
	}
}

// unbuffered tells of a session that writes trace although nothing fired.
func (w *Watch) unbuffered(m *member) {
	m.state.State = journal.Unbuffered
	w.observe(journal.Observed{Session: m.state.Session, State: journal.Unbuffered, Reason: "unbuffered"})
	r := m.result(journal.Unknown)
	w.emit(Line{
		Kind: LineError, Session: docOf(r, m.state.Fired), Reason: text("unbuffered"),
		Detail: text("it writes SQL trace to its file although nothing has fired: the ring does not hold it on this release, or is gone; `ringtrace drill` tells which"),
	})
}

func (w *Watch) observe(o journal.Observed) {
	o.Run = w.run
	if err := w.journal.Observe(o); err != nil && w.fatal == nil {
		w.fatal = err
	}
}

// maxFired bounds the fires of one session that its lines repeat, in number. The
// journal has all.
const maxFired = 100

// latest is the last n of a list, in memory of its own where there were more.
func latest(list []journal.Fire, n int) []journal.Fire {
	if len(list) <= n {
		return list
	}
	return slices.Clone(list[len(list)-n:])
}

// fire counts one fire and tells of it. What is done about it comes later, in
// react.
func (w *Watch) fire(ctx context.Context, m *member, ora int, at time.Time, others []int) {
	now := w.Now()
	if at.IsZero() {
		at = now
	}
	at = at.UTC()
	fire := journal.Fire{Ora: ora, At: at}
	m.state.Fired = append(latest(m.state.Fired, maxFired-1), fire)
	m.hits = append(since(m.hits, now.Add(-sessionWindow)), now)
	m.state.State = journal.Fired
	w.storm.add(ora, now)
	w.hit(ora, now)
	w.observe(journal.Observed{Session: m.state.Session, State: journal.Fired, Tracefile: m.file.Path, Fired: []journal.Fire{fire}})
	r := m.result(journal.Done)
	l := Line{Kind: LineFired, Session: docOf(r, m.state.Fired), Ora: &ora}
	w.emit(l)
	if w.Hook != nil {
		l.At, l.Campaign = now.UTC(), w.Campaign
		w.Hook(l)
	}
	w.snapshot(ctx, m, now)
	m.want = w.OnFire
	m.others = append(m.others, others...)
}

// hit counts a hit. A deadlock that the alert log told of first is the same.
func (w *Watch) hit(ora int, now time.Time) {
	if ora == 60 {
		if !w.lastLock.IsZero() && now.Sub(w.lastLock) < window && w.lastAlert {
			w.lastAlert = false
			return
		}
		w.lastLock, w.lastAlert = now, false
	}
	w.totals.Hits++
	w.totals.ByOra[ora]++
}

// alert is the alert log of an instance.
type alert struct {
	file sight.File
	from int64
	scan sight.Alert
}

// alertOf finds the alert log beside the trace file of a session: in a cluster
// a deadlock stands there and in no session's words
// (facts/problem-cases.md O12).
func (w *Watch) alertOf(ctx context.Context, m *member) {
	inst := m.state.Session.InstID
	if !w.wanted(60) || w.alerts[inst] != nil || m.file.Path == "" {
		return
	}
	in, ok := w.place.Instance(inst)
	if !ok || in.InstanceName == "" {
		return
	}
	dir := path.Dir(strings.ReplaceAll(m.file.Path, `\`, "/"))
	a := &alert{file: sight.File{InstID: inst, Path: dir + "/alert_" + in.InstanceName + ".log"}}
	w.alerts[inst] = a
	if p, err := w.Sight.Look(ctx, a.file, sight.FromEnd); err == nil && p.Seen {
		a.from = p.Next
		return
	}
	w.Say(fmt.Sprintf("the alert log of instance %d cannot be read from here: a deadlock across instances is seen in the trace of its session alone", inst))
}

func (w *Watch) lookAtAlerts(ctx context.Context) {
	now := w.Now()
	for _, inst := range w.instIDs() {
		a := w.alerts[inst]
		if a == nil {
			continue
		}
		p, err := w.Sight.Look(ctx, a.file, a.from)
		if err != nil || !p.Seen {
			continue
		}
		a.from = p.Next
		for _, line := range a.scan.Feed(p.Data) {
			if !w.lastLock.IsZero() && now.Sub(w.lastLock) < window {
				continue // told of by the session itself
			}
			w.hit(60, now)
			w.lastAlert = true
			ora := 60
			w.emit(Line{Kind: LineFired, Ora: &ora, Reason: text("alert_log"), Detail: text(fmt.Sprintf("instance %d: %s", inst, line))})
		}
	}
}
