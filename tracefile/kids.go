package tracefile

import "slices"

// maxKidsOfAll bounds the calls that are kept one by one of all sessions of a stream,
// until their callers come. Where there are more, those of each session are summed
// with their neighbours.
const maxKidsOfAll = 16 * maxKids

// moreKids makes room for another call of a level.
func (g *group) moreKids(l *level) {
	n := cap(l.kids)
	more := max(16, n)
	if g.kids+more > g.maxKids {
		g.fewerKids()
		if len(l.kids) < cap(l.kids) {
			return
		}
		n, more = cap(l.kids), 16
	}
	l.kids = slices.Grow(l.kids, more)
	g.kids += cap(l.kids) - n
}

// fewerKids sums calls, in each session down to a few, until half of the room is free.
func (g *group) fewerKids() {
	for most := 256; most > 1 && g.kids > g.maxKids/2; most /= 4 {
		g.kids = 0
		for _, s := range g.order {
			for i := range s.levels {
				g.kids += s.levels[i].shrink(most)
			}
		}
	}
	g.maxKids = max(maxKidsOfAll, 2*g.kids) // or each call would try again
}

// shrink leaves no more than so many sums of calls, and returns how much room they
// take.
func (l *level) shrink(most int) int {
	for len(l.kids) > most {
		l.halve()
	}
	switch n := len(l.kids); {
	case n == 0:
		l.kids = nil
	case cap(l.kids) > 2*n:
		l.kids = slices.Clone(l.kids)
	}
	return cap(l.kids)
}
