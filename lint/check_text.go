package lint

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SQL*Plus's line limits in bytes (facts/oradebug.md 1.1).
const (
	lineLimitOld = 2500 // up to 12.1
	lineLimitNew = 5000 // from 19c
)

// utf16 reports a file that SQL*Plus cannot read at all.
func (c *checker) utf16() bool {
	if !bytes.HasPrefix(c.src, []byte("\xff\xfe")) && !bytes.HasPrefix(c.src, []byte("\xfe\xff")) {
		return false
	}
	c.add("RT040", place{line: 1, column: 1}, "the file is UTF-16; SQL*Plus reads it as noise").as(Error).
		fix("save it as ASCII or UTF-8: iconv -f utf-16 -t ascii FILE > NEW")
	return true
}

// encoding reports byte order mark and CR LF, which concern the whole file.
func (c *checker) encoding() {
	if c.kind != KindScript && c.kind != KindShell {
		return
	}
	if bytes.HasPrefix(c.src, utf8BOM) {
		f := c.add("RT040", place{line: 1, column: 1}, "a byte order mark before the first line, which SQL*Plus answers with SP2-0734").
			fix("remove the three bytes EF BB BF").edit(0, len(utf8BOM), "")
		if c.firstLineMatters() {
			f.as(Error)
			f.Message += "; the command on this line is lost"
		}
	}
	n := bytes.Count(c.src, []byte("\r\n"))
	if n == 0 {
		return
	}
	i := bytes.Index(c.src, []byte("\r\n"))
	p := place{line: bytes.Count(c.src[:i], []byte("\n")) + 1, off: i}
	p.column = i - (bytes.LastIndexByte(c.src[:i], '\n') + 1) + 1
	f := c.add("RT040", p, "%d lines end in CR LF", n).fix("save with LF line ends")
	for at := 0; ; at += 2 {
		k := bytes.Index(c.src[at:], []byte("\r\n"))
		if k < 0 {
			return
		}
		at += k
		f.edit(at, at+1, "")
	}
}

// firstLineMatters says whether the first line does something.
func (c *checker) firstLineMatters() bool {
	var l line
	raw := rawLines{src: c.src, pos: len(utf8BOM)}
	if !raw.next(&l) {
		return false
	}
	t := l.text[skipBlanks(l.text, 0):]
	return len(t) > 0 && !bytes.HasPrefix(t, []byte("--")) && !bytes.HasPrefix(t, []byte("#")) &&
		!foldPrefix(t, "rem ") && !foldPrefix(t, "rem\n")
}

// comment looks for the header line that names the undo, and for text that
// SQL*Plus would substitute in.
func (c *checker) comment(it *item) {
	if c.header && c.undo == "" {
		c.headerLine(it)
	}
	if it.class == classRem {
		c.continuation(it)
	}
	if d := c.lex.set.define; d != 0 && bytes.IndexByte(it.text.b, d) >= 0 {
		c.substitutions(it)
	}
}

// headerLine reads `-- undo: FILE` and `-- ringtrace undo: FILE`.
func (c *checker) headerLine(it *item) {
	b := it.text.b
	if foldIndex(b, "undo") < 0 {
		return
	}
	for start, l := range bytes.Split(b, []byte("\n")) {
		t := strings.TrimSpace(string(l))
		if start == 0 {
			t = strings.TrimSpace(string(l[min(it.args, len(l)):]))
		}
		t = strings.TrimSpace(strings.TrimLeft(t, "-*# "))
		if len(t) >= 9 && strings.EqualFold(t[:9], "ringtrace") {
			t = strings.TrimSpace(t[9:])
		}
		if len(t) < 6 || !strings.EqualFold(t[:4], "undo") {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimSpace(t[4:]), ":")
		if !ok {
			continue
		}
		for _, w := range strings.Fields(rest) {
			if w = strings.Trim(w, "'\"`,;()@"); strings.ContainsAny(w, "./") && len(w) > 2 {
				c.undo = w
				c.undoAt = it.text.at(0)
				return
			}
		}
	}
}

func (c *checker) lineStart(p place) int { return bytes.LastIndexByte(c.src[:p.off], '\n') + 1 }

func (c *checker) lineEnd(p place) int {
	if i := bytes.IndexByte(c.src[p.off:], '\n'); i >= 0 {
		return p.off + i + 1
	}
	return len(c.src)
}

// longLine is called for lines and joined commands beyond the limit.
func (c *checker) longLine(p place, n int) {
	f := c.add("RT041", p, "%d bytes; SQL*Plus up to 12.1 reads 2,500, 19c and later 5,000", n)
	if n > lineLimitNew {
		f.as(Error)
	}
}

// hidden finds a command behind characters that no editor shows: files joined
// one behind the other have byte order marks in the middle.
func (c *checker) hidden(it *item) bool {
	b := it.text.b
	start := skipBlanks(b, 0)
	i := start
	for i < len(b) {
		r, n := utf8.DecodeRune(b[i:])
		if !invisible(r) {
			break
		}
		i = skipBlanks(b, i+n)
	}
	if i == start {
		return false
	}
	class, _ := classify(b, i)
	if class == classUnknown && !bytes.HasPrefix(b[i:], []byte("--")) {
		return false
	}
	r, _ := utf8.DecodeRune(b[start:])
	what := fmt.Sprintf("an invisible character (%U)", r)
	if r == '\ufeff' {
		what = "a byte order mark"
	}
	at := it.text.at(start)
	f := c.add("RT040", at, "%s before the first word of the line, which SQL*Plus answers with SP2-0734", what).
		fix("remove what stands before the word").edit(at.off, at.off+i-start, "")
	if class != classUnknown && class != classRem {
		f.as(Error)
		f.Message += "; the command is lost"
	}
	return true
}

// invisible characters look like nothing or like a blank, and are none.
func invisible(r rune) bool {
	switch r {
	case '\ufeff', '\u00a0', '\u00ad', '\u2060', '\u202f', '\u3000', '\x1a':
		return true
	}
	return r >= '\u2000' && r <= '\u200f' || r >= '\u2028' && r <= '\u202e'
}

// unknown looks at a line that SQL*Plus does not know: it matters if ORADEBUG
// was meant.
func (c *checker) unknown(it *item) {
	if c.hidden(it) {
		return
	}
	b := it.text.b
	i := skipBlanks(b, 0)
	word := b[i:max(i, it.args)]
	if len(word) < 6 || len(word) > 10 || lower(word[0]) != 'o' && lower(word[1]) != 'r' {
		return
	}
	if near(strings.ToLower(string(word)), "oradebug") {
		j := skipBlanks(b, it.args)
		end := wordEnd(b, j)
		if end > j && isCommandWord(string(b[j:end])) {
			c.add("RT001", it.text.at(i), "%q is no SQL*Plus command (SP2-0734)", word).fix("write oradebug")
		}
	}
}

// near says whether two words differ by at most two letters.
func near(a, b string) bool {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diag, prev[j] = prev[j], min(prev[j]+1, prev[j-1]+1, diag+cost)
		}
	}
	return prev[len(b)] <= 2
}
