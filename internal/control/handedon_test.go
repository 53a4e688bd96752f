package control_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/instance"
)

// TestAnotherSessionInTheProcess: disable meets a process that serves another
// session by now. Whether that has the events of the first or not, only the ring
// is turned off; where it has them, the campaign stays open until they are gone.
func TestAnotherSessionInTheProcess(t *testing.T) {
	for _, ends := range []bool{true, false} {
		set, _ := assume.Set{}.With(assume.EventsOfSession, ends)
		w := newWorld(t, sim.Spec{Sessions: 9, Seed: 1, Assume: set})
		p := w.plan(user("APP"), options(1555, 942))
		e := w.enable(p)
		if _, err := e.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		n := w.db.SwitchSession(w.find(p, 2), instance.Logon{User: "OTHER", Program: "other.exe"})
		lines := func() (out []string) {
			w.db.Locked(func() { out = n.Events.Lines() })
			return out
		}
		before := lines()
		if (len(before) == 0) != ends {
			t.Fatalf("events end with the session: %v, and the next one has %q", ends, before)
		}
		doc := control.NewDocument()
		err := w.disable(e.Campaign).Run(context.Background(), doc)
		if got := lines(); !slices.Equal(got, before) {
			t.Errorf("ends %v: the other session had %q and has %q", ends, before, got)
		}
		w.db.Locked(func() {
			if _, _, _, ok := n.Proc.Ring(); ok {
				t.Errorf("ends %v: the process has its ring", ends)
			}
		})
		row := doc.Sessions[2]
		if ends {
			if err != nil || doc.Undo != nil || row.State != "LOST" || row.Outcome != "done" || !w.campaign(e.Campaign).Closed {
				t.Errorf("%v, undo %v, %+v", err, doc.Undo, row)
			}
			continue
		}
		if exit.CodeOf(err) != exit.Partial || doc.Undo == nil || row.State != "UNKNOWN" || deref(row.Reason) != "moved" ||
			!strings.Contains(deref(row.Detail), "--orphans") || w.campaign(e.Campaign).Closed {
			t.Errorf("%v, undo %v, %+v %s", err, doc.Undo, row, deref(row.Detail))
		}
		// The way that the row names.
		_, inv := w.inventory(user("OTHER"))
		asked := 0
		o := &control.Orphans{
			Place: w.place(), State: &w.state, Campaign: "o", Rows: inv.Selected(), Runner: w.runner, List: func([]control.Orphan) {},
			Ask: func(control.Orphan) (bool, error) { asked++; return true, nil },
		}
		if _, err := o.Run(context.Background()); err != nil || asked != 1 || len(lines()) > 0 {
			t.Errorf("orphans: %v, asked %d, left %q", err, asked, lines())
		}
		if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil || !w.campaign(e.Campaign).Closed {
			t.Errorf("disable afterwards: %v", err)
		}
	}
}
