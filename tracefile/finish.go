package tracefile

import (
	"slices"
	"sort"
)

// endGroup settles what is open in the present stream.
func (a *Analyzer) endGroup() {
	g := a.grp
	if g == nil {
		return
	}
	a.endDump()
	a.endRing(0)
	var unit int64 = 1000
	if a.file != nil {
		unit = a.file.Dialect.TimUnitNs
	}
	clock := g.clock.decide(unit)
	for _, f := range a.p.Files[g.files:] {
		if f.Clock.Why == "" && f.Clock.UnitNs == 0 {
			f.Clock = clock
		}
	}
	if clock.UnitNs == 1024 {
		a.notef("clock_unit", 0, "%s; the figures below are in these units, as tkprof has them; wall-clock times are corrected", clock.Why)
	}
	if sl := g.slices; sl != nil {
		sl.Clock = clock
		if a.p.Slices == nil || a.better(sl) {
			a.p.Slices, sl = sl, a.p.Slices
		}
		a.spareSlices = sl // 17 kB each
	}
	for len(a.building) > 0 {
		a.endPlan(a.building[0])
	}
	g.sessions, a.rows.live = nil, nil
	for i, s := range g.order {
		g.order[i] = nil
		a.endSession(s, clock)
	}
	for _, e := range a.p.Errors[g.errors:] {
		e.settle(clock)
	}
	a.grp = nil
	a.boundStories()
	a.dups.reset()
}

// better prefers the chart of a stream in which an error stands.
func (a *Analyzer) better(sl *Slices) bool {
	for _, e := range a.p.Errors {
		if e.File == sl.File {
			return true
		}
		if e.File == a.p.Slices.File {
			return false
		}
	}
	return false
}

// stampedFrom is from which disagreement on an error has the time of its dump, us.
const stampedFrom = 10_000

func (e *ErrorInfo) settle(clock ClockInfo) {
	if e.Statement != nil {
		e.Binds = sameNames(e.Statement.Text, e.Binds)
	}
	e.Zone = clock.Zone
	if e.HasTim || e.Tim != 0 {
		e.Wall, e.HasWall = clock.Wall(e.Tim)
	}
	if e.Dump != nil && e.Dump.Stamp.Valid {
		// The stamp before a dump is the moment itself. The ERROR line stands behind
		// the dump, and tim has to be reckoned from anchors that may disagree.
		at, zone := e.Dump.Stamp.UTC(), clock.Zone
		if e.Dump.Stamp.HasZone {
			zone = e.Dump.Stamp.Zone
		} else if clock.HasZone {
			at -= int64(clock.Zone) * 1e6
		}
		if !e.HasTim || !e.HasWall || max(at-e.Wall, e.Wall-at) > stampedFrom {
			e.Wall, e.Zone, e.HasWall, e.Stamped = at, zone, true, true
		}
	}
	e.sess = nil
}

// endSession settles a session: waits and calls that no completed call claimed,
// and what was running when the trace ended.
func (a *Analyzer) endSession(s *session, clock ClockInfo) {
	if s.untouched() && s.story.seq == 0 {
		a.release(s)
		return
	}
	a.s = s
	a.sessionNumber()
	for i := range s.pending {
		w := &s.pending[i]
		inside := len(s.levels) > 1 && len(s.levels[1].kids) > 0
		a.attribute1(w, nil, Unknown, inside && w.ev.Class != ClassIdle)
	}
	s.pending = s.pending[:0]
	a.inFlight(s)
	if s.HasTim {
		s.Elapsed = s.ran + s.Last - s.begun
	}
	sort.Slice(s.Gaps, func(i, j int) bool { return s.Gaps[i].Time > s.Gaps[j].Time })
	s.Story = s.story.all()
	for _, r := range s.Story {
		r.Session = s.Session
		a.rows.used += r.weight() - 1
	}
	sort.SliceStable(s.Story, func(i, j int) bool {
		x, y := s.Story[i], s.Story[j]
		if x.Stretch != y.Stretch {
			return x.Stretch < y.Stretch
		}
		if x.HasTim && y.HasTim && x.Start != y.Start {
			return x.Start < y.Start
		}
		return x.seq < y.seq
	})
	s.Clock = clock
	if s.HasTim {
		us, ok := clock.Wall(s.Last)
		if !ok {
			us = s.Last
		}
		a.latest = max(a.latest, us)
	}
	a.release(s)
}

