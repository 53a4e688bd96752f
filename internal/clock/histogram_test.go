package clock

import (
	"math"
	"testing"
)

func filled(pairs ...uint64) *Histogram {
	h := &Histogram{}
	for i := 0; i < len(pairs); i += 2 {
		for range pairs[i+1] {
			h.Add(int64(pairs[i]))
		}
	}
	return h
}

func TestProblemK04_ZeroBinClosedBinsAndTheLargest(t *testing.T) {
	h := &Histogram{}
	for _, d := range []int64{0, 0, 1, 2, 40, 1000} {
		h.Add(d)
	}
	counts := map[int64]uint64{0: 2, 1: 1, 3: 1, 63: 1, 1023: 1}
	bins := h.Bins()
	if len(bins) != 11 || bins[0].LE != 0 || bins[10].LE != 1023 {
		t.Fatalf("bins %+v", bins)
	}
	sum := 0.0
	for i, b := range bins {
		if b.LE != int64(1)<<i-1 || b.Count != counts[b.LE] {
			t.Errorf("bin %+v, want edge %d with %d", b, int64(1)<<i-1, counts[b.LE])
		}
		if sum += b.Percent; math.Abs(sum-b.Running) > 1e-9 {
			t.Errorf("running percent %v at %d, the sum is %v", b.Running, b.LE, sum)
		}
	}
	if math.Abs(sum-100) > 1e-9 {
		t.Errorf("the percentages add up to %v", sum)
	}
	list, gap := h.Observed(50) // 0 and 1 cover half; the largest is shown all the same
	if len(list) != 3 || list[0] != (Observed{0, 2, 100.0 / 3, 100.0 / 3}) || list[1].NS != 1 || list[2].NS != 1000 || list[2].Running != 100 || !gap {
		t.Errorf("observed %+v, gap %v", list, gap)
	}
	if list, gap := h.Observed(100); len(list) != 5 || list[4].NS != 1000 || gap {
		t.Errorf("all observed %+v, gap %v", list, gap)
	}
}

func TestHistogramKeepsGiants(t *testing.T) {
	h := filled(25, 5)
	h.Add(3_600_000_000_000) // an hour: a suspended machine, never "backwards"
	h.Add(-7)
	h.Add(-70)
	if h.largest != 3_600_000_000_000 || h.backwards != 2 || h.largestBackward != 70 || h.loops != 8 {
		t.Errorf("largest %d, backwards %d by %d, loops %d", h.largest, h.backwards, h.largestBackward, h.loops)
	}
	list, gap := h.Observed(80)
	if last := list[len(list)-1]; !gap || last.NS != h.largest || last.Count != 1 {
		t.Errorf("observed %+v", list)
	}
	if bins := h.Bins(); bins[len(bins)-1].LE < h.largest || bins[len(bins)-1].Running != 100 {
		t.Errorf("last bin %+v", bins[len(bins)-1])
	}
}

func TestMedianAndPerReading(t *testing.T) {
	for _, c := range []struct {
		name            string
		h               *Histogram
		median, reading float64
		quantum         int64
	}{
		{"one value", filled(25, 9), 25, 25, 0},
		{"two neighbours", filled(25, 50, 26, 50), 25.5, 25.5, 0},
		{"a counter in steps of ten", filled(30, 60, 40, 40), 29.5 + 50.0/60, 25 + 10*50.0/60, 10},
		{"a tail is no second step", filled(30, 970, 60, 30), 29.5 + 500.0/970, 29.5 + 500.0/970, 0},
		{"above what is counted exactly", filled(20000, 4), 16383.5 + 8192, 16383.5 + 8192, 0},
	} {
		got, quantum := c.h.PerReading()
		if math.Abs(c.h.Median()-c.median) > 1e-9 || math.Abs(got-c.reading) > 1e-9 || quantum != c.quantum {
			t.Errorf("%s: median %v, per reading %v, steps %d; want %v, %v, %d", c.name, c.h.Median(), got, quantum, c.median, c.reading, c.quantum)
		}
	}
	h := filled(25, 900, 26, 100, 50_000, 3) // preemptions
	if got := h.TrimmedMean(); math.Abs(got-25.1) > 1e-9 {
		t.Errorf("trimmed mean %v, want 25.1", got)
	}
}

func TestMergeIsTheSum(t *testing.T) {
	a, b := filled(25, 3, 1000, 1), filled(25, 2, 1000, 4)
	b.Add(-5)
	a.merge(b)
	if a.loops != 11 || a.direct[25] != 5 || a.largest != 1000 || a.largestCount != 5 || a.backwards != 1 || a.largestBackward != 5 {
		t.Errorf("loops %d, 25 ns %d, largest %d × %d, backwards %d", a.loops, a.direct[25], a.largest, a.largestCount, a.backwards)
	}
}
