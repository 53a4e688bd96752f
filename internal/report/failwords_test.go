package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestStatementsThatFailed: the table of statements marks those that failed, and
// only those.
func TestStatementsThatFailed(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "delete from a")
	p.call("EXEC", 7, 90, 100, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #7:err=60 tim=%d\n", p.tim)
	p.call("EXEC", 7, 90, 100, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #7:err=1 tim=%d\n", p.tim)
	p.parsing(9, "delete from b where x=1")
	p.call("EXEC", 9, 90, 100, 1, 0, 0)
	m := load(t, map[string]string{"a.trc": p.String()}, report.Options{})
	for _, width := range []int{80, 120} {
		var b strings.Builder
		if err := m.WriteText(&b, width); err != nil {
			t.Fatal(err)
		}
		list := between(b.String(), "\nSTATEMENTS", "TOTALS")
		equal(t, "failed", strings.Contains(list, "! 2 errors  delete from a"), true)
		equal(t, "did not fail", strings.Contains(list, " errors  delete from b"), false)
	}
	var page strings.Builder
	if err := m.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	equal(t, "page", strings.Contains(page.String(), "! 2 errors  delete from a"), true)
}

// TestSessionTimesAreTold: what the columns of SESSIONS count stands above them.
func TestSessionTimesAreTold(t *testing.T) {
	m := load(t, map[string]string{"a.trc": historyOf(2, 10, 3, true), "b.trc": historyOf(1, 1, 4, false)}, report.Options{})
	const want = "calls and CPU: of its calls at depth 0, with what they called; idle: idle waits between them, mostly for the client"
	if !strings.Contains(asText(t, m), want) {
		t.Errorf("the text does not say %q", want)
	}
}
