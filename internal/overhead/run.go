package overhead

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Execution is one timed value.
type Execution struct {
	Elapsed time.Duration
	CPU     time.Duration // of the database session
	HaveCPU bool
	Rows    int64 // rows whose timing is what costs; 0 if that means nothing
}

// Trace is what an execution wrote.
type Trace struct {
	Lines, Bytes int64
	Known        bool
}

// Bench carries one workload out. The runner calls Before, Execute, After in
// this order, one state at a time.
type Bench interface {
	// Unavailable says why a state cannot be measured here; "" if it can.
	Unavailable(s State) string
	// Before switches tracing on, outside the timed part, and lets it write its
	// header.
	Before(ctx context.Context, s State) error
	// Execute runs the workload k times and times that alone.
	Execute(ctx context.Context, s State, k int) (Execution, error)
	// After switches tracing off and counts what was written. It must also undo
	// what Before did when Execute failed.
	After(ctx context.Context, s State) (Trace, error)
}

// Plan says how often and in which order.
type Plan struct {
	Name       string
	States     []State
	Rounds     int
	K          int // 0: find out, so that a value takes MinTime
	MinTime    time.Duration
	Seed       int64
	Confidence float64
	Progress   func(format string, args ...any) // may be nil
}

// Order returns the states of one round in the order of the seed.
func Order(states []State, r *rand.Rand) []State {
	out := append([]State(nil), states...)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// maxK bounds the executions of one value. clocklessK executions take some time
// on any clock that runs.
const (
	maxK       = 10_000_000
	clocklessK = 1 << 14
)

// Run measures a workload. When it fails in the middle (the database died, ctx
// was cancelled) it returns what it has together with the error; Complete is
// then false. The first round is a warm-up and counts nowhere.
func Run(ctx context.Context, b Bench, p Plan) (*Test, error) {
	t := &Test{Name: p.Name, K: p.K, Seed: p.Seed, Warnings: []string{}, Order: []string{}}
	var states []State
	for _, s := range p.States {
		why := b.Unavailable(s)
		t.States = append(t.States, Figure{State: s, Unavailable: why, rounds: make([]sample, p.Rounds)})
		if why == "" {
			states = append(states, s)
		}
	}
	err := t.run(ctx, b, p, states)
	t.Complete = err == nil
	t.analyze(p.Confidence)
	return t, err
}

func (t *Test) run(ctx context.Context, b Bench, p Plan, states []State) error {
	say := p.Progress
	if say == nil {
		say = func(string, ...any) {}
	}
	if t.K == 0 {
		k, err := findK(ctx, b, p.MinTime)
		if err != nil {
			return fmt.Errorf("try the workload: %w", err)
		}
		t.K = k
	}
	r := rand.New(rand.NewPCG(uint64(p.Seed), 0))
	for round := -1; round < p.Rounds; round++ {
		order := Order(states, r)
		var names []string
		for _, s := range order {
			v, err := one(ctx, b, s, t.K)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", roundName(round), s, err)
			}
			if round >= 0 {
				t.figure(s).rounds[round] = v
			}
			names = append(names, string(s))
		}
		if round >= 0 {
			t.Rounds = round + 1
			t.Order = append(t.Order, strings.Join(names, " "))
		}
		say("%s: %s of %d", p.Name, roundName(round), p.Rounds)
	}
	return nil
}

func roundName(round int) string {
	if round < 0 {
		return "warm-up"
	}
	return fmt.Sprintf("round %d", round+1)
}

// one measures one state once. Tracing is switched off again even if ctx is
// cancelled.
func one(ctx context.Context, b Bench, s State, k int) (v sample, err error) {
	if err := ctx.Err(); err != nil {
		return v, err
	}
	if err := b.Before(ctx, s); err != nil {
		_, _ = b.After(context.WithoutCancel(ctx), s) // Before may have got half way
		return v, fmt.Errorf("switch tracing: %w", err)
	}
	e, err := b.Execute(ctx, s, k)
	trace, afterErr := b.After(context.WithoutCancel(ctx), s)
	if err != nil {
		return v, err
	}
	if afterErr != nil {
		return v, fmt.Errorf("switch tracing off: %w", afterErr)
	}
	return sample{
		ok: true, elapsed: e.Elapsed.Seconds(), cpu: e.CPU.Seconds(), haveCPU: e.HaveCPU, rows: e.Rows,
		lines: trace.Lines, bytes: trace.Bytes, haveTrace: trace.Known,
	}, nil
}

// findK doubles the executions of a value until it takes long enough.
func findK(ctx context.Context, b Bench, least time.Duration) (int, error) {
	for k := 1; ; k *= 2 {
		e, err := b.Execute(ctx, Off, k)
		if err != nil {
			return 0, err
		}
		if e.Elapsed >= least || k >= maxK {
			return k, nil
		}
		if e.Elapsed <= 0 && k >= clocklessK {
			return 0, fmt.Errorf("%d executions took no time: the clock stands still", k)
		}
		if e.Elapsed > 0 {
			if want := int(float64(k) * float64(least) / float64(e.Elapsed) * 1.1); want <= 4*k {
				return max(want, k), nil
			}
		}
	}
}
