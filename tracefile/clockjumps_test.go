package tracefile

import (
	"strings"
	"testing"
)

// TestAnchors: what stamps between records tell of the wall clock.
func TestAnchors(t *testing.T) {
	const s, hour = 1_000_000, 3600 * 1_000_000
	const at = 1_705_570_000 * s // offset: wall time at tim 0
	// stamp: printed at a wall time, behind a record and before another.
	type stamp struct{ wall, before, behind int64 }
	for _, c := range []struct {
		name     string
		stamps   []stamp
		wall     map[int64]int64 // of a tim
		jumps    int
		accuracy int64
	}{
		{"as records end", []stamp{{at + 100*s, 99 * s, 100*s - 20}, {at + 200*s, 150 * s, 200*s - 10}}, map[int64]int64{100 * s: at + 100*s + 10, 300 * s: at + 300*s + 10}, 0, 10},
		{"long before the record behind", []stamp{{at + 100*s, 99 * s, 2 * hour}, {at + 3*hour, 3*hour - 500, 3*hour + 70}}, map[int64]int64{2 * hour: at + 2*hour - 70, 3 * hour: at + 3*hour - 70}, 0, 0},
		{"suspended for an hour", []stamp{{at + 100*s, 99 * s, 100 * s}, {at + 200*s, 199 * s, 200 * s}, {at + 300*s + hour, 299 * s, 300 * s}, {at + 400*s + hour, 399 * s, 400 * s}}, map[int64]int64{50 * s: at + 50*s, 250 * s: at + 250*s, 300 * s: at + 300*s + hour, 500 * s: at + 500*s + hour}, 1, 0},
		{"suspended twice", []stamp{{at + 100*s, 99 * s, 100 * s}, {at + 300*s + hour, 299 * s, 300 * s}, {at + 400*s + 3*hour, 399 * s, 400 * s}}, map[int64]int64{200 * s: at + 200*s, 350 * s: at + 350*s + hour, 500 * s: at + 500*s + 3*hour}, 2, 0},
		{"a buffer written late", []stamp{{at + 100*s, 99 * s, 100 * s}, {at + 900*s, 200 * s, 300 * s}, {at + 901*s, 901*s - 5, 902 * s}}, map[int64]int64{100 * s: at + 100*s - s, 300 * s: at + 300*s - s}, 0, 601 * s},
		{"nothing but a buffer written late", []stamp{{at + 900*s, 200 * s, 300 * s}, {at + 901*s, 901*s - 5, 901*s - 4}}, map[int64]int64{300 * s: at + 300*s + 4}, 0, 600*s - 4},
	} {
		var leading, trailing []clockPair
		for i, st := range c.stamps {
			leading = append(leading, clockPair{utc: st.wall, tim: st.behind, line: int64(10 * (i + 1)), before: st.before})
			trailing = append(trailing, clockPair{utc: st.wall, tim: st.before, line: int64(10 * (i + 1))})
		}
		info := ClockInfo{UnitNs: 1000, Known: true}
		info.anchorAt(leading, trailing)
		for tim, want := range c.wall {
			if got, _ := info.Wall(tim); got != want {
				t.Errorf("%s: tim %d is %d us off", c.name, tim, got-want)
			}
		}
		if len(info.jumps) != c.jumps || strings.Contains(info.Why, "jumped forward by") != (c.jumps > 0) || info.Accuracy != c.accuracy {
			t.Errorf("%s: %d jumps, %d us, %q", c.name, len(info.jumps), info.Accuracy, info.Why)
		}
	}
}
