package spool_test

import (
	"strings"
	"testing"

	"ringtrace/internal/plan"
)

// A long list of errors makes no line that SQL*Plus refuses: the sentence that
// names them stays short, and each has its own line.
func TestManyCodes(t *testing.T) {
	req := sampleRequest()
	req.Options.Ora = nil
	for n := 2000; n < 2400; n++ {
		req.Options.Ora = append(req.Options.Ora, n)
	}
	for _, noRing := range []bool{false, true} {
		req.Options.NoRing = noRing
		p := mustPlan(t, req)
		for _, kind := range []plan.ScriptKind{plan.Enable, plan.Disable, plan.Collect} {
			text := script(t, p, kind)
			if kind == plan.Enable && (!strings.Contains(text, "ORA-02023 or one of 376 more (above)") || !strings.Contains(text, "\n--     2399 trace name ")) {
				t.Errorf("no ring %v: the header does not name the errors", noRing)
			}
			for i, line := range strings.Split(text, "\n") {
				if len(line) > 2400 {
					t.Errorf("%s, no ring %v: line %d has %d characters", kind, noRing, i+1, len(line))
				}
			}
		}
	}
}
