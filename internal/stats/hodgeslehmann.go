package stats

import (
	"math"
	"slices"
)

// WalshAverages returns the means of all pairs, each value with itself
// included, in ascending order: n(n+1)/2 of them.
func WalshAverages(x []float64) []float64 {
	w := make([]float64, 0, len(x)*(len(x)+1)/2)
	for i, a := range x {
		w = append(w, a)
		for _, b := range x[i+1:] {
			w = append(w, a/2+b/2) // halves first: no overflow
		}
	}
	slices.Sort(w)
	return w
}

// HodgesLehmann returns the median of the Walsh averages: an estimate of the
// centre that a few wild values do not move. NaN of no values.
func HodgesLehmann(x []float64) float64 {
	w := WalshAverages(x)
	if len(w) == 0 {
		return math.NaN()
	}
	return quantileSorted(w, 0.5)
}

// Interval is a Hodges–Lehmann estimate with the exact interval that belongs to
// Wilcoxon's signed-rank test.
type Interval struct {
	Estimate   float64
	Low, High  float64
	Confidence float64 // what the interval truly has; see SignedRankInterval
}

// Covers reports whether v is in the interval, its ends included.
func (i Interval) Covers(v float64) bool { return i.Low <= v && v <= i.High }

// SignedRankInterval returns the narrowest interval between Walsh averages
// whose exact confidence is at least the one asked for (0 to below 1). Few
// values cannot have much: n values reach 1 − 2^(1−n) at most (96.9 % for 6),
// and then the interval is from the smallest to the largest, with Confidence
// saying so. Values must be finite.
func SignedRankInterval(x []float64, confidence float64) (Interval, error) {
	if len(x) == 0 || math.IsNaN(confidence) {
		return Interval{}, ErrNoData
	}
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Interval{}, ErrNoData
		}
	}
	w := WalshAverages(x)
	cdf := SignedRankCDF(len(x))
	k := 0 // the k-th from each end, from 0
	for k+1 <= (len(w)-1)/2 && 1-2*cdf[k+1] >= confidence {
		k++
	}
	return Interval{
		Estimate: quantileSorted(w, 0.5),
		Low:      w[k], High: w[len(w)-1-k],
		Confidence: max(0, 1-2*cdf[k]),
	}, nil
}
