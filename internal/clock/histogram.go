package clock

import (
	"math"
	"math/bits"

	"ringtrace/internal/stats"
)

// directMax is how many durations are counted by the exact nanosecond, as in
// PostgreSQL 19.
const directMax = 10000

// Histogram counts durations in nanoseconds. Bin 0 holds zeros, bin i those
// with i bits: 2^(i-1) to 2^i − 1.
type Histogram struct {
	bins   [64]uint64
	direct [directMax]uint64

	loops        uint64
	largest      int64
	largestCount uint64

	backwards       uint64
	largestBackward int64
}

// record counts a duration that is not negative. It is inlined into the loops
// and must stay small.
func (h *Histogram) record(ns int64) {
	h.bins[bits.Len64(uint64(ns))]++
	if ns < directMax {
		h.direct[ns]++
	}
	if ns >= h.largest {
		h.large(ns)
	}
}

func (h *Histogram) large(ns int64) {
	if ns > h.largest {
		h.largest, h.largestCount = ns, 0
	}
	h.largestCount++
}

// stepBack counts a reading that was before the one before it, by ns.
func (h *Histogram) stepBack(ns int64) {
	h.backwards++
	h.largestBackward = max(h.largestBackward, ns)
}

// Add counts one difference of two readings, of either sign.
func (h *Histogram) Add(ns int64) {
	h.loops++
	if ns < 0 {
		h.stepBack(-ns)
		return
	}
	h.record(ns)
}

// merge adds another histogram.
func (h *Histogram) merge(o *Histogram) {
	for i, n := range o.bins {
		h.bins[i] += n
	}
	for i, n := range o.direct {
		h.direct[i] += n
	}
	h.loops += o.loops
	switch {
	case o.largest > h.largest:
		h.largest, h.largestCount = o.largest, o.largestCount
	case o.largest == h.largest:
		h.largestCount += o.largestCount
	}
	h.backwards += o.backwards
	h.largestBackward = max(h.largestBackward, o.largestBackward)
}

// counted is the number of durations, without the backward steps.
func (h *Histogram) counted() (n uint64) {
	for _, c := range h.bins {
		n += c
	}
	return n
}

// groups lists the durations for the grouped median: exact ones one nanosecond
// wide around their value, the others by their bin.
func (h *Histogram) groups() []stats.Group {
	g := make([]stats.Group, 0, 256)
	var inBin [64]uint64
	for ns, n := range h.direct {
		if n > 0 {
			g = append(g, stats.Group{Low: float64(ns) - 0.5, High: float64(ns) + 0.5, Count: n})
			inBin[bits.Len64(uint64(ns))] += n
		}
	}
	for i, n := range h.bins {
		if rest := n - inBin[i]; rest > 0 {
			low := uint64(1) << (i - 1)
			g = append(g, stats.Group{Low: float64(max(low, directMax)) - 0.5, High: float64(low)*2 - 0.5, Count: rest})
		}
	}
	return g
}

// Median returns the interpolated median in nanoseconds; NaN without loops.
func (h *Histogram) Median() float64 { return stats.GroupedMedian(h.groups()) }

// TrimmedMean returns the mean of the durations below 1 µs, or below four
// times the median where that is more: without preemptions.
func (h *Histogram) TrimmedMean() float64 {
	cut := max(1000, 4*h.Median())
	sum, n := 0.0, 0.0
	for _, g := range h.groups() {
		if mid := (g.Low + g.High) / 2; mid < cut {
			sum += mid * float64(g.Count)
			n += float64(g.Count)
		}
	}
	return sum / n
}

