package clock

import "time"

// coarseShare and coarseNS say when a clock is too coarse to time short
// operations: most differences are zero, and the others are this large. A clock
// of whole microseconds shows zeros too, but its cost is still told by how
// often it advances.
const (
	coarseShare = 0.5
	coarseNS    = 10_000
)

func (m *measurement) result() *Result {
	h, s := &m.counts, m.cfg.Source
	r := &Result{
		Clock: s.Clock, Method: s.Method, DurationS: float64(m.elapsed) / 1e9, Loops: h.loops,
		Histogram: h.Bins(), LargestNS: h.largest,
		Backwards:   Backwards{h.backwards, h.largestBackward, s.steppable()},
		Clocksource: Clocksource{text(m.current), listed(m.available), listed(m.changes)},
		StepNS:      h.Step(), ZeroPercent: 100 * h.Zeros(),
		Others: listed(m.others), CrossCPU: m.cross, TSC: m.tsc, MarkedLoops: m.marked, Bias: text(s.bias()),
		Host: m.cfg.Host, Kernel: text(m.cfg.Files.Kernel()), Container: m.cfg.Files.Container(),
		At: m.cfg.At.Format(time.RFC3339), cutoff: m.cfg.Cutoff,
	}
	if m.cfg.CPU >= 0 {
		r.CPU = &m.cfg.CPU
	}
	if r.TSC == nil && s.tsc != nil {
		r.TSC = s.tsc.facts()
	}
	r.Observed, r.gap = h.Observed(m.cfg.Cutoff)
	r.Observed = listed(r.Observed)
	if h.loops > 0 {
		r.AverageNS = float64(m.elapsed) / float64(h.loops)
	}
	read, quantum := h.PerReading()
	switch zeros := h.Zeros() > coarseShare; {
	case zeros && r.StepNS >= coarseNS || h.largest == 0:
		r.Coarse = true
	case zeros: // whole microseconds: the cost is in how often it advances
		read = r.AverageNS
		r.MedianNS, r.TrimmedNS = number(read), number(read)
	default:
		r.MedianNS, r.TrimmedNS = number(h.Median()), number(h.TrimmedMean())
		if quantum > 0 {
			r.QuantumNS = &quantum
		}
	}
	if !r.Coarse {
		r.PerReadNS = number(read)
	}
	if m.syscall > 0 {
		r.SyscallNS = number(m.syscall)
		in := s.vdso != 0 && read < 0.7*m.syscall
		r.VDSO = &in
	}
	if m.haveCPU && m.wall > 0 {
		r.CPUWall = number(min(1, float64(m.cpu)/float64(m.wall)))
		r.Preempted = &m.preempted
	}
	if m.cfg.Micros {
		r.Micros = micros(&m.micros, m.microsElapsed)
	}
	r.Grade = gradeOf(read, m.syscall)
	if r.Coarse {
		r.Grade = Bad
	}
	r.Advice = advise(r, m.cfg)
	return r
}

// micros reads a histogram of microseconds as PostgreSQL up to 18 prints it:
// 0 µs is below 1, 1 is below 2, 2 and 3 are below 4.
func micros(h *Histogram, elapsed int64) *Micros {
	m := &Micros{}
	if h.loops > 0 {
		m.AverageNS = float64(elapsed) / float64(h.loops)
	}
	for i, b := range h.Bins() {
		m.Bins = append(m.Bins, MicroBin{int64(1) << i, b.Count, b.Percent})
	}
	return m
}

// listed is [] in JSON where there is nothing, and never null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
