package tracefile

import (
	"bytes"
	"strings"
)

// DumpInfo is the digest of an error stack or another dump between the records
// (facts 11).
type DumpInfo struct {
	File    *File
	Line    int64
	EndLine int64
	Bytes   int64
	Kind    string // error stack, incident, deadlock, memory, process state
	Level   int64
	Stamp   Clock
	Session *Session
	Stack   []OraLine
	SQLID   string
	SQLText string
	SQLLine int64
	NoSQL   bool
	PLSQL   []PLSQLFrame
	Frames  []string // of the call stack, the first that are not the dump's own
	Cursors []DumpCursor
	Section []DumpSection

	graph bool // it holds a deadlock graph
}

// OraLine is one line of an error stack.
type OraLine struct {
	Code int64
	Text string
	Line int64
}

// PLSQLFrame is one line of the PL/SQL call stack.
type PLSQLFrame struct {
	Unit string
	Line int64
}

// DumpCursor is a cursor of the session cursor dump with its bind values.
type DumpCursor struct {
	Number  int64
	Address uint64
	State   string
	Current bool
	Line    int64
	Binds   []BindValue
}

// DumpSection is a titled part of a dump.
type DumpSection struct {
	Title string
	Line  int64
}

// wrapper reports whether an error only says where another one was caught.
func wrapper(ora int64) bool {
	switch ora {
	case 604, 6512, 4088, 12012:
		return true
	}
	return false
}

// Trigger returns the error that the stack is about: the first line that does
// not merely say where it was caught.
func (d *DumpInfo) Trigger() (int64, string) {
	for _, l := range d.Stack {
		if !wrapper(l.Code) {
			return l.Code, l.Text
		}
	}
	if len(d.Stack) > 0 {
		return d.Stack[0].Code, d.Stack[0].Text
	}
	return 0, ""
}

func (d *DumpInfo) stampIfNone(c Clock) {
	if !d.Stamp.Valid {
		d.Stamp = c
	}
}

// dumpReader digests a dump line by line.
type dumpReader struct {
	a       *Analyzer
	info    *DumpInfo
	section string
	sql     []byte
	inSQL   bool
	lock    *deadlockReader
	bind    *Bind
	cur     *DumpCursor
}

const (
	maxFrames  = 12
	maxSection = 200
	maxDumps   = 1000
)

func (a *Analyzer) startDump(rec *Record) {
	a.endDump()
	a.endRing(rec.Line)
	a.sessionNumber()
	a.dups.arm()
	d := &DumpInfo{File: a.file, Line: rec.Line, Session: a.s.Session, Kind: "error stack"}
	a.dump, a.calm = &dumpReader{a: a, info: d}, false
	switch b := rec.Raw; {
	case hasPrefix(b, "DEADLOCK"), hasPrefix(b, "Global Wait-For-Graph"):
		d.Kind = "deadlock"
		a.dump.lock = newDeadlockReader(a, rec)
	case hasPrefix(b, "Dump of memory"):
		d.Kind = "memory"
	case hasPrefix(b, "PROCESS STATE"):
		d.Kind = "process state"
	case bytes.Contains(b, []byte("Starting incident")):
		d.Kind = "incident"
	case hasPrefix(b, "========= Dump for incident "):
		d.Kind = "incident"
		a.incidentError(d, b)
	}
	if i := bytes.Index(rec.Raw, []byte("level=")); i >= 0 {
		d.Level, _, _ = number(rec.Raw, i+6)
	}
	if a.grp.clock.waiting {
		d.Stamp = a.grp.clock.stamp
	}
	a.grp.clock.spend(d.Kind != "memory")
	a.dump.line(rec)
}

// incidentError reads "========= Dump for incident 10192 (ORA 600 [x]) ========".
// The message stood before it, if anywhere.
func (a *Analyzer) incidentError(d *DumpInfo, b []byte) {
	i := bytes.Index(b, []byte("(ORA "))
	if i < 0 {
		return
	}
	code, end, ok := number(b, i+5)
	if !ok {
		return
	}
	text := strings.TrimSpace(string(bytes.TrimRight(b[end:], "= )")))
	if o := a.lastOra; o.Code == code && d.Line-o.Line < 50 {
		text = o.Text
	}
	d.Stack = append(d.Stack, OraLine{code, text, d.Line})
}

