package control_test

import (
	"context"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim"
)

func TestEnableThenDisable(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 20, Seed: 1})
	p := w.plan(user("APP"), options(1555, 942))
	e := w.enable(p)
	doc, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if doc.Summary.Done != len(p.Sessions) || len(p.Sessions) == 0 {
		t.Fatalf("summary %+v of %d: %+v", doc.Summary, len(p.Sessions), doc.Sessions[0])
	}
	truth := w.truth()
	if len(truth) != len(p.Sessions) {
		t.Errorf("%d sessions are armed, want %d", len(truth), len(p.Sessions))
	}
	for _, s := range p.Sessions {
		got := truth[[3]int{s.InstID, s.SID, s.Serial}]
		if len(got.Events) != 3 || got.Ring == nil || got.Ring.Bytes != 256000 {
			t.Errorf("session %d: %+v", s.SID, got)
		}
	}
	if s := doc.Sessions[0]; s.State != "ARMED" || len(s.Events) != 3 || s.Ring != "on_assumed" || s.Tracefile == nil {
		t.Errorf("row %+v", s)
	}

	d := w.disable(e.Campaign)
	out := control.NewDocument()
	if err := d.Run(context.Background(), out); err != nil {
		t.Fatal(err)
	}
	if out.Summary.Done != len(p.Sessions) || out.Undo != nil {
		t.Errorf("summary %+v", out.Summary)
	}
	if left := w.truth(); len(left) > 0 {
		t.Errorf("left on: %+v", left)
	}
	c := w.campaign(e.Campaign)
	if !c.Closed || c.CloseReason != "clean" {
		t.Errorf("closed %v %q", c.Closed, c.CloseReason)
	}
	for _, s := range c.Sessions {
		if s.State != journal.Clean || s.Ring != journal.RingOffSent {
			t.Errorf("session %s is %s, ring %s", s.Session, s.State, s.Ring)
		}
	}
	// Once more does no harm.
	again := control.NewDocument()
	if err := d.Run(context.Background(), again); err != nil || exit.CodeOf(err) != exit.OK || again.Summary.Selected != 0 {
		t.Errorf("again: %v %+v", err, again.Summary)
	}
}
