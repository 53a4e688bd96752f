package clock

import (
	"fmt"
	"io"
	"slices"

	"ringtrace/internal/stats"
)

// crossingLimit is up to where the crossing estimator is used, in nanoseconds:
// above it readings begin to cross more than one microsecond at a time.
const crossingLimit = 500

// conclude finds what one reading takes.
//
// The µs layouts cut each reading to microseconds before subtracting, so the
// bins hold how many microsecond boundaries were crossed, and a reading of d
// below 1 µs crosses one with probability d / 1 µs: d = 1000 · count("<2") /
// total. A preemption is one crossing among millions; it hardly moves this, but
// it moves the average (facts/clock-and-overhead.md A).
func (p *Pasted) conclude() {
	var typical float64
	step, zeros := p.step()
	switch {
	case p.Loops == 0:
	case step >= coarseNS || p.UnitNS == 1 && zeros == p.Loops:
		p.Coarse = true
	case p.UnitNS == 1 && step > 0: // whole microseconds
		typical, p.Estimator = float64(step)*float64(p.Loops-zeros)/float64(p.Loops), "crossings"
	case p.UnitNS == 1:
		typical, p.Estimator = p.medianNS()
	default:
		typical, p.Estimator = 1000*float64(p.below(2))/float64(p.Loops), "crossings"
		if typical > crossingLimit && p.AverageNS != nil {
			typical, p.Estimator = *p.AverageNS, "average"
		}
	}
	if typical > 0 {
		p.TypicalNS = &typical
	}
	p.Grade = gradeOf(typical, 0)
	add := func(format string, args ...any) { p.Advice = append(p.Advice, fmt.Sprintf(format, args...)) }
	if p.Coarse {
		p.Grade = Bad
		how := "no step was seen at all"
		if step > 0 {
			how = fmt.Sprintf("it advances in steps of about %s", nanoseconds(float64(step)))
		}
		add("resolution too coarse: %s, so anything shorter shows as 0; that is no low overhead", how)
	}
	if p.AverageNS != nil && typical > 0 && p.Estimator != "average" {
		if x := *p.AverageNS / typical; x > 1.15 {
			add("the average is %.1f times the typical reading: other processes ran in between, the host was busy; the typical reading counts", x)
		}
	}
	if p.Backwards != nil {
		add("time ran backwards by %s: no timing on that host can be trusted until this is settled; look: dmesg | grep -i clocksource", nanoseconds(max(*p.Backwards, -*p.Backwards)))
		if p.warpNoUnit {
			add("this release prints microseconds and calls them ms; the number above is corrected")
		}
	}
	if p.Grade == Slow || p.Grade == Bad {
		add("look at the clock source there: cat /sys/devices/system/clocksource/clocksource0/current_clocksource ; or run there: ringtrace timing. %s", riskNote)
	}
	if p.UnitNS == 1000 && p.Loops > 0 {
		add("this layout counts microsecond boundaries, not durations: <1 means none was crossed. Below 1 µs it says nothing about single readings")
	}
}

// step returns by how much a clock advances of which most readings show no
// difference, in ns, and how many those are; 0 if most show one, or all are below
// what the layout tells.
func (p *Pasted) step() (step int64, zeros uint64) {
	least := int64(0) // the lowest duration of the first row that holds any but zeros
	for _, r := range p.Rows {
		low := r.Edge/2*p.UnitNS + 1
		if p.UnitNS > 1 {
			low = r.Edge / 2 * p.UnitNS
		}
		switch {
		case r.Count == 0:
		case p.UnitNS == 1 && r.Edge == 0 || p.UnitNS > 1 && r.Edge <= 1:
			zeros += r.Count
		case least == 0 || low < least:
			least = low
		}
	}
	if float64(zeros) <= coarseShare*float64(p.Loops) {
		return 0, zeros
	}
	for _, g := range p.exact { // in ascending order
		if ns := int64(g.Low + 0.5); ns > 0 {
			return ns, zeros
		}
	}
	return least, zeros
}

// medianNS takes the exact durations if they reach the median, else the bins,
// which are closed: "<= 31" holds 16 to 31.
func (p *Pasted) medianNS() (float64, string) {
	half, exact := p.Loops/2, uint64(0)
	for _, g := range p.exact {
		exact += g.Count
	}
	if exact > half {
		rest := stats.Group{Low: p.exact[len(p.exact)-1].High, High: p.exact[len(p.exact)-1].High, Count: p.Loops - min(exact, p.Loops)}
		return stats.GroupedMedian(append(slices.Clone(p.exact), rest)), "median of exact durations"
	}
	groups := make([]stats.Group, 0, len(p.Rows))
	for _, r := range p.Rows {
		g := stats.Group{Low: float64(r.Edge/2) + 0.5, High: float64(r.Edge) + 0.5, Count: r.Count}
		if r.Edge == 0 {
			g.Low = -0.5
		}
		groups = append(groups, g)
	}
	return stats.GroupedMedian(groups), "median of bins (to within a factor of 2)"
}

// WriteText prints what the output means.
func (p *Pasted) WriteText(w io.Writer) error {
	o := &printer{w: w}
	o.f("Output of:        %s\n", orUnknown(p.Layout))
	if p.Source != nil {
		o.f("Clock source:     %s\n", *p.Source)
	}
	if p.AverageNS != nil {
		o.f("Average loop:     %.2f ns, preemptions included\n", *p.AverageNS)
	}
	if p.Loops > 0 {
		o.f("Readings:         %d\n", p.Loops)
	}
	if p.TypicalNS != nil {
		o.f("Typical reading:  %.1f ns (by %s)\n", *p.TypicalNS, p.Estimator)
	}
	o.f("Verdict:          %s\n", p.Grade.Verdict())
	for _, a := range p.Advice {
		o.f("advice: %s\n", a)
	}
	for _, other := range p.Others {
		o.f("\n")
		if err := other.WriteText(w); err != nil {
			return err
		}
	}
	return o.err
}
