// Package stats is the little statistics that measurements need: averages,
// medians, and the Hodges–Lehmann estimate with the exact interval of the
// Wilcoxon signed-rank test. Why these and not means and a bootstrap:
// facts/clock-and-overhead.md D.
//
// Nothing here sorts or changes what it is given. No value of no values exists:
// such a call answers NaN, or ErrNoData where an error is returned.
package stats
