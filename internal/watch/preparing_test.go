package watch_test

import (
	"testing"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// TestToldToArmNothing: a watch that disable has overtaken arms nothing, and
// goes on with no campaign.
func TestToldToArmNothing(t *testing.T) {
	for _, resume := range []bool{false, true} {
		w := newWorld(t, "?sessions=5")
		if resume { // a campaign that it would go on with
			_ = w.run(w.config(1555), nothing)
			w.want("armed", 3)
		}
		armed := len(w.on())
		w.lines = nil
		a, err := w.state.Dir.Announce(journal.Preparing{Verb: "watch", By: w.state.Who})
		if err != nil {
			t.Fatal(err)
		}
		list, err := w.state.Dir.Preparing()
		if err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		if err := w.state.Dir.Revoke(list[0]); err != nil {
			t.Fatal(err)
		}
		w.logon()
		w.state.Announced = a
		c := w.config(1555)
		c.Resume, c.Campaign = resume, "w2"
		if err := w.run(c, nothing); exit.CodeOf(err) != exit.Refused {
			t.Errorf("resume %v: %v", resume, err)
		}
		if len(w.on()) != armed || len(w.lines) > 0 {
			t.Errorf("resume %v: %d armed, %d before; lines %s", resume, len(w.on()), armed, w.text())
		}
		a.End()
	}
}