// PerReading returns what one reading takes. It is the median, except where the
// processor's counter advances in steps of several nanoseconds: there every
// difference is a multiple of the step (30 or 40, and nothing between), and the
// median jumps from one to the next. Then the steps are the groups of the
// interpolation, and quantum is their width; else it is 0.
func (h *Histogram) PerReading() (ns float64, quantum int64) {
	c := h.clusters()
	if len(c) < 2 {
		return h.Median(), 0
	}
	first := 0 // of the two heaviest neighbours
	for i := range c[:len(c)-1] {
		if c[i].Count+c[i+1].Count > c[first].Count+c[first+1].Count {
			first = i
		}
	}
	a, b := c[first], c[first+1]
	total := h.counted()
	step := b.mean() - a.mean()
	if least := total / 20; a.Count < least || b.Count < least || max(a.High-a.Low, b.High-b.Low) > step/2 || step < 4 {
		return h.Median(), 0
	}
	groups := []stats.Group{}
	half := step / 2
	base := a.mean() - half // where a step's group begins
	for _, g := range h.groups() {
		k := math.Floor(((g.Low+g.High)/2 - base) / step)
		low := base + k*step
		if n := len(groups); n > 0 && groups[n-1].Low == low {
			groups[n-1].Count += g.Count
			continue
		}
		groups = append(groups, stats.Group{Low: low, High: low + 2*half, Count: g.Count})
	}
	return stats.GroupedMedian(groups), int64(math.Round(step))
}

// cluster is a run of durations with their sum.
type cluster struct {
	stats.Group
	sum uint64
}

func (c *cluster) mean() float64 { return float64(c.sum) / float64(c.Count) }

// clusters lists the runs of exact durations that hold a thousandth of all
// each, where at least 3 ns lie between two runs.
func (h *Histogram) clusters() (c []cluster) {
	least := max(1, h.counted()/1000)
	last := -10
	for ns, n := range h.direct {
		if n < least {
			continue
		}
		if ns-last > 3 {
			c = append(c, cluster{Group: stats.Group{Low: float64(ns) - 0.5}})
		}
		g := &c[len(c)-1]
		g.High, g.Count, g.sum, last = float64(ns)+0.5, g.Count+n, g.sum+uint64(ns)*n, ns
	}
	return c
}

// Zeros returns the share of differences that were 0, from 0 to 1.
func (h *Histogram) Zeros() float64 {
	if n := h.counted(); n > 0 {
		return float64(h.bins[0]) / float64(n)
	}
	return 0
}

// Step returns the smallest difference above zero in nanoseconds, the lower end
// of its bin from 10 µs on; 0 if there was none.
func (h *Histogram) Step() int64 {
	for ns, n := range h.direct {
		if ns > 0 && n > 0 {
			return int64(ns)
		}
	}
	for i, n := range h.bins {
		if n > 0 && i > 0 {
			if h.largest>>(i-1) == 1 { // the largest is in this bin: it is what we know best
				return h.largest
			}
			return max(directMax, int64(1)<<(i-1))
		}
	}
	return 0
}

// Bin is a line of the histogram.
type Bin struct {
	LE      int64   `json:"le_ns"` // durations up to this, above the line before
	Count   uint64  `json:"count"`
	Percent float64 `json:"percent"`
	Running float64 `json:"running_percent"`
}

// Bins lists the histogram from zero to the largest duration.
func (h *Histogram) Bins() []Bin {
	total := float64(h.counted())
	last := 0
	for i, n := range h.bins {
		if n > 0 {
			last = i
		}
	}
	bins := make([]Bin, 0, last+1)
	var sum uint64
	for i, n := range h.bins[:last+1] {
		sum += n
		b := Bin{LE: int64(uint64(1)<<i - 1), Count: n}
		if total > 0 {
			b.Percent, b.Running = 100*float64(n)/total, 100*float64(sum)/total
		}
		bins = append(bins, b)
	}
	return bins
}

// Observed is one exact duration.
type Observed struct {
	NS      int64   `json:"ns"`
	Count   uint64  `json:"count"`
	Percent float64 `json:"percent"`
	Running float64 `json:"running_percent"`
}

// Observed lists exact durations until cutoff percent of all are covered, and
// always the largest. gap says that the list jumps before its last line.
func (h *Histogram) Observed(cutoff float64) (list []Observed, gap bool) {
	total := float64(h.counted())
	if total == 0 {
		return nil, false
	}
	var sum uint64
	for ns, n := range h.direct {
		if n == 0 {
			continue
		}
		sum += n
		o := Observed{NS: int64(ns), Count: n, Percent: 100 * float64(n) / total, Running: 100 * float64(sum) / total}
		list = append(list, o)
		if o.Running >= cutoff {
			break
		}
	}
	if len(list) == 0 || list[len(list)-1].NS < h.largest {
		gap = true
		list = append(list, Observed{NS: h.largest, Count: h.largestCount, Percent: 100 * float64(h.largestCount) / total, Running: 100})
	}
	return list, gap
}