func (a *Analyzer) endDump() {
	d := a.dump
	if d == nil {
		return
	}
	a.dump = nil
	d.endSQL()
	d.endBind()
	a.file.DumpBytes += d.info.Bytes
	if a.unwanted(d.info.Stamp) {
		return
	}
	if len(a.p.Dumps) < maxDumps {
		a.p.Dumps = append(a.p.Dumps, d.info)
	}
	if d.lock != nil {
		d.info.graph = d.lock.end()
	}
	if d.info.Kind != "memory" {
		a.dumpEnded(d.info)
	}
}

func (d *dumpReader) line(rec *Record) {
	b, info := rec.Raw, d.info
	info.Bytes += int64(len(b)) + 1
	info.EndLine = rec.Line
	if d.lock != nil {
		d.lock.line(rec)
	}
	if d.inSQL {
		if len(b) == 0 && len(d.sql) == 0 {
			return
		}
		if len(b) == 0 || hasPrefix(b, "-----") || hasPrefix(b, "*** ") || ruled(b) || tableOfContents(b) {
			d.endSQL()
		} else if len(d.sql) < MaxLine {
			if len(d.sql) > 0 {
				d.sql = append(d.sql, '\n')
			}
			d.sql = append(d.sql, b...)
			return
		}
	}
	if len(b) == 0 || tableOfContents(b) {
		return
	}
	switch {
	case hasPrefix(b, "----- ") || hasPrefix(b, "*******************"):
		d.title(rec)
	case hasPrefix(b, "Current SQL statement for this session"):
		d.startSQL(rec)
	case hasPrefix(b, "ORA-"):
		d.oraLine(rec)
	case d.section == "plsql":
		d.plsql(b)
	case d.section == "frames":
		d.frame(b)
	case d.section == "cursors":
		d.cursorDump(rec)
	case hasPrefix(b, "[Transaction Deadlock]"), bytes.HasPrefix(b, []byte("Deadlock graph:")), bytes.HasPrefix(b, []byte("Global Wait-For-Graph")):
		if d.lock == nil {
			d.lock = newDeadlockReader(d.a, rec)
			d.lock.line(rec)
		}
	}
}

// tableOfContents reports whether a line is one of the marks of an incident file,
// [TOC00001] or [TOC00001-END] (facts 11).
func tableOfContents(b []byte) bool { return hasPrefix(b, "[TOC") && b[len(b)-1] == ']' }

// oraLine takes a line of the error stack: those right behind its title, or
// behind the "ksedmp:" line of 10g. Later ones belong to other parts.
func (d *dumpReader) oraLine(rec *Record) {
	if d.section != "" && d.section != "stack" || len(d.info.Stack) >= 100 {
		return
	}
	if code, end, ok := number(rec.Raw, 4); ok && code > 0 {
		text := strings.TrimSpace(strings.TrimPrefix(string(rec.Raw[end:]), ":"))
		d.info.Stack = append(d.info.Stack, OraLine{code, text, rec.Line})
	}
}

func (d *dumpReader) title(rec *Record) {
	b := rec.Raw
	name := string(bytes.TrimSpace(bytes.Trim(b, "-* ")))
	if len(d.info.Section) < maxSection && name != "" {
		d.info.Section = append(d.info.Section, DumpSection{name, rec.Line})
	}
	d.endBind()
	d.section = "other"
	switch {
	case strings.HasPrefix(name, "Error Stack Dump"):
		d.section = "stack"
	case strings.HasPrefix(name, "Current SQL Statement"):
		d.startSQL(rec)
	case strings.HasPrefix(name, "SQL Statement (None)"):
		d.info.NoSQL = true
	case strings.HasPrefix(name, "PL/SQL Call Stack"), strings.HasPrefix(name, "PL/SQL Stack"):
		d.section = "plsql"
	case strings.HasPrefix(name, "Call Stack Trace"):
		d.section = "frames"
	case strings.HasPrefix(name, "Session Cursor Dump"):
		d.section = "cursors"
	}
}

func (d *dumpReader) startSQL(rec *Record) {
	d.inSQL, d.sql, d.info.SQLLine = true, nil, rec.Line+1
	if i := bytes.Index(rec.Raw, []byte("sql_id=")); i >= 0 {
		j := i + 7
		for j < len(rec.Raw) && (isDigit(rec.Raw[j]) || rec.Raw[j] >= 'a' && rec.Raw[j] <= 'z') {
			j++
		}
		d.info.SQLID = string(rec.Raw[i+7 : j])
	}
	d.section = "sql"
}

