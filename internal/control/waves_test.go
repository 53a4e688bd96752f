package control_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim"
)

// TestWaves: sessions one by one until one is armed, then a tenth, then all; a
// look between, and no further session when that finds something.
func TestWaves(t *testing.T) {
	targets := make([]control.Target, 30)
	for i := range targets {
		targets[i].Key = journal.Session{InstID: 1, SID: i + 1, Serial: 1}
	}
	for _, c := range []struct {
		name    string
		skipped int // the first ones are skipped
		stopAt  int // the look that finds something; 0: none
		looks   []int
		reached int
	}{
		{"all well", 0, 0, []int{1, 4}, 30},
		{"the canary is not well", 0, 1, []int{1}, 1},
		{"the tenth is not well", 0, 2, []int{1, 4}, 4},
		{"the first two are skipped: the third is the canary", 2, 1, []int{1}, 3},
		{"all are skipped", 30, 0, nil, 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			var looks []int
			w := control.Waves{MaxFailures: -1, Check: func(_ context.Context, armed []control.Result) error {
				looks = append(looks, len(armed))
				if len(looks) == c.stopAt {
					return &control.AbortError{Reason: "not well"}
				}
				return nil
			}}
			n := 0
			out, err := w.Run(context.Background(), targets, func(_ context.Context, x control.Target) (control.Result, error) {
				n++
				r := control.Result{Key: x.Key}
				r.Result = journal.Done
				if n <= c.skipped {
					r.Result = journal.Skipped
				}
				return r, nil
			})
			var abort *control.AbortError
			if errors.As(err, &abort) != (c.stopAt > 0) || len(out) != c.reached || !reflect.DeepEqual(looks, c.looks) {
				t.Errorf("%v; %d reached, looked after %v armed", err, len(out), looks)
			}
		})
	}
}

// TestCanaryThatEnded: one session may log off by itself, all that were armed
// hardly.
func TestCanaryThatEnded(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 9, Seed: 1})
	p := w.plan(user("APP"), options(60))
	db, err := sim.Connect(w.db, w.db.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := w.db.Find(itoa(p.Sessions[2].SID))
	if err != nil {
		t.Fatal(err)
	}
	s.WaitEvent, s.Status = "oradebug request completion", "ACTIVE"
	w.db.Touch()
	if err := control.Healthy(context.Background(), db, nil, nil); err == nil || !strings.Contains(err.Error(), "1 session waiting for oradebug request completion") {
		t.Errorf("somebody waits: %v", err)
	}
	s.WaitEvent, s.Status = "SQL*Net message from client", "INACTIVE"
	w.db.Touch()
	var armed []control.Result
	for _, s := range p.Sessions[:2] {
		armed = append(armed, control.Result{Key: journal.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial}})
	}
	for i := range 3 {
		err := control.Healthy(context.Background(), db, armed, nil)
		var abort *control.AbortError
		if errors.As(err, &abort) != (i == 2) {
			t.Errorf("%d of 2 have ended: %v", i, err)
		}
		if i == 2 && !strings.Contains(fmt.Sprint(err), "2 sessions") {
			t.Error(err)
		}
		if i < 2 {
			s, err := w.db.Find(itoa(p.Sessions[i].SID))
			if err != nil {
				t.Fatal(err)
			}
			w.db.Logoff(s)
			w.db.Touch()
		}
	}
}
