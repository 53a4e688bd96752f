package tracefile

import "testing"

// TestSlicesSpreadLongCalls holds the chart to where time was spent: a call of
// 100 ms is written when it ends, and used its time before that.
func TestSlicesSpreadLongCalls(t *testing.T) {
	for _, c := range []struct {
		name          string
		tim, us, over int64
		begin         int64
		first, last   int
	}{
		{"within one slice", 5_500, 400, 400, 0, 5, 5},
		{"a wait over slices", 10_000, 8_000, 8_000, 0, 2, 9},
		{"CPU less than elapsed", 10_000, 10, 8_000, 0, 2, 9},
		{"began before the chart", 4_500, 9_000, 9_000, 0, 0, 4},
		{"longer than the chart", 1_000_000, 900_000, 900_000, 0, 12, 124},
		{"negative elapsed", 3_500, 100, -7, 0, 3, 3},
		{"largest numbers", 1<<63 - 1, 1<<62 + 1, 1<<63 - 1, 0, 0, 131},
	} {
		t.Run(c.name, func(t *testing.T) {
			sl := &Slices{Begin: c.begin, Width: 1000, Time: make([][NumClasses]int64, maxSlices)}
			a := &Analyzer{}
			a.grp = &group{slices: sl}
			a.slice(c.tim, ClassLock, c.us, c.over)
			var sum int64
			first, last := -1, -1
			for i := range sl.Time {
				v := sl.Time[i][ClassLock]
				sum += v
				if v != 0 {
					last = i
					if first < 0 {
						first = i
					}
				}
			}
			if sum != c.us {
				t.Errorf("sum %d, want %d", sum, c.us)
			}
			if first != c.first && c.us > 100 || last != c.last {
				t.Errorf("slices %d to %d, want %d to %d (width %d)", first, last, c.first, c.last, sl.Width)
			}
		})
	}
}
