package report_test

import (
	"testing"

	"ringtrace/internal/report"
)

// TestStoryWithoutAnErrorEndsAtTheEnd: the zero of "seconds before the end" is
// where the last record ends, not where the last row began.
func TestStoryWithoutAnErrorEndsAtTheEnd(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "select * from t where n=:1")
	p.call("EXEC", 7, 90, 100, 1, 0, 0)
	p.wait("SQL*Net message from client", 7, 2_000_000)
	p.call("EXEC", 7, 90, 900_000, 1, 0, 0)
	m := load(t, map[string]string{"a.trc": p.String()}, report.Options{})
	last := m.Timeline[len(m.Timeline)-1]
	if last.OffsetS == nil {
		t.Fatal("the last row has no time")
	}
	equal(t, "start of the last execution", *last.OffsetS, -0.9)

	p.wait("SQL*Net message from client", 7, 3_000_000)
	m = load(t, map[string]string{"a.trc": p.String()}, report.Options{})
	for _, r := range m.Timeline {
		if r.Kind == "execution" && r.ElapsedUS == 900_000 {
			equal(t, "with idle time behind it", *r.OffsetS, -3.9)
		}
	}
}
