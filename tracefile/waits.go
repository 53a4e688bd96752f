package tracefile

// pendingWait is a wait whose call has not ended yet.
type pendingWait struct {
	ev    *Event
	stmt  *Statement // nil: the cursor had none at the time
	cur   *cursor    // nil: cursor 0
	ela   int64
	end   int64
	timed bool
	b     uint8 // its bucket in histograms
	line  int64
	what  string // of a lock
}

// midpoint decides on which side of a call's beginning a wait lies (facts 16).
func (w *pendingWait) midpoint() int64 { return w.end - w.ela/2 }

// maxPending bounds the waits that are kept while a call runs.
const maxPending = 1 << 16

func (a *Analyzer) event(name []byte) *Event {
	if e := a.lastEvent; e != nil && e.Name == string(name) {
		return e
	}
	var recent **Event
	if n := len(name); n > 0 {
		// Names of one length mostly differ in their first letter, or in the middle.
		recent = &a.recent[(uint(n)+uint(name[0])*7+uint(name[n/2])*13)%uint(len(a.recent))]
		if e := *recent; e != nil && e.Name == string(name) {
			a.lastEvent = e
			return e
		}
	}
	e := a.events[string(name)]
	if e == nil {
		if len(a.events) >= 10000 {
			name = []byte("(other events)")
			if e = a.events[string(name)]; e != nil {
				return e
			}
		}
		e = &Event{Name: string(name)}
		e.Class, e.Client = classOf(e.Name), isClientWait(e.Name)
		e.Stat.Event = e
		if wantsParams(e.Class) && len(a.p.Events) < maxParamEvents {
			e.Params = &ParamTable{Kind: paramsUndecided}
		}
		a.events[e.Name] = e
		a.p.Events = append(a.p.Events, e)
	}
	a.lastEvent = e
	if recent != nil {
		*recent = e
	}
	return e
}

func (a *Analyzer) wait(rec *Record) {
	s := a.s
	if !rec.Complete || s.skip || !a.inTime(rec) {
		return
	}
	if rec.HasTim {
		a.tick(rec)
	}
	ev := a.event(rec.Name)
	ela := rec.Elapsed
	if ela > ev.Stat.Max {
		ev.MaxFile, ev.MaxLine = a.file, rec.Line
	}
	ev.Stat.add(ela)
	b := min(bucketOf(ela), len(ev.Buckets)-1)
	ev.Buckets[b]++
	ev.BucketTime[b] += ela
	if rec.Object > 0 && rec.Object != noObject && ev.byObject() {
		ev.object(rec.Object, ela)
	}
	if ev.Params != nil && ev.Params.due(ela) {
		a.param(ev, rec, ela)
	}
	w := pendingWait{ev: ev, ela: ela, end: rec.Tim, timed: rec.HasTim, b: uint8(b), line: rec.Line}
	if rec.Cursor != 0 {
		w.cur = a.find(rec.Cursor)
		w.stmt = w.cur.stmt
	}
	if ev.Class == ClassLock && ela >= 1000 {
		w.what = a.lockDetail(rec)
	}
	if len(s.pending) >= maxPending {
		a.settleOldest()
	}
	s.pending = append(s.pending, w)
	if ela > a.topMin && ev.Class != ClassIdle {
		a.top(TopCall{a.file, rec.Line, ela, Wait, ev, w.stmt})
	}
	if rec.HasTim {
		a.slice(rec.Tim, ev.Class, ela, ela)
	}
}

// lockDetail decodes the name|mode parameter of an enqueue wait, whose bytes are
// the lock's two letters and, in the low half, the mode asked for; and obj#, the
// object waited for.
func (a *Analyzer) lockDetail(rec *Record) string {
	a.params = DecodeParams(rec.Params, a.params[:0])
	what := ""
	for i, p := range a.params {
		if string(p.Name) == "name|mode" || i == 0 && rec.Object == 0 && len(rec.Params) > 3 && p.Value>>24 >= 'A' {
			if name, mode, ok := LockMode(p.Value); ok {
				what = name + " mode " + itoa(mode)
			}
		}
	}
	if rec.Object > 0 && rec.Object != noObject {
		if what != "" {
			what += ", "
		}
		what += "object " + itoa(int(rec.Object))
	}
	return what
}

// noObject is what 26ai prints for no object (facts 6).
const noObject = 4294967295

// settle decides for the waits so far whether they lie within the call that has
// just ended (facts 16). What lies before a call at depth 0 is between calls;
// before a deeper one, a caller that is still running may hold it.
func (a *Analyzer) settle(rec *Record, c *cursor) {
	s := a.s
	n := len(s.pending)
	if !rec.HasTim {
		for i := range s.pending {
			w := &s.pending[i]
			a.attribute1(w, c, rec.Kind, !betweenByName(w.ev))
		}
		s.pending = s.pending[:0]
		return
	}
	if n == 0 {
		if rec.Depth == 0 {
			a.gap(rec.Tim-rec.Elapsed, rec.Line)
			s.lastEnd = max(s.lastEnd, rec.Tim)
		}
		return
	}
	limit := rec.Tim - rec.Elapsed - 2
	i := n
	for i > 0 && s.pending[i-1].timed && s.pending[i-1].midpoint() >= limit {
		i--
	}
	for j := i; j < n; j++ {
		a.attribute1(&s.pending[j], c, rec.Kind, true)
	}
	s.pending = s.pending[:i]
	if rec.Depth > 0 {
		return
	}
	for j := range s.pending {
		w := &s.pending[j]
		if !w.timed {
			a.attribute1(w, c, rec.Kind, !betweenByName(w.ev))
			continue
		}
		a.attribute1(w, nil, rec.Kind, false)
		a.gap(w.end-w.ela, w.line)
		s.lastEnd = max(s.lastEnd, w.end)
	}
	s.pending = s.pending[:0]
	a.gap(rec.Tim-rec.Elapsed, rec.Line)
	s.lastEnd = max(s.lastEnd, rec.Tim)
}

