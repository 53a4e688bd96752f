package clock

import (
	"fmt"
	"io"
	"strings"

	"ringtrace/internal/quantity"
)

// printer keeps the first error of many writes.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// WriteText prints the result for a person: the summary, then the blocks that
// PostgreSQL 19's pg_test_timing prints.
func (r *Result) WriteText(w io.Writer) error {
	p := &printer{w: w}
	r.summary(p)
	r.blocks(p)
	// Once more, for the blocks have pushed the first one off the screen.
	p.f("\nverdict: %s\n", r.Grade.Verdict())
	for _, a := range r.Advice {
		p.f("advice: %s\n", a)
	}
	return p.err
}

func (r *Result) summary(p *printer) {
	source := "unknown"
	if r.Clocksource.Current != nil {
		source = *r.Clocksource.Current
	}
	if len(r.Clocksource.Available) > 0 {
		source += " (available: " + strings.Join(r.Clocksource.Available, " ") + ")"
	}
	title := (&Source{Clock: r.Clock, Method: r.Method}).Title()
	p.f("Clock: %s   host %s   clock source %s", title, r.Host, source)
	if r.Kernel != nil {
		p.f("   kernel %s", *r.Kernel)
	}
	p.f("\n")
	row := func(name, format string, args ...any) { p.f("%-34s %s\n", name, fmt.Sprintf(format, args...)) }
	if r.MedianNS != nil {
		row("Per reading, median", "%.1f ns   (trimmed mean %.1f, average with preemptions %.1f)", *r.MedianNS, deref(r.TrimmedNS), r.AverageNS)
	} else {
		row("Per reading, median", "cannot be told: the clock is too coarse (average %.1f ns)", r.AverageNS)
	}
	if r.QuantumNS != nil {
		row("Steps of the counter evened out", "%.1f ns   (it advances %d ns at a time; a median alone jumps between its steps)", deref(r.PerReadNS), *r.QuantumNS)
	}
	row("Verdict", "%s", r.Grade.Verdict())
	if r.Bias != nil {
		row("Bias", "%s", *r.Bias)
	}
	if r.SyscallNS != nil {
		use := ""
		if r.VDSO != nil && r.MedianNS != nil {
			use = "   vDSO in use: no"
			if *r.VDSO {
				use = fmt.Sprintf("   vDSO in use: yes (%.1fx cheaper)", *r.SyscallNS/deref(r.PerReadNS))
			}
		}
		row("As a system call", "%.1f ns%s", *r.SyscallNS, use)
	}
	for _, o := range r.Others {
		name := o.Clock
		if o.Clock == "TSC" {
			name = strings.ToUpper(string(o.Method))
		}
		row(name, "%.1f ns", o.MedianNS)
	}
	if t := r.TSC; t != nil {
		stated := "the kernel states none"
		if t.StatedKHz != nil {
			stated = fmt.Sprintf("stated %d kHz", *t.StatedKHz)
		}
		row("Time stamp counter", "calibrated %d kHz, %s, invariant: %s", t.CalibratedKHz, stated, yesNo(t.Invariant))
	}
	if r.CPUWall != nil {
		row("CPU against wall clock", "%.2f   (preempted %d times)", *r.CPUWall, *r.Preempted)
	}
	across := "one CPU, nothing to compare"
	switch c := r.CrossCPU; {
	case c == nil:
		across = "not compared across CPUs"
	case c.Pairs > 0:
		across = fmt.Sprintf("%d across CPUs, of %d readings on %s", c.Count, c.Exchanges, quantity.Count(c.Pairs, "pair"))
	case c.CPUs != 1:
		across = "could not be compared across CPUs"
	}
	row("Smallest step above zero", "%d ns, zero steps %.4f%%", r.StepNS, r.ZeroPercent)
	row("Backward steps", "%d (%s)", r.Backwards.Count, across)
}

// blocks prints PostgreSQL 19's part.
func (r *Result) blocks(p *printer) {
	p.f("\nAverage loop time including overhead: %.2f ns\n", r.AverageNS)
	p.f("Histogram of timing durations:\n%10s %12s %12s %12s\n", "<= ns", "% of total", "running %", "count")
	for _, b := range r.Histogram {
		p.f("%10d %12.4f %12.4f %12d\n", b.LE, b.Percent, b.Running, b.Count)
	}
	p.f("\nObserved timing durations up to %.4f%%:\n%10s %12s %12s %12s\n", r.cutoff, "ns", "% of total", "running %", "count")
	for i, o := range r.Observed {
		if r.gap && i == len(r.Observed)-1 {
			p.f("...\n")
		}
		p.f("%10d %12.4f %12.4f %12d\n", o.NS, o.Percent, o.Running, o.Count)
	}
}

// WritePG prints the result as pg_test_timing of PostgreSQL 9.2 to 18 does
// (the layout of 10 to 18; facts/clock-and-overhead.md A).
func (r *Result) WritePG(w io.Writer) error {
	p := &printer{w: w}
	seconds := "seconds"
	if r.DurationS < 1.5 && r.DurationS >= 0.95 {
		seconds = "second"
	}
	p.f("Testing timing overhead for %.3g %s.\n", r.DurationS, seconds)
	p.f("Per loop time including overhead: %.2f ns\nHistogram of timing durations:\n%6s   %10s %10s\n", r.Micros.AverageNS, "< us", "% of total", "count")
	for _, b := range r.Micros.Bins {
		p.f("%6d    %9.5f %10d\n", b.Below, b.Percent, b.Count)
	}
	return p.err
}

func deref(f *float64) float64 {
	if f == nil {
		return 0
	}
	return *f
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
