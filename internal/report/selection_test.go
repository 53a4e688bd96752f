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
	for _, want := range []string{"SELECTED: ORA-00942\n", "NO ERROR in what is selected.", "Others were met: ORA-"} {
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
