package control_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestDryRunCanBePasted: a name from the database stays in its comment line,
// whatever it holds.
func TestDryRunCanBePasted(t *testing.T) {
	w, p := five(t)
	for i, name := range []string{"A\noradebug suspend", "B\x1b[2J\u202e", "C\r\nhost id", "D&amp;", "E\x00-"} {
		p.Sessions[i].Username = name
	}
	var out bytes.Buffer
	if _, err := w.enable(p).DryRun(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	comments := 0
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "-- ") {
			comments++
		} else if !strings.HasPrefix(line, "oradebug s") && !strings.HasPrefix(line, "oradebug eventdump ") && !strings.HasPrefix(line, "oradebug tracefile_name") && !strings.HasPrefix(line, "select ") || strings.Contains(line, "suspend") {
			t.Errorf("line %q", line)
		}
		for _, r := range line {
			if r < ' ' || r > '~' || r == '&' {
				t.Errorf("%q in line %q", r, line)
			}
		}
	}
	if comments != 5 {
		t.Errorf("%d comments\n%s", comments, out.String())
	}
}
