// Package controltest holds what every control.Runner must do, so that the
// controller can rely on it whatever stands behind it.
package controltest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/oradebug"
)

// Bench is a place where a Runner can be tried.
type Bench struct {
	Runner control.Runner
	// Alive is a session whose process serves it alone; Other is one more.
	Alive, Other control.Target
	// Gone is a session whose process has ended, Reused one whose slot another
	// process has taken. Zero: not to be had here.
	Gone, Reused control.Target
	// Hung is a session whose process does not answer. Zero: not to be had.
	Hung control.Target
	// Set says what is set in the session of a target, by the truth.
	Set func(control.Target) []string
}

const event = "60 trace name errorstack level 1"

// Run tries a Runner. open makes a fresh Bench.
func Run(t *testing.T, open func(t *testing.T) *Bench) {
	for _, c := range []struct {
		name string
		test func(*testing.T, *Bench)
	}{
		{"SendsToTheTarget", sendsToTheTarget},
		{"LetsGo", letsGo},
		{"LetsGoAfterAnError", letsGoAfterAnError},
		{"WrongTargetGetsNothing", wrongTargetGetsNothing},
		{"OneAtATime", oneAtATime},
		{"SilentTarget", silentTarget},
		{"CancelledContextStillLetsGo", cancelled},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func send(t *testing.T, h control.Held, command string) oradebug.Reply {
	t.Helper()
	r, err := h.Send(context.Background(), command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return r
}

func sendsToTheTarget(t *testing.T, b *Bench) {
	err := b.Runner.Hold(context.Background(), b.Alive, func(h control.Held) error {
		if id := h.Identity(); !id.Process || !id.Own || id.Sessions != 1 {
			t.Errorf("identity %+v", id)
		}
		if r := send(t, h, "session_event "+event); r.Kind == oradebug.ReplyFailed {
			t.Errorf("refused: %v", r.Errors)
		}
		r := send(t, h, "eventdump session")
		if r.Kind != oradebug.ReplyEvents || len(r.Events) != 1 || r.Events[0] != event {
			t.Errorf("eventdump: %v %q", r.Kind, r.Events)
		}
		if r := send(t, h, "no_such_command"); !r.HasError(70) {
			t.Errorf("an error of Oracle is %+v", r)
		}
		id, err := h.Identify(context.Background())
		if err != nil || !id.Own {
			t.Errorf("%+v, %v", id, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Set(b.Alive); len(got) != 1 || got[0] != event {
		t.Errorf("the target has %q", got)
	}
	if got := b.Set(b.Other); len(got) > 0 {
		t.Errorf("another session has %q", got)
	}
}

// letsGo: a command of the next target never reaches this one.
func letsGo(t *testing.T, b *Bench) {
	for _, target := range []control.Target{b.Alive, b.Other} {
		if err := b.Runner.Hold(context.Background(), target, func(h control.Held) error {
			if target.Key == b.Other.Key {
				send(t, h, "session_event "+event)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.Set(b.Alive); len(got) > 0 {
		t.Errorf("the first target has %q", got)
	}
	if got := b.Set(b.Other); len(got) != 1 {
		t.Errorf("the second target has %q", got)
	}
}

func letsGoAfterAnError(t *testing.T, b *Bench) {
	mine := errors.New("mine")
	if err := b.Runner.Hold(context.Background(), b.Alive, func(control.Held) error { return mine }); !errors.Is(err, mine) {
		t.Fatalf("got %v", err)
	}
	sendsToTheTarget(t, b)
}

func wrongTargetGetsNothing(t *testing.T, b *Bench) {
	liar := b.Alive
	liar.Process.Ospid, liar.Process.Stid = "999999", ""
	for name, target := range map[string]control.Target{"gone": b.Gone, "reused": b.Reused, "another ospid": liar} {
		if target.Process.Orapid == 0 {
			continue
		}
		err := b.Runner.Hold(context.Background(), target, func(h control.Held) error {
			t.Errorf("%s: work was called", name)
			return nil
		})
		var wrong *control.WrongTargetError
		if !errors.Is(err, control.ErrWrongTarget) || !errors.As(err, &wrong) || wrong.Reason == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	sendsToTheTarget(t, b)
}

func oneAtATime(t *testing.T, b *Bench) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	inside := 0
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			target := b.Alive
			if i%2 == 1 {
				target = b.Other
			}
			err := b.Runner.Hold(context.Background(), target, func(h control.Held) error {
				mu.Lock()
				inside++
				if inside > 1 {
					t.Error("two targets are held at once")
				}
				mu.Unlock()
				_, err := h.Send(context.Background(), "eventdump session")
				mu.Lock()
				inside--
				mu.Unlock()
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
}

// silentTarget: it costs its own time-out, gets no further command, and the
// next target is served.
func silentTarget(t *testing.T, b *Bench) {
	if b.Hung.Process.Orapid == 0 {
		t.Skip("no target that hangs is to be had here")
	}
	err := b.Runner.Hold(context.Background(), b.Hung, func(h control.Held) error {
		_, first := h.Send(context.Background(), "eventdump session")
		if !errors.Is(first, control.ErrTimedOut) {
			t.Errorf("a silent target is %v", first)
		}
		began := time.Now()
		if _, err := h.Send(context.Background(), "session_event "+event); !errors.Is(err, control.ErrTimedOut) || time.Since(began) > 20*time.Second {
			t.Errorf("a second command is %v after %v", err, time.Since(began))
		}
		return first
	})
	if !errors.Is(err, control.ErrTimedOut) {
		t.Errorf("Hold returned %v", err)
	}
	sendsToTheTarget(t, b)
}

// cancelled: a context that ends while a target is held does not keep the
// Runner from letting go of it.
func cancelled(t *testing.T, b *Bench) {
	ctx, cancel := context.WithCancel(context.Background())
	err := b.Runner.Hold(ctx, b.Alive, func(control.Held) error {
		cancel()
		return nil
	})
	if err != nil && !strings.Contains(err.Error(), "cancel") {
		t.Errorf("%v", err)
	}
	letsGo(t, b)
}
