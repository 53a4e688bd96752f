package tracegen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"ringtrace/internal/sim/event"
	"ringtrace/internal/sim/instance"
)

// Generator lets sessions work. Its methods may be called from several
// goroutines.
type Generator struct {
	db *instance.Database

	mu       sync.Mutex
	rng      *rand.Rand
	sessions map[*instance.Session]*cursors
}

// cursors is what a session has open.
type cursors struct {
	parsed map[string]uint64 // cursor number by SQL text
	next   uint64
	tim    int64 // microseconds of the last record
	idle   *idle // since the last call; nil: it has made none that counts
}

// New returns a generator; the same seed makes the same work.
func New(db *instance.Database, seed int64) *Generator {
	return &Generator{db: db, rng: rand.New(rand.NewPCG(uint64(seed), 0x7472616365)), sessions: map[*instance.Session]*cursors{}}
}

// view is what is needed of a session to write its trace.
type view struct {
	s     *instance.Session
	p     *instance.Process
	trace event.Trace
	uid   int
	user  string
	now   time.Time
	alive bool
}

func (g *Generator) look(s *instance.Session) view {
	var v view
	g.db.Locked(func() {
		v = view{s: s, p: s.Proc, user: s.Username, now: g.db.NowLocked(), alive: s.Alive() && s.Proc != nil && s.Proc.Alive()}
		if v.alive {
			v.trace = s.Proc.SQLTrace()
		}
		for _, u := range g.db.Users {
			if u.Name == s.Username {
				v.uid = u.ID
			}
		}
	})
	return v
}

// Work lets the session run n statements. A session that is gone does
// nothing.
func (g *Generator) Work(s *instance.Session, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for range n {
		v := g.look(s)
		if !v.alive {
			return
		}
		list := workload(v.user)
		st := list[g.rng.IntN(len(list))]
		w := g.call(v, st)
		id, _ := identify(st.text)
		g.db.Locked(func() {
			s.PrevSQLID, s.SQLID, s.SQLText, s.LastCall = s.SQLID, id, st.text, v.now
		})
		if v.trace.On {
			g.emit(v, w)
		}
	}
}

// Ran writes what a statement that the session itself ran leaves in its SQL
// trace.
func (g *Generator) Ran(s *instance.Session, text string, oct, rows int) {
	v := g.look(s)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !v.alive || !v.trace.On {
		if c := g.sessions[s]; c != nil {
			c.idle = nil // it was busy with what has no trace
		}
		return
	}
	g.emit(v, g.call(v, statement{text: text, oct: oct, rows: rows}))
}

// Fail lets the session run a statement that raises an error, and returns the
// actions that fired.
func (g *Generator) Fail(s *instance.Session, ora int) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := g.look(s)
	if !v.alive {
		return nil
	}
	if ora == 60 {
		if o, ok := g.rival(v); ok {
			return g.deadlock(v, o)
		}
	}
	st, parse := failing(ora)
	id, _ := identify(st.text)
	c, to := g.state(v)
	g.db.Locked(func() { s.PrevSQLID, s.SQLID, s.SQLText, s.LastCall = s.SQLID, id, st.text, v.now })
	w := &writer{g: g, v: v, c: c}
	w.wake(to)
	if parse {
		// The event fires while the statement is parsed: the trace has no
		// cursor yet (facts/oradebug.md 7, 41).
		fired := g.db.Raise(s, ora)
		w.parseError(st, ora)
		g.emit(v, w)
		return fired
	}
	w.open(st)
	w.binds(st)
	w.waits(st)
	g.emit(v, w)
	fired := g.db.Raise(s, ora)
	w = &writer{g: g, v: g.look(s), c: c, cursor: w.cursor}
	if w.v.alive && w.v.trace.On {
		w.failed(ora)
		g.emit(w.v, w)
	}
	return fired
}

func (g *Generator) emit(v view, w *writer) {
	if v.trace.On {
		g.db.EmitAt(v.p, w.b.String(), g.wall(v, w.first), g.wall(v, w.c.tim))
	}
}

// state returns what a session has open, and the tim at which its next call begins.
func (g *Generator) state(v view) (c *cursors, to int64) {
	if c = g.sessions[v.s]; c == nil {
		c = &cursors{parsed: map[string]uint64{}, next: 140_000_000_000_000 + uint64(g.rng.IntN(1_000_000))*8}
		g.sessions[v.s] = c
	}
	// tim never goes back inside a process (facts/trace-format.md 12).
	to = c.tim + int64(200+g.rng.IntN(900))
	if c.idle != nil {
		to += c.idle.least
	}
	return c, max(to, g.tim(v))
}

// tim is the clock of trace records: since 1970, or since the host started.
func (g *Generator) tim(v view) int64 {
	if g.db.Release.EpochTim {
		return v.now.UnixMicro()
	}
	return v.now.Sub(v.s.Inst.HostBoot).Microseconds()
}

