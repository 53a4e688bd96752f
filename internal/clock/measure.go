package clock

import (
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"ringtrace/internal/exit"
)

// The limits of a measurement.
const (
	MinDuration = time.Millisecond
	MaxDuration = 24 * time.Hour
)

// Config says what to measure.
type Config struct {
	Source   *Source
	Duration time.Duration
	Cutoff   float64 // percent of durations listed exactly
	CPU      int     // bind the loop to this CPU; -1: do not
	Compare  bool    // measure system call, other clocks and CPU pairs too
	Micros   bool    // also in PostgreSQL 9.2–18's way, for as long again

	Files  Linux  // files of the host
	Prober Prober // its clock source
	Host   string
	At     time.Time
}

// Check refuses what cannot be measured, with an *exit.Error.
func (c *Config) Check() error {
	switch {
	case c.Duration <= 0:
		return exit.Errorf(exit.Usage, "give --duration 3s", "a measurement of %v measures nothing", c.Duration)
	case c.Duration < MinDuration:
		return exit.Errorf(exit.Usage, "give --duration 3s; the least is 1ms", "%v is too short for a measurement", c.Duration)
	case c.Duration > MaxDuration:
		return exit.Errorf(exit.Usage, "give --duration 3s; the most is 24h", "%v is too long for a measurement", c.Duration)
	case !(c.Cutoff >= 0 && c.Cutoff <= 100):
		return exit.Errorf(exit.Usage, "give a percentage from 0 to 100, such as --cutoff 99.99", "the cutoff %v is no percentage", c.Cutoff)
	}
	return nil
}

// sliceNS is how often the clock source is looked at: a kernel that gives up
// its tsc does so in the middle of things.
const sliceNS = int64(time.Second)

// Measure runs the loop: garbage collection off and the thread locked. When ctx
// is cancelled it stops within a second and returns the error.
func Measure(ctx context.Context, cfg Config) (*Result, error) {
	m, err := run(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return m.result(), nil
}

func run(ctx context.Context, cfg Config) (*measurement, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	m := &measurement{cfg: cfg}
	done := make(chan error, 1)
	go func() {
		// A goroutine of its own: its thread, perhaps bound to a CPU, ends with it.
		runtime.LockOSThread()
		done <- m.loop(ctx)
	}()
	if err := <-done; err != nil {
		return nil, err
	}
	return m, nil
}

type measurement struct {
	cfg       Config
	counts    Histogram
	scratch   Histogram
	micros    Histogram
	marked    uint64
	changes   []Change
	current   string
	available []string

	elapsed       int64 // by the clock measured, unmarked slices
	microsElapsed int64
	cpu, wall     int64
	preempted     int64
	haveCPU       bool

	syscall float64
	others  []Other
	cross   *CrossCPU
	tsc     *TSCFacts
}

func (m *measurement) loop(ctx context.Context) error {
	if m.cfg.CPU >= 0 {
		if err := pin(m.cfg.CPU); err != nil {
			return exit.Errorf(exit.Usage, "leave out --cpu, or name a CPU of this host that ringtrace may use", "bind to CPU %d: %w", m.cfg.CPU, err)
		}
	}
	s := m.cfg.Source
	s.run(&m.scratch, int64(MinDuration)) // page faults and branch predictors
	m.current, m.available = m.cfg.Prober.Clocksource()
	// Two slices at least, so that there is a probe in the middle.
	slice := min(sliceNS, max(int64(m.cfg.Duration)/2, int64(MinDuration)))
	source := m.current
	passed := int64(0)
	for passed < int64(m.cfg.Duration) {
		m.scratch = Histogram{}
		cpu0, pre0, ok := threadCPU()
		wall0 := nanotime()
		elapsed := s.run(&m.scratch, min(slice, int64(m.cfg.Duration)-passed))
		wall := nanotime() - wall0
		cpu1, pre1, _ := threadCPU()
		now, _ := m.cfg.Prober.Clocksource()
		passed += max(elapsed, 1)
		if now != source {
			m.changes = append(m.changes, Change{AfterS: float64(passed) / 1e9, From: source, To: now})
			source = now
		}
		if len(m.changes) > 0 {
			// Also the slice in which it changed: it holds both.
			m.marked += m.scratch.loops
		} else {
			m.counts.merge(&m.scratch)
			m.elapsed += elapsed
			m.cpu, m.wall, m.preempted, m.haveCPU = m.cpu+cpu1-cpu0, m.wall+wall, m.preempted+pre1-pre0, ok
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if m.cfg.Micros {
		for passed := int64(0); passed < int64(m.cfg.Duration) && ctx.Err() == nil; {
			part := max(min(sliceNS, int64(m.cfg.Duration)-passed), 1000)
			elapsed := 1000 * s.runMicros(&m.micros, part)
			m.microsElapsed += elapsed
			passed += max(elapsed, 1000)
		}
	}
	if m.cfg.Compare {
		m.compare(ctx)
	}
	return ctx.Err()
}

// compareNS is how long each clock of the comparison runs, pairsNS all pairs of
// CPUs together, in nanoseconds.
const (
	compareNS = int64(60 * time.Millisecond)
	pairsNS   = int64(400 * time.Millisecond)
)

// compare measures what stands beside the headline.
func (m *measurement) compare(ctx context.Context) {
	measure := func(s *Source) float64 {
		m.scratch = Histogram{}
		s.run(&m.scratch, compareNS)
		return m.scratch.Median()
	}
	s := m.cfg.Source
	id := s.id
	if strings.HasSuffix(s.Clock, "_COARSE") || s.tsc != nil {
		id = clockIDs["monotonic"] // a coarse clock cannot time its own reading
	}
	if read := syscallReader(id); read != nil && s.Method != Injected {
		m.syscall = measure(&Source{Method: Syscall, read: read})
	}
	if m.cfg.Source.Method != Injected {
		for _, name := range []string{"monotonic", "realtime", "rdtscp", "rdtsc"} {
			o, err := Open(name, "auto")
			if err != nil || ctx.Err() != nil || o.Clock == s.Clock && o.Method == s.Method {
				continue
			}
			m.others = append(m.others, Other{o.Clock, o.Method, measure(o)})
			if o.tsc != nil && m.tsc == nil {
				m.tsc = o.tsc.facts()
			}
		}
		if read := rusageReader(nanotime); read != nil {
			both := measure(&Source{Method: Syscall, read: read})
			alone := measure(&Source{Method: Nanotime, read: nanotime})
			m.others = append(m.others, Other{"getrusage(RUSAGE_THREAD)", Syscall, max(0, both-alone)})
		}
	}
	cpus := allowedCPUs()
	pairs := int64(max(1, len(crossPairs(cpus))))
	cross := crossCheck(s.reader(), cpus, min(max(pairsNS/pairs, int64(4*time.Millisecond)), int64(100*time.Millisecond)))
	m.cross = &cross
}

func (t *tsc) facts() *TSCFacts {
	f := &TSCFacts{CalibratedKHz: t.kHz, Invariant: invariantTSC()}
	if t.stated > 0 {
		f.StatedKHz = &t.stated
	}
	return f
}