func (d *dumpReader) endSQL() {
	if d.inSQL && len(d.sql) > 0 && d.info.SQLText == "" {
		d.info.SQLText = string(bytes.TrimRight(d.sql, "\n"))
		if d.info.SQLID == "" {
			d.info.SQLID = SQLIDOf([]byte(d.info.SQLText))
		}
	}
	d.inSQL = false
}

// plsql reads "0x78c5a8b8        36  package body OWNER.PKG.PROC".
func (d *dumpReader) plsql(b []byte) {
	f := bytes.Fields(b)
	if len(f) < 3 || !hasPrefix(f[0], "0x") && !isHexLine(f[0]) {
		return
	}
	n, ok := digits(f[1])
	if !ok || len(d.info.PLSQL) >= 50 {
		return
	}
	d.info.PLSQL = append(d.info.PLSQL, PLSQLFrame{string(bytes.Join(f[2:], []byte(" "))), int64(n)})
}

// dumping are the prefixes of functions that write the dump or raise the
// error: they stand on every stack and tell nothing.
var dumping = [...]string{
	"ksedst", "skdstdst", "dbke", "dbkd", "dbgd", "dbge", "dbgc", "dbgp", "dbgr", "ksedmp", "ksfdmp", "kgeriv", "kges",
	"kgei", "kgerin", "kgea", "kgereclv", "kserec", "ksesec", "kse", "ssexhd", "kgds", "ksdxfdmp", "ksdpec", "kger",
}

// frame reads "ksedst1()+95  call  kgdsdst()  args", of which the first word
// counts.
func (d *dumpReader) frame(b []byte) {
	i := bytes.Index(b, []byte("()"))
	if i <= 0 || b[0] == ' ' || b[0] == '-' || len(d.info.Frames) >= maxFrames {
		return
	}
	name := string(b[:i])
	for _, p := range dumping {
		if strings.HasPrefix(name, p) {
			return
		}
	}
	if strings.ContainsAny(name, " \t") {
		return
	}
	d.info.Frames = append(d.info.Frames, name)
}

// cursorDump reads the session cursor dump: "Cursor#6(0x…) state=BOUND …" and
// the bind blocks below.
func (d *dumpReader) cursorDump(rec *Record) {
	b := bytes.TrimLeft(rec.Raw, " \t")
	switch {
	case hasPrefix(b, "Cursor#"):
		d.endBind()
		if len(d.info.Cursors) >= 500 {
			d.cur = nil
			return
		}
		n, end, _ := number(b, 7)
		c := DumpCursor{Number: n, Line: rec.Line}
		if hasPrefix(b[end:], "(0x") {
			c.Address = hexNumber(b[end+3:])
		}
		if i := bytes.Index(b, []byte("state=")); i >= 0 {
			f := bytes.Fields(b[i+6:])
			if len(f) > 0 {
				c.State = string(f[0])
			}
		}
		c.Current = c.State == "BOUND"
		d.info.Cursors = append(d.info.Cursors, c)
		d.cur = &d.info.Cursors[len(d.info.Cursors)-1]
	case d.cur == nil:
	case hasPrefix(b, "Bind#"):
		d.endBind()
		n, _, ok := number(b, 5)
		if ok {
			d.bind = &Bind{Position: int(n), Actual: -1}
		}
	case d.bind == nil:
	case hasPrefix(b, "value="):
		v := b[6:]
		if len(v) > 1 && v[0] == '"' {
			d.bind.Quoted = true
			v = bytes.TrimSuffix(v[1:], []byte(`"`))
		}
		d.bind.HasValue = d.bind.Quoted || len(v) > 0
		d.bind.Value = bytes.Clone(v)
		d.endBind()
	case hasPrefix(b, "oacdty="), hasPrefix(b, "oacflg="), hasPrefix(b, "kxsbbbfp="):
		bindAttributes(d.bind, b)
	}
}

func (d *dumpReader) endBind() {
	if d.bind != nil && d.cur != nil && len(d.cur.Binds) < 1000 {
		d.cur.Binds = append(d.cur.Binds, decodeBinds(encodeBind(nil, d.bind))...)
	}
	d.bind = nil
}

func hexNumber(b []byte) uint64 {
	var n uint64
	for _, c := range b {
		switch {
		case isDigit(c):
			n = n<<4 | uint64(c-'0')
		case c >= 'a' && c <= 'f':
			n = n<<4 | uint64(c-'a'+10)
		case c >= 'A' && c <= 'F':
			n = n<<4 | uint64(c-'A'+10)
		default:
			return n
		}
	}
	return n
}
