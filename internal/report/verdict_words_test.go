package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestVerdictOfUnknownCursor: a cursor without text, the usual case in a ring, has
// a number, executions and rows, and the first screen says so.
func TestVerdictOfUnknownCursor(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.call("EXEC", 77, 9, 10, 1, 0, 0)
	fmt.Fprintf(p, "WAIT #77: nam='buffer busy waits' ela= 2000 file#=4 block#=9 class#=1 obj#=7 tim=%d\n", p.tim+2_005)
	p.call("EXEC", 77, 9, 2_020, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #77:err=54 tim=%d\n", p.tim)
	p.call("EXEC", 77, 9, 10, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #77:err=54 tim=%d\n", p.tim)
	m := load(t, map[string]string{"x.trc": p.String()}, report.Options{})
	equal(t, "name", m.Verdict.Name, "#77")
	txt := asText(t, m)
	for _, want := range []string{"statement #77 (cursor of the ERROR line)", "execution 3 under its cursor", "SQL text not in the trace", "ORA-00054 waited 0.002"} {
		if i := strings.Index(txt, want); i < 0 || i > strings.Index(txt, "COVERAGE") {
			t.Errorf("%q is not in the verdict:\n%.900s", want, txt)
		}
	}
	only := load(t, map[string]string{"x.trc": p.String()}, report.Options{SQL: []string{"#77"}})
	if only.Nothing || len(only.Statements) != 1 || only.Verdict == nil || len(only.Errors) != 2 {
		t.Errorf("--sql #77: %d statements, %d errors", len(only.Statements), len(only.Errors))
	}
	if h := page(t, m); !strings.Contains(h, `>#77</a>`) {
		t.Error("the page does not name the cursor")
	}
}

// TestErrorOfUnknownNumber: an ERROR line without a number is an error, but not
// ORA-00000, which means success.
func TestErrorOfUnknownNumber(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "select y from u where id = :1")
	p.call("EXEC", 7, 9, 10, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #7:err=0 tim=%d\n", p.tim)
	m := load(t, map[string]string{"x.trc": p.String()}, report.Options{})
	if m.Verdict == nil {
		t.Fatal("no verdict")
	}
	for what, s := range map[string]string{"text": asText(t, m), "page": page(t, m)} {
		if strings.Contains(s, "ORA-00000") || !strings.Contains(s, "ERROR of unknown number") {
			t.Errorf("%s: %.400s", what, s)
		}
	}
}

// TestDamagedErrorLineIsNoGoodNews: where an ERROR line cannot be read, as at the
// end of a file that was cut, the report must not begin with NO ERROR alone.
func TestDamagedErrorLineIsNoGoodNews(t *testing.T) {
	for _, line := range []string{"ERROR #7:er\n", "ERROR #7:err=", "ERROR #7:err=x tim=5\n"} {
		p := &tape{tim: 1_000_000}
		p.parsing(7, "select y from u where id = :1")
		p.call("EXEC", 7, 9, 10, 1, 0, 0)
		p.WriteString(line)
		m := load(t, map[string]string{"x.trc": p.String()}, report.Options{})
		if m.Verdict != nil {
			t.Fatalf("%q: %+v", line, m.Verdict)
		}
		for what, s := range map[string]string{"text": asText(t, m), "page": page(t, m)} {
			if !strings.Contains(s, "an ERROR line is damaged: x.trc:L6") {
				t.Errorf("%q, %s: %.400s", line, what, s)
			}
		}
	}
}

// TestLongStatementLeavesRoom: a statement of a hundred lines with a hundred bind
// values must not push what led to its error off the first screen; its card, whole
// as far as the text has room, is there whatever its rank.
func TestLongStatementLeavesRoom(t *testing.T) {
	p := &tape{tim: 1_000_000}
	for i := range 5 {
		p.parsing(20+i, fmt.Sprintf("select %s from busy", strings.Repeat("a", i+1)))
		p.call("EXEC", 20+i, 9, 50_000, 1, 0, 0)
	}
	var text strings.Builder
	text.WriteString("insert into wide values (")
	for i := range 100 {
		fmt.Fprintf(&text, "\n :b%d,", i)
	}
	p.parsing(7, text.String())
	p.WriteString("BINDS #7:\n\n")
	for i := range 100 {
		fmt.Fprintf(p, " Bind#%d\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0\n  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05\n  value=%d\n", i, 1000+i)
	}
	p.call("EXEC", 7, 9, 10, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #7:err=1 tim=%d\n", p.tim)
	m := load(t, map[string]string{"x.trc": p.String()}, report.Options{Top: 2})
	var b strings.Builder
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(b.String(), "\nCOVERAGE\n")
	if n := strings.Count(first, "\n"); n > 60 {
		t.Errorf("the verdict has %d lines", n)
	}
	for _, want := range []string{"just before", ":1   NUMBER         1000", "… 86 more, from L", "insert into wide values ("} {
		if !strings.Contains(first, want) {
			t.Errorf("the verdict lacks %q:\n%s", want, first)
		}
	}
	if !strings.Contains(rest, "\n   :b20,\n") {
		t.Error("the failing statement has no card")
	}
}

// TestMeaningWithoutPlaceholders: the usual text of an error has places for what
// only the server knows.
func TestMeaningWithoutPlaceholders(t *testing.T) {
	for _, ora := range []int{600, 942, 1555, 7445, 1652, 4031} {
		m := load(t, map[string]string{"x.trc": fmt.Sprintf("EXEC #7:c=1,e=10,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=1000\nERROR #7:err=%d tim=1010\n", ora)}, report.Options{})
		txt := asText(t, m)
		if head, _, _ := strings.Cut(txt, " where "); !strings.Contains(head, "(") || strings.Contains(head, "%s") || strings.Contains(head, "%d") {
			t.Errorf("ORA-%05d: %s", ora, head)
		}
	}
}
