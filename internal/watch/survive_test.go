package watch_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/watch"
)

// TestListingLost: a lost connection costs pauses and one line.
func TestListingLost(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	_ = w.run(w.config(1555),
		func() { w.noList = 4 },
		nothing, nothing, nothing,
		func() { w.logon() }, nothing)
	if e := w.want(watch.LineError, 1); *e[0].Reason != "no_listing" {
		t.Errorf("%+v", e[0])
	}
	w.want(watch.LineArmed, 4)
	if len(w.said) == 0 || !strings.Contains(strings.Join(w.said, " "), "answers again") {
		t.Errorf("said: %q", w.said)
	}
	if d := w.clock.Sub(time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)); d < 60*time.Second {
		t.Errorf("the pauses did not grow: %v", d)
	}
}

// TestNoConversation: no door to ORADEBUG for a while; the sessions are armed
// when it opens.
func TestNoConversation(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	w.noDial = 3
	_ = w.run(w.config(1555), nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing)
	if e := w.want(watch.LineError, 1); *e[0].Reason != "no_connection" {
		t.Errorf("%+v", e[0])
	}
	w.want(watch.LineArmed, 3)
	if len(w.on()) != 3 {
		t.Errorf("armed: %v", w.on())
	}
}

// TestInstanceRestarted: everything that was set is gone, and the new sessions
// are armed.
func TestInstanceRestarted(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	_ = w.run(w.config(1555), nothing, func() {
		for range 3 {
			w.db.Logoff(w.app(0))
		}
		w.db.Locked(func() { w.db.Instances[0].StartupTime = w.clock })
		w.logon()
		w.logon()
	}, nothing)
	for _, l := range w.want(watch.LineLeft, 3) {
		if *l.Reason != "restarted" || l.Session.State != "LOST" {
			t.Errorf("left: %+v", l)
		}
	}
	w.want(watch.LineArmed, 5)
	if n := w.campaign().States()[journal.Lost]; n != 3 {
		t.Errorf("states in the journal: %v", w.campaign().States())
	}
}

// TestProblemO15_PendingIsNotArmed: a target that takes the request later is
// PENDING and never reported as armed; it gets no further command.
func TestProblemO15_PendingIsNotArmed(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	s := w.app(1)
	if err := w.db.Fault(fault.Fault{Kind: fault.HangTarget, Value: fmt.Sprint(s.SID)}); err != nil {
		t.Fatal(err)
	}
	_ = w.run(w.config(1555), nothing, nothing, nothing)
	w.want(watch.LineArmed, 2)
	e := w.want(watch.LineError, 1)[0]
	if e.Session.State != "PENDING" || e.Session.Outcome != "unknown" || e.Session.SID != s.SID {
		t.Errorf("%+v", e.Session)
	}
	if c := w.campaign(); c.States()[journal.Pending] != 1 || len(c.OpenSessions()) != 3 {
		t.Errorf("states: %v", c.States())
	}
}

// TestDamageAndDirt: a dirty journal refuses a new watch and names the way on.
func TestDamageAndDirt(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	w.kill(w.config(1555), 25)
	err := w.run(w.config(1555), nothing)
	if exit.CodeOf(err) != exit.Journal || !strings.Contains(exit.HintOf(err), "ringtrace disable --campaign w1") {
		t.Fatalf("%v (%s)", err, exit.HintOf(err))
	}
}

var errKilled = errors.New("killed")

// dying ends the process at its n-th command.
type dying struct {
	control.Conversation
	n *int
}

func (d dying) Do(ctx context.Context, command string) ([]string, error) {
	if *d.n--; *d.n == 0 {
		panic(errKilled)
	}
	return d.Conversation.Do(ctx, command)
}