// wall is the time of a tim.
func (g *Generator) wall(v view, tim int64) time.Time {
	if g.db.Release.EpochTim {
		return time.UnixMicro(tim)
	}
	return v.s.Inst.HostBoot.Add(time.Duration(tim) * time.Microsecond)
}

// call renders one statement from parse to close.
func (g *Generator) call(v view, st statement) *writer {
	c, to := g.state(v)
	w := &writer{g: g, v: v, c: c}
	w.wake(to)
	w.open(st)
	w.binds(st)
	w.waits(st)
	w.execute(st)
	w.stats(st)
	w.close()
	id, _ := identify(st.text)
	w.counts.Cursors = map[string]instance.Cursor{id: {Text: st.text, Binds: len(st.binds), PlanLines: len(st.plan)}}
	g.db.Locked(func() { v.s.Count(&w.counts) })
	return w
}

// writer renders records of one session.
type writer struct {
	g      *Generator
	v      view
	c      *cursors
	b      strings.Builder
	cursor uint64
	plh    uint32
	waited int64    // microseconds since the call began
	first  int64    // tim of the first record that has one
	values []string // of the first binds; the others are random
	counts instance.Counts
}

// tick moves tim on.
func (w *writer) tick(us int64) int64 {
	w.c.tim += us
	return w.c.tim
}

func (w *writer) printf(format string, args ...any) {
	if w.first == 0 && strings.Contains(format, "tim=%d") {
		w.first = w.c.tim
	}
	fmt.Fprintf(&w.b, format, args...)
}

// open writes PARSING IN CURSOR and PARSE, for a cursor that is not cached.
func (w *writer) open(st statement) {
	id, hash := identify(st.text)
	w.plh = hash ^ 0x5a5a5a5a
	if st.plan == nil {
		w.plh = 0
	}
	n, cached := w.c.parsed[st.text]
	if cached && w.g.rng.IntN(3) > 0 {
		w.cursor = n
		return
	}
	if !cached {
		w.c.next += 4072
		n = w.c.next
		w.c.parsed[st.text] = n
	}
	w.cursor = n
	mis := 0
	if !cached {
		mis = 1
	}
	e := int64(20 + w.g.rng.IntN(60) + 900*mis)
	t := w.tick(e)
	w.counts.Parses++
	w.counts.UserCalls++
	w.printf("=====================\nPARSING IN CURSOR #%d len=%d dep=0 uid=%d oct=%d lid=%d tim=%d hv=%d ad='%x' sqlid='%s'\n%s\nEND OF STMT\n",
		n, len(st.text), w.v.uid, st.oct, w.v.uid, t+1, hash, 0x6a000000+uint64(hash)>>4, id, st.text)
	w.printf("PARSE #%d:c=%d,e=%d,p=0,cr=0,cu=0,mis=%d,r=0,dep=0,og=1,plh=%d,tim=%d\n", n, e*8/10, e, mis, w.plh, t)
	w.c.tim++
}

func (w *writer) binds(st statement) {
	if !w.v.trace.Binds || st.binds == "" {
		return
	}
	w.printf("BINDS #%d:\n", w.cursor)
	if w.g.db.Release.BindsGap {
		w.printf("\n")
	}
	for i, kind := range st.binds {
		dty, mxl, value := "02", "22(22)", ""
		if i < len(w.values) {
			value = w.values[i]
		} else {
			value = fmt.Sprint(100 + w.g.rng.IntN(90000))
		}
		switch kind {
		case 's':
			dty, mxl, value = "01", "128(56)", fmt.Sprintf("\"item %d\"", w.g.rng.IntN(1000))
		case 'd':
			dty, mxl, value = "12", "07(07)", dateBind(w.v.now)
		}
		w.printf(" Bind#%d\n  oacdty=%s mxl=%s mxlc=00 mal=00 scl=00 pre=00\n  oacflg=01 fl2=1000000 frm=01 csi=873 siz=24 off=0\n"+
			"  kxsbbbfp=7f36fc263fb0  bln=22  avl=04  flg=05\n  value=%s\n", i, dty, mxl, value)
	}
}

// dateBind is a DATE as BINDS shows it, without leading zeros: 6/26/2017 9:58:26
// (facts/trace-format.md 7; that minutes and seconds have none either is assumed).
func dateBind(t time.Time) string {
	return fmt.Sprintf("\"%d/%d/%d %d:%d:%d\"", t.Month(), t.Day(), t.Year(), t.Hour(), t.Minute(), t.Second())
}

func (w *writer) wait(cursor uint64, name string, ela int64, params string) {
	t := w.tick(ela)
	w.waited += ela
	if w.counts.Waits == nil {
		w.counts.Waits = map[string]int64{}
	}
	w.counts.Waits[name]++
	if !w.v.trace.Waits {
		return
	}
	r := w.g.db.Release
	obj := r.NoObject
	if strings.HasPrefix(name, "db file") || strings.HasPrefix(name, "enq: TX") {
		obj = "73132"
	}
	w.printf("WAIT #%d: nam='%s' "+r.WaitEla+" %s obj#=%s tim=%d\n", cursor, name, ela, params, obj, t)
}

