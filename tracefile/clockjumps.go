package tracefile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// clockJump says that from a tim on another offset holds: the clock behind tim stood
// still meanwhile, as that of a machine that is suspended does, or the wall clock was
// set forward.
type clockJump struct{ tim, offset int64 }

// leastJump is by how much, in us, stamps must contradict each other for it to be
// neither a stamp that was printed late nor one that was printed early.
const leastJump = 60_000_000

// anchorAt takes the offset from the stamps, and how far they disagree, each
// time anew behind a jump (facts 12).
//
// A stamp is printed between two records. That the one before it had ended is
// certain, which makes its difference an upper bound. The one behind it mostly ends
// at that moment, so the smallest difference is the truest; but it may be much
// younger, and then the difference is too small, or, in a buffer that is written out
// late, older, and then it is above the bounds that follow. It is certain to within
// the time between the two records.
func (c *ClockInfo) anchorAt(leading, trailing []clockPair) {
	byTim := func(x, y clockPair) int { return cmp.Compare(x.tim, y.tim) }
	leading, trailing = slices.Clone(leading), slices.Clone(trailing)
	slices.SortStableFunc(leading, byTim)
	slices.SortStableFunc(trailing, byTim)
	off := func(p clockPair) int64 { return p.utc - c.scaled(p.tim) }
	// The wall clock goes forward only, as far as is assumed here: what bounds a
	// later moment bounds an earlier one.
	bounds := make([]int64, len(trailing)+1)
	bounds[len(trailing)] = math.MaxInt64
	for i := len(trailing) - 1; i >= 0; i-- {
		bounds[i] = min(bounds[i+1], off(trailing[i]))
	}
	bound := func(tim int64) int64 {
		i, _ := slices.BinarySearchFunc(trailing, tim, func(p clockPair, tim int64) int { return cmp.Compare(p.tim, tim) })
		return bounds[i]
	}
	none := int64(math.MinInt64)
	var stretch []int64         // differences since the last jump
	certain, late := none, none // the largest of those that are certain, and of all
	from, most, jumped := none, bounds[0], int64(0)
	end := func() {
		top := min(certain, most)
		for _, o := range stretch {
			if certain == none {
				top = max(top, min(o, most))
			}
		}
		best := int64(math.MaxInt64)
		for _, o := range stretch {
			if o >= top-leastJump {
				best = min(best, o)
			}
		}
		if best == math.MaxInt64 {
			best = most
		}
		if late != none {
			c.Accuracy = max(c.Accuracy, late-best)
		}
		best = min(best, most)
		if from == none {
			c.Offset = best
			return
		}
		c.jumps = append(c.jumps, clockJump{from, best})
	}
	for _, p := range leading {
		o := off(p)
		if o-clockSlack > bound(p.tim) { // printed late
			late = max(late, o)
			continue
		}
		sure := p.before != 0 && p.tim-p.before <= leastJump
		if len(stretch) > 0 && (o-leastJump > most || sure && certain != none && o-leastJump > certain) {
			end()
			stretch, certain, late, from, most, jumped = nil, none, none, p.tim, bound(p.tim), p.line
		}
		stretch, late = append(stretch, o), max(late, o)
		if sure {
			certain = max(certain, o)
		}
	}
	end()
	if n := len(c.jumps); n > 0 {
		last := c.Offset
		if n > 1 {
			last = c.jumps[n-2].offset
		}
		c.Why += fmt.Sprintf("; the wall clock jumped forward by %.3f s before line %d (the machine was suspended, or the clock set)", float64(c.jumps[n-1].offset-last)/1e6, jumped)
		if n > 1 {
			c.Why += fmt.Sprintf(", the last of %d jumps", n)
		}
	}
}

// offsetAt returns the offset that holds at a tim.
func (c *ClockInfo) offsetAt(tim int64) int64 {
	off := c.Offset
	for i := range c.jumps {
		if c.jumps[i].tim > tim {
			break
		}
		off = c.jumps[i].offset
	}
	return off
}
