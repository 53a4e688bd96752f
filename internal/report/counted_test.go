package report_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// counts of one before a plural, as people notice them.
var oneMany = regexp.MustCompile(`\b1 (commits|rollbacks|calls|records|lines|statements|damaged records|sessions|files|DML executions|rows so far)\b`)

// TestOneIsSingular: text and page of a trace that has one of each.
func TestOneIsSingular(t *testing.T) {
	text := strings.Replace(ringTrace, "ERROR #140004", "XCTEND rlbk=0, rd_only=0, tim=2501900\nwhat is this line\nEXEC #140003:c=1,e=x\nERROR #140004", 1)
	m := load(t, map[string]string{"a.trc": text}, report.Options{})
	equal(t, "damaged records", m.Coverage.DamagedRecords, 1)
	m.Coverage.DuplicateRecords, m.Coverage.Statements, m.Coverage.UnknownStatements = 1, 1, 1
	m.Verdict.InFlight = []report.Flight{{What: "a call", Children: 1, ElapsedUS: 5}}
	one := int64(1)
	m.Verdict.RowsSoFar = &one
	m.Verdict.Transaction = &report.OpenTx{Line: 5, Executions: 1, Rows: 1}
	var b, page bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{b.String(), page.String()} {
		if bad := oneMany.FindAllString(s, -1); len(bad) > 0 {
			t.Errorf("%q", bad)
		}
	}
	for _, want := range []string{"1 commit, 0 rollbacks;", "1 of 1 statement has no SQL text", "1 damaged record, 1 line not understood", "; 1 call below it took", "1 record stands there twice"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestSumIsNoSpan: the time of several sessions is a sum, and is called so.
func TestSumIsNoSpan(t *testing.T) {
	head, _, _ := strings.Cut(ringTrace, "BINDS #140004")
	m := load(t, map[string]string{"a.trc": head, "b.trc": strings.NewReplacer("101.5", "7.9", "4711", "4800").Replace(head)}, report.Options{})
	equal(t, "verdict", m.Verdict == nil, true)
	first, last := "2026-03-01T10:00:00Z", "2026-03-01T10:00:02Z"
	m.Time.First, m.Time.Last = &first, &last
	var b, page bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.Join(strings.Fields(b.String()), " "), "summed over 2 sessions,"); n != 2 || !strings.Contains(page.String(), "summed over 2 sessions,") {
		t.Errorf("%d times told as a sum:\n%s", n, b.String()[:600])
	}
}

// TestCoverageCountsWhatIsCounted: the files that a selection left out are not
// those of the report; what was damaged is told of all that were read.
func TestCoverageCountsWhatIsCounted(t *testing.T) {
	one := strings.Replace(ringTrace, "ERROR #140004", "XCTEND rlbk=0, rd_only=0, tim=2501900\nwhat is this line\nERROR #140004", 1)
	dir := writeFiles(t, map[string]string{"a.trc": one, "b.trc": strings.ReplaceAll(one, "(101.5)", "(202.7)")})
	for session, want := range map[string]string{"": "2 sessions, in 2 files", "101": "of 1 session in 1 file"} {
		var read []string
		opt := tracefile.Options{}
		if session != "" {
			read = []string{"session " + session}
			opt.Session = func(sid string) bool { return strings.HasPrefix(sid, session+".") }
		}
		l, err := report.Load(context.Background(), report.Input{Paths: []string{dir}}, opt)
		if err != nil {
			t.Fatal(err)
		}
		m := report.Build(l.Profile, report.Options{Read: read})
		if txt := asText(t, m); !strings.Contains(txt, want+" ") {
			t.Errorf("session %q: %q is not in %s", session, want, txt[strings.Index(txt, "COVERAGE"):][:400])
		}
		if told := strings.Contains(asText(t, m), "not understood in the 2 files that were read: see the end"); told != (session != "") {
			t.Errorf("session %q: damage of all files is told: %v", session, told)
		}
		var page bytes.Buffer
		if err := m.WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(page.String()), " "); !strings.Contains(got, want[strings.LastIndex(want, "in "):]) {
			t.Errorf("session %q: the page does not say %q", session, want)
		}
	}
}
