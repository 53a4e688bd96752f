package report

import "testing"

func TestPercentile(t *testing.T) {
	w := Wait{Count: 100, MaxUS: 900, Histogram: []Bucket{{4, 8, 50, 300}, {512, 1024, 50, 35000}}}
	for p, want := range map[float64]int64{0.25: 6, 0.5: 8, 0.75: 706, 1: 900} {
		if got := w.percentile(p); got != want {
			t.Errorf("p%v: %d, want %d", p*100, got, want)
		}
	}
	if one := (&Wait{Count: 1, MaxUS: 700, Histogram: []Bucket{{512, 1024, 1, 700}}}); one.percentile(0.95) > one.MaxUS {
		t.Error("a percentile beyond the longest")
	}
}
