package control_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
)

// step is one trouble before one command of a run.
type step struct {
	kind   string
	before int
}

// stage is the plan for two sessions of a world, and where that is: the same in
// every world of that size and seed, and looking for sessions takes longer than
// arming them.
type stage struct {
	plan  control.PlanFile
	place *control.Place
}

func stageSpec(set assume.Set) sim.Spec { return sim.Spec{Sessions: 5, Seed: 1, Assume: set} }

func newStage(t *testing.T) *stage {
	w := newWorld(t, stageSpec(assume.Set{}))
	p := w.plan(user("APP"), options(1555, 942))
	p.Sessions = p.Sessions[:2]
	return &stage{*p, w.place()}
}

// story arms the two sessions and disarms them, with trouble before some commands,
// and demands that no process but theirs got anything, and that nothing is left
// once all are well.
func (g *stage) story(t *testing.T, dir string, set assume.Set, steps ...step) (out told) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the test's own folder is removed anyway
	w := openWorld(t, dir, stageSpec(set))
	defer w.close()
	p := g.plan
	w.where = g.place
	w.judge = w.judgeOf(&p)
	at := map[int]func(*instance.Session) error{}
	for _, s := range steps {
		do, was := w.makeTrouble(s.kind, w.judge), at[s.before]
		at[s.before] = func(x *instance.Session) error {
			if was != nil {
				if err := was(x); err != nil {
					return err
				}
			}
			return do(x)
		}
	}
	n := w.meddle(at) // counts on from enable to disable
	e := w.enable(&p)
	e.Waves.MaxFailures = -1
	run := func(f func() error) {
		if killedBy(func() { f() }) { //nolint:errcheck // any outcome is good
			out.kills++
		}
	}
	run(func() error { _, err := e.Run(context.Background()); return err })
	run(func() error { return w.disable(e.Campaign).Run(context.Background(), control.NewDocument()) })
	out.commands = *n
	w.calm()
	w.wake()
	if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil && len(w.judge.handed) == 0 {
		out.wrong = append(out.wrong, "the last disable: "+err.Error())
	}
	out.wrong = append(out.wrong, w.judge.end()...)
	out.gaps = w.judge.gaps
	return out
}

// TestNoFaultHitsTheWrongProcess: every fault, and the end and reuse of the
// orapid, between any two steps of arming and of disarming. In the soak run two
// of them: every fault before every command, and the orapid reused before that
// and before every later one.
func TestNoFaultHitsTheWrongProcess(t *testing.T) {
	dir := scratch(t)
	g := newStage(t)
	peace := g.story(t, filepath.Join(dir, "peace"), assume.Set{})
	if len(peace.wrong) > 0 || peace.commands < 40 {
		t.Fatalf("%d commands in peace: %v", peace.commands, peace.wrong)
	}
	every := 1 // command, in the soak run
	soak := os.Getenv("RINGTRACE_SOAK") != ""
	if !soak {
		every = 8
	}
	handOn, _ := assume.Set{}.With(assume.EventsOfSession, false)
	type told struct {
		set   assume.Set
		steps []step
	}
	var all []told
	for k, kind := range troubles() {
		step1 := every
		if kind == string(fault.ReuseProcess) {
			step1 = 1
		}
		for i := 1 + k%step1; i <= peace.commands; i += step1 {
			one := []step{{kind, i}}
			all = append(all, told{steps: one})
			if kind == string(fault.SwitchUser) {
				all = append(all, told{handOn, one})
			}
			for j := i; soak && j <= peace.commands; j++ {
				all = append(all, told{steps: append(one[:1:1], step{string(fault.ReuseProcess), j})})
			}
		}
	}
	// In any order: a soak run that is broken off has seen some of all.
	rand.New(rand.NewPCG(uint64(setting("RINGTRACE_SEED", 1)), 9)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	y := newTally(t, "faults between two steps", len(all))
	inParallel(t, len(all), func(t *testing.T, i int) {
		y.add(fmt.Sprint(all[i].steps), g.story(t, filepath.Join(dir, fmt.Sprint(i)), all[i].set, all[i].steps...))
	})
	t.Logf("%d kinds of trouble, %d steps: %s in %v", len(troubles()), peace.commands, y.line(), time.Since(y.began).Round(time.Second))
}
