package control_test

import (
	"context"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim"
)

// TestUnreachedInstance: its sessions are counted by those who look later, and the
// hint says first how to reach it.
func TestUnreachedInstance(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 20, Seed: 1, Instances: 2})
	p := w.plan(user("APP"), options(1555))
	e := w.enable(p)
	reach := e.Runner
	for name, runner := range map[string]func(context.Context, int) (control.Runner, error){
		"no door": func(ctx context.Context, inst int) (control.Runner, error) {
			if inst == 2 {
				return nil, exit.Errorf(exit.CannotConnect, "give --instance-connect", "no way to instance 2")
			}
			return reach(ctx, inst)
		},
		"shut": func(ctx context.Context, inst int) (control.Runner, error) {
			if inst == 2 {
				return control.NewConsole(w.timeout, func(context.Context) (control.Conversation, error) {
					return nil, exit.Errorf(exit.CannotConnect, "give --instance-connect", "no way to instance 2")
				}), nil
			}
			return reach(ctx, inst)
		},
	} {
		e := w.enable(p)
		e.Runner = runner
		doc, err := e.Run(context.Background())
		if hint := exit.HintOf(err); exit.CodeOf(err) != exit.CannotConnect || !strings.HasPrefix(hint, "give --instance-connect; then undo with: ringtrace disable") {
			t.Errorf("%s: %v, hint %q", name, err, hint)
		}
		if doc.Summary.Selected != len(p.Sessions) || doc.Summary.Failed == 0 || doc.Summary.Done == 0 {
			t.Errorf("%s: %+v of %d", name, doc.Summary, len(p.Sessions))
		}
		seen := w.status(w.campaign(e.Campaign)).Summary
		if seen.Selected != doc.Summary.Selected || seen.Failed != doc.Summary.Failed || seen.Done != doc.Summary.Done {
			t.Errorf("%s: status counts %+v, enable %+v", name, seen, doc.Summary)
		}
		if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil || len(w.truth()) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUnreachedAtDisable: a session that the way back does not reach stays what it
// was, its ring too.
func TestUnreachedAtDisable(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	d := w.disable(e.Campaign)
	d.Runner = func(context.Context, int) (control.Runner, error) {
		return control.NewConsole(w.timeout, func(context.Context) (control.Conversation, error) {
			return nil, exit.Errorf(exit.CannotConnect, "give --instance-connect", "no way to it")
		}), nil
	}
	doc := control.NewDocument()
	if err := d.Run(context.Background(), doc); exit.CodeOf(err) != exit.CannotConnect {
		t.Errorf("%v", err)
	}
	if len(doc.Sessions) != len(p.Sessions) {
		t.Fatalf("%d rows", len(doc.Sessions))
	}
	for _, s := range doc.Sessions {
		if s.State != "ARMED" || s.Ring != "on_assumed" || len(s.Events) == 0 || s.Tracefile == nil {
			t.Errorf("row %+v", s)
		}
	}
	for _, s := range w.campaign(e.Campaign).Sessions {
		if s.State != journal.Armed || s.Ring != journal.RingOnAssumed {
			t.Errorf("the journal: %s, ring %s", s.State, s.Ring)
		}
	}
}

// TestRingsAreThoseOfStatus: disable announces the rings that status counts.
func TestRingsAreThoseOfStatus(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	x, err := w.db.Find(itoa(p.Sessions[0].SID))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Raise(x, 1555)
	c := w.campaign(e.Campaign)
	w.status(c)
	card := control.NewHandOver(c, "")
	d := w.disable(e.Campaign)
	d.Look = func(_ context.Context, c *journal.Campaign) { w.status(c) }
	n, maybe, bytes, err := d.Rings(context.Background())
	if err != nil || n != card.Rings || maybe != 0 || int64(n)*bytes != card.MemoryBytes {
		t.Errorf("disable: %d and perhaps %d of %d bytes, status: %d, %v", n, maybe, bytes, card.Rings, err)
	}
	d.Look = func(_ context.Context, c *journal.Campaign) {
		c.Sessions[0].State, c.Sessions[0].Ring = journal.Pending, journal.RingNone
	}
	if n, maybe, _, _ := d.Rings(context.Background()); n != len(c.Sessions)-1 || maybe != 1 {
		t.Errorf("one pending: %d and perhaps %d", n, maybe)
	}
}

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
