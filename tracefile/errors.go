package tracefile

// ErrorInfo is one error of a session, however many lines tell of it: an ERROR
// or PARSE ERROR line, an error stack, an incident.
type ErrorInfo struct {
	ORA        int64
	File       *File
	Line       int64
	Tim        int64
	HasTim     bool
	Session    *Session
	Statement  *Statement // nil: unknown
	Message    string     // behind "ORA-nnnnn:", if the trace has it
	ParseError bool
	Dump       *DumpInfo
	Cursor     uint64
	Ordinal    int64 // of the execution under this cursor number
	Depth      int64
	Binds      []BindValue
	BindLine   int64
	Source     string      // ERROR line, PARSE ERROR line, error stack, incident
	SQLSource  string      // where the statement was taken from
	Row        int64       // sequence number of its row in the session's story
	OpenTx     Transaction // what the session had changed then, and not yet committed
	stretch    int         // of that row
	Wall       int64       // us UTC
	HasWall    bool
	Stamped    bool // Wall is the time stamp printed with its dump, not reckoned from tim
	Zone       int

	sess *session
}

// maxErrors bounds the errors kept one by one; all are counted.
const maxErrors = 10000

func (a *Analyzer) errorRecord(rec *Record) {
	s := a.s
	if !rec.Complete || s.skip || !a.inTime(rec) {
		return
	}
	if rec.HasTim && a.file.Dialect.ErrorTimCs {
		rec.HasTim = false // centiseconds, up to 9i (facts 9)
	}
	if rec.HasTim {
		a.tick(rec)
	}
	c := a.find(rec.Cursor)
	e := a.openError(rec.Code)
	if e == nil {
		e = a.addError(&ErrorInfo{ORA: rec.Code, Line: rec.Line, Source: "ERROR line"})
	}
	e.Line, e.Source = rec.Line, "ERROR line"
	e.Tim, e.HasTim = s.Last, rec.HasTim
	if rec.HasTim {
		e.Tim = rec.Tim
	}
	e.Cursor, e.Ordinal = rec.Cursor, c.execs
	e.OpenTx = s.OpenTx.clone()
	if rec.Cursor == 0 {
		// It was no statement that failed, but what has no cursor, such as a LOB
		// call (facts 9). The error stack may name one.
		a.p.fillRow(s, e)
		return
	}
	if c.row != nil && c.row.id == c.rowID {
		c.row.ORA = rec.Code
		e.Depth = c.row.Depth
	}
	a.nameFromDump(e, c)
	if c.stmt == nil {
		c.stmt = a.unknownStatement(c.number, c.plan)
	}
	a.unfold(c)
	if e.Statement == nil || c.stmt.TextSource != TextNone {
		e.Statement, e.SQLSource = c.stmt, "cursor of the ERROR line"
	}
	c.stmt.Errors++
	if len(e.Binds) == 0 && len(c.binds) > 0 && e.keepsBinds(a) {
		e.Binds, e.BindLine = decodeBinds(c.binds), c.bindAt
	}
	c.fresh = false
	if s.lastBind == c {
		s.lastBind = nil // it was being executed, and has failed
	}
	a.p.fillRow(s, e)
}

// keepsBinds bounds the memory that bind values of errors take.
func (e *ErrorInfo) keepsBinds(a *Analyzer) bool { return len(a.p.Errors) <= 1000 }

func (a *Analyzer) parseError(rec *Record) {
	s := a.s
	if s.skip || rec.Damage == Malformed || !a.inTime(rec) {
		return
	}
	if rec.HasTim {
		rec.Elapsed = 0
		a.tick(rec)
	}
	c := a.find(rec.Cursor)
	a.endPlan(c)
	e := a.openError(rec.Code)
	if e == nil {
		e = a.addError(&ErrorInfo{ORA: rec.Code, Line: rec.Line})
	}
	e.Line, e.Source, e.ParseError = rec.Line, "PARSE ERROR line", true
	e.Tim, e.HasTim, e.Cursor, e.Depth = rec.Tim, rec.HasTim, rec.Cursor, rec.Depth
	if len(rec.Text) > 0 {
		st := a.statementByText(rec.Text)
		if st.order == 0 || st.TextSource == TextErrorstack {
			st.order = 1
			st.File, st.Line, st.Depth = a.file, rec.Line, rec.Depth
			st.User, st.Command = rec.User, rec.Command
			st.TextSource, st.Inferred = TextTrace, false
		}
		st.Errors++
		e.Statement, e.SQLSource = st, "text behind the PARSE ERROR line"
		c.stmt, c.known, c.row = st, false, nil
		c.binds = c.binds[:0]
	}
	a.p.fillRow(s, e)
}

