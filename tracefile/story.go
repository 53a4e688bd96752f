package tracefile

import "slices"

// RowKind says what a row of the story tells.
type RowKind uint8

// The kinds of row.
const (
	RowExecution   RowKind = iota // parse, execution and fetches of a statement
	RowTransaction                // XCTEND
	RowError                      // ERROR, PARSE ERROR or an error stack
	RowLob                        // a LOB call
	RowPause                      // a long wait between calls
	RowMarker                     // an ORADEBUG command
	RowGap                        // time between calls that nothing accounts for
)

// Row is one row of the story of a session.
type Row struct {
	Kind       RowKind
	File       *File
	Line       int64 // first line
	LastLine   int64
	Depth      int64
	Statement  *Statement
	Cursor     uint64
	Ordinal    int64 // of the execution under this cursor number
	Start, End int64 // tim
	HasTim     bool
	Parses     int64
	Execs      int64
	Fetches    int64
	HardParses int64
	CPU        int64 // us, inclusive
	Elapsed    int64 // us, inclusive
	Self       int64 // us
	Rows       int64
	Gets       int64
	Reads      int64
	Waits      int64  // us within
	Event      *Event // the longest wait's
	EventTime  int64
	EventWhat  string // of a lock: its type, mode and object
	ORA        int64
	Rollback   bool
	ReadOnly   bool
	Text       string
	Session    *Session
	Stamp      Clock // of a marker: the time stamp before it

	// Stretch grows when the session's clock runs back: times of different
	// stretches do not compare.
	Stretch int

	binds []byte
	seq   int64
	id    int64 // over all sessions: of a row that was taken back it is another
}

// Binds returns the bind values of the execution.
func (r *Row) Binds() []BindValue {
	binds := decodeBinds(r.binds)
	if r.Statement != nil {
		binds = sameNames(r.Statement.Text, binds)
	}
	return binds
}

// Sequence numbers the rows of a session; a hole means rows were not kept.
func (r *Row) Sequence() int64 { return r.seq }

func (r *Row) wait(ev *Event, ela int64, what string) {
	r.Waits += ela
	if ela > r.EventTime {
		r.Event, r.EventTime, r.EventWhat = ev, ela, what
	}
}

// story keeps the last rows of a session, and those before an error.
type story struct {
	pool     *rowPool
	sess     *Session
	held     bool // in the pool's list
	ended    bool // the rows are in the session's Story
	size     int
	rows     []*Row
	next     int // of a full ring, the oldest row
	seq      int64
	pin      int64 // sequence of the error to be kept; 0 none
	pinDump  bool
	stretch  int
	fromDump []*Row // saved before the first error with a dump
	last     []*Row // saved before the last error without
}

// push begins a row.
func (st *story) push(kind RowKind) *Row {
	st.seq++
	if st.pin > 0 && st.seq > st.pin+int64(st.size/2) {
		st.save()
	}
	var r *Row
	if len(st.rows) < st.size {
		r = st.pool.get(st)
		st.rows = append(st.rows, r)
	} else {
		r = st.rows[st.next]
		if st.next++; st.next == st.size {
			st.next = 0
		}
		*r = Row{binds: r.binds[:0]}
	}
	st.pool.ids++
	r.Kind, r.seq, r.id, r.Stretch = kind, st.seq, st.pool.ids, st.stretch
	return r
}

// keep marks the present row as one whose past is to be kept: that of an error.
// The first error with a dump is kept for good, others yield to later ones.
func (st *story) keep(dump bool) {
	if st.fromDump != nil || st.pin > 0 && st.pinDump {
		if dump || st.pinDump && st.pin > 0 {
			return
		}
	}
	st.pin, st.pinDump = st.seq, dump
}

func (st *story) save() {
	var rows []*Row
	for _, r := range st.rows {
		if r.seq > st.pin-int64(st.size/2) && r.seq <= st.pin+8 {
			c := st.pool.get(st)
			binds := append(c.binds[:0], r.binds...)
			*c = *r
			c.binds = binds
			rows = append(rows, c)
		}
	}
	if st.pinDump {
		st.fromDump = rows
	} else {
		st.pool.drop(st.last)
		st.last = rows
	}
	st.pin, st.pinDump = 0, false
}

