package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringtrace/tracefile"
)

// DeadlockSide is one session of the deadlock that the verdict is about: whom it
// waited for, and what it ran.
type DeadlockSide struct {
	Session  int64   `json:"session"`
	This     bool    `json:"this"` // the session of the verdict
	Who      string  `json:"who"`
	Waits    string  `json:"waits"` // mode
	For      string  `json:"for"`
	Holds    string  `json:"holds"` // mode
	Resource string  `json:"resource"`
	Row      *string `json:"row"`
	SQLID    *string `json:"sql_id"`
	Text     *string `json:"text"` // with its bind values, where the session's own trace is there and has them
	File     string  `json:"file"`
	Line     int64   `json:"line"` // of the statement

	// Missing says why its own trace is not here, null if it is; Fetch is what to
	// type for it, if anything.
	Missing *string  `json:"trace_missing"`
	Fetch   []string `json:"trace_commands"`
}

// globalWithin is how far the graph of LMD0, which stands in another file and is
// written by another process, may be from the error it belongs to, us.
const globalWithin = 60_000_000

// deadlock finds the graph of the verdict's ORA-00060: of those in its file the
// last before the error, or else the first behind it; of a cluster, that of LMD0
// nearest in time.
func (b *builder) deadlock() {
	v := b.m.Verdict
	if v == nil || v.ORA != 60 {
		return
	}
	e := b.errs[v.ErrorIndex]
	best, distance := -1, int64(0)
	for i, d := range b.p.Deadlocks {
		var far int64
		switch {
		case d.File == e.File && d.Line <= e.Line:
			far = e.Line - d.Line - 1<<62
		case d.File == e.File:
			far = d.Line - e.Line - 1<<61
		case d.Global && d.Stamp.Valid && e.HasWall:
			at, _, _ := instant(d.Stamp, d.File.Clock)
			if far = at - e.Wall; far < 0 {
				far = -far
			}
			if far > globalWithin {
				continue
			}
		default:
			continue
		}
		if best < 0 || far < distance {
			best, distance = i, far
		}
	}
	if best < 0 {
		return
	}
	v.Deadlock = &b.m.Deadlocks[best]
	for _, edge := range b.p.Deadlocks[best].Edges {
		v.Sides = append(v.Sides, b.side(b.p.Deadlocks[best], edge, e))
	}
	slices.SortStableFunc(v.Sides, func(x, y DeadlockSide) int { return cmp.Compare(rank(x.This), rank(y.This)) })
}

// ownerOf names the session in whose trace a graph stands: that of the error behind
// it, or the only one of the file. A shared file without either does not tell.
func (b *builder) ownerOf(d *tracefile.Deadlock) string {
	var of *tracefile.ErrorInfo
	for _, e := range b.errs {
		if e.File == d.File && e.ORA == 60 && e.Session != nil && e.Session.SID != "" && (e.Line >= d.Line && (of == nil || e.Line < of.Line) || e.Dump != nil && e.Dump.Line <= d.Line && d.Line <= e.Dump.EndLine) {
			of = e
		}
	}
	if of != nil {
		return b.session(of.Session)
	}
	var only *tracefile.Session
	for _, s := range b.p.Sessions {
		if s.File == d.File && s.SID != "" {
			if only != nil {
				return ""
			}
			only = s
		}
	}
	return b.session(only)
}

// rank puts what is true first.
func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// side tells one edge of a graph.
func (b *builder) side(d *tracefile.Deadlock, edge tracefile.DeadlockEdge, e *tracefile.ErrorInfo) DeadlockSide {
	s := DeadlockSide{
		Session: edge.Waiter.Session, Who: party(edge.Waiter), Waits: valid(edge.Waiter.Mode), For: party(edge.Blocker),
		Holds: valid(edge.Blocker.Mode), Resource: valid(edge.Resource), File: path(d.File),
		Fetch: []string{},
	}
	if s.Session == 0 {
		return s // LMD0 names processes
	}
	own := sidOf(e.Session)
	s.This = own == s.Session
	if !s.This {
		why, commands := b.peerTrace(edge.Waiter, e)
		s.Missing, s.Fetch = str(why), append(s.Fetch, commands...)
	}
	for _, r := range d.Rows {
		if r.Session == s.Session && r.ROWID != "" {
			s.Row = str(fmt.Sprintf("row %s of object %d", r.ROWID, r.Object))
		}
	}
	for _, q := range d.SQL {
		if q.Session == s.Session || q.Session == 0 && s.This {
			s.SQLID, s.Text, s.Line = str(q.SQLID), str(b.hide.sql(q.Text)), q.Line
			if r := b.ranInDeadlock(q.Text, s.Session, e); r != nil {
				s.File, s.Line, s.SQLID = path(r.File), r.Line, str(r.Statement.SQLID)
				if binds := r.Binds(); len(binds) > 0 && !b.opt.Redact.Binds {
					s.Text = str(b.hide.sql(tracefile.Substitute(q.Text, binds)))
				}
			}
		}
	}
	return s
}

