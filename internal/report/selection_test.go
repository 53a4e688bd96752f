package report_test

import (
	"bytes"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestSelectionIsTold: a report of a part must not say that the trace holds no
// error, nor list statements that did nothing within the part.
func TestSelectionIsTold(t *testing.T) {
	all := ring(t, report.Options{})
	if len(all.ErrorCount) == 0 {
		t.Fatal("the trace of the test has no error")
	}
	m := ring(t, report.Options{ORA: []int64{942}})
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"SELECTED: ORA-00942\n  only errors of these numbers are told", "NO ERROR in what is selected.", "Others were met: ORA-"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%.400s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "NO ERROR in this trace") {
		t.Error("it says that the trace has no error")
	}
	b.Reset()
	m = ring(t, report.Options{Read: []string{"session 12.34"}})
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "SELECTED: session 12.34\n") {
		t.Errorf("begins with %.60q", b.String())
	}
	for _, s := range m.Statements {
		if s.Parse.Count+s.Exec.Count+s.Fetch.Count+s.Closes+s.Errors == 0 && len(s.Waits) == 0 {
			t.Errorf("statement %s did nothing and is listed", s.Name)
		}
	}
}

// TestSelectionBySQL: with --sql the times are those of the statement, add up,
// and what is not narrowed is said.
func TestSelectionBySQL(t *testing.T) {
	m := ring(t, report.Options{SQL: []string{"aaaaaaaaaaaa2"}, Sort: "gets"})
	equal(t, "statements", len(m.Statements), 1)
	equal(t, "waits", len(m.Waits), 1)
	equal(t, "wait", m.Waits[0].Event, "db file sequential read")
	var sum int64
	for _, c := range m.Profile[:len(m.Profile)-1] {
		sum += c.TimeUS
	}
	total := m.Profile[len(m.Profile)-1]
	equal(t, "profile adds up", sum, total.TimeUS)
	equal(t, "to the statement's own time", total.TimeUS, m.Statements[0].ElapsedSelfUS)
	s := &m.Statements[0]
	equal(t, "totals are its own", m.Totals, report.Totals{Recursive: report.CallSet{Parse: s.Parse, Exec: s.Exec, Fetch: s.Fetch}})
	equal(t, "depth", s.Depth, 1)
	all := ring(t, report.Options{})
	var sum2 report.Totals
	for _, s := range all.Statements {
		if s.SQLID != nil {
			sum2 = added(sum2, ring(t, report.Options{SQL: []string{*s.SQLID}}).Totals)
		}
	}
	sum2.UnknownCursors = all.Totals.UnknownCursors // they need not have a SQL id
	equal(t, "totals of each add up to those of all", sum2, all.Totals)
	for _, r := range m.Timeline {
		equal(t, "story", text(r.SQLID), "aaaaaaaaaaaa2")
	}
	for _, l := range m.Longest {
		equal(t, "longest", l.Name, "aaaaaaaaaaaa2")
	}
	for _, f := range m.Flame.Children {
		equal(t, "callers stay", strings.HasPrefix(f.Name, "aaaaaaaaaaaa1"), true)
	}
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"SELECTED: sql_id aaaaaaaaaaaa2\n", "are not narrowed", "NO ERROR in what is selected.", "Others were met: ORA-01555 (1).",
		"selected statements only)", "WHERE THE TIME WENT (in the selected statements alone)", "below; by gets)", "FILES (whole, whatever is selected)",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h1>No error in what is selected</h1>", "sql_id aaaaaaaaaaaa2", "Others were met: ORA-01555 (1)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestNothingSelected(t *testing.T) {
	m := ring(t, report.Options{SQL: []string{"zzzzzzzzzzzzz"}})
	equal(t, "nothing", m.Nothing, true)
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "NO ERROR") || !strings.Contains(b.String(), "NOTHING in these files is selected.") {
		t.Errorf("text:\n%.400s", b.String())
	}
	equal(t, "an error number that was not met leaves the rest", ring(t, report.Options{ORA: []int64{942}}).Nothing, false)
}

// added adds up totals.
func added(x, y report.Totals) report.Totals {
	calls := func(a, b report.Calls) report.Calls {
		return report.Calls{
			Count: a.Count + b.Count, CPUUS: a.CPUUS + b.CPUUS, ElapsedUS: a.ElapsedUS + b.ElapsedUS, Disk: a.Disk + b.Disk,
			Query: a.Query + b.Query, Current: a.Current + b.Current, Rows: a.Rows + b.Rows, Misses: a.Misses + b.Misses,
		}
	}
	set := func(a, b report.CallSet) report.CallSet {
		return report.CallSet{Parse: calls(a.Parse, b.Parse), Exec: calls(a.Exec, b.Exec), Fetch: calls(a.Fetch, b.Fetch)}
	}
	return report.Totals{
		NonRecursive: set(x.NonRecursive, y.NonRecursive), Recursive: set(x.Recursive, y.Recursive), UnknownCursors: set(x.UnknownCursors, y.UnknownCursors),
	}
}
