package styles

import (
	"strings"
	"testing"

	"ringtrace/internal/plan"
)

func warningsOf(t *testing.T, style string, change func(*plan.Options)) string {
	t.Helper()
	req := request(style)
	change(&req.Options)
	b, err := New(req, selector(t, "username=APP"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(b.Warnings(), "\n")
}

// The styles that fall back on ALTER SESSION say for which event it is refused.
func TestProblemO14_FallbackOnAlterSession(t *testing.T) {
	for style, want := range map[string]bool{plan.StyleAlterSession: true, plan.StyleLogonTrigger: true, plan.StyleGenerator: false} {
		got := warningsOf(t, style, func(o *plan.Options) { o.Ora = []int{60, 10079} })
		if told := strings.Contains(got, "refuses event 10079") && strings.Contains(got, "ORA-01031") && strings.Contains(got, "only ORADEBUG sets it"); told != want {
			t.Errorf("%s: %q", style, got)
		}
		if got := warningsOf(t, style, func(*plan.Options) {}); got != "" {
			t.Errorf("%s: %q for nothing", style, got)
		}
	}
}

// Small and huge rings are warned of where sessions are not known yet, too.
func TestProblemO19_RingsOfTheOtherStyles(t *testing.T) {
	for style, want := range map[string]string{
		plan.StyleAlterSession: "",
		plan.StyleGenerator:    "up to 200 sessions x 104857600 bytes = 20971520000 bytes",
		plan.StyleLogonTrigger: "nothing bounds how many log on: 200 sessions x 104857600 bytes",
	} {
		if got := warningsOf(t, style, func(o *plan.Options) { o.Ring = 100 << 20 }); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s, huge: %q", style, got)
		}
		if got := warningsOf(t, style, func(o *plan.Options) { o.Ring = 5000 }); got != "a ring of 5000 bytes holds very little: 65536 is the smallest size known in use" {
			t.Errorf("%s, small: %q", style, got)
		}
		if got := warningsOf(t, style, func(o *plan.Options) { o.NoRing = true; o.Ring = 0 }); !strings.Contains(got, "--no-ring") {
			t.Errorf("%s, none: %q", style, got)
		}
	}
	if got := warningsOf(t, plan.StyleAlterSession, func(o *plan.Options) { o.Ring = 1 << 30 }); !strings.HasPrefix(got, "1 session x 1073741824 bytes") {
		t.Errorf("one session: %q", got)
	}
}
