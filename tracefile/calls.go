package tracefile

// level holds the calls of one recursion depth that no caller has claimed yet.
type level struct {
	kids  []kid
	sum   kid // of all kids; start is the earliest
	nodes []*FlameNode
	line  int64 // of the first
}

// kid is a completed call, or several next to each other.
type kid struct {
	start                              int64
	count                              int64
	cpu, elapsed, disk, query, current int64
}

func (k *kid) add(o *kid) {
	k.count += o.count
	k.cpu += o.cpu
	k.elapsed += o.elapsed
	k.disk += o.disk
	k.query += o.query
	k.current += o.current
}

// maxKids bounds the calls kept one by one below a caller that is still
// running. Beyond it neighbours are summed, two by two.
const maxKids = 4096

func (l *level) push(rec *Record) {
	if len(l.kids) >= maxKids {
		l.halve()
	}
	start, n := rec.Tim-rec.Elapsed, len(l.kids)
	if n == 0 {
		l.line, l.sum.start = rec.Line, start
	}
	if start < l.sum.start {
		l.sum.start = start
	}
	l.kids = l.kids[:n+1]
	k := &l.kids[n]
	k.start, k.count = start, 1
	k.cpu, k.elapsed, k.disk, k.query, k.current = rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current
	l.sum.add(k)
}

func (l *level) halve() {
	n := 0
	for i := 0; i+1 < len(l.kids); i += 2 {
		l.kids[n] = l.kids[i]
		l.kids[n].add(&l.kids[i+1])
		l.kids[n].start = min(l.kids[n].start, l.kids[i+1].start)
		n++
	}
	if len(l.kids)%2 == 1 {
		l.kids[n] = l.kids[len(l.kids)-1]
		n++
	}
	l.kids = l.kids[:n]
}

// claim removes the calls below a caller that began at start and returns their
// sum. Calls that began earlier have another caller, which is not in the trace
// (facts 14): they are dropped.
func (l *level) claim(start int64, timed bool) kid {
	sum := l.sum
	if timed && sum.start < start {
		sum = kid{}
		for i := range l.kids {
			if l.kids[i].start >= start {
				sum.add(&l.kids[i])
			}
		}
	}
	l.kids, l.sum = l.kids[:0], kid{}
	return sum
}

func (s *session) level(d int64) *level {
	for int64(len(s.levels)) <= d {
		s.levels = append(s.levels, level{})
	}
	return &s.levels[d]
}

// self sets self to the figures of a call without those of the calls below it,
// and passes the call on to its own caller. claimed: there were such calls.
func (s *session) self(rec *Record, self *Values) (claimed bool) {
	self.Count, self.CPU, self.Elapsed, self.Disk = 1, rec.CPU, rec.Elapsed, rec.Disk
	self.Query, self.Current, self.Rows, self.Misses = rec.Query, rec.Current, rec.Rows, rec.Misses
	d := rec.Depth
	if int64(len(s.levels)) > d+1 {
		if l := &s.levels[d+1]; len(l.kids) > 0 {
			k := l.claim(rec.Tim-rec.Elapsed, rec.HasTim)
			claimed = k.count > 0
			self.CPU -= k.cpu
			self.Elapsed -= k.elapsed
			self.Disk -= k.disk
			self.Query -= k.query
			self.Current -= k.current
		}
	}
	if d > 0 {
		if int64(len(s.levels)) <= d {
			s.level(d)
		}
		l := &s.levels[d]
		if len(l.kids) == cap(l.kids) {
			s.g.moreKids(l)
		}
		l.push(rec)
	}
	return claimed
}

// call counts PARSE, EXEC, FETCH, CLOSE, UNMAP and SORT UNMAP.
func (a *Analyzer) call(rec *Record) {
	s := a.s
	if !rec.Complete || s.skip {
		return
	}
	c := a.find(rec.Cursor)
	if !a.inTime(rec) {
		if rec.Kind == Exec {
			c.execs++ // the next one is still the second of its cursor
		}
		return
	}
	if rec.HasTim {
		a.tick(rec)
	}
	st := a.statementOf(c, rec)
	var self Values
	claimed := s.self(rec, &self)
	if rec.Kind == Close {
		st.Close.add(&self)
		if rec.Type == 0 {
			st.HardClose++
			c.closed = rec.Line
		}
	} else {
		c.closed = 0
		st.Self.of(rec.Kind).add(&self)
		if claimed {
			st.Inclusive.of(rec.Kind).add(&Values{
				CPU: rec.CPU - self.CPU, Elapsed: rec.Elapsed - self.Elapsed,
				Disk: rec.Disk - self.Disk, Query: rec.Query - self.Query, Current: rec.Current - self.Current,
			})
		}
		switch {
		case !c.known:
			a.p.Totals.UnknownCursors.of(rec.Kind).add(&self)
		case rec.Depth == 0:
			a.p.Totals.NonRecursive.of(rec.Kind).add(&self)
		default:
			a.p.Totals.Recursive.of(rec.Kind).add(&self)
		}
	}
	if rec.Elapsed > st.MaxCall {
		st.MaxCall, st.MaxLine, st.MaxFile = rec.Elapsed, rec.Line, a.file
	}
	if rec.Elapsed > a.topMin {
		a.top(TopCall{a.file, rec.Line, rec.Elapsed, rec.Kind, nil, st})
	}
	if rec.Goal != 0 {
		st.Goal = rec.Goal
	}
	a.flame(rec, c, st, &self, claimed)
	switch rec.Kind {
	case Exec:
		c.execs++
		s.OpenTx.exec(st, rec)
	case Fetch:
		if rec.Rows == 0 {
			st.Empty++
		}
	}
	if rec.HasTim {
		// The waits within go to the call's row, which must be there; those before
		// it are sorted in front by their time.
		a.storyCall(rec, c, st, self.Elapsed)
		a.settle(rec, c)
	} else {
		a.settle(rec, c)
		a.storyCall(rec, c, st, self.Elapsed)
	}
	if rec.Kind == Exec {
		c.fresh = false
		if s.lastBind == c {
			s.lastBind = nil
		}
	}
	if rec.Depth == 0 {
		s.CallElapsed += rec.Elapsed
		s.CallCPU += rec.CPU
		cl := s.clientUse()
		cl.Elapsed += rec.Elapsed
		if rec.Kind == Exec {
			cl.Executions++
		}
	}
	if rec.HasTim {
		a.slice(rec.Tim, ClassCPU, self.CPU, rec.Elapsed)
	}
}

