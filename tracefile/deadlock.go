package tracefile

import "bytes"

// Deadlock is a deadlock graph (facts 11), of one instance or, from the LMD0
// process, of a cluster.
type Deadlock struct {
	File   *File
	Line   int64
	Global bool
	Edges  []DeadlockEdge
	Rows   []RowWait
	SQL    []DeadlockSQL
	Stamp  Clock
}

// DeadlockEdge is one resource with who holds it and who waits for it.
type DeadlockEdge struct {
	Resource        string
	Blocker, Waiter Party
}

// Party is a session of a deadlock.
type Party struct {
	Process, Session, Serial, Instance int64
	Mode                               string
}

// RowWait is the row a session waits for.
type RowWait struct {
	Session int64
	ROWID   string
	Object  int64
	File    int64
	Block   int64
	Slot    int64
}

// DeadlockSQL is what a session of the deadlock ran. Session 0 is that of the
// trace.
type DeadlockSQL struct {
	Session int64
	SQLID   string
	Text    string
	Line    int64
}

// maxDeadlockSQL bounds the SQL text that is kept of one session, in bytes.
const maxDeadlockSQL = 32 << 10

type deadlockReader struct {
	a       *Analyzer
	lock    *Deadlock
	inGraph bool
	inSQL   bool
	session int64
	blocked *DeadlockEdge
}

func newDeadlockReader(a *Analyzer, rec *Record) *deadlockReader {
	l := &Deadlock{File: a.file, Line: rec.Line}
	if a.grp.clock.waiting {
		l.Stamp = a.grp.clock.stamp
	}
	return &deadlockReader{a: a, lock: l}
}

// end keeps the deadlock if its graph was there.
func (r *deadlockReader) end() bool {
	if len(r.lock.Edges) == 0 {
		return false
	}
	r.a.p.Deadlocks = append(r.a.p.Deadlocks, r.lock)
	return true
}

func (r *deadlockReader) line(rec *Record) {
	b, l := rec.Raw, r.lock
	t := bytes.TrimLeft(b, " \t")
	if r.inSQL {
		if len(t) > 0 && !ruled(t) && !hasPrefix(t, "-----") && !hasPrefix(t, "sid: ") && len(l.SQL) > 0 {
			q := &l.SQL[len(l.SQL)-1]
			if len(q.Text) < maxDeadlockSQL {
				if q.Text != "" {
					q.Text += "\n"
				}
				q.Text += string(t)
			}
			return
		}
		r.inSQL = false
	}
	switch {
	case hasPrefix(t, "Deadlock graph:"):
		r.inGraph = true
	case hasPrefix(t, "Global Wait-For-Graph"):
		l.Global = true
	case hasPrefix(t, "BLOCKED "), hasPrefix(t, "BLOCKER "):
		r.global(t)
	case r.inGraph && len(t) > 3 && t[2] == '-' && t[0] >= 'A' && t[0] <= 'Z':
		r.edge(t)
	case hasPrefix(t, "Rows waited on:"):
		r.inGraph = false
	case hasPrefix(t, "Session ") && bytes.Contains(t, []byte("obj - rowid")):
		w := RowWait{}
		w.Session, _, _ = number(t, 8)
		if i := bytes.LastIndex(t, []byte(" - ")); i >= 0 {
			w.ROWID = string(bytes.TrimSpace(t[i+3:]))
		}
		if i := bytes.Index(t, []byte("= ")); i >= 0 {
			w.Object = int64(hexNumber(t[i+2:]))
		}
		l.Rows = append(l.Rows, w)
	case hasPrefix(t, "(dictionary objn - ") && len(l.Rows) > 0:
		w := &l.Rows[len(l.Rows)-1]
		w.Object = afterWord(t, "objn - ", w.Object)
		w.File = afterWord(t, "file - ", 0)
		w.Block = afterWord(t, "block - ", 0)
		w.Slot = afterWord(t, "slot - ", 0)
	case hasPrefix(t, "sid: "):
		r.session, _, _ = number(t, 5)
	case hasPrefix(t, "session ") && len(t) > 8 && isDigit(t[8]):
		r.session, _, _ = number(t, 8)
		r.inGraph = false
	case hasPrefix(t, "current SQL:"), hasPrefix(t, "current SQL ("):
		r.inSQL = true
		l.SQL = append(l.SQL, DeadlockSQL{Session: r.session, Line: rec.Line + 1})
	case hasPrefix(t, "----- Current SQL Statement"):
		r.inSQL = true
		q := DeadlockSQL{Line: rec.Line + 1}
		if i := bytes.Index(t, []byte("sql_id=")); i >= 0 && len(t) >= i+20 {
			q.SQLID = string(t[i+7 : i+20])
		}
		l.SQL = append(l.SQL, q)
	}
}

