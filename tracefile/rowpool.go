package tracefile

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"unsafe"
)

// maxRows bounds the rows of the story that are kept of all sessions together; a row
// with many bind values counts for several. Where there are more, half of them stay:
// those nearest to what a report tells of, which are the errors and the end.
const maxRows = 1 << 15

// rowPool hands out the rows of all stories, and takes back those that are not kept.
type rowPool struct {
	used  int   // weight of the rows that stories hold
	ids   int64 // given so far
	free  []*Row
	live  []*story // of the present stream, that may hold rows
	ended []*story // of sessions that have ended
	dists []int64
}

func (p *rowPool) get(of *story) *Row {
	p.used++
	if !of.held {
		of.held = true
		p.live = append(p.live, of)
	}
	if n := len(p.free); n > 0 {
		r := p.free[n-1]
		p.free = p.free[:n-1]
		return r
	}
	return &Row{}
}

// put takes a row back. Cursors may still point to it: they know it by its id.
func (p *rowPool) put(r *Row) {
	binds := r.binds
	if cap(binds) > int(unsafe.Sizeof(Row{})) {
		binds = nil
	}
	*r = Row{binds: binds[:0]}
	p.free = append(p.free, r)
}

// weight is how many usual rows take the memory of this one.
func (r *Row) weight() int { return 1 + cap(r.binds)/int(unsafe.Sizeof(Row{})) }

// Around an error that a report may be about, so many rows of its session are kept
// whenever they were; and so many behind that of an incident, which tell whether the
// next error is the same.
const (
	keptBefore = 256
	keptBehind = 16
	maxFoci    = 32
)

// boundStories drops rows of stories where there are too many.
func (a *Analyzer) boundStories() {
	p := &a.rows
	if p.used <= a.opt.maxRows {
		return
	}
	var clock ClockInfo
	if a.grp != nil {
		clock = a.grp.clock.decide(a.file.Dialect.TimUnitNs)
	}
	foci, around := a.foci(clock)
	p.dists = p.dists[:0]
	var weights [64 << 3]int // by distance
	for _, st := range slices.Concat(p.ended, p.live) {
		d := distance{foci: foci, clock: st.sess.Clock, around: around[st.sess]}
		if !st.ended {
			d.clock = clock
		}
		st.each(func(r *Row) {
			far := d.of(r)
			p.dists = append(p.dists, far)
			weights[step(far)] += r.weight()
		})
	}
	room, last := a.opt.maxRows/2, 0
	for ; last < len(weights) && weights[last] <= room; last++ {
		room -= weights[last]
	}
	i := 0
	p.used = 0
	emptied := func(st *story) bool {
		st.filter(func(r *Row) bool {
			s, w := step(p.dists[i]), r.weight()
			i++
			if s > last || s == last && w > room {
				return false
			}
			if s == last {
				room -= w
			}
			p.used += w
			return true
		})
		return !st.held
	}
	p.ended = slices.DeleteFunc(p.ended, emptied)
	p.live = slices.DeleteFunc(p.live, emptied)
}

// step puts distances into classes, eight for each power of two.
func step(d int64) int {
	if d < 8 {
		return int(max(0, d))
	}
	n := bits.Len64(uint64(d)) - 4
	return n<<3 + int(d>>n)
}

// distance tells how far the rows of a session are from what a report tells of.
type distance struct {
	foci    []int64
	clock   ClockInfo
	around  []span
	stretch int
	shift   int64
	latest  int64
}

// span is a range of rows of a session, by their sequence numbers.
type span struct{ from, to int64 }

func (d *distance) of(r *Row) int64 {
	for _, k := range d.around {
		if r.seq >= k.from && r.seq <= k.to {
			return 0
		}
	}
	at, ok := d.clock.Wall(r.Start)
	if !ok {
		at = r.Start
	}
	if r.Stretch != d.stretch { // the clock was set back: the story goes on
		d.stretch, d.shift = r.Stretch, d.latest-at
	}
	at += d.shift
	d.latest = max(d.latest, at)
	i := sort.Search(len(d.foci), func(i int) bool { return d.foci[i] >= at })
	far := int64(1) << 60
	if i < len(d.foci) {
		far = max(1, d.foci[i]-at-max(0, r.End-r.Start))
	}
	if i > 0 {
		far = min(far, max(1, at-d.foci[i-1]))
	}
	return min(far, 1<<60)
}

