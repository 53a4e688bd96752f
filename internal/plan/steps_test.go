package plan

import (
	"strings"
	"testing"
)

// TestPrintLive: what enable --dry-run shows holds every line that is sent, and
// nothing of scripts.
func TestPrintLive(t *testing.T) {
	for _, form := range []string{FormFounding, FormFlush} {
		req := request(1)
		req.Options.Form = form
		p, err := New(req)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := p.PrintLive(&b); err != nil {
			t.Fatal(err)
		}
		for _, l := range SetLines(p.Events) {
			if strings.Count(b.String(), "session_event "+l+"\n") != 1 {
				t.Errorf("%s: %q is not there once:\n%s", form, l, &b)
			}
		}
		session, ring, again := OffLines(p.Events)
		for _, l := range append(append(session, ring...), again...) {
			if !strings.Contains(b.String(), "session_event "+l+"\n") {
				t.Errorf("%s: %q is missing", form, l)
			}
		}
		for _, no := range []string{".sql", "expires", "1 sessions", "1 instances"} {
			if strings.Contains(b.String(), no) {
				t.Errorf("%s: it speaks of %q:\n%s", form, no, &b)
			}
		}
	}
}
