package stats

import (
	"math"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > by {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, by)
	}
}

func TestAverages(t *testing.T) {
	x := []float64{9, 1, 2, 3, 4, 5, 6, 7, 8, 100}
	near(t, "mean", Mean(x), 14.5, 1e-12)
	near(t, "median", Median(x), 5.5, 0)
	near(t, "median of three", Median([]float64{3, 1, 2}), 2, 0)
	near(t, "MAD", MAD([]float64{1, 1, 2, 2, 4, 6, 9}), 1, 0)
	near(t, "quantile 0.25", Quantile([]float64{1, 2, 3, 4, 5}, 0.25), 2, 0)
	near(t, "quantile 2", Quantile([]float64{1, 2, 3}, 2), 3, 0)
	if x[0] != 9 || !slices.Equal(x[1:3], []float64{1, 2}) {
		t.Error("the caller's values were reordered")
	}
	for name, v := range map[string]float64{
		"Mean": Mean(nil), "Median": Median(nil), "MAD": MAD(nil),
		"HodgesLehmann": HodgesLehmann(nil), "GroupedMedian": GroupedMedian(nil), "GroupedMedian of empty groups": GroupedMedian([]Group{{0, 1, 0}}),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s of nothing is %v", name, v)
		}
	}
	// One hour in nanoseconds beside a million of one: a plain sum is exact too
	// here, but not after 2^53.
	big := []float64{1 << 60}
	for range 1000 {
		big = append(big, 1)
	}
	near(t, "mean beside a giant", Mean(big)*1001, 1<<60+1000, 256)
}

func TestGroupedMedian(t *testing.T) {
	ns := func(values ...uint64) (g []Group) {
		for i := 0; i < len(values); i += 2 {
			v := float64(values[i])
			g = append(g, Group{v - 0.5, v + 0.5, values[i+1]})
		}
		return g
	}
	for _, c := range []struct {
		name   string
		groups []Group
		want   float64
	}{
		{"one value", ns(25, 10), 25},
		{"half and half", ns(25, 2, 26, 2), 25.5},
		{"a quarter above", ns(25, 3, 26, 1), 24.5 + 2.0/3},
		{"a gap between", ns(10, 1, 30, 3), 29.5 + 1.0/3},
		{"empty groups between", ns(10, 1, 20, 0, 30, 3), 29.5 + 1.0/3},
		// l + (n/2 − cf) h/f: 20 + (27.5 − 13)·10/20.
		{"textbook", []Group{{0, 10, 5}, {10, 20, 8}, {20, 30, 20}, {30, 40, 15}, {40, 50, 7}}, 27.25},
	} {
		near(t, c.name, GroupedMedian(c.groups), c.want, 1e-12)
	}
	near(t, "all of it", GroupedQuantile(ns(25, 2, 26, 2), 1), 26.5, 0)
	near(t, "none of it", GroupedQuantile(ns(25, 2, 26, 2), 0), 24.5, 0)
}
