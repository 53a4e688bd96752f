package overhead

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// fakeBench costs what it is told, and dies in its n-th execution.
type fakeBench struct {
	cost  map[State]time.Duration
	dies  int
	runs  int
	on    State
	calls []string
	why   map[State]string
}

var errDied = errors.New("ORA-03113: end-of-file on communication channel")

func (f *fakeBench) Unavailable(s State) string { return f.why[s] }

func (f *fakeBench) Before(_ context.Context, s State) error {
	f.on = s
	f.calls = append(f.calls, "before "+string(s))
	return nil
}

func (f *fakeBench) Execute(_ context.Context, s State, k int) (Execution, error) {
	if f.runs++; f.runs == f.dies {
		return Execution{}, errDied
	}
	d := time.Duration(k) * f.cost[s]
	return Execution{Elapsed: d, CPU: d / 2, HaveCPU: true}, nil
}

func (f *fakeBench) After(_ context.Context, s State) (Trace, error) {
	f.on = ""
	f.calls = append(f.calls, "after "+string(s))
	if s == File {
		return Trace{Lines: 1000, Bytes: 100_000, Known: true}, nil
	}
	return Trace{}, nil
}

func TestRunMeasuresEveryStateOnceARound(t *testing.T) {
	b := &fakeBench{cost: map[State]time.Duration{Off: 10 * time.Millisecond, OffAgain: 10 * time.Millisecond, File: 12 * time.Millisecond}, why: map[State]string{Null: "not on the database host"}}
	test, err := Run(t.Context(), b, Plan{Name: "x", States: []State{Off, OffAgain, File, Null}, Rounds: 6, MinTime: time.Second, Seed: 42, Confidence: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	if test.K != 110 && test.K != 128 || !test.Complete || test.Rounds != 6 {
		t.Errorf("K %d, complete %v, rounds %d", test.K, test.Complete, test.Rounds)
	}
	if n := len(b.calls); n != 2*3*7 {
		t.Errorf("%d calls, want 42 with the warm-up", n)
	}
	f := test.figure(File)
	perRound := time.Duration(test.K) * 2 * time.Millisecond
	if len(f.Elapsed) != 6 || *f.OverheadHLPct < 19.99 || *f.OverheadHLPct > 20.01 || *f.CPUPct < 19.99 || *f.Lines != 6000 || math.Abs(*f.USPerLine-float64(perRound.Microseconds())/1000) > 1e-6 {
		t.Errorf("%+v: HL %v, lines %v, µs/line %v", f, *f.OverheadHLPct, *f.Lines, *f.USPerLine)
	}
	if v := test.figure(Null).Verdict; v != "not available: not on the database host" {
		t.Errorf("null: %q", v)
	}
	again, err := Run(t.Context(), &fakeBench{cost: b.cost, why: b.why}, Plan{Name: "x", States: []State{Off, OffAgain, File, Null}, Rounds: 6, K: 1, Seed: 42, Confidence: 0.95})
	if err != nil || !slices.Equal(again.Order, test.Order) {
		t.Errorf("%v: the same seed gives %v, then %v", err, test.Order, again.Order)
	}
	other, err := Run(t.Context(), &fakeBench{cost: b.cost}, Plan{States: []State{Off, OffAgain, File}, Rounds: 6, K: 1, Seed: 43, Confidence: 0.95})
	if err != nil || slices.Equal(other.Order, test.Order) {
		t.Errorf("%v: another seed gives the same order %v", err, other.Order)
	}
	distinct := map[string]bool{}
	for _, o := range test.Order {
		distinct[o] = true
	}
	if len(distinct) < 3 {
		t.Errorf("hardly any order: %v", test.Order)
	}
}

// A database that dies in round 3 leaves the rounds before it, and tracing is
// switched off after the failure.
func TestRunKeepsWhatItHas(t *testing.T) {
	b := &fakeBench{cost: map[State]time.Duration{Off: 10, OffAgain: 10, File: 12}, dies: 3 + 2*3 + 2}
	test, err := Run(t.Context(), b, Plan{Name: "x", States: []State{Off, OffAgain, File}, Rounds: 6, K: 1_000_000, Seed: 1, Confidence: 0.95})
	if !errors.Is(err, errDied) || !strings.Contains(err.Error(), "round 3, ") {
		t.Fatalf("err = %v", err)
	}
	if test.Complete || test.Rounds != 2 || b.on != "" {
		t.Errorf("complete %v, rounds %d, left on %q", test.Complete, test.Rounds, b.on)
	}
	for _, f := range test.States {
		if len(f.Elapsed) < 2 || len(f.Elapsed) > 3 || f.State == File && (f.CI == nil || *f.Confidence != 0.5 && *f.Confidence != 0.75) {
			t.Errorf("%s kept %v, interval %v", f.State, f.Elapsed, f.CI)
		}
	}
}

func TestRunStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	test, err := Run(ctx, &fakeBench{cost: map[State]time.Duration{}}, Plan{States: []State{Off}, Rounds: 6, K: 1, Confidence: 0.95})
	if !errors.Is(err, context.Canceled) || test == nil || test.Rounds != 0 || test.Complete {
		t.Errorf("%+v, %v", test, err)
	}
}

func TestClockThatStandsStillIsNoEndlessLoop(t *testing.T) {
	b := &fakeBench{cost: map[State]time.Duration{}}
	if _, err := Run(t.Context(), b, Plan{States: []State{Off}, Rounds: 1, MinTime: time.Second, Confidence: 0.95}); err == nil || !strings.Contains(err.Error(), "the clock stands still") {
		t.Errorf("err = %v", err)
	}
}
