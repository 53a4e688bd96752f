package stats

import "math"

// Group is a number of observations that fell into [Low, High).
type Group struct {
	Low, High float64
	Count     uint64
}

// GroupedMedian returns the median of grouped observations, interpolated
// within its group as if they were spread evenly there: the median of 25, 25,
// 26, 26 of groups one wide is 25.5 and not 25 or 26. Groups are in ascending
// order. NaN of no observations.
func GroupedMedian(groups []Group) float64 { return GroupedQuantile(groups, 0.5) }

// GroupedQuantile is GroupedMedian for any share q from 0 to 1.
func GroupedQuantile(groups []Group, q float64) float64 {
	var total uint64
	for _, g := range groups {
		total += g.Count
	}
	if total == 0 || math.IsNaN(q) {
		return math.NaN()
	}
	want := min(max(q, 0), 1) * float64(total)
	var before uint64
	last := Group{}
	for _, g := range groups {
		if g.Count == 0 {
			continue
		}
		if float64(before+g.Count) >= want {
			return g.Low + (g.High-g.Low)*(want-float64(before))/float64(g.Count)
		}
		before += g.Count
		last = g
	}
	return last.High
}
