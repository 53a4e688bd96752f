package control_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sight"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/assume"
)

// ringWords arms five sessions, raises the error in the first, flushes the
// second for good and the third to arm it again, looks, and disarms all.
func ringWords(t *testing.T, set assume.Set, files func(*world) sight.Sight, form string) (look, end []journal.Ring, w *world) {
	t.Helper()
	w = newWorld(t, sim.Spec{Sessions: 9, Seed: 1, Assume: set})
	o := options(1555)
	o.Form = form
	p := w.plan(user("APP"), o)
	proof := func() *control.Proof {
		return &control.Proof{Sight: files(w), Ends: files(w), Place: w.place(), Say: func(s string) { w.said = append(w.said, s) }}
	}
	e := w.enable(p)
	e.Proof = &control.Proof{Ends: files(w), Place: w.place()}
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	fired, err := w.db.Find(itoa(p.Sessions[0].SID))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Raise(fired, 1555)
	for i, rearm := range map[int]bool{1: false, 2: true} {
		f := &control.FlushRun{
			ID: e.Campaign, Place: w.place(), State: &w.state, Runner: w.runner, Verb: "flush", Proof: proof(), Say: func(string) {},
			Pick: func(s *journal.SessionState) bool { return s.Session.SID == p.Sessions[i].SID },
			Do: func(ctx context.Context, c *control.Controller, s *journal.SessionState) (control.Result, error) {
				return c.Flush(ctx, s, control.FlushOptions{Errorstack: plan.NoErrorstack, Rearm: rearm})
			},
		}
		if err := f.Run(context.Background(), control.NewDocument()); err != nil {
			t.Fatal(err)
		}
	}
	words := func(doc *control.Document) (out []journal.Ring) {
		for i := range doc.Sessions {
			out = append(out, journal.Ring(doc.Sessions[i].Ring))
		}
		return out
	}
	look = words(w.status(w.campaign(e.Campaign)))
	doc := control.NewDocument()
	d := w.disable(e.Campaign)
	d.Proof = proof()
	if err := d.Run(context.Background(), doc); err != nil {
		t.Fatal(err)
	}
	for i, s := range w.campaign(e.Campaign).Sessions {
		if string(s.Ring) != doc.Sessions[i].Ring {
			t.Errorf("session %s: journal %s, document %s", s.Session, s.Ring, doc.Sessions[i].Ring)
		}
	}
	return look, words(doc), w
}

// TestRingWords: the words say what the file shows, under either answer to the
// open questions about rings; none says off_proven of a ring that is there.
func TestRingWords(t *testing.T) {
	const on, onP, off, offP = journal.RingOnAssumed, journal.RingOnProven, journal.RingOffSent, journal.RingOffProven
	seen := func(w *world) sight.Sight { return eyes{w} }
	for _, c := range []struct {
		name      string
		set       assume.Switch // turned off
		files     func(*world) sight.Sight
		form      string
		look, end []journal.Ring // the fired, the flushed, the one armed again, and an untouched one
	}{
		{"as assumed", "", seen, "", []journal.Ring{offP, offP, onP, on}, []journal.Ring{offP, offP, offP, offP}},
		{"the form flush", "", seen, plan.FormFlush, []journal.Ring{onP, offP, onP, on}, []journal.Ring{offP, offP, offP, offP}},
		{"off does not free", assume.RingOffFrees, seen, "", nil, []journal.Ring{off, off, off, off}},
		{"markers pass the ring by, nothing was traced", assume.RingCarriesMarkers, seen, "", []journal.Ring{on, off, on, on}, []journal.Ring{off, off, off, off}},
		{"allocated later", assume.RingOnAtSet, seen, "", []journal.Ring{on, off, on, on}, []journal.Ring{off, off, off, off}},
		{"nobody sees the files", "", func(*world) sight.Sight { return sight.Chain{} }, "", nil, []journal.Ring{off, off, off, off}},
		{"looking fails", "", func(*world) sight.Sight { return blindEyes{} }, "", nil, []journal.Ring{off, off, off, off}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := assume.Set{}
			if c.set != "" {
				set, _ = set.With(c.set, false)
			}
			look, end, w := ringWords(t, set, c.files, c.form)
			for i, want := range c.look {
				if look[i] != want {
					t.Errorf("status: session %d is %s, want %s", i, look[i], want)
				}
			}
			for i, want := range c.end {
				if end[i] != want {
					t.Errorf("disable: session %d is %s, want %s", i, end[i], want)
				}
			}
			if n := strings.Count(strings.Join(w.said, "\n"), "not looked at any more"); n > 4 { // one a run: enable, two flushes, disable
				t.Errorf("said %d times: %q", n, w.said)
			}
		})
	}
}

// blindEyes fails at every look.
type blindEyes struct{}

func (blindEyes) Refresh(context.Context) error { return errors.New("ORA-01013") }

func (blindEyes) Look(context.Context, sight.File, int64) (sight.Piece, error) {
	return sight.Piece{}, errors.New("ORA-01013")
}
