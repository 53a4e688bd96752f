package clock

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"ringtrace/internal/exit"
)

// fakeClock advances by a step each reading; changes names readings at which it
// jumps as well.
type fakeClock struct {
	at, step int64
	reads    int
	jumps    map[int]int64
}

func (f *fakeClock) read() int64 {
	f.reads++
	f.at += f.step + f.jumps[f.reads]
	return f.at
}

// script is a Prober that answers one word after the other, then the last.
type script struct{ words []string }

func (s *script) Clocksource() (string, []string) {
	w := s.words[0]
	if len(s.words) > 1 {
		s.words = s.words[1:]
	}
	return w, strings.Fields("tsc hpet acpi_pm")
}

func measure(t *testing.T, f *fakeClock, change func(*Config)) *Result {
	t.Helper()
	cfg := Config{
		Source: FromFunc("CLOCK_MONOTONIC", f.read), Duration: 10 * time.Second, Cutoff: 99.99, CPU: -1,
		Files: Linux{fstest.MapFS{}}, Prober: Unknown{}, Host: "db1", At: time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC),
	}
	if change != nil {
		change(&cfg)
	}
	r, err := Measure(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMeasureAFakeClock(t *testing.T) {
	r := measure(t, &fakeClock{step: 20_000}, nil)
	if r.Loops != 500_000 || r.DurationS != 10 || r.AverageNS != 20_000 || r.LargestNS != 20_000 {
		t.Errorf("loops %d in %v s, average %v, largest %d", r.Loops, r.DurationS, r.AverageNS, r.LargestNS)
	}
	if r.Failed() || r.Grade != Bad {
		t.Errorf("failed %v, grade %s", r.Failed(), r.Grade)
	}
}

// A clock that is set back an hour in the middle: the loop neither runs an hour
// longer nor stops at the first step, and all steps are counted.
func TestClockThatStepsBack(t *testing.T) {
	back := map[int]int64{30_000: -int64(time.Hour), 60_000: -50_000, 90_000: -30_001}
	r := measure(t, &fakeClock{step: 20_000, jumps: back}, nil)
	if r.Backwards.Count != 3 || r.Backwards.Largest != int64(time.Hour)-20_000 || !r.Failed() {
		t.Errorf("backwards %+v, failed %v", r.Backwards, r.Failed())
	}
	if r.Loops < 499_000 || r.Loops > 501_000 || r.AverageNS < 19_900 || r.AverageNS > 20_100 {
		t.Errorf("loops %d, average %v", r.Loops, r.AverageNS)
	}
	if !strings.Contains(strings.Join(r.Advice, "\n"), "backwards 3 times") {
		t.Errorf("advice %q", r.Advice)
	}
	// The wall clock may be set: advice, no failure.
	r = measure(t, &fakeClock{step: 20_000, jumps: back}, func(c *Config) { c.Source.Clock = "CLOCK_REALTIME" })
	if r.Failed() || r.Backwards.Count != 3 || !strings.Contains(strings.Join(r.Advice, "\n"), "NTP or a person set it") {
		t.Errorf("failed %v, backwards %+v, advice %q", r.Failed(), r.Backwards, r.Advice)
	}
}

func TestProblemK05_XenClockSource(t *testing.T) {
	files := Linux{fstest.MapFS{
		sysfsClock + "current_clocksource":   {Data: []byte("xen\n")},
		sysfsClock + "available_clocksource": {Data: []byte("xen tsc hpet acpi_pm \n")},
		"proc/cpuinfo":                       {Data: []byte("flags\t\t: fpu tsc constant_tsc nonstop_tsc\n")},
	}}
	r := measure(t, &fakeClock{step: 300}, func(c *Config) { c.Duration, c.Files, c.Prober = 10*time.Millisecond, files, files })
	r.Grade = gradeOf(300, 320) // a system call costs as much here
	if r.Grade != SyscallGrade || !strings.HasPrefix(r.Grade.Verdict(), "slow") || *r.Clocksource.Current != "xen" {
		t.Errorf("grade %s, verdict %q", r.Grade, r.Grade.Verdict())
	}
	advice := strings.Join(r.Advice, "\n")
	for _, want := range []string{"xen: every reading is a system call (on older kernels)", "strace", "dmesg | grep", "ringtrace never does", "echo xen >"} {
		if !strings.Contains(advice, want) {
			t.Errorf("advice lacks %q:\n%s", want, advice)
		}
	}
	for _, a := range r.Advice {
		if strings.Contains(a, "echo tsc") && !strings.Contains(a, "risk: ") {
			t.Errorf("advice to switch without the risk: %q", a)
		}
	}
	// Without the flags of a steady counter the advice says so.
	bare := fstest.MapFS{sysfsClock + "current_clocksource": {Data: []byte("xen")}, sysfsClock + "available_clocksource": {Data: []byte("xen tsc")}}
	if a := strings.Join(adviseLinux(r, Linux{bare}), "\n"); !strings.Contains(a, "tsc is not safe here") {
		t.Errorf("advice %q", a)
	}
}

func TestProblemK07_ClockSourceChangesMeanwhile(t *testing.T) {
	// tsc before and after the first two slices, hpet from the third on.
	p := &script{[]string{"tsc", "tsc", "tsc", "hpet"}}
	r := measure(t, &fakeClock{step: 20_000}, func(c *Config) { c.Prober = p })
	if len(r.Clocksource.Changes) != 1 || r.Clocksource.Changes[0].From != "tsc" || r.Clocksource.Changes[0].To != "hpet" || r.Clocksource.Changes[0].AfterS != 3 {
		t.Fatalf("changes %+v", r.Clocksource.Changes)
	}
	if r.Loops != 100_000 || r.MarkedLoops != 400_000 || r.DurationS != 2 {
		t.Errorf("%d loops count, %d are marked, %v s", r.Loops, r.MarkedLoops, r.DurationS)
	}
	if a := strings.Join(r.Advice, "\n"); !strings.Contains(a, "changed from tsc to hpet after 3.0 s") || !strings.Contains(a, "400000 loops from then on are marked") {
		t.Errorf("advice %q", a)
	}
}

func TestProblemK08_CoarseClock(t *testing.T) {
	reads := int64(0) // 4 ms steps, a reading of 25 ns
	r := measure(t, nil, func(c *Config) {
		c.Source = FromFunc("CLOCK_MONOTONIC_COARSE", func() int64 { reads++; return reads * 25 / 4_000_000 * 4_000_000 })
		c.Duration = time.Second
	})
	if !r.Coarse || r.MedianNS != nil || r.TrimmedNS != nil || r.PerReadNS != nil || r.Grade != Bad || r.StepNS != 4_000_000 {
		t.Errorf("coarse %v, median %v, grade %s, step %d", r.Coarse, r.MedianNS, r.Grade, r.StepNS)
	}
	var out bytes.Buffer
	if err := r.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, "resolution too coarse: it advances in steps of about 4.00 ms") || strings.Contains(s, "median                0.0 ns") {
		t.Errorf("printed\n%s", s)
	}
	doc, err := json.Marshal(r)
	if err != nil || !bytes.Contains(doc, []byte(`"median_ns":null`)) {
		t.Errorf("%v: %s", err, doc)
	}
	// Whole microseconds are no such clock: the cost shows in how often it advances.
	reads = 0
	r = measure(t, nil, func(c *Config) {
		c.Source = FromFunc("CLOCK_REALTIME", func() int64 { reads++; return reads * 40 / 1000 * 1000 })
		c.Duration = 100 * time.Millisecond
	})
	if r.Coarse || r.MedianNS == nil || *r.MedianNS < 39 || *r.MedianNS > 41 || r.Grade != Good {
		t.Errorf("µs clock: coarse %v, median %v, grade %s", r.Coarse, deref(r.MedianNS), r.Grade)
	}
}

