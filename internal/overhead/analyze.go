package overhead

import (
	"fmt"
	"math"

	"ringtrace/internal/stats"
)

// outlierMADs marks a value that is this many median deviations off
// (facts/clock-and-overhead.md D). Nothing is ever dropped.
const outlierMADs = 14.8

// analyze fills in the figures from the values of the rounds.
func (t *Test) analyze(confidence float64) {
	off := t.figure(Off)
	if off == nil {
		return
	}
	for i := range t.States {
		t.States[i].describe()
	}
	t.borrowLines()
	half := t.resolution(off, confidence)
	shift := t.shift()
	for i := range t.States {
		f := &t.States[i]
		if f.State != Off {
			f.compare(off, confidence)
		}
		f.judge(half, shift)
	}
	t.warn(half)
}

// describe computes the figures of one state that need no other state.
func (f *Figure) describe() {
	f.Elapsed, f.Outliers = []float64{}, []int{}
	var lines, bytes int64
	traced := false
	for _, s := range f.rounds {
		if !s.ok {
			continue
		}
		f.Elapsed = append(f.Elapsed, s.elapsed)
		if s.haveTrace {
			traced = true
			lines, bytes = lines+s.lines, bytes+s.bytes
		}
	}
	if traced {
		f.Lines, f.Bytes = &lines, &bytes
	}
	f.Average, f.Median = finite(stats.Mean(f.Elapsed)), finite(stats.Median(f.Elapsed))
	mad := stats.MAD(f.Elapsed)
	for i, v := range f.Elapsed {
		if mad > 0 && math.Abs(v-*f.Median) > outlierMADs*mad {
			f.Outliers = append(f.Outliers, i)
		}
	}
}

// borrowLines gives null and buffered the lines of file: it is the same work,
// and neither what goes to the null device nor what a buffer overwrote can be
// counted. Off writes none.
func (t *Test) borrowLines() {
	file := t.figure(File)
	if file == nil || file.Lines == nil {
		return
	}
	for _, s := range []State{Off, OffAgain, Buffered, Null} {
		f := t.figure(s)
		if f == nil || f.Lines != nil || len(f.Elapsed) == 0 {
			continue
		}
		var lines, bytes int64
		for i := range min(len(f.rounds), len(file.rounds)) {
			n, from := &f.rounds[i], file.rounds[i]
			if !n.ok || !from.haveTrace || s == Off || s == OffAgain {
				continue
			}
			n.lines, n.haveTrace = from.lines, true
			lines += from.lines
			if s == Buffered {
				bytes += from.bytes
			}
		}
		f.Lines, f.Bytes = &lines, &bytes
	}
}

// compare sets a state against off, by pairs of the same round.
func (f *Figure) compare(off *Figure, confidence float64) {
	if f.Average != nil && off.Average != nil && *off.Average > 0 {
		f.OverheadPct = finite((*f.Average / *off.Average - 1) * 100)
	}
	wall, cpu := []float64{}, []float64{}
	rows, perLine := []float64{}, []float64{}
	extra, lines := 0.0, int64(0)
	for i := range min(len(f.rounds), len(off.rounds)) {
		a, b := off.rounds[i], f.rounds[i]
		if !a.ok || !b.ok {
			continue
		}
		wall = append(wall, math.Log(b.elapsed/a.elapsed))
		if a.haveCPU && b.haveCPU {
			cpu = append(cpu, math.Log(b.cpu/a.cpu))
		}
		if b.rows > 0 {
			if a.haveCPU && b.haveCPU {
				rows = append(rows, (b.cpu-a.cpu)*1e9/float64(b.rows))
			} else {
				rows = append(rows, (b.elapsed-a.elapsed)*1e9/float64(b.rows))
			}
		}
		if b.haveTrace {
			extra, lines = extra+b.elapsed-a.elapsed, lines+b.lines
			if a.haveCPU && b.haveCPU && b.lines > 0 {
				perLine = append(perLine, (b.cpu-a.cpu)*1e6/float64(b.lines))
			}
		}
	}
	if i, err := stats.SignedRankInterval(wall, confidence); err == nil {
		f.OverheadHLPct, f.CI, f.Confidence = finite(percent(i.Estimate)), interval(i), finite(i.Confidence)
	}
	if i, err := stats.SignedRankInterval(cpu, confidence); err == nil {
		f.CPUPct, f.CPUCI = finite(percent(i.Estimate)), interval(i)
	}
	if i, err := stats.SignedRankInterval(rows, confidence); err == nil {
		f.NSPerRow, f.NSPerRowCI = finite(i.Estimate), &[2]float64{i.Low, i.High}
	}
	// What cannot be told from noise is no cost of a line.
	if f.CPUCI != nil && f.CPUCI[0] > 0 {
		f.CPUUSPerLine = finite(stats.HodgesLehmann(perLine))
	}
	if lines > 0 && extra > 0 && f.CI != nil && f.CI[0] > 0 {
		f.USPerLine = finite(extra * 1e6 / float64(lines))
	}
}

