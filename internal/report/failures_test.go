package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestVerdictOfSeveralDumps: of several rings the report is about the one that
// was flushed first, whatever the order of the files, and lists the others.
func TestVerdictOfSeveralDumps(t *testing.T) {
	earlier := strings.NewReplacer(
		"2026-03-01T10:00:0", "2026-03-01T09:00:0", "101.5", "7.9", "4711", "4800", "bbbbbbbbbbbb1", "cccccccccccc1",
		"from orders where", "from refunds where", "err=1555", "err=942", "ORA-01555: snapshot too old", "ORA-00942: table or view does not exist",
	).Replace(ringTrace)
	files := map[string]string{"a.trc": ringTrace, "b.trc": earlier}
	m := load(t, files, report.Options{})
	equal(t, "verdict", m.Verdict.ORA, 942)
	equal(t, "statement", text(m.Verdict.SQLID), "cccccccccccc1")
	var got []string
	for _, f := range m.Failures {
		got = append(got, fmt.Sprintln(f.ORA, f.Session, f.Dump, f.Verdict, f.Count, f.Binds[0].Value))
	}
	equal(t, "failures", strings.Join(got, ""), "942 7.9 true true 1 'O''Hara'\n1555 101.5 true false 1 'O''Hara'\n")
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"besides      1 other failure: see FAILURES below", "\n> ORA-00942  [7.9]", "\n* ORA-01555  [101.5]"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `<h2 id="failures">`) || strings.Count(b.String(), "from orders where customer") < 1 {
		t.Error("the page does not list the other failure")
	}
	equal(t, "one asked for", load(t, files, report.Options{ORA: []int64{1555}}).Verdict.ORA, 1555)
}

// TestVerdictWithoutDump: the latest error by the clock, and the same one again
// and again is one failure.
func TestVerdictWithoutDump(t *testing.T) {
	head, _, _ := strings.Cut(ringTrace, "\nTrace output buffer")
	var b strings.Builder
	b.WriteString(head + "PARSING IN CURSOR #7 len=29 dep=0 uid=9 oct=6 lid=9 tim=1000 hv=1 ad='7' sqlid='aaaaaaaaaaaa9'\nupdate t set x = 1 where y=:1\nEND OF STMT\n")
	for i := range 3 {
		fmt.Fprintf(&b, "EXEC #7:c=1,e=20,p=0,cr=1,cu=0,mis=0,r=2,dep=0,og=1,plh=5,tim=%d\nERROR #7:err=1 tim=%d\n", 2000+i*100, 2050+i*100)
	}
	late := b.String()
	early := strings.NewReplacer("2026-03-01T10", "2026-03-01T08", "101.5", "5.5").Replace(late)
	m := load(t, map[string]string{"a.trc": late, "b.trc": early}, report.Options{})
	equal(t, "session", m.Verdict.Session, "101.5")
	equal(t, "line", m.Verdict.Line, m.Errors[2].Line)
	equal(t, "failures", len(m.Failures), 2)
	equal(t, "first is the earlier", m.Failures[0].Session, "5.5")
	equal(t, "count", m.Failures[0].Count, 3)
	equal(t, "lines", m.Failures[0].LastLine > m.Failures[0].Line, true)
}
