package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestRowsNotShownBeforeAndAfter: two numbers; together they are what JSON says.
func TestRowsNotShownBeforeAndAfter(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after int
		want          string
	}{
		{"both", 200, 100, "rows before and 81 rows after not shown"},
		{"after", 3, 100, "… 81 rows after not shown"},
		{"before", 200, 0, "rows before not shown"},
		{"none", 3, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &tape{tim: 1_000_000}
			p.parsing(7, "update t set n=:1")
			steps := func(n int) {
				for i := range n {
					p.call("EXEC", 7, 90, 1_000_000, 1, 0, 1)
					fmt.Fprintf(p, "XCTEND rlbk=%d, rd_only=%d, tim=%d\n", i&1, i>>1&1, p.tim)
				}
			}
			steps(c.before)
			p.call("EXEC", 7, 90, 1_000_000, 1, 0, 0)
			fmt.Fprintf(p, "ERROR #7:err=60 tim=%d\n", p.tim)
			steps((c.after + 1) / 2)
			m := load(t, map[string]string{"a.trc": p.String()}, report.Options{})
			var b bytes.Buffer
			if err := m.WriteHTML(&b); err != nil {
				t.Fatal(err)
			}
			out := asText(t, m)
			if c.want == "" {
				if strings.Contains(out, "not shown; see them") || strings.Contains(b.String(), "Not in this page: ") {
					t.Errorf("rows are said to be left out:\n%s", between(out, "STORY", "TRANSACTIONS"))
				}
				return
			}
			if !strings.Contains(out, c.want) {
				t.Errorf("%q is missing in\n%.300s", c.want, between(out, "STORY", "TRANSACTIONS"))
			}
			if c.after > 0 && !strings.Contains(b.String(), "81 rows after; --tail 0 puts all into it") {
				t.Error("the page does not say how many are missing behind the error")
			}
		})
	}
}