// percent turns a logarithm of a ratio into percent above 1.
func percent(log float64) float64 { return math.Expm1(log) * 100 }

func interval(i stats.Interval) *[2]float64 { return &[2]float64{percent(i.Low), percent(i.High)} }

// finite is nil for what JSON cannot say.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// resolution is half the width of the A/A interval in percent: what the host's
// noise leaves to be seen. 0 if there is none.
func (t *Test) resolution(off *Figure, confidence float64) float64 {
	aa := t.figure(OffAgain)
	if aa == nil {
		return 0
	}
	aa.compare(off, confidence)
	if aa.CI == nil {
		return 0
	}
	return (aa.CI[1] - aa.CI[0]) / 2
}

// shift is by how many percent off differs from off again at the most, if it
// does: then the host was not quiet, and any other row may be off by as much.
func (t *Test) shift() float64 {
	aa := t.figure(OffAgain)
	if aa == nil || aa.CI == nil || aa.CI[0] <= 0 && aa.CI[1] >= 0 {
		return 0
	}
	return max(math.Abs(aa.CI[0]), math.Abs(aa.CI[1]))
}

// judge writes the verdict. It never says that there is no overhead.
func (f *Figure) judge(half, shift float64) {
	switch {
	case f.Unavailable != "":
		f.Verdict = "not available: " + f.Unavailable
	case f.State == Off:
		f.Verdict = "what the others are compared with"
	case len(f.Elapsed) == 0:
		f.Verdict = "not measured"
	case f.CI == nil:
		f.Verdict = "cannot be told: an execution took no time that the clock can show; raise --k"
	case f.State == OffAgain && f.CI[0] <= 0 && f.CI[1] >= 0:
		f.Verdict = fmt.Sprintf("same as off, as it must be; an overhead below %.1f %% would not be seen", half)
	case f.State == OffAgain:
		f.Verdict = fmt.Sprintf("differs from off by [%.1f, %.1f] %%, which can only be noise: the other rows are off by as much", f.CI[0], f.CI[1])
	case f.CI[0] <= 0 && f.CI[1] >= 0:
		seen := half
		if seen <= 0 {
			seen = (f.CI[1] - f.CI[0]) / 2
		}
		f.Verdict = fmt.Sprintf("not distinguishable from 0; would have seen >= %.1f %%", seen)
	case f.CI[1] < 0:
		f.Verdict = fmt.Sprintf("faster than off, by %.1f %% [%.1f, %.1f], which tracing cannot be: noise; measure again when the host is quiet, with more --rounds", -*f.OverheadHLPct, -f.CI[1], -f.CI[0])
	case f.CI[0] <= shift:
		f.Verdict = fmt.Sprintf("not proved: slower by %.1f %% [%.1f, %.1f], and off against off again is off by up to %.1f %%; measure again when the host is quiet, with more --rounds",
			*f.OverheadHLPct, f.CI[0], f.CI[1], shift)
	default:
		f.Verdict = fmt.Sprintf("overhead %.1f %% [%.1f, %.1f]", *f.OverheadHLPct, f.CI[0], f.CI[1])
	}
}

// warn names what speaks against the figures.
func (t *Test) warn(half float64) {
	t.Warnings = []string{}
	if aa := t.figure(OffAgain); aa != nil && aa.CI != nil && (aa.CI[0] > 0 || aa.CI[1] < 0) {
		t.Warnings = append(t.Warnings, fmt.Sprintf("off against off again is [%.1f, %.1f] %%: something else ran in between; measure again, with more --rounds", aa.CI[0], aa.CI[1]))
	}
	for _, f := range t.States {
		if f.State != Off && f.State != OffAgain && f.OverheadHLPct != nil && half > math.Abs(*f.OverheadHLPct) {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s: the noise of the host (%.1f %%) is larger than the effect; more --rounds narrow it", f.State.Title(), half))
		}
	}
}