func TestProblemK12_DurationsOneCPUAndNoSysfs(t *testing.T) {
	for d, want := range map[time.Duration]exit.Code{0: exit.Usage, -1: exit.Usage, -time.Hour: exit.Usage, 1: exit.Usage, time.Hour: exit.OK, 25 * time.Hour: exit.Usage} {
		err := (&Config{Duration: d, Cutoff: 99}).Check()
		if exit.CodeOf(err) != want || err != nil && exit.HintOf(err) == "" {
			t.Errorf("%v: %v", d, err)
		}
	}
	for _, cutoff := range []float64{-1, 100.1} {
		if err := (&Config{Duration: time.Second, Cutoff: cutoff}).Check(); exit.CodeOf(err) != exit.Usage {
			t.Errorf("cutoff %v: %v", cutoff, err)
		}
	}
	// An hour by the clock measured is no hour of ours.
	if r := measure(t, &fakeClock{step: 1_000_000}, func(c *Config) { c.Duration = time.Hour }); r.DurationS != 3600 {
		t.Errorf("an hour took %v s", r.DurationS)
	}
	// No sysfs: unknown, and the numbers stand.
	empty := Linux{fstest.MapFS{}}
	r := measure(t, &fakeClock{step: 40}, func(c *Config) { c.Prober, c.Files, c.Duration = empty, empty, time.Millisecond })
	if r.Clocksource.Current != nil || r.Grade != Good || !strings.Contains(strings.Join(r.Advice, "\n"), "clock source unknown") {
		t.Errorf("source %v, grade %s, advice %q", r.Clocksource.Current, r.Grade, r.Advice)
	}
	// One CPU: nothing to compare.
	if c := crossCheck(func() int64 { return 0 }, []int{0}, 1e6); c.Pairs != 0 || c.Count != 0 || c.CPUs != 1 {
		t.Errorf("one CPU: %+v", c)
	}
	if n := len(crossPairs(make([]int, 64))); n != 63+62 {
		t.Errorf("64 CPUs are compared in %d pairs", n)
	}
	if n := len(crossPairs(make([]int, 16))); n != 120 {
		t.Errorf("16 CPUs are compared in %d pairs", n)
	}
}

func TestMeasureStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Measure(ctx, Config{Source: FromFunc("x", (&fakeClock{step: 1000}).read), Duration: time.Hour, CPU: -1, Prober: Unknown{}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// TestMicrosStopWhenCancelled: the second half of --compat pg is stopped too,
// and not after the hour that it was to take.
func TestMicrosStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fakeClock{step: 50_000_000}
	n := 0
	source := FromFunc("x", func() int64 {
		if n++; n > 90_000 { // past the first 72,000 readings of an hour
			cancel()
		}
		return f.read()
	})
	_, err := Measure(ctx, Config{Source: source, Duration: time.Hour, CPU: -1, Micros: true, Prober: Unknown{}, Cutoff: 99})
	if !errors.Is(err, context.Canceled) || n > 91_000 {
		t.Errorf("err = %v after %d readings", err, n)
	}
}

// TestListsAreNeverNull: what there is nothing of is [] in JSON.
func TestListsAreNeverNull(t *testing.T) {
	r, err := Measure(t.Context(), Config{Source: FromFunc("x", (&fakeClock{step: 1000}).read), Duration: time.Millisecond, CPU: -1, Prober: Unknown{}, Files: Linux{Root: fstest.MapFS{}}, Cutoff: 99})
	if err != nil {
		t.Fatal(err)
	}
	if r.Clocksource.Available == nil || r.Clocksource.Changes == nil || r.Others == nil || r.Observed == nil || r.Advice == nil || r.Histogram == nil {
		t.Errorf("a list is nil: %+v", r)
	}
}

func TestUnknownAndFreeBSDSources(t *testing.T) {
	odd := Linux{fstest.MapFS{sysfsClock + "current_clocksource": {Data: []byte("sundial\n")}}}
	r := measure(t, &fakeClock{step: 40}, func(c *Config) { c.Prober, c.Files, c.Duration = odd, odd, time.Millisecond })
	if a := strings.Join(r.Advice, "\n"); !strings.Contains(a, "sundial is not one that this version knows") {
		t.Errorf("advice %q", a)
	}
	bsd := FreeBSD{func(name string) (string, error) {
		return map[string]string{"kern.timecounter.hardware": "ACPI-fast", "kern.timecounter.choice": "TSC-low(1000) ACPI-fast(900) dummy(-1000000)"}[name], nil
	}}
	r = measure(t, &fakeClock{step: 40}, func(c *Config) { c.Prober, c.Duration = bsd, time.Millisecond })
	if *r.Clocksource.Current != "ACPI-fast" || strings.Join(r.Clocksource.Available, " ") != "TSC-low ACPI-fast dummy" {
		t.Errorf("%v of %v", *r.Clocksource.Current, r.Clocksource.Available)
	}
	if a := strings.Join(r.Advice, "\n"); !strings.Contains(a, "sysctl kern.timecounter.hardware=TSC") || !strings.Contains(a, "risk: ") || !strings.Contains(a, "dmesg | grep Timecounter") {
		t.Errorf("advice %q", a)
	}
}

func TestGrades(t *testing.T) {
	for _, c := range []struct {
		read, syscall float64
		want          Grade
	}{
		{0, 0, NoGrade}, {25.8, 174, Good}, {50, 0, Good}, {60, 70, Fine}, {150, 300, Slow}, {150, 0, Slow}, {230, 300, SyscallGrade}, {722.92, 0, Bad}, {1000, 1000, Bad},
	} {
		if got := gradeOf(c.read, c.syscall); got != c.want {
			t.Errorf("%v ns beside a system call of %v: %s, want %s", c.read, c.syscall, got, c.want)
		}
	}
}

// TestThisHost reads the real clocks for a moment: they advance, and the
// vDSO's is the one that the runtime reads.
func TestThisHost(t *testing.T) {
	for _, name := range Names() {
		s, err := Open(name, "auto")
		if err != nil {
			if exit.HintOf(err) == "" {
				t.Errorf("%s: %v without a hint", name, err)
			}
			continue
		}
		read := s.reader()
		a := read()
		time.Sleep(20 * time.Millisecond)
		if d := time.Duration(read() - a); d < 10*time.Millisecond || d > 5*time.Second {
			t.Errorf("%s by %s: 20 ms took %v", s.Clock, s.Method, d)
		}
	}
	s, err := Open("monotonic", "auto")
	if err != nil {
		t.Fatal(err)
	}
	before := nanotime()
	now := s.reader()()
	if after := nanotime(); now < before || now > after {
		t.Errorf("%s by %s read %d, between %d and %d of the runtime", s.Clock, s.Method, now, before, after)
	}
	r, err := Measure(t.Context(), Config{Source: s, Duration: 200 * time.Millisecond, Cutoff: 99, CPU: -1, Compare: true, Files: Linux{fstest.MapFS{}}, Prober: Unknown{}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Loops < 1000 || r.MedianNS == nil || *r.MedianNS < 1 || *r.MedianNS > 5000 {
		t.Errorf("%d loops, median %v", r.Loops, deref(r.MedianNS))
	}
	for what, c := range map[string][2]string{"a method": {"monotonic", "sundial"}, "a clock": {"sundial", "auto"}, "rdtsc by a call": {"rdtsc", "syscall"}, "raw by nanotime": {"monotonic-raw", "nanotime"}} {
		if _, err := Open(c[0], c[1]); exit.CodeOf(err) != exit.Usage {
			t.Errorf("%s: %v", what, err)
		}
	}
}
