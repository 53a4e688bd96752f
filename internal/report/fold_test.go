package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestFailingLoopIsFolded: an application that tries again and again fills the
// story with one failure; it is told once, with its turns, and the failure that
// the report is about stands alone behind it.
func TestFailingLoopIsFolded(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "lock table t in exclusive mode nowait")
	p.parsing(8, "select 1 from t")
	p.call("EXEC", 8, 9, 10, 1, 0, 1)
	for i := range 20 {
		p.call("EXEC", 7, 9, 10, 1, 0, 0)
		err := 54
		if i == 10 {
			err = 4021 // another error is another row
		}
		fmt.Fprintf(p, "ERROR #7:err=%d tim=%d\n", err, p.tim)
		p.tim += 500_000
	}
	p.call("EXEC", 7, 9, 10, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #7:err=54 tim=%d\n", p.tim)
	m := load(t, map[string]string{"x.trc": p.String()}, report.Options{})
	var rows []string
	for _, r := range m.Timeline {
		if r.Kind == "execution" {
			rows = append(rows, fmt.Sprintf("%d %d", r.Fold, r.ORA))
		}
	}
	if got, want := strings.Join(rows, ", "), "1 0, 10 54, 1 4021, 9 54, 1 54"; got != want {
		t.Errorf("executions (turns, error) %s, want %s", got, want)
	}
	equal(t, "errors stay one by one", len(m.Errors), 21)
	if last := m.Timeline[len(m.Timeline)-1]; !last.Failing || last.Fold != 1 {
		t.Errorf("last row %+v", last)
	}
	if txt := asText(t, m); !strings.Contains(txt, "x 9 EXEC lock table t in exclusive mode nowait") {
		t.Errorf("text: %.1500s", txt)
	}
}
