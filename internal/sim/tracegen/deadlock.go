package tracegen

import (
	"fmt"

	"ringtrace/internal/sim/instance"
)

// deadlockRank is the release from which the graph has the longer form.
const deadlockRank = 7

// rival finds a session for v to lock itself out with: of its instance, working
// alone in its process, best one that is traced and of the same user.
func (g *Generator) rival(v view) (view, bool) {
	var list []*instance.Session
	g.db.Locked(func() { list = v.s.Inst.Sessions() })
	var best view
	points := 0
	for _, s := range list {
		if s == v.s || !s.Eligible || s.Sysdba {
			continue
		}
		o := g.look(s)
		if !o.alive || o.p == v.p {
			continue
		}
		n := 1
		if o.trace.On {
			n += 2
		}
		if o.user == v.user {
			n++
		}
		if n > points {
			best, points = o, n
		}
	}
	return best, points > 0
}

// deadlock lets two sessions change the same two rows in opposite order. The
// first finds the deadlock: it writes the graph, its statement fails, and it rolls
// back; then the other one goes on and commits. It returns the actions that fired.
func (g *Generator) deadlock(v, o view) []string {
	mine, since := g.state(v)
	theirs, start := g.state(o)
	start = max(start, since)
	first, second := 1000+g.rng.IntN(9000), 1000+g.rng.IntN(9000)
	if second == first {
		second++
	}
	lock := func(s *instance.Session, slot int) instance.Lock {
		return instance.Lock{Holder: s, ID1: uint32(1+g.rng.IntN(10))<<16 | uint32(g.rng.IntN(34)), ID2: uint32(500 + g.rng.IntN(9000)), Slot: slot}
	}
	held, wanted := lock(v.s, 1), lock(o.s, 2)
	st := statement{text: "update accounts set balance = balance - :1 where id = :2", oct: 6, binds: "nn", rows: 1}
	begin := func(v view, c *cursors, row int, at int64) *writer {
		id, _ := identify(st.text)
		g.db.Locked(func() { v.s.PrevSQLID, v.s.SQLID, v.s.SQLText, v.s.LastCall = v.s.SQLID, id, st.text, v.now })
		w := &writer{g: g, v: v, c: c, values: []string{fmt.Sprint(10 + g.rng.IntN(490)), fmt.Sprint(row)}}
		w.wake(at)
		w.open(st)
		w.binds(st)
		w.counts.Executes, w.counts.UserCalls = w.counts.Executes+1, w.counts.UserCalls+1
		return w
	}
	waitFor := func(w *writer, l instance.Lock, us int64) {
		w.wait(w.cursor, "enq: TX - row lock contention", us, fmt.Sprintf("name|mode=1415053318 usn<<16 | slot=%d sequence=%d", l.ID1, l.ID2))
	}

	a := begin(v, mine, first, start)
	a.done(1)
	g.emit(v, a)
	b := begin(o, theirs, second, start+20_000)
	b.done(1)
	g.emit(o, b)

	// Both now want the other's row. The session that waited first finds out.
	a = begin(v, mine, second, start+60_000)
	b = begin(o, theirs, first, start+90_000)
	blocked := theirs.tim
	waitFor(a, wanted, 3_000_000+int64(g.rng.IntN(9000)))
	g.emit(v, a)
	g.db.Deadlock(held, wanted, g.db.Release.Rank >= deadlockRank, g.wall(v, mine.tim))
	fired := g.db.Raise(v.s, 60)
	if again := g.look(v.s); again.alive {
		v = again
		mine.tim = max(mine.tim, g.tim(v))
		a = &writer{g: g, v: v, c: mine, cursor: a.cursor, waited: a.waited}
		a.failed(60)
		mine.idle = nil // the client rolls back
		a.wait(0, "SQL*Net message from client", int64(2000+g.rng.IntN(4000)), "driver id=1413697536 #bytes=1 p3=0")
		a.counts.UserCalls++
		a.printf("XCTEND rlbk=1, rd_only=0, tim=%d\n", a.tick(8))
		a.rest(500)
		g.emit(v, a)
	}
	waitFor(b, held, max(1000, mine.tim-blocked))
	b.done(1)
	b.counts.Commits, b.counts.UserCalls = 1, b.counts.UserCalls+1
	b.printf("XCTEND rlbk=0, rd_only=0, tim=%d\n", b.tick(300))
	b.wait(0, "log file sync", int64(300+g.rng.IntN(2500)), "buffer#=4012 sync scn=48211907 p3=0")
	b.rest(500)
	g.emit(o, b)
	g.db.Locked(func() { v.s.Count(&a.counts); o.s.Count(&b.counts) })
	return fired
}

// done writes the execution of a statement that changed rows.
func (w *writer) done(rows int) {
	cpu := int64(60 + w.g.rng.IntN(200))
	e := cpu + 12 + w.waited
	w.printf("EXEC #%d:c=%d,e=%d,p=0,cr=3,cu=%d,mis=0,r=%d,dep=0,og=1,plh=%d,tim=%d\n", w.cursor, cpu, e, 1+rows, rows, w.plh, w.tick(cpu+12))
	w.waited = 0
	w.rest(300)
}