// waits are those inside of the next call.
func (w *writer) waits(st statement) {
	w.waited = 0
	if st.wait == "" || w.g.rng.IntN(2) == 0 {
		return
	}
	params := "file#=4 block#=3471 blocks=1"
	ela := int64(80 + w.g.rng.IntN(4000))
	switch {
	case strings.HasPrefix(st.wait, "enq: TX"):
		params, ela = "name|mode=1415053318 usn<<16 | slot=2162721 sequence=620", int64(20_000+w.g.rng.IntN(900_000))
	case st.wait == "log file sync":
		params = "buffer#=4012 sync scn=48211907 p3=0"
	case strings.HasPrefix(st.wait, "direct path"):
		params = "file number=4 first dba=128 block cnt=32"
	}
	w.wait(w.cursor, st.wait, ela, params)
}

func (w *writer) execute(st statement) {
	g := w.g
	cpu := int64(30 + g.rng.IntN(400))
	changed := 0
	if st.oct != 3 {
		changed = st.rows
	}
	inExec := st.oct != 3
	e := cpu + 12
	if inExec {
		e += w.waited
	}
	t := w.tick(cpu + 12)
	w.counts.Executes++
	w.counts.UserCalls++
	w.printf("EXEC #%d:c=%d,e=%d,p=%d,cr=%d,cu=%d,mis=0,r=%d,dep=0,og=1,plh=%d,tim=%d\n", w.cursor, cpu, e, boolInt(inExec && w.waited > 0), 3*boolInt(inExec), changed, changed, w.plh, t)
	if st.oct == 3 {
		w.waited = 0
		left := st.rows
		for left >= 0 {
			n := min(left, 100)
			left -= n
			w.waited = 0
			w.wait(w.cursor, "SQL*Net message to client", int64(1+g.rng.IntN(3)), "driver id=1413697536 #bytes=1 p3=0")
			cpu = int64(20 + 2*n)
			t = w.tick(cpu + 5)
			w.counts.UserCalls++
			w.printf("FETCH #%d:c=%d,e=%d,p=0,cr=%d,cu=0,mis=0,r=%d,dep=0,og=1,plh=%d,tim=%d\n", w.cursor, cpu, cpu+5+w.waited, 3+n, n, w.plh, t)
			if left == 0 || n < 100 {
				break
			}
		}
	} else if st.oct != 47 && g.rng.IntN(2) == 0 {
		w.counts.Commits++
		w.counts.UserCalls++
		w.printf("XCTEND rlbk=0, rd_only=0, tim=%d\n", w.tick(8))
		w.wait(0, "log file sync", int64(300+g.rng.IntN(2500)), "buffer#=4012 sync scn=48211907 p3=0")
	}
	w.rest(int64(400 + g.rng.IntN(3000)))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// stats writes the plan, after the first execution unless plan_stat says
// otherwise (facts/trace-format.md 8).
func (w *writer) stats(st statement) {
	if w.v.trace.PlanStat == "never" || len(st.plan) == 0 || w.v.trace.PlanStat != "all_executions" && w.g.rng.IntN(4) > 0 {
		return
	}
	read := 3 // as EXEC says of a change
	if st.oct == 3 {
		read += st.rows
	}
	for i, op := range st.plan {
		depth := len(op) - len(strings.TrimLeft(op, " "))
		// Each line is the child of the one before, and its time is in that one's.
		took := 20 + 6*(len(st.plan)-1-i)
		w.printf("STAT #%d id=%d cnt=%d pid=%d pos=1 obj=%d op='%s ("+w.g.db.Release.Stat+")'\n",
			w.cursor, i+1, st.rows, depth, 73132+i, strings.TrimSpace(op), read, 0, 0, took, 2, 26*st.rows, st.rows)
	}
}

func (w *writer) close() {
	if w.g.rng.IntN(2) == 0 {
		return
	}
	w.counts.Opened++
	w.c.idle.closes = true
}

// failed writes the call that raised an error, and ERROR behind it.
func (w *writer) failed(ora int) {
	t := w.tick(60)
	w.printf("EXEC #%d:c=40,e=%d,p=0,cr=2,cu=1,mis=0,r=0,dep=0,og=1,plh=0,tim=%d\n", w.cursor, 55+w.waited, t)
	w.printf("ERROR #%d:err=%d tim=%d\n", w.cursor, ora, w.tick(14))
	w.rest(500)
}

func (w *writer) parseError(st statement, ora int) {
	w.c.next += 4072
	t := w.tick(300)
	w.printf("=====================\nPARSE ERROR #%d:len=%d dep=0 uid=%d oct=%d lid=%d tim=%d err=%d\n%s\n", w.c.next, len(st.text), w.v.uid, st.oct, w.v.uid, t, ora, st.text)
	w.counts.Opened++
	w.printf("CLOSE #%d:c=1,e=2,dep=0,type=0,tim=%d\n", w.c.next, w.tick(40))
	w.cursor = w.c.next
	w.rest(500)
}
