package watch_test

import (
	"context"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/watch"
)

// TestSessionsOfAnotherCampaign: a session that another open campaign has armed
// is left to it, with --force too, and its undo stays whole.
func TestSessionsOfAnotherCampaign(t *testing.T) {
	for _, force := range []bool{false, true} {
		w := newWorld(t, "?sessions=5")
		// Another watch, for another error, armed two of three and was stopped.
		other := w.config(1555, 60)
		other.Campaign, other.Selector, other.Limits.MaxSessions = "other", "username=APP,module=X", 2
		_ = w.run(other, nothing)
		before := w.on()
		if len(before) != 2 {
			t.Fatalf("%d armed", len(before))
		}
		w.lines, w.said = nil, nil
		c := w.config(1555)
		c.Campaign, c.Force = "mine", force
		_ = w.run(c, nothing, nothing, nothing)
		w.want(watch.LineArmed, 1)
		for _, l := range w.want(watch.LineSkipped, 2) {
			if *l.Reason != "foreign_event" || !strings.Contains(*l.Detail, "campaign other has armed it") || !strings.Contains(*l.Detail, "ringtrace disable --campaign other") {
				t.Errorf("force %v: %s: %s", force, *l.Reason, *l.Detail)
			}
		}
		after := w.on()
		for k, s := range before {
			if strings.Join(after[k].Events, ";") != strings.Join(s.Events, ";") {
				t.Errorf("force %v: %s was touched: %v, before %v", force, k, after[k].Events, s.Events)
			}
		}
		// Each undoes its own, in either order.
		for _, id := range []string{"mine", "other"} {
			doc := control.NewDocument()
			list, err := w.List(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			d := &control.Disable{ID: id, Place: &list.Place, State: w.state, Runner: w.runner, Say: func(string) {}, Each: func(control.Result) {}}
			if err := d.Run(context.Background(), doc); err != nil || doc.Summary.Failed+doc.Summary.Unknown > 0 {
				t.Errorf("force %v: disable %s: %+v %v", force, id, doc.Summary, err)
			}
			if c, err := w.state.Dir.Load(id); err != nil || len(c.OpenSessions()) > 0 || c.States()[journal.Clean] == 0 {
				t.Errorf("force %v: %s: %v %v", force, id, c.States(), err)
			}
		}
		w.nothingOn()
	}
}
