package control_test

import (
	"context"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim/instance"
)

// TestDisableRecordsWhatFired: a closed campaign still says what it caught: in a
// session that was disarmed, in one that ended with its process, and in one whose
// process serves another by now; nothing twice, and nothing of the other's.
func TestDisableRecordsWhatFired(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	e.Proof = &control.Proof{Ends: eyes{w}, Place: w.place()}
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	const known, ended, switched, quiet = 0, 1, 2, 3
	for i := known; i <= switched; i++ {
		x, err := w.db.Find(itoa(p.Sessions[i].SID))
		if err != nil {
			t.Fatal(err)
		}
		w.db.Raise(x, 1555)
		switch i {
		case ended:
			w.db.Logoff(x)
		case switched:
			w.db.SwitchSession(x, instance.Logon{User: "OTHER", Program: "other.exe"})
		}
	}
	w.db.Touch()
	c := w.campaign(e.Campaign)
	w.status(c)
	record(t, w, e.Campaign, c.Sessions[known]) // as watch does
	for i, s := range c.Sessions {
		if want := i <= switched; (len(s.Fired) == 1) != want {
			t.Errorf("status: session %d (%s) fired %+v", i, s.State, s.Fired)
		}
	}
	doc := control.NewDocument()
	d := w.disable(e.Campaign)
	d.Look = func(_ context.Context, k *journal.Campaign) { w.status(k) }
	if err := d.Run(context.Background(), doc); err != nil {
		t.Fatal(err)
	}
	c = w.campaign(e.Campaign)
	if !c.Closed {
		t.Error("it is open still")
	}
	for i, s := range c.Sessions {
		want := 0
		if i <= switched {
			want = 1
		}
		if len(s.Fired) != want || want == 1 && (s.Fired[0].Ora != 1555 || s.Fired[0].At.IsZero()) {
			t.Errorf("on record: session %d (%s) fired %+v", i, s.State, s.Fired)
		}
		if got := doc.Sessions[i].Fired; len(got) != want {
			t.Errorf("disable said: session %d fired %+v", i, got)
		}
	}
	if got := w.status(c).Sessions[quiet+1].Fired; len(got) != 0 {
		t.Errorf("one that is quiet fired %+v", got)
	}
}

func record(t *testing.T, w *world, id string, s *journal.SessionState) {
	t.Helper()
	o, err := w.state.Dir.Open(id, func() time.Time { return simNow() }, journal.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Journal.Close()
	run, err := o.Journal.StartRun(journal.Run{Verb: "watch"})
	if err == nil {
		err = o.Journal.Observe(journal.Observed{Run: run, Session: s.Session, State: journal.Fired, Fired: s.Fired})
	}
	if err == nil {
		err = o.Journal.EndRun(journal.End{Run: run})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFireWithoutATime: an error that stands in the trace without a dump has no
// time; the journal says so.
func TestFireWithoutATime(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	d := w.disable(e.Campaign)
	d.Look = func(_ context.Context, k *journal.Campaign) { k.Sessions[0].Fired = []journal.Fire{{Ora: 1555}} }
	doc := control.NewDocument()
	if err := d.Run(context.Background(), doc); err != nil {
		t.Fatal(err)
	}
	if f := w.campaign(e.Campaign).Sessions[0].Fired; len(f) != 1 || !f[0].At.IsZero() {
		t.Errorf("on record %+v", f)
	}
	if f := doc.Sessions[0].Fired; len(f) != 1 || f[0].At != nil {
		t.Errorf("in the document %+v", f)
	}
}
