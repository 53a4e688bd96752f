package stats

import (
	"errors"
	"math"
	"slices"
)

// ErrNoData says that there was no value, or one that is no number.
var ErrNoData = errors.New("no numbers to reckon with")

// SignedRankCDF returns P(T ≤ t) for t = 0 … n(n+1)/2, where T is the sum of
// the ranks of the positive ones of n symmetric differences (Wilcoxon's
// signed-rank statistic without ties).
//
// Each step halves the sum of two probabilities: nothing is subtracted, so the
// relative error stays below n/2^53, and up to n = 52 the values are exact.
func SignedRankCDF(n int) []float64 {
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	cdf := subsetSums(ranks)
	sum := 0.0
	for t, p := range cdf {
		sum += p
		cdf[t] = min(sum, 1)
	}
	cdf[len(cdf)-1] = 1
	return cdf
}

// subsetSums returns the probability of each sum when every rank is taken with
// probability one half.
func subsetSums(ranks []int) []float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	p := make([]float64, total+1)
	p[0] = 1
	top := 0
	for _, r := range ranks {
		top += r
		for t := top; t >= 0; t-- {
			with := 0.0
			if t >= r {
				with = p[t-r]
			}
			p[t] = (p[t] + with) / 2
		}
	}
	return p
}

// SignedRankTest returns the exact two-sided p-value of Wilcoxon's signed-rank
// test that x is symmetric around 0. Zeros are left out, ties take the mean of
// their ranks, and the distribution is that of these ranks.
func SignedRankTest(x []float64) (float64, error) {
	var d []float64
	for _, v := range x {
		if math.IsNaN(v) {
			return 0, ErrNoData
		}
		if v != 0 {
			d = append(d, v)
		}
	}
	if len(x) == 0 {
		return 0, ErrNoData
	}
	slices.SortFunc(d, func(a, b float64) int {
		switch a, b := math.Abs(a), math.Abs(b); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	twice := make([]int, len(d)) // twice the rank: means of tied ranks are halves
	for i := 0; i < len(d); {
		j := i
		for j < len(d) && math.Abs(d[j]) == math.Abs(d[i]) {
			j++
		}
		for k := i; k < j; k++ {
			twice[k] = i + 1 + j
		}
		i = j
	}
	plus, all := 0, 0
	for i, v := range d {
		all += twice[i]
		if v > 0 {
			plus += twice[i]
		}
	}
	low := min(plus, all-plus)
	tail := 0.0
	for _, p := range subsetSums(twice)[:low+1] {
		tail += p
	}
	return min(1, 2*tail), nil
}
