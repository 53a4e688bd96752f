package stats

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Critical values of Wilcoxon's signed-rank statistic as every printed table
// has them (two-sided levels): the largest T with P(T ≤ t) ≤ level/2.
func TestPublishedCriticalValues(t *testing.T) {
	tables := map[float64]map[int]int{
		0.10: {5: 0, 6: 2, 7: 3, 8: 5, 9: 8, 10: 10, 11: 13, 12: 17, 13: 21, 14: 25, 15: 30, 16: 35, 17: 41, 18: 47, 19: 53, 20: 60, 25: 100, 30: 151},
		0.05: {
			6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 11: 10, 12: 13, 13: 17, 14: 21, 15: 25, 16: 29, 17: 34, 18: 40, 19: 46, 20: 52,
			21: 58, 22: 65, 23: 73, 24: 81, 25: 89, 26: 98, 27: 107, 28: 116, 29: 126, 30: 137,
		},
		0.01: {8: 0, 9: 1, 10: 3, 11: 5, 12: 7, 13: 9, 14: 12, 15: 15, 16: 19, 17: 23, 18: 27, 19: 32, 20: 37, 25: 68, 30: 109},
	}
	for level, table := range tables {
		for n, want := range table {
			cdf := SignedRankCDF(n)
			got := -1
			for got+1 < len(cdf) && cdf[got+1] <= level/2 {
				got++
			}
			if got != want {
				t.Errorf("n = %d, level %v: critical value %d, the tables say %d", n, level, got, want)
			}
		}
	}
}

// TestCDFAgainstWholeNumbers counts the subsets in whole numbers for every n
// up to 200.
func TestCDFAgainstWholeNumbers(t *testing.T) {
	counts := []*big.Int{big.NewInt(1)}
	for n := 1; n <= 200; n++ {
		next := make([]*big.Int, len(counts)+n)
		for s := range next {
			next[s] = new(big.Int)
			if s < len(counts) {
				next[s].Add(next[s], counts[s])
			}
			if s >= n {
				next[s].Add(next[s], counts[s-n])
			}
		}
		counts = next
		if n > 20 && n%20 != 0 {
			continue
		}
		cdf := SignedRankCDF(n)
		if len(cdf) != len(counts) {
			t.Fatalf("n = %d: %d values, want %d", n, len(cdf), len(counts))
		}
		all := new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))
		sum := new(big.Int)
		for s, c := range counts {
			sum.Add(sum, c)
			want, _ := new(big.Float).Quo(new(big.Float).SetInt(sum), all).Float64()
			if n <= 20 && cdf[s] != want || math.Abs(cdf[s]-want) > want*1e-12 {
				t.Fatalf("n = %d: P(T ≤ %d) is %v, want %v", n, s, cdf[s], want)
			}
			if s > 0 && cdf[s] < cdf[s-1] {
				t.Fatalf("n = %d: P(T ≤ %d) is below P(T ≤ %d)", n, s, s-1)
			}
		}
		if cdf[len(cdf)-1] != 1 {
			t.Errorf("n = %d: the last is %v", n, cdf[len(cdf)-1])
		}
	}
}

