package tracefile

// Slices is time by class over a stretch of trace, in slices of equal width,
// for the chart.
type Slices struct {
	File  *File
	Begin int64 // tim
	Width int64 // us
	Time  [][NumClasses]int64
	Clock ClockInfo
}

const maxSlices = 240

// slice adds time that ended at tim to the chart of the stream.
func (a *Analyzer) slice(tim int64, c Class, us int64) {
	if a.wrongTime {
		return
	}
	g := a.grp
	sl := g.slices
	if sl == nil {
		sl = &Slices{File: a.file, Begin: tim - us, Width: 1000, Time: make([][NumClasses]int64, maxSlices)}
		g.slices = sl
	}
	i := (tim - sl.Begin) / sl.Width
	if i < 0 {
		i = 0
	}
	for i >= maxSlices {
		for k := range maxSlices / 2 {
			sl.Time[k] = sl.Time[2*k]
			for c := range sl.Time[k] {
				sl.Time[k][c] += sl.Time[2*k+1][c]
			}
		}
		clear(sl.Time[maxSlices/2:])
		sl.Width *= 2
		i = (tim - sl.Begin) / sl.Width
	}
	sl.Time[i][c] += us
}
