package tracefile

// Slices is time by class over a stretch of trace, in slices of equal width,
// for the chart.
type Slices struct {
	File  *File
	Begin int64 // tim
	Width int64 // us
	Time  [][NumClasses]int64
	Clock ClockInfo

	// Commits and Rollbacks count, by slice, the ends of transactions that had
	// changed something; nil where there was none.
	Commits, Rollbacks []int64

	// The slice of the last time: most times lie in it, or in the one behind.
	at       int64
	from, to int64 // its bounds
}

const maxSlices = 240

// slice adds us of time, spent between tim-over and tim, to the chart of the
// stream. Waits and calls are written when they end: put where they ended, a call
// of ten seconds would be a peak in one slice and nothing before it.
func (a *Analyzer) slice(tim int64, c Class, us, over int64) {
	if a.wrongTime || us == 0 {
		return
	}
	g := a.grp
	sl := g.slices
	if sl == nil {
		sl = a.newSlices()
		sl.File, sl.Begin, sl.Width = a.file, tim-max(us, over), 1000
		g.slices = sl
	}
	if tim < sl.to && tim-over >= sl.from && over > 0 {
		sl.Time[sl.at][c] += us
		return
	}
	last := max(0, (tim-sl.Begin)/sl.Width)
	for last >= maxSlices {
		sl.halve()
		last = (tim - sl.Begin) / sl.Width
	}
	sl.at, sl.from = last, sl.Begin+last*sl.Width
	sl.to = sl.from + sl.Width
	first := min(last, max(0, (tim-over-sl.Begin)/sl.Width))
	if first == last || over <= 0 {
		sl.Time[last][c] += us
		return
	}
	// Each slice gets its part by the share of the interval that lies in it,
	// rounded so that the parts sum up to us.
	begin, given := max(tim-over, sl.Begin), int64(0)
	for i := first; i < last; i++ {
		upto := int64(float64(us) * (float64(sl.Begin+(i+1)*sl.Width-begin) / float64(tim-begin)))
		sl.Time[i][c] += upto - given
		given = upto
	}
	sl.Time[last][c] += us - given
}

// newSlices returns empty slices, those of a stream that are not shown if there are any.
func (a *Analyzer) newSlices() *Slices {
	sl := a.spareSlices
	if sl == nil {
		return &Slices{Time: make([][NumClasses]int64, maxSlices)}
	}
	a.spareSlices = nil
	clear(sl.Time)
	*sl = Slices{Time: sl.Time}
	return sl
}

// halve makes the slices twice as wide.
func (sl *Slices) halve() {
	for k := range maxSlices / 2 {
		sl.Time[k] = sl.Time[2*k]
		for c := range sl.Time[k] {
			sl.Time[k][c] += sl.Time[2*k+1][c]
		}
	}
	clear(sl.Time[maxSlices/2:])
	for _, l := range [][]int64{sl.Commits, sl.Rollbacks} {
		for k := range len(l) / 2 {
			l[k] = l[2*k] + l[2*k+1]
		}
		clear(l[len(l)/2:])
	}
	sl.from, sl.to = 0, 0 // the slice of the last time is another one now
	sl.Width *= 2
}

// endOfTransaction marks the end of a transaction that had changed something.
func (sl *Slices) endOfTransaction(tim int64, rollback bool) {
	if tim < sl.Begin {
		return
	}
	for (tim-sl.Begin)/sl.Width >= maxSlices {
		sl.halve()
	}
	l := &sl.Commits
	if rollback {
		l = &sl.Rollbacks
	}
	if *l == nil {
		*l = make([]int64, maxSlices)
	}
	(*l)[(tim-sl.Begin)/sl.Width]++
}