// kill runs a watch that is killed at its n-th command; false: it was not.
func (w *world) kill(c watch.Config, n int, steps ...func()) (killed bool) {
	defer func() {
		if p := recover(); p != nil {
			if p != errKilled { //nolint:errorlint // a panic of this test
				panic(p)
			}
			killed = true
		}
	}()
	c.Runner = func(_ context.Context, inst int) (control.Runner, error) {
		return control.NewConsole(time.Minute, func(context.Context) (control.Conversation, error) {
			e, err := w.pool.Get(w.db.Instance(inst))
			if err != nil {
				return nil, err
			}
			conv, err := sim.Converse(e)
			return dying{conv, &n}, err
		}), nil
	}
	if err := w.run(c, append([]func(){nothing}, steps...)...); exit.CodeOf(err) == exit.Failed {
		w.t.Error(err)
	}
	return false
}

// TestKilledAnywhere: killed at any command, the watch that is started again
// goes on with the same campaign, misses no fire, and at its end nothing is
// left on.
func TestKilledAnywhere(t *testing.T) {
	n, step := 0, 1
	if testing.Short() {
		step = 7
	}
	for k := 1; ; k += step {
		w := newWorld(t, "?sessions=4")
		fail := func() { w.gen.Fail(w.app(0), 1555) }
		if !w.kill(w.config(1555), k, fail, nothing) {
			break
		}
		n++
		w.gen.Fail(w.app(1), 1555) // while nobody looks
		c := w.config(1555)
		c.Campaign, c.Resume, c.UntilHits = "w2", true, 0
		c.For = 20 * time.Second
		if err := w.run(c, nothing, nothing, nothing, nothing, nothing); err != nil {
			t.Fatalf("killed at command %d: %v\n%s", k, err, w.text())
		}
		w.nothingOn()
		for _, id := range []string{"w1", "w2"} {
			if j, err := w.state.Dir.Load(id); err == nil && (!j.Closed || len(j.Dirty()) > 0) {
				t.Errorf("killed at command %d: campaign %s is closed %v, dirty %v", k, id, j.Closed, j.Dirty())
			}
		}
		if fires := len(w.of(watch.LineFired)); fires > 2 {
			t.Errorf("killed at command %d: %d fires told, there were at most 2\n%s", k, fires, w.text())
		}
		if t.Failed() {
			t.Fatalf("killed at command %d\n%s", k, w.text())
		}
	}
	if n < 30/step {
		t.Errorf("only %d commands to be killed at", n)
	}
}

// TestResumeFindsFires: what fired while no watch was running is told by the
// next one, once.
func TestResumeFindsFires(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	_ = w.run(w.config(1555), nothing)
	w.clock = w.clock.Add(time.Minute)
	w.gen.Fail(w.app(0), 1555)
	w.clock = w.clock.Add(time.Minute)
	c := w.config(1555)
	c.Resume, c.Campaign, c.OnFire = true, "other", watch.Leave
	_ = w.run(c, nothing, nothing)
	w.want(watch.LineFired, 1)
	if w.want(watch.LineSummary, 2)[1].Campaign != "w1" {
		t.Error("a new campaign was begun")
	}
	_ = w.run(c, nothing, nothing)
	w.want(watch.LineFired, 1)
}

// TestResumeBesideAClockThatWasSet: what an earlier campaign caught is in the same
// file and stays that one's, and a new fire is told, whatever the database's clock
// says by now.
func TestResumeBesideAClockThatWasSet(t *testing.T) {
	for _, step := range []time.Duration{-9 * time.Hour, 9 * time.Hour} {
		w := newWorld(t, "?sessions=5")
		first := w.config(1555)
		_ = w.run(first, func() { w.gen.Fail(w.app(0), 1555) }, nothing)
		w.want(watch.LineFired, 1)
		c := w.config(1555)
		c.UntilHits = 1
		c.Resume = true
		_ = w.run(c, func() { w.gen.Fail(w.app(1), 1555) }, nothing, nothing) // takes all back
		w.want(watch.LineFired, 2)
		c.Campaign, c.UntilHits = "second", 0
		_ = w.run(c, nothing)
		w.clock = w.clock.Add(step)
		w.lines = nil
		_ = w.run(c, nothing)
		w.want(watch.LineFired, 0)
		w.gen.Fail(w.app(2), 1555)
		_ = w.run(c, nothing)
		if f := w.want(watch.LineFired, 1); len(f) == 1 && f[0].Session.SID != w.app(2).SID {
			t.Errorf("fired: %+v", f[0].Session)
		}
	}
}
