//go:build unix

package sqlplus

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzFrame: whatever a child prints, in whatever pieces, the answer is what
// stands between the marks, within its bounds, and nothing panics.
func FuzzFrame(f *testing.F) {
	f.Add("banner\n", "Statement processed.\n", 4, 1000)
	f.Add("", "no end of line", 1, 1000)
	f.Add("~~E:x:2\n", "~~B:x:2\n~~E:x:1\n", 7, 1000)
	f.Add("", strings.Repeat("x", 5000)+"\r\n\n\n", 100, 300)
	f.Add("", "PROMPT \n\x00\xff", 3, 10)
	f.Fuzz(func(t *testing.T, before, answer string, piece, limit int) {
		piece, limit = 1+abs(piece)%4096, 1+abs(limit)%10000
		begin, end := marks("0123456789abcdef", 7)
		if strings.Contains(before+answer, "0123456789abcdef") {
			return // nobody but us knows it
		}
		text := before
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += begin + "\n" + answer + end + "\n" + "the next answer\n"
		fr := &frame{begin: begin, end: end, limit: limit}
		r := newLineReader(&reluctant{data: []byte(text), piece: piece})
		var err error
		for err = fr.fill(r); errors.Is(err, errAgain); err = fr.fill(r) {
		}
		if isEcho(lastLine(answer)) {
			return // taken for an echo of our own command: the frame is lost, not wrong
		}
		if err != nil {
			t.Fatalf("%q: %v", answer, err)
		}
		kept := 0
		for _, l := range fr.lines {
			kept += len(l) + 1
		}
		if kept > limit {
			t.Fatalf("%d bytes kept of %d", kept, limit)
		}
		var want []string
		if answer != "" {
			for l := range strings.SplitSeq(strings.TrimSuffix(answer, "\n"), "\n") {
				want = append(want, strings.TrimSuffix(l, "\r"))
			}
			if !strings.HasSuffix(answer, "\n") { // a mark behind a carriage return keeps it
				want[len(want)-1] = lastLine(answer)
			}
		}
		if got := strings.Join(fr.lines, "\n"); fr.over == 0 && got != strings.Join(want, "\n") {
			t.Fatalf("%q came as %q", answer, got)
		} else if fr.over > 0 && len(answer) <= limit/2 {
			t.Fatalf("%d bytes were left out of %d, with room for %d", fr.over, len(answer), limit)
		}
		next, err := r.line(100)
		for errors.Is(err, errAgain) {
			next, err = r.line(100)
		}
		if err != nil || next != "the next answer" {
			t.Fatalf("the next line is %q, %v", next, err)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

var errAgain = errors.New("not yet")

// reluctant gives its data in pieces, with an error between any two, as a pipe
// with a deadline does.
type reluctant struct {
	data  []byte
	piece int
	given bool
}

func (r *reluctant) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	if r.given = !r.given; !r.given {
		return 0, errAgain
	}
	n := copy(p, r.data[:min(r.piece, len(r.data))])
	r.data = r.data[n:]
	return n, nil
}

// guard is what guarded does in the database.
func guard(s string) string {
	for _, c := range spoilt {
		s = strings.ReplaceAll(s, c.char, c.stands)
	}
	return s
}

// FuzzGuard: every text survives, in a form that SQL*Plus cannot spoil.
func FuzzGuard(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g := guard(s)
		if strings.ContainsAny(g, " \t\r\n\x00|") {
			t.Fatalf("%q is printed as %q", s, g)
		}
		back, err := unguard(g)
		if err != nil || back != s {
			t.Fatalf("%q came back as %q, %v", s, back, err)
		}
		_, _ = unguard(s) // must not panic
		_, _, _ = field(s)
		_, _ = decodeRow(s, 2, tags{"~d", "~t", "~z"})
		list, rest, _ := records(strings.Split(s, "\n"))
		if len(list)+len(rest) > strings.Count(s, "\n")+1 {
			t.Fatalf("%q became %d records and %d lines", s, len(list), len(rest))
		}
		_, _ = assemble(strings.Split(s, "\n"), 2, tags{"~d", "~t", "~z"})
	})
}

// afterLiteral is what FuzzLiteral asks behind the literal.
var afterLiteral = regexp.MustCompile(`\sv\sfrom\sdual\n/$`)

// FuzzLiteral: a literal is made of lines that SQL*Plus takes for nothing else,
// and says what it should.
func FuzzLiteral(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Add("x' or '1'='1")
	f.Add("a'||chr(10)||'b")
	f.Add(" v from dual")
	for n := 990; n < 1000; n++ { // a line ends behind it, or within what follows
		f.Add(strings.Repeat("x", n))
	}
	f.Fuzz(func(t *testing.T, s string) {
		st, err := parseStatement("select :1 v from dual", named(s))
		if err != nil {
			if utf8.ValidString(s) && len(s) <= maxLiteral {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		text, err := st.layout()
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		checkLines(t, text)
		// Whatever the literal says, and wherever its lines were broken: it stands
		// between the first word and the last three.
		list := strings.TrimPrefix(text, "select")
		end := afterLiteral.FindStringIndex(list)
		if end == nil {
			t.Fatalf("%q is laid out as %q", s, text)
		}
		list = list[:end[0]]
		if got := evaluate(t, list); got != s {
			t.Fatalf("%q is written as %s, which is %q", s, list, got)
		}
	})
}

// FuzzStatement: any text is refused or becomes lines that are one statement,
// and reading them again changes nothing.
func FuzzStatement(f *testing.F) {
	for _, s := range []string{
		"select 1 from dual", "select a, 'x;' || \"B\" from t -- c", "select q'[it's]' x from t order by 1 desc", "with x as (select 1 a from dual) select a from x",
		"select a -\n b from t", "alter session set x = 'a&b'", "select /*+ hint */ distinct a from t /* c */ union select b from u", "select :1, :a from t",
		"select a from t order by b, c desc nulls last", "select 'a''b' from t;", "select * from t", "select nq'{x}' from t", "select a\n\n\n/\nfrom t", "select a from t where b = '\n/\n'",
	} {
		f.Add(s)
	}
	f.Add("\u00a0")                                                                                                           // a word to SQL*Plus, and blank to Go
	f.Add("select '" + strings.Repeat("x", 390) + "', '" + strings.Repeat("y", 390) + strings.Repeat("\n", 40) + "'1 from t") // a line ends where no blank stood
	f.Fuzz(func(t *testing.T, s string) {
		st, err := parseStatement(s, nil)
		if err != nil {
			return
		}
		text, err := st.layout()
		if err != nil {
			return
		}
		checkLines(t, text)
		again, err := parseStatement(strings.TrimSuffix(text, "\n/"), nil)
		if err != nil {
			t.Fatalf("%q is laid out as %q: %v", s, text, err)
		}
		if second, err := again.layout(); err != nil || unbroken.Replace(second) != unbroken.Replace(text) {
			t.Fatalf("%q is laid out as %q, then as %q: %v", s, text, second, err)
		}
		q, err := parseQuery(st)
		if err != nil {
			return
		}
		for _, w := range []*statement{q.short(), q.longest(), q.long(3)} {
			if text, err := w.layout(); err == nil {
				checkLines(t, text)
			}
		}
	})
}

// unbroken takes out what a layout may put between tokens: where a line ended
// without a blank, one stands when the text is read again, and lines may end
// elsewhere.
var unbroken = strings.NewReplacer(" ", "", "\n", "")

// checkLines holds lines to what SQL*Plus takes for a part of a statement.
func checkLines(t *testing.T, text string) {
	t.Helper()
	body, ok := strings.CutSuffix(text, "\n/")
	if !ok {
		t.Fatalf("%q is not run", text)
	}
	for i, l := range strings.Split(body, "\n") {
		switch {
		case strings.Trim(l, " \t") == "":
			t.Fatalf("line %d of %q is blank", i, text)
		case i > 0 && strings.ContainsAny(l[:1], "/.#@!$"):
			t.Fatalf("line %d of %q begins with %q", i, text, l[:1])
		case strings.HasSuffix(l, "-"), strings.HasSuffix(l, ";"), len(l) > maxLine+utf8.UTFMax:
			t.Fatalf("line %d of %q", i, text)
		case bytes.ContainsAny([]byte(l), "\r\x00"):
			t.Fatalf("line %d of %q holds a control character", i, text)
		}
	}
}

// evaluate reads literals, CHR and || as Oracle does.
func evaluate(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "(") {
		s = strings.TrimSuffix(s[1:], ")")
	}
	for s != "" {
		switch {
		case s[0] == '\'':
			i := 1
			for ; ; i++ {
				if i >= len(s) {
					t.Fatalf("%q has no end", s)
				}
				if s[i] != '\'' {
					b.WriteByte(s[i])
				} else if i+1 < len(s) && s[i+1] == '\'' {
					b.WriteByte('\'')
					i++
				} else {
					break
				}
			}
			s = s[i+1:]
		case strings.HasPrefix(s, "chr("):
			n := 0
			i := 4
			for ; s[i] != ')'; i++ {
				n = n*10 + int(s[i]-'0')
			}
			b.WriteByte(byte(n))
			s = s[i+1:]
		case strings.HasPrefix(s, "||"):
			s = strings.TrimLeft(s[2:], "\n ")
		default:
			t.Fatalf("%q is no literal", s)
		}
	}
	return b.String()
}