// ranInDeadlock finds the execution of a text that a session of the deadlock was
// in when the error came: the graph has no bind values, the session's own trace
// has.
func (b *builder) ranInDeadlock(text string, sid int64, e *tracefile.ErrorInfo) *tracefile.Row {
	if !e.HasWall {
		return nil
	}
	want := strings.Join(strings.Fields(text), " ")
	var found *tracefile.Row
	for _, s := range b.p.Sessions {
		if sidOf(s) != sid || e.Session != nil && !sameInstance(s, e.Session) {
			continue
		}
		for _, r := range s.Story {
			if r.Kind != tracefile.RowExecution || r.Execs == 0 || r.Statement == nil || strings.Join(strings.Fields(r.Statement.Text), " ") != want {
				continue
			}
			// It had begun by then and had not ended long before.
			from, ok := s.Clock.Wall(r.Start)
			if ok && from <= e.Wall && from+r.Elapsed >= e.Wall-deadlockSlack {
				found = r
			}
		}
	}
	return found
}

// deadlockSlack is how far the clocks of two processes may disagree, us.
const deadlockSlack = 100_000

func sidOf(s *tracefile.Session) int64 {
	if s == nil {
		return 0
	}
	sid, _, _ := strings.Cut(s.SID, ".")
	n, _ := strconv.ParseInt(sid, 10, 64)
	return n
}

// sameInstance reports whether two sessions can be of one instance: sids repeat
// between those of a cluster.
func sameInstance(x, y *tracefile.Session) bool {
	return x.File == nil || y.File == nil || x.File.Instance == y.File.Instance
}

// Told says it in a line; what it ran is another.
func (s *DeadlockSide) Told() string {
	this, waits, holds := "", "", ""
	if s.This {
		this = " (the one that failed)"
	}
	if s.Waits != "" {
		waits = " " + s.Waits
	}
	if s.Holds != "" {
		holds = ", which holds " + s.Holds
	}
	t := fmt.Sprintf("%s%s waits%s for %s%s: %s", s.Who, this, waits, s.For, holds, s.Resource)
	if s.Row != nil {
		t += ", " + *s.Row
	}
	return t
}

// Ran reports whether a side ran the verdict's own statement.
func (v *Verdict) Ran(s *DeadlockSide) bool {
	const all = 1 << 20
	ran := oneLine(deref(s.Text), all)
	return s.This && (ran == oneLine(deref(v.Text), all) || ran == oneLine(deref(v.WithValues), all))
}

// shownSides is how many sides of a deadlock the first screen tells.
const shownSides = 4

// deadlock tells on the first screen who waited for whom, with what they ran.
func (p *printer) deadlock() {
	v := p.m.Verdict
	if len(v.Sides) == 0 {
		return
	}
	p.f("  deadlock     %s\n", p.place(v.Deadlock.File, v.Deadlock.Line))
	for i := range v.Sides {
		if i >= shownSides {
			p.f("    … %d more: see DEADLOCK below\n", len(v.Sides)-i)
			break
		}
		s := &v.Sides[i]
		p.block("    ", s.Told(), 3)
		if s.Text != nil && v.Ran(s) {
			p.f("      it ran the statement above\n")
		} else if s.Text != nil {
			p.item("      it ran ", oneLine(*s.Text, 3*p.width), 3)
		}
		if s.Missing != nil {
			p.block("      ", *s.Missing, 3)
		}
		for _, c := range s.Fetch {
			p.f("        %s\n", clean(c)) // in one line, to be copied
		}
	}
}
