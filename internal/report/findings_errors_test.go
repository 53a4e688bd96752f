package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestRepeatedErrorsAreWorthTheFailingExecutions: not those that succeeded; where
// the story no longer holds each, the finding says of what its seconds are.
func TestRepeatedErrorsAreWorthTheFailingExecutions(t *testing.T) {
	for _, c := range []struct {
		name   string
		behind int // other executions, which push the failing ones out of the story
		saving int64
		ofAll  bool
	}{
		{"known", 0, 2_000_000, false},
		{"forgotten", 2000, 2_000_000 + 4_005*3_000, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &tape{tim: 1_000_000}
			p.parsing(7, "update t set n=:1")
			for range 5 {
				p.call("EXEC", 7, 90, 3_000, 1, 0, 1)
			}
			for range 2 {
				p.call("EXEC", 7, 90, 1_000_000, 1, 0, 0)
				fmt.Fprintf(p, "ERROR #7:err=60 tim=%d\n", p.tim)
				for range c.behind {
					p.call("EXEC", 7, 90, 3_000, 1, 0, 1)
					fmt.Fprintf(p, "XCTEND rlbk=0, rd_only=0, tim=%d\n", p.tim)
				}
			}
			m := load(t, map[string]string{"a.trc": p.String()}, report.Options{})
			for _, f := range m.Findings {
				if f.Rule == "repeated-errors" {
					equal(t, "worth", f.SavingUS, c.saving)
					equal(t, "says of all", strings.Contains(f.Detail, "of all of them"), c.ofAll)
					return
				}
			}
			t.Error("no finding")
		})
	}
}
