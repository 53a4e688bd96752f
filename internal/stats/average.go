package stats

import (
	"math"
	"slices"
)

// Mean returns the arithmetic mean; NaN of no values.
func Mean(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	// Kahan's summation: a thousand short executions beside one of an hour.
	sum, lost := 0.0, 0.0
	for _, v := range x {
		y := v - lost
		t := sum + y
		lost = (t - sum) - y
		sum = t
	}
	return sum / float64(len(x))
}

// Median returns the middle value, or the mean of the middle two; NaN of no
// values.
func Median(x []float64) float64 { return Quantile(x, 0.5) }

// Quantile returns the value below which the share q (0 to 1) of the values
// lies, interpolated linearly between neighbours (definition 7 of Hyndman and
// Fan); NaN of no values.
func Quantile(x []float64, q float64) float64 {
	if len(x) == 0 || math.IsNaN(q) {
		return math.NaN()
	}
	return quantileSorted(sorted(x), q)
}

func quantileSorted(s []float64, q float64) float64 {
	at := min(max(q, 0), 1) * float64(len(s)-1)
	low := int(at)
	part := at - float64(low)
	if part == 0 {
		return s[low]
	}
	return s[low] + part*(s[low+1]-s[low])
}

// MAD returns the median distance from the median; NaN of no values.
func MAD(x []float64) float64 {
	m := Median(x)
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = math.Abs(v - m)
	}
	return Median(d)
}

func sorted(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}
