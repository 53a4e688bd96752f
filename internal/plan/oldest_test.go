package plan

import (
	"testing"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// TestReleaseBefore11: a script for a release that lacks what it needs is not
// written (facts/oradebug.md 9); an unknown version is not old.
func TestReleaseBefore11(t *testing.T) {
	for version, want := range map[string]exit.Code{"10.2.0.5.0": exit.Refused, "11.1.0.7.0": exit.OK, "19.0.0.0.0": exit.OK, "": exit.OK} {
		_, err := InstanceFacts([]sessions.Instance{{InstID: 1, Version: version}}, 1)
		if got := exit.CodeOf(err); got != want {
			t.Errorf("%q: exit %d, want %d", version, got, want)
		}
	}
}