// lob counts a LOB call: a call at depth 0 without a cursor (facts 9).
func (a *Analyzer) lob(rec *Record) {
	s := a.s
	if !rec.Complete || s.skip || !a.inTime(rec) {
		return
	}
	if rec.HasTim {
		a.tick(rec)
	}
	var self Values
	s.self(rec, &self)
	l := a.lobCall(rec)
	l.Bytes += rec.Bytes
	l.Values.add(&self)
	s.CallElapsed += rec.Elapsed
	s.CallCPU += rec.CPU
	s.clientUse().Elapsed += rec.Elapsed
	a.settle(rec, nil)
	a.storyLob(rec)
	if rec.HasTim {
		a.slice(rec.Tim, ClassCPU, self.CPU, rec.Elapsed)
	}
}

// maxLobNames is how many names of LOB calls are told apart: there are a dozen, and
// what damage makes of them.
const maxLobNames = 64

// lobCall returns the sums of LOB calls of the record's name.
func (a *Analyzer) lobCall(rec *Record) *LobCall {
	for _, x := range a.p.Lobs {
		if x.Name == string(rec.Name) {
			return x
		}
	}
	name := string(rec.Name)
	switch n := len(a.p.Lobs); {
	case n == maxLobNames:
		name = "(others)"
	case n > maxLobNames:
		return a.p.Lobs[maxLobNames]
	}
	l := &LobCall{Name: name, File: a.file, Line: rec.Line}
	a.p.Lobs = append(a.p.Lobs, l)
	return l
}

// tick moves the session's clock to a record's time.
func (a *Analyzer) tick(rec *Record) {
	if a.wrongTime {
		return
	}
	s, g := a.s, a.grp
	start := rec.Tim - rec.Elapsed
	if rec.Tim >= s.Last && start >= s.begun && rec.Elapsed >= 0 && s.HasTim && !s.resumed {
		s.Last, s.lastLine = rec.Tim, rec.Line
	} else {
		a.moveClock(rec, start)
	}
	if g.clock.waiting {
		g.clock.anchor(rec.Tim, rec.Line)
	}
	g.lastTim = rec.Tim
}

// moveClock is tick for what is no plain step forwards.
func (a *Analyzer) moveClock(rec *Record, start int64) {
	s := a.s
	if rec.Elapsed < 0 {
		start = rec.Tim
	}
	if !s.HasTim {
		s.HasTim, s.First, s.Last, s.begun, s.lastEnd = true, start, rec.Tim, start, start
	} else if s.resumed {
		s.ran += s.Last - s.begun
		s.begun, s.lastEnd, s.Last = start, start, rec.Tim
	} else if rec.Tim < s.Last-clockSlack {
		a.clockStep(rec)
	} else if start < s.begun && rec.Damage == Sound && rec.Elapsed < maxElapsed {
		s.begun = start
		if start < s.First {
			s.First = start
		}
	}
	s.resumed = false
	s.lastLine = rec.Line
	if rec.Tim > s.Last {
		s.Last = rec.Tim
	}
}

// clockSlack is how far time may run back within a session without being a step
// of the clock: lines of one moment are not always written in order (facts 4).
const (
	clockSlack = 10_000
	maxElapsed = 30 * 86400 * 1_000_000
)

// believe takes a time far behind the last one only if another record has told
// of the same moment: a damaged digit is likelier than a month of silence.
func (a *Analyzer) believe(rec *Record) bool {
	s := a.s
	d := rec.Tim - s.jump
	if !a.grp.reopened && (s.jump == 0 || d < -maxElapsed || d > maxElapsed) {
		s.jump = rec.Tim
		return false
	}
	s.jump, a.grp.reopened = 0, false
	s.ran += s.Last - s.begun
	s.begun = rec.Tim - rec.Elapsed
	s.lastEnd = s.begun
	return true
}

// clockStep ends the stretch of time before a clock that was set back, or a
// file that begins anew.
func (a *Analyzer) clockStep(rec *Record) {
	s := a.s
	s.ran += s.Last - s.begun
	s.story.stretch++
	if !a.grp.reopened {
		a.problemf("clock_step", rec.Line, "time runs back by %.6f s from L%d to this line: the clock was set, or text of another process stands here", float64(s.Last-rec.Tim)/1e6, s.lastLine)
	}
	a.grp.reopened = false
	s.Last = rec.Tim
	s.begun = rec.Tim - rec.Elapsed
	s.lastEnd = rec.Tim - rec.Elapsed
}
