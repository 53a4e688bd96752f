package watch_test

import (
	"testing"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/watch"
)

func nothing() {}

// TestPoolChurns: newcomers are armed, leavers dropped, and an interrupted
// watch leaves the rest armed and says how to take it back.
func TestPoolChurns(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	var late *instance.Session
	err := w.run(w.config(1555), nothing, func() { late = w.logon() }, func() { w.db.Logoff(w.app(0)) }, nothing)
	if exit.CodeOf(err) != exit.Interrupted {
		t.Fatal(err)
	}
	w.want(watch.LineArmed, 4) // 60 % of five, and the newcomer
	left := w.want(watch.LineLeft, 1)[0]
	if left.Session.State != "LOST" || left.Session.Ring != "none" || *left.Reason != "gone" {
		t.Errorf("left: %+v", left.Session)
	}
	if len(w.on()) != 3 || late.Proc == nil {
		t.Errorf("armed: %v", w.on())
	}
	sum := w.want(watch.LineSummary, 1)[0]
	if sum.Undo == nil || *sum.Undo != "ringtrace disable --campaign w1" || sum.Summary.Watched != 3 || sum.Summary.Ended != "interrupted" {
		t.Errorf("summary: %+v", sum)
	}
	if c := w.campaign(); c.Closed || len(c.Dirty()) > 0 || len(c.OpenSessions()) != 3 {
		t.Errorf("the journal: closed %v, dirty %v, open %d", c.Closed, c.Dirty(), len(c.OpenSessions()))
	}
}

// TestNotesWhereFilesEnd: what stood in a file before its session was armed is
// not taken for a fire by those who look later.
func TestNotesWhereFilesEnd(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	if err := w.run(w.config(1555), nothing); exit.CodeOf(err) != exit.Interrupted {
		t.Fatal(err)
	}
	c := w.campaign()
	if len(c.OpenSessions()) != 3 {
		t.Fatalf("open: %d", len(c.OpenSessions()))
	}
	for _, s := range c.OpenSessions() {
		if data, err := w.db.Store.ReadFile(s.Tracefile); err != nil || s.TraceFrom < 1 || s.TraceFrom > int64(len(data)) {
			t.Errorf("session %s: from %d of %d bytes, %v", s.Session, s.TraceFrom, len(data), err)
		}
	}
}

// TestUntilHits disarms all after the first hit, and closes the campaign.
func TestUntilHits(t *testing.T) {
	w := newWorld(t, "?sessions=10")
	c := w.config(1555, 942)
	c.UntilHits = 1
	err := w.run(c, nothing, func() { w.gen.Work(w.app(1), 30); w.gen.Fail(w.app(1), 942) }, nothing)
	if err != nil {
		t.Fatalf("%v\n%s", err, w.text())
	}
	fired := w.want(watch.LineFired, 1)[0]
	if *fired.Ora != 942 || fired.Session.State != "FIRED" || len(fired.Session.Fired) != 1 || fired.Session.Fired[0].Ora != 942 {
		t.Errorf("fired: %+v", fired.Session)
	}
	// The session works at its own pace, which the stamps of its trace follow.
	if at := fired.Session.Fired[0].At; at == nil || at.Before(w.clock) || at.Sub(w.clock) > time.Minute {
		t.Errorf("fired at %v, the clock is %v", at, w.clock)
	}
	w.want(watch.LineDisarmed, 6)
	w.nothingOn()
	if c := w.campaign(); !c.Closed {
		t.Error("the campaign is still open")
	}
}

// TestMarkersAreNoFire: arming leaves a header and marker lines in the file;
// that is no fire, however often it is looked at.
func TestMarkersAreNoFire(t *testing.T) {
	for _, assume := range []string{"", "&assume=ring-carries-markers:off"} {
		w := newWorld(t, "?sessions=5"+assume)
		_ = w.run(w.config(1555), nothing, nothing, func() { w.gen.Work(w.app(0), 50) }, nothing)
		w.want(watch.LineFired, 0)
		w.want(watch.LineError, 0)
		if w.app(0).Proc.TraceBytes() == 0 {
			t.Error("the file holds nothing, so nothing was tried")
		}
	}
}

func TestRearm(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(1555)
	c.OnFire = watch.Rearm
	fail := func() { w.gen.Work(w.app(0), 20); w.gen.Fail(w.app(0), 1555) }
	err := w.run(c, nothing, fail, nothing, fail, nothing, fail, nothing, fail, nothing)
	if exit.CodeOf(err) != exit.Interrupted {
		t.Fatal(err)
	}
	// The fourth has no dump left (--max-fires 3), but writes the ring.
	w.want(watch.LineFired, 4)
	w.want(watch.LineRearmed, 4)
	if s := w.on(); len(s) != 3 {
		t.Errorf("armed: %v", s)
	}
	for k, s := range w.on() {
		if s.Ring == nil {
			t.Errorf("session %s has no ring", k)
		}
	}
}