func TestSignedRankTest(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"all above", []float64{1, 2, 3, 4, 5, 6}, 2.0 / 64},
		{"all below", []float64{-1, -2, -3, -4, -5, -6}, 2.0 / 64},
		{"one small one below", []float64{-1, 2, 3, 4, 5, 6}, 4.0 / 64},
		// Darwin's maize, 15 pairs in eighths of an inch: T = 24, p = 0.0413
		// (Hollander and Wolfe; R gives the same by exact enumeration with ties).
		{"Darwin's maize", []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}, 0.0412598},
		{"zeros are left out", []float64{0, 0, 1, 2, 3, 4, 5, 6}, 2.0 / 64},
		{"nothing but zeros", []float64{0, 0}, 1},
		// ranks 1.5 1.5 3 4, sums up to 0: only the empty set, 1 of 16.
		{"ties", []float64{1, 1, 2, 3}, 2.0 / 16},
		{"symmetric", []float64{-1, 1, -2, 2}, 1},
	} {
		got, err := SignedRankTest(c.x)
		if err != nil || math.Abs(got-c.want) > 5e-7 {
			t.Errorf("%s: p = %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	for _, x := range [][]float64{nil, {math.NaN()}} {
		if _, err := SignedRankTest(x); !errors.Is(err, ErrNoData) {
			t.Errorf("SignedRankTest(%v): %v", x, err)
		}
	}
}

func TestWalshAverages(t *testing.T) {
	if got, want := WalshAverages([]float64{3, 1, 2}), []float64{1, 1.5, 2, 2, 2.5, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := HodgesLehmann([]float64{1, 2, 3, 1000}); got != 2.75 {
		t.Errorf("Hodges–Lehmann of 1 2 3 1000 is %v", got) // 1 1.5 2 2 2.5 3 500.5 501 501.5 1000
	}
	if got := WalshAverages([]float64{math.MaxFloat64, math.MaxFloat64}); got[1] != math.MaxFloat64 {
		t.Errorf("two giants average %v", got)
	}
}

// Hollander and Wolfe's depression scores (9 pairs, exact): estimate −0.46,
// 96.1 % interval −0.786 to −0.010; R's wilcox.test prints the same.
func TestPublishedInterval(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = y[i] - x[i]
	}
	i, err := SignedRankInterval(d, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "estimate", i.Estimate, -0.46, 1e-9)
	near(t, "low", i.Low, -0.786, 1e-9)
	near(t, "high", i.High, -0.010, 1e-9)
	near(t, "confidence", i.Confidence, 0.9609375, 0)
	if p, _ := SignedRankTest(d); p != 0.0390625 {
		t.Errorf("p = %v, published 0.03906", p)
	}
}

func TestIntervalRanks(t *testing.T) {
	six := []float64{1, 2, 4, 8, 16, 32}
	for _, c := range []struct {
		confidence     float64
		low, high, has float64
	}{
		{0.95, 1, 32, 0.96875},     // smallest to largest
		{0.93, 1.5, 24, 0.9375},    // second to second last
		{0.999, 1, 32, 0.96875},    // six cannot have more
		{0, 6, 8.5, 1 - 2*28.0/64}, // hardly anything
	} {
		i, err := SignedRankInterval(six, c.confidence)
		if err != nil {
			t.Fatal(err)
		}
		if c.confidence > 0 && (i.Low != c.low || i.High != c.high || i.Confidence != c.has) {
			t.Errorf("at %v: %+v, want %v to %v with %v", c.confidence, i, c.low, c.high, c.has)
		}
		if i.Low > i.Estimate || i.High < i.Estimate {
			t.Errorf("at %v: estimate outside: %+v", c.confidence, i)
		}
	}
	for _, x := range [][]float64{nil, {1, math.NaN()}, {math.Inf(1)}} {
		if _, err := SignedRankInterval(x, 0.95); !errors.Is(err, ErrNoData) {
			t.Errorf("%v: %v", x, err)
		}
	}
	one, err := SignedRankInterval([]float64{7}, 0.95)
	if err != nil || one != (Interval{7, 7, 7, 0}) {
		t.Errorf("one value: %+v, %v", one, err)
	}
}

// TestNoSurprisesUpTo200: for every n the interval is in order, keeps its
// promise where it can, narrows, and does not care for the order of values.
func TestNoSurprisesUpTo200(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 200; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		i, err := SignedRankInterval(x, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if !(i.Low <= i.Estimate && i.Estimate <= i.High) || i.Confidence > 1 || n >= 6 && i.Confidence < 0.95 {
			t.Fatalf("n = %d: %+v", n, i)
		}
		if n > 12 && i.Confidence > 0.97 {
			t.Errorf("n = %d: confidence %v, more than was asked for", n, i.Confidence)
		}
		slices.Reverse(x)
		if j, _ := SignedRankInterval(x, 0.95); j != i {
			t.Errorf("n = %d: reversed values give %+v, not %+v", n, j, i)
		}
		same := make([]float64, n)
		for k := range same {
			same[k] = 0.1
		}
		if k, _ := SignedRankInterval(same, 0.95); k.Low != 0.1 || k.High != 0.1 || k.Estimate != 0.1 {
			t.Errorf("n = %d equal values: %+v", n, k)
		}
	}
}

// TestIntervalCoversAsItSays: of 2000 samples of 8 around 0, the share that
// covers 0 is the confidence, within four standard errors.
func TestIntervalCoversAsItSays(t *testing.T) {
	for _, heavy := range []bool{false, true} {
		t.Run(fmt.Sprintf("heavy tails %v", heavy), func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 4))
			const samples = 2000
			covered, confidence := 0, 0.0
			for range samples {
				x := make([]float64, 8)
				for i := range x {
					x[i] = r.NormFloat64()
					if heavy {
						x[i] /= math.Abs(r.NormFloat64())
					}
				}
				i, err := SignedRankInterval(x, 0.9)
				if err != nil {
					t.Fatal(err)
				}
				confidence = i.Confidence
				if i.Covers(0) {
					covered++
				}
			}
			got := float64(covered) / samples
			near(t, "coverage", got, confidence, 4*math.Sqrt(confidence*(1-confidence)/samples))
		})
	}
}