// statementByText returns the statement of a text whose SQL id is not printed,
// computing the id: it may have run before, or in another session.
func (a *Analyzer) statementByText(text []byte) *Statement {
	return a.statement(text, []byte(SQLIDOf(text)), false)
}

// addError appends an error of the current session and gives it a row in the
// story.
func (a *Analyzer) addError(e *ErrorInfo) *ErrorInfo {
	s := a.s
	a.sessionNumber()
	e.File, e.Session, e.sess = a.file, s.Session, s
	if !e.HasTim {
		e.Tim = s.Last
	}
	a.p.ErrorCount[e.ORA]++
	if len(a.p.Errors) < maxErrors {
		a.p.Errors = append(a.p.Errors, e)
		e.OpenTx = s.OpenTx.clone()
	}
	r := s.story.push(RowError)
	r.File, r.Line, r.LastLine, r.ORA = a.file, e.Line, e.Line, e.ORA
	r.Start, r.End, r.HasTim = s.Last, s.Last, s.HasTim
	e.Row, e.stretch = r.seq, r.Stretch
	s.story.keep(e.Dump != nil)
	s.lastError = e
	return e
}

// fillRow completes the story row of an error.
func (p *Profile) fillRow(s *session, e *ErrorInfo) {
	for _, r := range s.story.rows {
		if r.seq == e.Row {
			r.Line, r.Statement, r.Depth, r.Text = e.Line, e.Statement, e.Depth, e.Message
			if e.HasTim {
				r.Start, r.End, r.HasTim = e.Tim, e.Tim, true
			}
			return
		}
	}
}

// openError returns the error that an error stack has told of already, if the
// line at hand is about the same.
func (a *Analyzer) openError(ora int64) *ErrorInfo {
	s := a.s
	e := s.awaited
	if e == nil || e.ORA != ora && e.ORA != 0 && ora != 0 {
		return nil
	}
	s.awaited = nil
	if e.ORA == 0 {
		e.ORA = ora
	}
	return e
}

// dumpEnded takes a finished error stack. The ERROR line of the same error
// stands behind it, or right before it.
func (a *Analyzer) dumpEnded(d *DumpInfo) {
	s := a.s
	ora, msg := d.Trigger()
	if ora == 0 && d.Kind == "deadlock" && d.graph {
		ora = 60 // the graph is printed for it; the cluster's process raises it elsewhere
	}
	if ora == 0 {
		return
	}
	if e := s.lastError; e != nil && e.ORA == ora && e.Dump == nil && d.Line-e.Line <= 40 && e.File == d.File && s.story.seq == e.Row {
		e.Dump, e.Message = d, msg
		s.story.keep(true)
		return
	}
	if e := s.lastError; e != nil && e.ORA == ora && e.Dump != nil && e.File == d.File && d.Line-e.Dump.EndLine <= 40 && s.story.seq == e.Row && s.awaited == e {
		// The graph of a deadlock and the error stack behind it tell of one error.
		switch {
		case e.Dump.Kind == "deadlock" && d.Kind == "error stack":
			e.Dump, e.Message = d, msg
			return
		case e.Dump.Kind == "error stack" && d.Kind == "deadlock":
			return
		}
	}
	e := a.addError(&ErrorInfo{ORA: ora, Line: d.Line, Message: msg, Dump: d, Source: sourceOf(d)})
	s.awaited = e
	if b := s.lastBind; b != nil && b.fresh {
		e.inFlight(a, b, d)
	}
	if e.Statement == nil && d.SQLText != "" {
		if e.Statement = a.dumpStatement(d); e.Statement != nil {
			e.SQLSource = "current SQL of the error stack"
		}
	}
	if len(e.Binds) == 0 {
		for _, c := range d.Cursors {
			if len(c.Binds) > 0 && (c.Current || len(d.Cursors) == 1) {
				e.Binds, e.BindLine = c.Binds, c.Line
				break
			}
		}
	}
	a.p.fillRow(s, e)
}