func TestLeave(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(942)
	c.OnFire = watch.Leave
	fail := func() { w.gen.Fail(w.app(0), 942) }
	_ = w.run(c, nothing, fail, nothing, func() { w.gen.Work(w.app(0), 10) }, fail, nothing)
	w.want(watch.LineFired, 2)
	w.want(watch.LineDisarmed, 0)
	if n := w.campaign().States()["UNBUFFERED"]; n != 1 {
		t.Errorf("%d sessions UNBUFFERED: %v", n, w.campaign().States())
	}
}

// TestStormOfOneSession: re-arming ends when one session fires all the time.
func TestStormOfOneSession(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(1555)
	c.OnFire, c.Limits.StormSession = watch.Rearm, 3
	fail := func() { w.gen.Fail(w.app(0), 1555) }
	_ = w.run(c, fail, fail, fail, fail, fail)
	w.want(watch.LineFired, 3)
	w.want(watch.LineRearmed, 2)
	if d := w.want(watch.LineDisarmed, 1); *d[0].Reason != "storm" {
		t.Errorf("disarmed because of %s", *d[0].Reason)
	}
}

// TestStormOfOneCode: nothing new is armed while one code fires everywhere.
func TestStormOfOneCode(t *testing.T) {
	w := newWorld(t, "?sessions=20")
	c := w.config(1555)
	c.Limits.StormCode = 5
	_ = w.run(c,
		func() {
			for i := range 6 {
				w.gen.Fail(w.app(i), 1555)
			}
		},
		func() { w.logon() }, nothing,
		func() { w.clock = w.clock.Add(2 * time.Minute) }, nothing)
	w.want(watch.LineFired, 6)
	braked := w.want(watch.LineError, 1)[0]
	if *braked.Reason != "storm" {
		t.Errorf("%+v", braked)
	}
	armed := w.want(watch.LineArmed, 13)
	if last := armed[12].At; last.Sub(braked.At) < time.Minute {
		t.Errorf("the newcomer was armed at %v, the storm was told of at %v", last, braked.At)
	}
}

func TestLimits(t *testing.T) {
	w := newWorld(t, "?sessions=10")
	c := w.config(1555)
	c.Limits.MaxSessions, c.Limits.PerMinute = 7, 1
	_ = w.run(c, func() { w.logon(); w.logon(); w.logon() }, nothing, nothing, func() { w.clock = w.clock.Add(time.Minute) }, nothing)
	armed := w.want(watch.LineArmed, 7) // six at once, then one
	if w.totalsOf("armed") != 7 || armed[6].At.Equal(armed[5].At) {
		t.Error(w.text())
	}
	for _, l := range w.want(watch.LineSkipped, 2) {
		if *l.Reason != "session_cap" {
			t.Errorf("skipped: %s", *l.Reason)
		}
	}
}

func (w *world) totalsOf(string) int { return w.of(watch.LineSummary)[0].Summary.Armed }

func TestForAndTTL(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(1555)
	c.For = 13 * time.Second
	if err := w.run(c, nothing, nothing, nothing, nothing, nothing); err != nil {
		t.Fatal(err)
	}
	w.want(watch.LineDisarmed, 3)
	w.nothingOn()
	if w.clock.Second() != 13 {
		t.Errorf("it ended at %v", w.clock)
	}

	w = newWorld(t, "?sessions=5")
	c = w.config(1555)
	c.TTL = 12 * time.Second
	_ = w.run(c, nothing, nothing, func() { w.logon() }, nothing)
	ttl := w.want(watch.LineDisarmed, 3)
	if *ttl[0].Reason != "ttl" {
		t.Errorf("disarmed because of %s", *ttl[0].Reason)
	}
	w.want(watch.LineArmed, 4) // and none of the three again
}

// TestFireAtTheEnd: a session that fires and logs off between two looks has
// fired.
func TestFireAtTheEnd(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	_ = w.run(w.config(1555), func() {
		s := w.app(0)
		w.gen.Fail(s, 1555)
		w.db.Logoff(s)
	}, nothing)
	w.want(watch.LineFired, 1)
	w.want(watch.LineLeft, 1)
	w.want(watch.LineDisarmed, 0)
}

// TestInheritedRing: the session ends, its process lives on with another one:
// the ring is released before the newcomer is armed.
func TestInheritedRing(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	_ = w.run(w.config(1555), func() {
		s := w.app(0)
		w.db.SwitchSession(s, instance.Logon{User: "BATCH", Program: "b", Machine: "m", OSUser: "o"})
	}, nothing)
	w.want(watch.LineLeft, 1)
	if len(w.on()) != 2 {
		t.Errorf("still on: %v", w.on())
	}
}