// foci are the moments that a report may tell of: of each error number the one that it
// chooses, and the end of all.
func (a *Analyzer) foci(clock ClockInfo) ([]int64, map[*Session][]span) {
	type choice struct{ dump, line *ErrorInfo }
	best := map[int64]*choice{}
	var codes []int64
	around := map[*Session][]span{}
	for _, e := range a.p.Errors {
		if e.Source == "incident" && len(around) < maxIncidents && len(around[e.Session]) < maxIncidents {
			around[e.Session] = append(around[e.Session], span{e.Row, e.Row + keptBehind})
		}
		c := best[e.ORA]
		if c == nil {
			if len(best) >= maxFoci/2 {
				continue
			}
			c = &choice{}
			best[e.ORA] = c
			codes = append(codes, e.ORA)
		}
		if e.sess != nil { // its clock is not settled yet
			e = e.at(clock)
		}
		switch {
		case e.Dump == nil:
			if c.line == nil || !e.HasWall || !c.line.HasWall || e.Wall >= c.line.Wall {
				c.line = e
			}
		case c.dump == nil || e.HasWall && c.dump.HasWall && e.Wall < c.dump.Wall:
			c.dump = e
		}
	}
	end := a.latest
	if a.grp != nil {
		us, ok := clock.Wall(a.grp.lastTim)
		if !ok {
			us = a.grp.lastTim
		}
		end = max(end, us)
	}
	out := []int64{end}
	for _, code := range codes {
		for _, e := range []*ErrorInfo{best[code].dump, best[code].line} {
			if e == nil {
				continue
			}
			around[e.Session] = append(around[e.Session], span{e.Row - keptBefore, e.Row + keptBehind})
			if e.HasWall {
				out = append(out, e.Wall)
			} else {
				out = append(out, e.Tim)
			}
		}
	}
	slices.Sort(out)
	return out, around
}

// maxIncidents bounds the sessions of which rows are kept for incidents, and how many
// of each.
const maxIncidents = 100

// at returns the error as it would be if its stream ended now.
func (e *ErrorInfo) at(clock ClockInfo) *ErrorInfo {
	c := *e
	c.settle(clock)
	return &c
}

// drop takes back rows that a story does not hold any more.
func (p *rowPool) drop(rows []*Row) {
	for _, r := range rows {
		p.put(r)
	}
	p.used -= len(rows)
}

// lists are the rows that a story holds, the session's own when it has ended.
func (st *story) lists() [3]*[]*Row {
	if st.ended {
		return [3]*[]*Row{&st.sess.Story, nil, nil}
	}
	return [3]*[]*Row{&st.rows, &st.fromDump, &st.last}
}

// filter keeps the rows for which keep reports true. It asks the oldest first.
func (st *story) filter(keep func(*Row) bool) {
	st.inOrder()
	held := false
	for i, l := range st.lists() {
		if l == nil {
			continue
		}
		rows := *l
		n := 0
		for _, r := range rows {
			if keep(r) {
				rows[n] = r
				n++
				continue
			}
			st.pool.put(r)
			if i == 0 {
				st.sess.Dropped++
			}
		}
		clear(rows[n:])
		if *l = rows[:n]; n < cap(rows)/2 {
			*l = slices.Clone(rows[:n])
		}
		held = held || n > 0
	}
	st.held = held
}

// each calls fn for all rows, as filter does.
func (st *story) each(fn func(*Row)) {
	st.inOrder()
	for _, l := range st.lists() {
		if l == nil {
			continue
		}
		for _, r := range *l {
			fn(r)
		}
	}
}

// inOrder turns a full ring so that its oldest row is the first.
func (st *story) inOrder() {
	if st.next > 0 {
		st.rows = append(st.rows[st.next:len(st.rows):len(st.rows)], st.rows[:st.next]...)
		st.next = 0
	}
}

// noteDropped tells that rows of stories were not kept.
func (a *Analyzer) noteDropped() {
	var rows, sessions int64
	for _, s := range a.p.Sessions {
		if s.Dropped > 0 {
			rows, sessions = rows+s.Dropped, sessions+1
		}
	}
	if rows > 0 {
		a.p.Notes = append(a.p.Notes, &Problem{Kind: "story_rows", Count: rows, Message: fmt.Sprintf(
			"rows of the story of %d sessions were not kept: there are too many; those nearest to the errors and to the end are told, and all figures are those of all", sessions)})
	}
}