// release lets go of what only reading needs: the Session stays. The next session may
// use it.
func (a *Analyzer) release(s *session) {
	if len(s.levels) > len(a.spareLevels) && len(s.levels) <= 16 {
		for i := range s.levels {
			l := &s.levels[i]
			*l = level{kids: l.kids[:0], nodes: l.nodes[:0]}
		}
		a.spareLevels = s.levels
	}
	if n := cap(s.pending); n > cap(a.sparePending) && n <= 4096 {
		clear(s.pending[:n])
		a.sparePending = s.pending[:0]
	}
	if len(s.Story) > 0 {
		a.rows.ended = append(a.rows.ended, &story{pool: &a.rows, sess: s.Session, held: true, ended: true})
	}
	*s = session{}
}

// inFlight finds the calls that were running when the trace ended: their
// children are there, or their bind values.
func (a *Analyzer) inFlight(s *session) {
	first := true
	for d := range s.levels {
		l := &s.levels[d]
		for _, n := range l.nodes {
			a.merge(a.orphans(), n)
		}
		l.nodes = nil
		if d == 0 || len(l.kids) == 0 {
			continue
		}
		if first {
			s.CallElapsed += l.sum.elapsed
			s.CallCPU += l.sum.cpu
			first = false
		}
		s.InFlight = append(s.InFlight, InFlight{
			Depth: int64(d - 1), Elapsed: l.sum.elapsed, Children: l.sum.count, Line: l.line,
		})
	}
	if c := s.lastBind; c != nil && c.fresh {
		f := InFlight{Statement: c.stmt, Line: c.bindAt, Depth: -1}
		if c.stmt != nil {
			f.Depth = c.stmt.Depth
		}
		s.InFlight = append(s.InFlight, f)
	}
}

// finish settles what needs the whole input.
func (a *Analyzer) finish() {
	a.nameFromSnapshot()
	p := a.p
	if len(p.LeftOut) > 0 {
		p.Sessions = slices.DeleteFunc(p.Sessions, func(s *Session) bool { return !s.HasTim && len(s.Story) == 0 && s.Dropped == 0 })
	}
	a.noteDropped()
	kept := p.Statements[:0]
	for _, st := range p.Statements {
		if st.TextSource == TextNone && st.empty() && st.Errors == 0 && st != a.other {
			continue // a cursor number that only CLOSE or nothing used
		}
		st.flame, st.waitAt = nil, nil
		st.Inclusive.Add(st.Self)
		sort.SliceStable(st.Waits, func(i, j int) bool { return st.Waits[i].Total > st.Waits[j].Total })
		kept = append(kept, st)
	}
	p.Statements = kept
	for _, e := range p.Events {
		e.finishParams()
	}
	sort.SliceStable(p.Events, func(i, j int) bool { return p.Events[i].Stat.Total > p.Events[j].Stat.Total })
}

func (st *Statement) empty() bool {
	c := st.Self.Sum()
	return c.Count == 0 && len(st.Waits) == 0 && st.Close.Count == 0 && len(st.Plans) == 0
}

// nameFromSnapshot names unknown statements by their plan hash value, where one
// cursor of the snapshot alone has it. The names are marked as inferred.
func (a *Analyzer) nameFromSnapshot() {
	for _, st := range a.p.Statements {
		if st.TextSource != TextNone || st.PlanHash == 0 {
			continue
		}
		if c := a.opt.Snapshot[st.PlanHash]; len(c) == 1 {
			st.SQLID, st.Text, st.TextSource, st.Inferred = c[0].SQLID, c[0].Text, TextSnapshot, true
		}
	}
}