// all returns every row that was kept, in order.
func (st *story) all() []*Row {
	if len(st.fromDump)+len(st.last) == 0 {
		return st.rows
	}
	seen := map[int64]bool{}
	var out []*Row
	for _, rows := range [][]*Row{st.rows, st.fromDump, st.last} {
		for _, r := range rows {
			if !seen[r.seq] {
				seen[r.seq] = true
				out = append(out, r)
			} else {
				st.pool.drop([]*Row{r})
			}
		}
	}
	return out
}

// storyCall tells of a call: a parse and the execution behind it share a row,
// and so do the fetches.
func (a *Analyzer) storyCall(rec *Record, c *cursor, st *Statement, self int64) {
	if rec.Kind == Close {
		return
	}
	r := c.row
	if r != nil && (r.id != c.rowID || r.Statement != st) {
		r = nil
	}
	fresh := r == nil
	switch rec.Kind {
	case Parse:
		fresh = true
	case Exec:
		fresh = fresh || r.Execs > 0 || r.Fetches > 0
	}
	if fresh {
		r = a.s.story.push(RowExecution)
		c.row, c.rowID = r, r.id
		r.File, r.Line, r.Depth, r.Statement, r.Cursor = a.file, rec.Line, rec.Depth, st, c.number
		r.Start, r.HasTim = rec.Tim-rec.Elapsed, rec.HasTim
	}
	r.LastLine = rec.Line
	r.End = rec.Tim
	r.CPU += rec.CPU
	r.Elapsed += rec.Elapsed
	r.Self += self
	r.Rows += rec.Rows
	r.Gets += rec.Query + rec.Current
	r.Reads += rec.Disk
	switch rec.Kind {
	case Parse:
		r.Parses++
		r.HardParses += rec.Misses
	case Fetch:
		r.Fetches++
	default:
		r.Execs++
		r.HardParses += rec.Misses
		r.Ordinal = c.execs
		if c.fresh || len(c.binds) > 0 {
			r.binds = append(r.binds[:0], c.binds...)
		}
	}
}

func (a *Analyzer) storyLob(rec *Record) {
	r := a.s.story.push(RowLob)
	r.File, r.Line, r.LastLine = a.file, rec.Line, rec.Line
	r.Start, r.End, r.HasTim = rec.Tim-rec.Elapsed, rec.Tim, rec.HasTim
	r.CPU, r.Elapsed, r.Self = rec.CPU, rec.Elapsed, rec.Elapsed
	r.Gets, r.Reads = rec.Query+rec.Current, rec.Disk
	r.Text = a.intern(rec.Name)
}

// xctend tells of the end of a transaction. Commit and rollback by OCI call have
// no statement of their own (facts 9).
func (a *Analyzer) xctend(rec *Record) {
	s := a.s
	if !rec.Complete || s.skip || !a.inTime(rec) {
		return
	}
	if rec.HasTim {
		a.tick(rec)
	}
	p := a.p
	if rec.Rollback {
		p.Rollbacks++
	} else {
		p.Commits++
	}
	if rec.ReadOnly {
		p.ReadOnly++
	} else if sl := a.grp.slices; sl != nil && rec.HasTim && !a.wrongTime {
		sl.endOfTransaction(rec.Tim, rec.Rollback)
	}
	r := s.story.push(RowTransaction)
	r.File, r.Line, r.LastLine = a.file, rec.Line, rec.Line
	r.Start, r.End, r.HasTim = rec.Tim, rec.Tim, rec.HasTim
	r.Rollback, r.ReadOnly = rec.Rollback, rec.ReadOnly
	r.Rows, r.Execs = s.OpenTx.Rows, s.OpenTx.Execs
	s.OpenTx = Transaction{Statement: s.OpenTx.Statement[:0], Changed: s.OpenTx.Changed[:0]}
}

// clone returns a copy that shares nothing.
func (t *Transaction) clone() Transaction {
	c := *t
	c.Statement, c.Changed = slices.Clone(t.Statement), slices.Clone(t.Changed)
	return c
}

// exec notes what an open transaction has changed.
func (t *Transaction) exec(st *Statement, rec *Record) {
	switch st.Command {
	case 2, 6, 7, 189: // INSERT, UPDATE, DELETE, MERGE (facts 4)
	default:
		return
	}
	if t.Line == 0 {
		t.Line = rec.Line
	}
	t.Execs++
	t.Rows += rec.Rows
	for i, o := range t.Statement {
		if o == st {
			t.Changed[i] += rec.Rows
			return
		}
	}
	if len(t.Statement) < 50 {
		t.Statement, t.Changed = append(t.Statement, st), append(t.Changed, rec.Rows)
	}
}
