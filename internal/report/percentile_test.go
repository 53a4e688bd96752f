package report

import "testing"

func TestPercentile(t *testing.T) {
	w := Wait{Count: 100, MaxUS: 900, Histogram: []Bucket{{4, 8, 50, 300}, {512, 1024, 50, 35000}}}
	for p, want := range map[float64]int64{0.25: 6, 0.5: 8, 0.75: 700, 1: 888} {
		if got := w.percentile(p); got != want {
			t.Errorf("p%v: %d, want %d", p*100, got, want)
		}
	}
	// One wait, and waits that are all alike, are no matter of estimating: a mean
	// of 0.5 s beside a p50 of 0.38 s reads as an error.
	one := Wait{Count: 1, MaxUS: 12811, Histogram: []Bucket{{8192, 16384, 1, 12811}}}
	alike := Wait{Count: 10, MaxUS: 500866, Histogram: []Bucket{{262144, 524288, 10, 5006000}}}
	for _, p := range []float64{0.5, 0.95} {
		if got := one.percentile(p); got != 12811 {
			t.Errorf("p%v of one wait of 12811 us: %d", p*100, got)
		}
		if got := alike.percentile(p); got < 500334 || got > alike.MaxUS {
			t.Errorf("p%v of ten waits of 500600 us, the longest 500866: %d", p*100, got)
		}
	}
}
