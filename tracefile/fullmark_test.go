package tracefile_test

import (
	"strings"
	"testing"
)

// TestProblemT04_MarksWithinARecord: a file is full at some byte, mostly within a
// record or a SQL text; the mark is told all the same, and is no part of the text.
func TestProblemT04_MarksWithinARecord(t *testing.T) {
	before := call("EXEC", 7, 0, 1, 900_000)
	sql := "select *\nfrom orders\nwhere id = 1"
	text := parsing(8, 0, 1_000_000, sql)
	limit, full := "*** DUMP FILE SIZE IS LIMITED TO 5242880 BYTES ***\n", "*** Trace file full ***\n"
	for name, c := range map[string]struct{ text, kind string }{
		"a wait":         {"WAIT #7: nam='db file seq" + limit, "size_limit"},
		"a call":         {"EXEC #7:c=10,e=2" + full, "file_full"},
		"a plan":         {"STAT #7 id=1 cnt=1 pid=0 pos=1 obj=0 op='TABLE" + limit, "size_limit"},
		"a line of text": {text[:strings.Index(text, "orders")+3] + limit, "size_limit"},
		"behind a line":  {text[:strings.Index(text, "where")] + full, "file_full"},
		"a parse error":  {"PARSE ERROR #9:len=40 dep=0 uid=9 oct=3 lid=9 tim=950000 err=922\nselect\n" + limit, "size_limit"},
		"a heading":      {text[:strings.Index(text, "uid=")] + limit, "size_limit"},
		"continued":      {"EXEC #7:c=10,e=2*** TRACE CONTINUES IN FILE /u01/y.trc ***\n", "continues_in"},
	} {
		for _, crlf := range []bool{false, true} {
			data := head19 + before + c.text
			if crlf {
				data = strings.ReplaceAll(data, "\n", "\r\n")
			}
			p := analyse(t, []byte(data))
			if c.kind != "" && problem(p, c.kind) == nil {
				t.Errorf("%s: no %s in %v", name, c.kind, p.Problems)
			}
			for _, s := range p.Statements {
				if strings.Contains(s.Text, "***") {
					t.Errorf("%s: text %q", name, s.Text)
				}
			}
		}
	}
	p := analyse(t, []byte(head19+before+"EXEC #7:c=10,e=2Trace output buffer of 65536 bytes wrapped 8 times\n"+call("EXEC", 7, 0, 1, 2_000_000)))
	equal(t, "rings", len(p.Rings), 1)
	quoted := "select '" + strings.TrimSuffix(limit, "\n") + "'\n" + strings.TrimSuffix(full, "\n") + "\nfrom dual where id = 1"
	p = analyse(t, []byte(head19+parsing(8, 0, 1_000_000, quoted)+call("EXEC", 8, 0, 1, 2_000_000)))
	equal(t, "executions of a statement that quotes the marks", stmt(t, p, quoted).Self.Exec.Count, int64(1))
	equal(t, "problems", len(p.Problems), 0)
}