func sourceOf(d *DumpInfo) string {
	if d.Kind == "error stack" {
		return d.Kind
	}
	return d.Kind + " dump"
}

// inFlight takes the bind values that were read for an execution that never
// completed: it is the one that failed, unless the error stack names another.
func (e *ErrorInfo) inFlight(a *Analyzer, c *cursor, d *DumpInfo) {
	if c.known && d.SQLID != "" && c.stmt.SQLID != d.SQLID {
		return
	}
	a.unfold(c)
	e.Cursor, e.Ordinal = c.number, c.execs+1
	e.Binds, e.BindLine = decodeBinds(c.binds), c.bindAt
	a.nameFromDump(e, c)
	if c.stmt == nil {
		c.stmt = a.unknownStatement(c.number, c.plan)
		a.nameFromDump(e, c)
	}
	e.Statement, e.SQLSource = c.stmt, "bind values read, execution not completed"
	if c.stmt.TextSource == TextErrorstack {
		e.SQLSource = "current SQL of the error stack"
	}
}

// nameFromDump gives the cursor of an error the SQL text that the error stack
// printed as current, if the trace has none.
func (a *Analyzer) nameFromDump(e *ErrorInfo, c *cursor) {
	d := e.Dump
	if d == nil || d.SQLText == "" || c.known {
		return
	}
	if c.stmt == nil {
		c.stmt = a.unknownStatement(c.number, c.plan)
	}
	if c.stmt.TextSource != TextNone {
		return
	}
	st := c.stmt
	st.SQLID, st.Text, st.TextSource, st.Inferred = d.SQLID, d.SQLText, TextErrorstack, true
	st.Hash, st.HasHash = HashOf([]byte(d.SQLText)), SQLIDOf([]byte(d.SQLText)) == d.SQLID
	e.Statement = st
	a.keepID(st)
}

// dumpStatement returns the statement that an error stack calls current; nil if
// there are too many already.
func (a *Analyzer) dumpStatement(d *DumpInfo) *Statement {
	if st := a.withID(d.SQLID); st != nil {
		return st
	}
	if len(a.stmts) >= 2*a.opt.MaxStatements+maxUnfolded {
		return nil
	}
	if text := []byte(d.SQLText); SQLIDOf(text) == d.SQLID && len(a.stmts) < a.opt.MaxStatements {
		// Whole: the trace may tell of it later, as a parse error for one.
		st := a.statementByText(text)
		if st.order == 0 {
			st.order, st.TextSource = 1, TextErrorstack
			st.File, st.Line = d.File, d.SQLLine
		}
		return st
	}
	st := &Statement{
		SQLID: d.SQLID, Text: d.SQLText, TextSource: TextErrorstack, User: -1,
		File: d.File, Line: d.SQLLine, order: 1,
	}
	a.addStatement(stmtKey{unknown: true, length: -2, text: literalHash([]byte(d.SQLText)), plan: int64(len(a.p.Statements))}, st)
	return st
}

// withID returns the first statement that has a SQL id, nil if none has.
func (a *Analyzer) withID(id string) *Statement {
	if a.ids == nil {
		a.ids = map[string]*Statement{}
	}
	for ; a.idsOf < len(a.p.Statements); a.idsOf++ {
		a.keepID(a.p.Statements[a.idsOf])
	}
	return a.ids[id]
}

// keepID remembers a statement by its SQL id.
func (a *Analyzer) keepID(st *Statement) {
	if st.SQLID == "" || a.ids == nil {
		return
	}
	if o := a.ids[st.SQLID]; o == nil || st.Number < o.Number {
		a.ids[st.SQLID] = st
	}
}
