package lint

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// line is one line that reaches SQL*Plus, with the place it has in the file.
type line struct {
	text []byte // without line end, prompt and here-document tabs
	num  int    // 1-based line of the file
	col  int    // bytes of the file's line before text
	off  int    // byte offset of text in the file
	// fresh says that a prompt stands before the line: whatever statement was
	// being entered is over. Only in logs.
	fresh bool
	// reply is what the log shows for the command, if it names a process.
	reply []byte
	// session counts the SQL*Plus sessions of a file; each here-document is
	// one of its own.
	session int
}

// source gives the lines of a file that reach SQL*Plus.
type source interface {
	next(*line) bool
}

// rawLines cuts src into lines; every other source reads through it.
type rawLines struct {
	src  []byte
	pos  int
	num  int
	crlf int // lines that end in CR LF
}

func (r *rawLines) next(l *line) bool {
	if r.pos >= len(r.src) {
		return false
	}
	start := r.pos
	end := bytes.IndexByte(r.src[start:], '\n')
	if end < 0 {
		end = len(r.src)
		r.pos = end
	} else {
		end += start
		r.pos = end + 1
	}
	r.num++
	if end > start && r.src[end-1] == '\r' {
		end--
		r.crlf++
	}
	l.text, l.num, l.col, l.off = r.src[start:end], r.num, 0, start
	l.fresh, l.session, l.reply = false, 0, nil
	return true
}

// sliceSource replays lines that were cut out before.
type sliceSource struct {
	lines []line
	at    int
}

func (s *sliceSource) next(l *line) bool {
	if s.at >= len(s.lines) {
		return false
	}
	*l = s.lines[s.at]
	s.at++
	return true
}

// part maps a byte of a joined text to its place in the file.
type part struct {
	start int // offset in the joined text
	line  int
	col   int
	off   int
}

// text is a command or statement, possibly joined from several lines.
type text struct {
	b     []byte
	parts []part
}

// place is a position in the file: line and byte column, both 1-based, and
// the byte offset.
type place struct {
	line, column, off int
}

// at returns where byte i of the text stands in the file.
func (t *text) at(i int) place {
	k := sort.Search(len(t.parts), func(k int) bool { return t.parts[k].start > i })
	p := t.parts[max(k-1, 0)]
	d := i - p.start
	return place{line: p.line, column: p.col + d + 1, off: p.off + d}
}

// runeColumn turns a byte column into one counted in characters, which is
// what editors and SARIF viewers show.
func runeColumn(src []byte, p place) int {
	start := p.off - (p.column - 1)
	if start < 0 || p.off > len(src) {
		return p.column
	}
	return utf8.RuneCount(src[start:p.off]) + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r' }

func skipBlanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

func trimRight(b []byte) []byte {
	n := len(b)
	for n > 0 && isBlank(b[n-1]) {
		n--
	}
	return b[:n]
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

func isWord(c byte) bool { return wordBytes[c] }

// wordBytes are the bytes of SQL*Plus and Oracle names.
var wordBytes = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '#'
	}
	return t
}()

// foldPrefix says whether b begins with the lower-case ASCII word s.
func foldPrefix(b []byte, s string) bool {
	if len(b) < len(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if lower(b[i]) != s[i] {
			return false
		}
	}
	return true
}

func foldEqual(b []byte, s string) bool { return len(b) == len(s) && foldPrefix(b, s) }

// foldIndex finds the lower-case ASCII word s in b; -1 if it is not there or
// empty.
func foldIndex(b []byte, s string) int {
	if s == "" {
		return -1
	}
	for i := 0; i+len(s) <= len(b); i++ {
		if lower(b[i]) == s[0] && foldPrefix(b[i:], s) {
			return i
		}
	}
	return -1
}

// foldIndexFast is foldIndex for words that are mostly absent: it looks for
// the all-lower and all-upper spelling, which is how people write them.
func foldIndexFast(b []byte, s string) int {
	if i := bytes.Index(b, []byte(s)); i >= 0 {
		return i
	}
	return bytes.Index(b, bytes.ToUpper([]byte(s)))
}