// ruled reports whether a line is nothing but equal signs, which separate the parts
// of a dump (facts 9).
func ruled(b []byte) bool {
	return len(b) >= 20 && len(bytes.Trim(b, "= ")) == 0
}

func afterWord(b []byte, word string, def int64) int64 {
	if i := bytes.Index(b, []byte(word)); i >= 0 {
		if v, _, ok := number(b, i+len(word)); ok {
			return v
		}
	}
	return def
}

// edge reads "TX-00020021-0000026C 94 68 X 104 70 X": process, session and modes
// of each side. Later releases add two parts to the resource, and 12.2 a serial
// number as the last column of each side, "… 94 68 X 4711 104 70 X 77": the facts
// (11) name the columns, published traces of 2018 and 2023 have this order.
func (r *deadlockReader) edge(t []byte) {
	f := bytes.Fields(t)
	if len(f) < 5 || len(r.lock.Edges) >= 100 {
		return
	}
	e := DeadlockEdge{Resource: string(f[0])}
	columns := 2 // of numbers, on each side
	if numbersIn(f[1:]) > 4 {
		columns = 3
	}
	numbers := 0
	for _, w := range f[1:] {
		v, end, ok := number(w, 0)
		if !ok || end != len(w) {
			side := &e.Blocker
			if numbers > columns { // the waiter's numbers have begun
				side = &e.Waiter
			}
			if side.Mode != "" {
				side.Mode += " "
			}
			side.Mode += string(w)
			continue
		}
		side, column := &e.Blocker, numbers
		if numbers >= columns {
			side, column = &e.Waiter, numbers-columns
		}
		switch column {
		case 0:
			side.Process = v
		case 1:
			side.Session = v
		case 2:
			side.Serial = v
		}
		numbers++
	}
	if e.Waiter.Session != 0 || e.Waiter.Process != 0 {
		r.lock.Edges = append(r.lock.Edges, e)
	}
}

// numbersIn counts the words that are numbers.
func numbersIn(words [][]byte) int {
	n := 0
	for _, w := range words {
		if _, end, ok := number(w, 0); ok && end == len(w) {
			n++
		}
	}
	return n
}

// global reads the lines of the cluster's graph, "BLOCKED 0x… 5 wq 2 cvtops x1
// TX 0xe0007.0x26d(ext 0x2,0x0)[69000-0001-00000B2B] inst 1". That layout is
// assumed: the facts name the graph, not its lines.
func (r *deadlockReader) global(t []byte) {
	var p Party
	p.Instance = afterWord(t, " inst ", 0)
	res := ""
	f := bytes.Fields(t)
	for i, w := range f {
		if len(w) == 2 && w[0] >= 'A' && w[0] <= 'Z' && w[1] >= 'A' && w[1] <= 'Z' && i+1 < len(f) {
			id := f[i+1]
			if j := bytes.IndexAny(id, "(["); j >= 0 {
				id = id[:j]
			}
			res = string(w) + " " + string(id)
			break
		}
	}
	if i := bytes.IndexByte(t, '['); i >= 0 {
		p.Process = int64(hexNumber(t[i+1:]))
	}
	if hasPrefix(t, "BLOCKED ") {
		r.lock.Edges = append(r.lock.Edges, DeadlockEdge{Resource: res, Waiter: p})
		r.blocked = &r.lock.Edges[len(r.lock.Edges)-1]
		return
	}
	if r.blocked != nil {
		r.blocked.Blocker = p
		r.blocked = nil
	}
}
