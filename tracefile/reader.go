package tracefile

import (
	"bytes"
	"io"
)

// Reader is the line layer: it reads records one after the other.
//
//	r := tracefile.NewReader(f)
//	for r.Scan() {
//		rec := r.Record()
//		…
//	}
//	if err := r.Err(); err != nil { … }
//
// Only a failing io.Reader ends the stream early. The record before the failure
// is delivered first.
type Reader struct {
	in         lineReader
	rec        Record
	dirty      bool // fields beyond those of calls and waits were used
	inHeader   bool
	inDump     bool
	headerFrom int64 // line at which the header began
	lastTim    int64
	head       []byte // first line of a record of several lines
	text       []byte // its text
	values     []byte // bind values, all in one
	binds      []Bind
	// A time stamp can stand inside a bind section (facts 19). The section then
	// goes on behind it, for this cursor.
	openBinds bool
	params    []Param
	bindOf    uint64
	shapes    [bindShapes]bindShape
	timeless  bool // the last wait had no time: a trace up to 10.1
	careful   bool // for tests: take no short cut
	known     [knownCursors]knownCursor
}

// NewReader returns a Reader of r, which should be at the start of a trace file.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: newLineReader(r)}
}

// Record returns the current record. It is reused by the next Scan.
func (r *Reader) Record() *Record { return &r.rec }

// Err returns the first error of the underlying reader, other than io.EOF.
func (r *Reader) Err() error { return r.in.err }

// BytesRead returns how many bytes of the stream the records so far have taken.
func (r *Reader) BytesRead() int64 { return r.in.read() }

// LinesRead returns how many lines the records so far have taken.
func (r *Reader) LinesRead() int64 { return r.in.number }

// InDump reports whether the last record stood inside an error stack or other
// dump.
func (r *Reader) InDump() bool { return r.inDump }

// scan reads the next record by the general way.
func (r *Reader) scan() bool {
	line, ok := r.in.next()
	if !ok {
		return false
	}
	rec := &r.rec
	r.reset(line)
	if r.in.long {
		rec.Damage = LineTooLong
	}
	if rec.Line == 1 && hasPrefix(line, "\xef\xbb\xbf") { // saved by an editor on Windows
		line = line[3:]
		rec.Raw = line
	}
	first := r.in.number
	open := r.openBinds
	r.openBinds = false
	if open && len(line) > 0 && line[0] == ' ' && r.moreBinds(line) {
		r.dirty = true
		open = false
	} else {
		r.classify(line)
	}
	if open && (rec.Kind == Stamp || rec.Kind == Attribute || rec.Kind == Blank) {
		r.openBinds = true
	}
	if rec.Kind.IsTrace() || rec.Kind == EndOfStmt {
		r.inHeader, r.inDump = false, false
		if rec.HasTim {
			r.lastTim = rec.Tim
		}
	}
	if n := r.in.number - first; n > 0 {
		rec.Lines += n
		if r.in.back && r.in.backNo > rec.Line {
			rec.Lines--
		}
	}
	return true
}

// reset empties the record. Calls and waits, nine lines out of ten, use few of
// its fields, so the rest is cleared only when it was used.
func (r *Reader) reset(line []byte) {
	rec := &r.rec
	r.wipe()
	rec.Kind, rec.Damage = Unknown, Sound
	rec.Cursor, rec.Slot, rec.Complete, rec.HasTim = 0, false, false, false
	rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current = 0, 0, 0, 0, 0
	rec.Misses, rec.Rows, rec.Depth, rec.Goal, rec.PlanHash, rec.Type, rec.Tim = 0, 0, 0, 0, 0, 0, 0
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	rec.Line, rec.Offset, rec.Raw, rec.Lines = r.in.lineNo, r.in.offset, line, 1
}

// wipe empties the fields that neither calls nor waits use.
func (r *Reader) wipe() {
	switch rec := &r.rec; {
	case r.dirty:
		*rec = Record{}
		r.dirty = false
	case rec.Kind == Stat:
		rec.Plan = PlanLine{}
	case rec.Kind == Binds:
		rec.Binds = nil
	case rec.Kind == Parsing:
		rec.Text, rec.SQLID, rec.Address = nil, nil, nil
		rec.Length, rec.User, rec.Command, rec.LoginID, rec.Hash, rec.Code = 0, 0, 0, 0, 0, 0
	}
}

