package control

import (
	"context"
	"fmt"
	"time"

	"ringtrace/internal/journal"
	"ringtrace/internal/quantity"
)

// Defaults of Waves.
const (
	DefaultMaxFailures = 10
	DefaultPace        = 10 * time.Millisecond
)

// Waves arms in waves: until one session is armed (the canary), then a tenth
// of the rest, then all.
type Waves struct {
	// MaxFailures is how many sessions may fail, or not answer, before the run
	// stops; negative: any number.
	MaxFailures int
	// Pace is the pause between two sessions.
	Pace time.Duration
	// Sleep waits, or returns when ctx ends.
	Sleep func(ctx context.Context, d time.Duration) error
	// Check looks, between two waves, whether what was armed is well; an error
	// stops the run.
	Check func(ctx context.Context, armed []Result) error
	// Each is told of every session.
	Each func(Result)
}

// AbortError says why a run stopped before all sessions were reached.
type AbortError struct{ Reason string }

func (e *AbortError) Error() string { return "stopped: " + e.Reason }

// waveEnds returns after how many sessions, not counting those before the
// canary, a wave ends.
func waveEnds(n int) []int {
	tenth := (n + 9) / 10
	return []int{1, min(n, 1+tenth), n}
}

// Run calls do for each target. A cancelled ctx ends it between two sessions:
// the one begun is finished and recorded. The results are those of the
// sessions reached; the error is ctx's, an *AbortError, or what do returned.
func (w *Waves) Run(ctx context.Context, targets []Target, do func(context.Context, Target) (Result, error)) ([]Result, error) {
	var out, armed []Result
	failures := 0
	ends := waveEnds(len(targets))
	wave, skipped := 0, 0
	for i, t := range targets {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if i > 0 && w.Pace > 0 {
			if err := w.Sleep(ctx, w.Pace); err != nil {
				return out, err
			}
		}
		r, err := do(context.WithoutCancel(ctx), t)
		if r.Key != (journal.Session{}) {
			out = append(out, r)
			if w.Each != nil {
				w.Each(r)
			}
		}
		if err != nil {
			return out, err
		}
		switch r.Result {
		case journal.Done:
			armed = append(armed, r)
		case journal.Failed, journal.Unknown:
			failures++
		}
		if w.MaxFailures >= 0 && failures > w.MaxFailures {
			return out, &AbortError{fmt.Sprintf("%s failed or did not answer, --max-failures is %d", quantity.Count(failures, "session"), w.MaxFailures)}
		}
		if wave == 0 && len(armed) == 0 {
			skipped++ // the next one is the canary
			continue
		}
		if wave < len(ends)-1 && i+1-skipped >= ends[wave] && i+1 < len(targets) {
			wave++
			if w.Check != nil {
				if err := w.Check(ctx, armed); err != nil {
					return out, err
				}
			}
		}
	}
	return out, nil
}
