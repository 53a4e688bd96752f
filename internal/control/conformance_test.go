package control_test

import (
	"context"
	"fmt"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/control/controltest"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/fault"
)

// bench makes a Bench in a simulated instance.
func bench(t *testing.T) *controltest.Bench {
	w := newWorld(t, sim.Spec{Sessions: 9, Seed: 1})
	targets, err := w.plan(user("APP"), options(60)).Targets()
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range []fault.Kind{fault.EndProcess, fault.ReuseProcess, fault.HangTarget} {
		if err := w.db.Fault(fault.Fault{Kind: k, Value: fmt.Sprintf("%d,%d", targets[2+i].Key.SID, targets[2+i].Key.Serial)}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := w.runner(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return &controltest.Bench{
		Runner: r, Alive: targets[0], Other: targets[1], Gone: targets[2], Reused: targets[3], Hung: targets[4],
		Set: func(t control.Target) []string {
			return w.truth()[[3]int{t.Key.InstID, t.Key.SID, t.Key.Serial}].Events
		},
	}
}

func TestConsoleConforms(t *testing.T) { controltest.Run(t, bench) }