// classify finds the record's kind by its first bytes, the most frequent lines
// first, and fills the record in.
func (r *Reader) classify(line []byte) {
	if len(line) == 0 {
		r.rec.Kind = Blank
		return
	}
	switch line[0] {
	case 'W':
		if hasPrefix(line, "WAIT #") {
			r.wait(line)
			return
		}
	case 'F':
		if hasPrefix(line, "FETCH #") {
			r.call(Fetch, line, 7)
			return
		}
	case 'E':
		if hasPrefix(line, "EXEC #") {
			r.call(Exec, line, 6)
			return
		}
	case 'P':
		if hasPrefix(line, "PARSE #") {
			r.call(Parse, line, 7)
			return
		}
	case 'C':
		if hasPrefix(line, "CLOSE #") {
			r.call(Close, line, 7)
			return
		}
	}
	switch {
	case line[0] == 'S' && hasPrefix(line, "STAT #"):
		r.stat(line)
		return
	case line[0] == 'B' && hasPrefix(line, "BINDS #"):
		r.bindSection(line)
		return
	case line[0] == 'P' && hasPrefix(line, "PARSING IN CURSOR #"):
		r.parsing(line)
		return
	case line[0] == '=' && string(line) == "=====================":
		r.rec.Kind = Separator
		r.inDump, r.inHeader = false, false
		return
	}
	r.dirty = true
	switch line[0] {
	case 'E':
		switch {
		case hasPrefix(line, "ERROR #"):
			r.errorLine(line)
			return
		case hasPrefix(line, "END OF STMT"):
			r.endOfStmt(line)
			return
		}
	case 'P':
		switch {
		case hasPrefix(line, "PARSE ERROR #"):
			r.parseError(line)
			return
		}
	case 'S':
		if hasPrefix(line, "SORT UNMAP #") {
			r.call(SortUnmap, line, 12)
			return
		}
	case 'U':
		if hasPrefix(line, "UNMAP #") {
			r.call(Unmap, line, 7)
			return
		}
	case 'X':
		if hasPrefix(line, "XCTEND ") {
			r.xctend(line)
			return
		}
	case 'L':
		if hasPrefix(line, "LOB") && r.lob(line) {
			return
		}
	case 'R':
		if hasPrefix(line, "RPC ") {
			r.rpc(line)
			return
		}
	case '*':
		if hasPrefix(line, "*** ") && r.stars(line) {
			return
		}
	case '=':
		if n := separator(line); n > 0 {
			r.rec.Kind = Separator
			r.inDump, r.inHeader = false, false
			if !onlyBlanks(line[n:]) {
				r.rec.Damage = Glued
				r.in.unread(line, n)
			}
			return
		}
	}
	if onlyBlanks(line) {
		r.rec.Kind = Blank
		return
	}
	r.other(line)
}

// separator returns the length of the 21 equal signs that precede a statement,
// or 0. Other lengths belong to other dumps (facts 9).
func separator(line []byte) int {
	n := 0
	for n < len(line) && line[n] == '=' {
		n++
	}
	if n == 21 && (onlyBlanks(line[n:]) || signature(line[n:]) == 0) {
		return n
	}
	return 0
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// numbered are the beginnings of records that may stand glued behind a line that
// was cut (facts 5, 19); a cursor number follows. Where one ends in another, the
// longer stands first.
var numbered = [...]string{
	"WAIT ", "EXEC ", "FETCH ", "PARSE ERROR ", "PARSE ", "CLOSE ", "STAT ", "BINDS ", "PARSING IN CURSOR ", "ERROR ", "SORT UNMAP ", "UNMAP ",
}

// unnumbered are those of records without a cursor number, by their first byte,
// which is what a line is searched for.
var unnumbered = [...]struct {
	first byte
	marks []string
}{
	{'X', []string{"XCTEND rlbk="}},
	{'*', []string{"*** 20", "*** SESSION ID:(", sizeLimitMark, fileFullMark, "*** TRACE CONTINUES IN FILE "}},
	{'L', []string{"LOBREAD: ", "LOBWRITE: ", "LOBPGSIZE: ", "LOBTMPCREATE: "}},
	{'T', []string{"Trace output buffer of "}},
}

// The marks of a file that is full stand wherever the limit was reached, be it
// within a record (facts 3).
const (
	sizeLimitMark = "*** DUMP FILE SIZE IS LIMITED TO "
	fileFullMark  = "*** Trace file full ***"
)

// fullMark returns where such a mark begins in b, or -1.
func fullMark(b []byte) int {
	if bytes.IndexByte(b, '*') < 0 {
		return -1
	}
	if i := bytes.Index(b, []byte(sizeLimitMark)); i >= 0 {
		return i
	}
	return bytes.Index(b, []byte(fileFullMark))
}

// signature returns the position of the first record that begins in b, or -1.
func signature(b []byte) int {
	best := -1
	for from := 0; best < 0; {
		i := bytes.IndexByte(b[from:], '#')
		if i < 0 {
			break
		}
		i += from
		from = i + 1
		if from >= len(b) || !isDigit(b[from]) {
			continue
		}
		for _, s := range numbered {
			if i >= len(s) && string(b[i-len(s):i]) == s {
				best = i - len(s)
				break
			}
		}
	}
	for i := range unnumbered {
		if best >= 0 {
			b = b[:best] // only an earlier one counts
		}
		if i := firstMark(b, unnumbered[i].first, unnumbered[i].marks); i >= 0 {
			best = i
		}
	}
	return best
}

// firstMark returns where the first of marks begins in b, or -1. All of them
// begin with first.
func firstMark(b []byte, first byte, marks []string) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], first)
		if i < 0 {
			return -1
		}
		i += from
		for _, m := range marks {
			if hasPrefix(b[i:], m) {
				return i
			}
		}
		from = i + 1
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// splitGlued looks for another record behind the first byte of the line. If
// there is one, it is put back to be read next, and what stands before is
// returned.
func (r *Reader) splitGlued(line []byte) ([]byte, bool) {
	from := 1
	if signature(line) == 0 {
		from = max(1, bytes.IndexByte(line, '#')) // PARSE ERROR # holds ERROR #
	}
	i := signature(line[from:])
	if i < 0 {
		return line, false
	}
	i += from
	r.in.unread(line, i)
	return bytes.TrimRight(line[:i], " "), true
}