// settleOldest makes room: waits that old lie within a call that is still
// running, unless they are for the client.
func (a *Analyzer) settleOldest() {
	s := a.s
	half := len(s.pending) / 2
	for i := range s.pending[:half] {
		w := &s.pending[i]
		a.attribute1(w, nil, Unknown, !betweenByName(w.ev))
	}
	s.pending = s.pending[:copy(s.pending, s.pending[half:])]
}

// attribute1 gives a wait to its statement: the one whose text was the latest
// for the cursor number when the wait ended, or the one whose parse it was.
func (a *Analyzer) attribute1(w *pendingWait, c *cursor, kind Kind, within bool) {
	s := a.s
	st := w.stmt
	if w.cur != nil {
		switch {
		case within && w.cur == c && c.stmt != nil && (kind == Parse || st == nil):
			st = c.stmt
		case st == nil && w.cur.stmt != nil && !w.cur.known:
			st = w.cur.stmt
		case st == nil:
			st = a.unknownStatement(w.cur.number, 0)
			if w.cur.stmt == nil {
				w.cur.stmt = st
			}
		}
	}
	if st != nil {
		stat := st.waitFor(w.ev)
		if stat.Count == 0 {
			stat.Histogram = a.histogram()
		}
		stat.add(w.ela)
		if stat.Histogram != nil {
			stat.Histogram.add(int(w.b), w.ela)
		}
		if within {
			st.WaitsIn += w.ela
			stat.Within += w.ela
		}
	}
	if within {
		w.ev.Within += w.ela
		s.WaitsWithin += w.ela
		if c != nil && c.row != nil && c.row.id == c.rowID {
			c.row.wait(w.ev, w.ela, w.what)
		}
		return
	}
	w.ev.Between += w.ela
	if w.ev.Class == ClassIdle {
		s.Idle += w.ela
	} else {
		s.WaitsBetween += w.ela
	}
	if w.ev.Client && w.ela >= a.opt.Think {
		w.ev.Think += w.ela
		w.ev.Thinks++
	}
	if w.ela >= storyWait {
		r := s.story.push(RowPause)
		r.File, r.Line, r.Event, r.Elapsed = a.file, w.line, w.ev, w.ela
		r.Start, r.End, r.HasTim = w.end-w.ela, w.end, w.timed
		if e := s.errorBefore(r.Start, r.End); e != nil && w.line > e.Line {
			r.Start = e.Tim // no session waits for its client while it fails
		}
	}
}

// storyWait is how long a wait between calls, or a gap, is to get a row in the
// story, us.
const storyWait = 100_000

// fewEvents is up to how many events of a statement are looked through; it costs
// less than a table.
const fewEvents = 16

// waitFor returns the sums of the statement's waits for an event.
func (st *Statement) waitFor(ev *Event) *WaitStat {
	if len(st.Waits) > fewEvents {
		return st.waitAmongMany(ev)
	}
	for i := range st.Waits {
		if st.Waits[i].Event == ev {
			return &st.Waits[i]
		}
	}
	st.Waits = append(st.Waits, WaitStat{Event: ev})
	return &st.Waits[len(st.Waits)-1]
}

// waitAmongMany is waitFor where a look through all would take as long as there are
// events.
func (st *Statement) waitAmongMany(ev *Event) *WaitStat {
	if st.waitAt == nil {
		st.waitAt = make(map[*Event]int, 2*len(st.Waits))
		for i := range st.Waits {
			st.waitAt[st.Waits[i].Event] = i
		}
	}
	i, ok := st.waitAt[ev]
	if !ok {
		i = len(st.Waits)
		st.waitAt[ev] = i
		st.Waits = append(st.Waits, WaitStat{Event: ev})
	}
	return &st.Waits[i]
}

// gap notes time at depth 0 that nothing accounts for.
func (a *Analyzer) gap(start, line int64) {
	if g := start - a.s.lastEnd; g >= 1000 {
		a.keepGap(g, start, line)
	}
}

func (a *Analyzer) keepGap(g, start, line int64) {
	s := a.s
	a.gapRows(s.lastEnd, start, line)
	const keep = 20
	if len(s.Gaps) < keep {
		s.Gaps = append(s.Gaps, Gap{line, g})
		return
	}
	least := 0
	for i := range s.Gaps {
		if s.Gaps[i].Time < s.Gaps[least].Time {
			least = i
		}
	}
	if s.Gaps[least].Time < g {
		s.Gaps[least] = Gap{line, g}
	}
}

// top keeps the longest single calls and waits.
func (a *Analyzer) top(t TopCall) {
	const keep = 20
	a.p.Top = append(a.p.Top, t)
	for i := len(a.p.Top) - 1; i > 0 && a.p.Top[i].Time > a.p.Top[i-1].Time; i-- {
		a.p.Top[i], a.p.Top[i-1] = a.p.Top[i-1], a.p.Top[i]
	}
	if len(a.p.Top) > keep {
		a.p.Top = a.p.Top[:keep]
	}
	if len(a.p.Top) == keep {
		a.topMin = a.p.Top[keep-1].Time
	}
}
