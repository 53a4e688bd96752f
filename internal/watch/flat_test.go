package watch_test

import (
	"context"
	"os"
	"reflect"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/plan"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/watch"
)

// TestPoolThatChurnsForDays: what a watch holds does not grow with the sessions
// that came, fired and went, nor does it keep a file open for each.
func TestPoolThatChurnsForDays(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(1555, 1)
	c.Emit = func(l watch.Line) error {
		if l.Kind == watch.LineSummary || l.Kind == watch.LineFired {
			w.lines = append(w.lines, l)
		}
		return nil
	}
	c.Limits.PerMinute, c.Limits.StormCode = 1000, 1000
	it := watch.New(c)
	const early, rounds = 40, 160
	held := map[int]int{}
	handles := map[int]int{}
	pool := []*instance.Session{w.app(0), w.app(1), w.app(2)}
	var steps []func()
	for i := range rounds {
		steps = append(steps, func() {
			if i == early || i == rounds-1 {
				held[i], handles[i] = elements(reflect.ValueOf(it).Elem()), openFiles(t)
			}
			if i%3 == 0 {
				w.gen.Fail(pool[1], 1555)
			}
			w.db.Logoff(pool[0])
			pool = append(pool[1:], w.logon())
		})
	}
	w.ctx, w.stop = context.WithCancel(context.Background())
	defer w.stop()
	w.steps = steps
	_ = it.Run(w.ctx)
	totals := w.want(watch.LineSummary, 1)[0].Summary
	if totals.Armed < rounds || totals.Left+totals.Disarmed < rounds-10 || totals.Hits < rounds/5 {
		t.Fatalf("the case shows nothing: %+v", totals)
	}
	first, last := held[early], held[rounds-1]
	if first < 3 {
		t.Fatalf("%d elements were found in the watch: nothing was counted", first)
	}
	if last > first+10 {
		t.Errorf("%d elements held after %d rounds, %d after %d", first, early, last, rounds)
	}
	if handles[rounds-1] > handles[early] {
		t.Errorf("%d open files after %d rounds, %d after %d", handles[early], early, handles[rounds-1], rounds)
	}
}

// TestSessionThatFiresForDays: the lines of a session that is left on repeat its
// latest fires; the journal has all.
func TestSessionThatFiresForDays(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(1555)
	o := plan.DefaultOptions()
	o.Ora, o.MaxFires, o.NoRing = []int{1555}, 0, true
	c.Events, c.RingBytes = control.EventsOf(plan.Events(o)), 0
	c.OnFire, c.Limits.StormCode, c.Limits.StormSession = watch.Leave, 1000, 1000
	s := w.app(0)
	var steps []func()
	const fires = 130
	for range fires {
		steps = append(steps, func() { w.gen.Fail(s, 1555) })
	}
	_ = w.run(c, append(steps, nothing)...)
	told := w.want(watch.LineFired, fires)
	last := told[len(told)-1].Session.Fired
	if len(last) != 100 || !last[99].At.After(*last[0].At) || last[99].At.Before(told[len(told)-2].At) {
		t.Errorf("the last line repeats %d fires", len(last))
	}
	for _, st := range w.campaign().Sessions {
		if st.Session.SID == s.SID && len(st.Fired) != fires {
			t.Errorf("the journal has %d fires, want %d", len(st.Fired), fires)
		}
	}
}

// elements counts what maps and slices of a watch hold, its configuration aside.
func elements(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() == reflect.TypeFor[watch.Watch]() && v.Type().Field(i).Name == "Config" {
				continue
			}
			n += elements(v.Field(i))
		}
	case reflect.Map:
		n += v.Len()
		for it := v.MapRange(); it.Next(); {
			n += elements(it.Value())
		}
	case reflect.Slice:
		if n += v.Len(); v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				n += elements(v.Index(i))
			}
		}
	case reflect.Pointer:
		switch v.Type().Elem().PkgPath() {
		case "ringtrace/internal/watch", "ringtrace/internal/journal":
			if !v.IsNil() {
				n += elements(v.Elem())
			}
		}
	}
	return n
}

// openFiles counts this process's handles, 0 where nobody tells.
func openFiles(t *testing.T) int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Log("open files were not counted: ", err)
	}
	return len(list)
}
