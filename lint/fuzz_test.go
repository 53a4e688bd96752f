package lint

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// FuzzCheck feeds any bytes under any kind of name: no crash, every place lies
// in the file, and a fixed text stays fixed.
func FuzzCheck(f *testing.F) {
	for _, rc := range ruleCases {
		for _, s := range append(rc.bad, rc.good...) {
			if len(s) < 2000 {
				f.Add("x.sql", []byte(s))
			}
		}
	}
	f.Add("x.sql", []byte(guardedTop+block(38)+ownOff))
	f.Add("x.sh", []byte("a <<-E <<'F G'\n\toradebug setmypid -\n\tE\noradebug &x\nF G\n"))
	f.Add("x.log", []byte("SQL> select 1 -\n> from\n  2  dual;\nSQL> oradebug setospid 1\nOracle pid: 5, Unix process pid: 1, image: o@h (LGWR)\n"))
	f.Add("x.md", []byte("```sql\noradebug setmypid;\n```\n~~~~\nSQL> begin\n  2  x;\n~~~~"))
	f.Add("change.txt", []byte("oradebug setmypid\noradebug\x00\n"))
	f.Add("x.sql", []byte("set define '\ndefine x='\ncol a new_value\nselect '''oradebug -- '||\n"))
	f.Add("x.sql", []byte("alter session set events '10046 {a: ''\n'':\xff} trace name context forever, level 1';"))
	f.Add("x.sql", []byte("oradebug -g all -\n-\n-\n/"))
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		r := Check(name, src, Options{Sibling: func(string) ([]byte, error) { return src, nil }})
		lines := bytes.Count(src, []byte("\n")) + 1
		for _, x := range r.Findings {
			if x.Line < 1 || x.Line > lines || x.Column < 1 || x.Column > len(src)+1 {
				t.Fatalf("%s at %d:%d, outside the file", x.Rule, x.Line, x.Column)
			}
			if _, ok := LookupRule(x.Rule); !ok || x.Fix == "" || x.Message == "" {
				t.Fatalf("incomplete finding %+v", x)
			}
			for _, e := range x.edits {
				if e.start < 0 || e.end < e.start || e.end > len(src) {
					t.Fatalf("%s edits [%d,%d) of %d bytes", x.Rule, e.start, e.end, len(src))
				}
			}
		}
		fixed, changes := Fix(name, src, Options{})
		if len(changes) == 0 && !bytes.Equal(fixed, src) {
			t.Fatal("changed without a record")
		}
		if len(fixed) > len(src)+64*(len(changes)+1) {
			t.Fatalf("grew from %d to %d bytes", len(src), len(fixed))
		}
	})
}

// FuzzLexer reads any bytes as a script: the items follow each other, lie in
// the file, and no byte of a line is used twice.
func FuzzLexer(f *testing.F) {
	f.Add([]byte("select 1\n/\noradebug setmypid -\nx\n/* a\n*/ b\nbegin\n.\n"))
	f.Add([]byte("doc\n#\nset sqlterminator !\nselect 1!\ncreate or replace type t as object (a int);\n/\n"))
	f.Add([]byte("\r\n\x00\xef\xbb\xbf-- \n<<l>>\n(select 1)\n;\n@x\n!y\n$z\n"))
	f.Add([]byte("rem -\nrem -\n-\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		x := lexer{src: &rawLines{src: src}, contiguous: src, set: newSettings()}
		y := lexer{src: &rawLines{src: src}, set: newSettings()} // joins instead of cutting
		var a, b item
		last := 0
		for x.next(&a) {
			if !y.next(&b) {
				t.Fatal("joining gives fewer items than cutting")
			}
			if a.kind != b.kind || a.class != b.class || a.end != b.end || len(a.text.parts) != len(b.text.parts) {
				t.Fatalf("cut %v %v %v, joined %v %v %v", a.kind, a.class, a.end, b.kind, b.class, b.end)
			}
			p := a.text.at(0)
			if p.line <= last || p.off > len(src) || a.args > len(a.text.b) && !a.continued {
				t.Fatalf("item at line %d follows line %d", p.line, last)
			}
			last = a.text.parts[len(a.text.parts)-1].line
			if utf8.Valid(src) && runeColumn(src, p) < 1 {
				t.Fatal("column")
			}
		}
	})
}
