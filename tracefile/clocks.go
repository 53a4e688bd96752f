package tracefile

import (
	"fmt"
	"slices"
)

// clockState gathers pairs of a time stamp and a tim of one stream, from which
// the wall-clock time of any tim follows (facts 3, 12).
type clockState struct {
	stamp    Clock
	before   int64 // tim of the record before the stamp
	since    int64 // group.lastTim at the stamp: the same as long as no record followed
	waiting  bool
	header   bool
	pairs    []clockPair
	trailing []clockPair // with the record before the stamp, which ended no later
	dumps    []clockPair // the same, where a dump followed, or with the record behind it
	noZone   bool
	zone     int
	hasZone  bool
	seen     int64     // pairs, also those not kept
	soFar    ClockInfo // for Options.From and To, of the first soFarOf pairs
	soFarOf  int64
	jumped   bool // a pair contradicts soFar
}

type clockPair struct {
	micros int64 // the stamp as printed
	utc    int64
	tim    int64
	line   int64
	header bool  // the stamp stood before any record: it may be much older
	before int64 // tim of the record before the stamp, where this is that behind it
}

// maxPairs bounds the anchors kept; beyond it every other one is dropped.
const maxPairs = 1024

// stamp takes a time stamp. It belongs to the record that follows; the record
// before it, at least, ended no later.
func (a *Analyzer) stamp(c Clock, rec *Record) {
	g, f := a.grp, a.file
	if !f.FirstStamp.Valid {
		f.FirstStamp = c
		f.FirstStamp.Container = nil
	}
	f.LastStamp = c
	f.LastStamp.Container = nil
	if len(c.Container) > 0 && a.s.Container != string(c.Container) {
		a.s.Container = string(c.Container)
	}
	switch {
	case c.HasZone && !g.clock.hasZone:
		g.clock.zone, g.clock.hasZone = c.Zone, true
		g.clock.rezone()
	case c.HasZone:
		g.clock.zone = c.Zone
	case !g.clock.noZone:
		g.clock.noZone = true
		a.notef("no_time_zone", rec.Line, "time stamps carry no time zone")
	}
	// One without a zone is of the same clock on the wall as the others.
	if !c.HasZone && g.clock.hasZone {
		c.HasZone, c.Zone = true, g.clock.zone
	}
	c.Container = nil
	// In what trcsess merges, the record before is another process's, and may be
	// younger than the stamp.
	before := int64(0)
	if a.s.HasTim {
		before = a.s.Last
	}
	g.clock.stamp, g.clock.waiting, g.clock.header, g.clock.before = c, true, g.lastTim == 0, before
	g.clock.since = g.lastTim
	if before != 0 {
		g.clock.trailing = thin(append(g.clock.trailing, clockPair{c.Micros, c.UTC(), before, rec.Line, false, 0}))
		g.clock.seen++
	}
	if a.dump != nil {
		a.dump.info.stampIfNone(c)
	}
}

// rezone gives the stamps that came before the first one with a zone that zone.
func (c *clockState) rezone() {
	for _, list := range [][]clockPair{c.pairs, c.trailing, c.dumps} {
		for i := range list {
			list[i].utc = list[i].micros - int64(c.zone)*1e6
		}
	}
	c.jumped = true // soFar took them for UTC
}

func (c *clockState) anchor(tim, line int64) {
	c.waiting = false
	c.pairs = thin(append(c.pairs, clockPair{c.stamp.Micros, c.stamp.UTC(), tim, line, c.header, c.before}))
	c.seen++
	if w, ok := c.soFar.Wall(tim); ok && max(w-c.stamp.UTC(), c.stamp.UTC()-w) > leastJump {
		c.jumped = true
	}
}

// spend gives the stamp to a line that is no timed record: a marker or a dump.
// The next record may be much younger. A dump follows the record before it at
// once, mostly, which makes a good anchor.
func (c *clockState) spend(dump bool) {
	if n := len(c.trailing); dump && c.waiting && n > 0 {
		c.dumps = thin(append(c.dumps, c.trailing[n-1]))
	}
	c.waiting = false
}

// dumpSpeed, in bytes a second, and leastDump, in us, bound how long writing a dump
// is taken for. They are assumed, and far below what a disk takes.
const (
	dumpSpeed = 1 << 20
	leastDump = 1_000_000
)

// dumpEnds takes the first record behind a dump, which is mostly that of the call or
// the wait in which it was written, or the ERROR line. Where that took longer than
// the dump can have taken, as the wait for a lock does that ends in a deadlock, the
// time passed before the dump: then its stamp goes with the record behind it.
func (c *clockState) dumpEnds(d *DumpInfo, rec *Record, before int64) {
	long := leastDump + d.Bytes*1_000_000/dumpSpeed
	if d.Kind == "memory" || !d.Stamp.Valid || before == 0 || rec.Tim-before <= long || rec.Kind != Error && rec.Elapsed <= long {
		return
	}
	stamp := d.Stamp
	if !stamp.HasZone && c.hasZone {
		stamp.HasZone, stamp.Zone = true, c.zone
	}
	c.dumps = slices.DeleteFunc(c.dumps, func(p clockPair) bool { return p.tim == before })
	c.dumps = thin(append(c.dumps, clockPair{stamp.Micros, stamp.UTC(), rec.Tim, rec.Line, false, 0}))
}

func thin(p []clockPair) []clockPair {
	if len(p) < maxPairs {
		return p
	}
	n := 0
	for i := 0; i < len(p); i += 2 {
		p[n] = p[i]
		n++
	}
	return p[:n]
}

// epochWindow is how far a stamp without zone may be from UTC (facts 12).
const epochWindow = 15 * 3600 * 1_000_000

// decide settles unit, epoch and offset of a stream's clock.
func (c *clockState) decide(unitNs int64) ClockInfo {
	info := ClockInfo{UnitNs: unitNs, Anchors: len(c.pairs), Zone: c.zone, HasZone: c.hasZone}
	pairs := c.pairs
	if len(pairs) == 0 {
		pairs = c.dumps
	}
	if len(pairs) == 0 {
		pairs = c.trailing
	}
	if len(pairs) == 0 {
		info.Why = "no time stamp stands next to a record with a time"
		return info
	}
	info.Known = true
	first, last := pairs[0], pairs[len(pairs)-1]
	if unitNs == 1000 {
		ratio := 0.0
		if dt := last.tim - first.tim; dt >= 4_000_000 {
			ratio = float64(last.utc-first.utc) / float64(dt)
		}
		near := func(scaled int64, p clockPair) bool {
			d := scaled - p.micros
			return d > -epochWindow && d < epochWindow
		}
		k := ClockInfo{UnitNs: 1024}
		switch {
		case near(last.tim, last):
			info.Epoch, info.Why = true, "tim/1e6 is the UTC time of the stamps"
		case near(k.scaled(last.tim), last):
			info.UnitNs, info.Epoch = 1024, true
			info.Why = "tim counts units of 1.024 us since 1970 (10.2 on Linux): tim*1.024/1e6 is the time of the stamps"
		case ratio > 1.0225 && ratio < 1.0255:
			info.UnitNs = 1024
			info.Why = fmt.Sprintf("tim counts units of 1.024 us: %.6f s passed between the stamps of lines %d and %d, %.6f by tim",
				float64(last.utc-first.utc)/1e6, first.line, last.line, float64(last.tim-first.tim)/1e6)
		default:
			info.Why = "tim counts us from another moment than 1970 (uptime); anchored at the time stamps"
		}
	}
	if info.Epoch && !info.HasZone {
		const quarter = 900 * 1_000_000
		d := last.micros - info.scaled(last.tim)
		q := (d + quarter/2) / quarter
		if d < -quarter/2 {
			q = (d - quarter/2) / quarter
		}
		info.Zone, info.HasZone, info.ZoneGuess = int(q*900), true, true
		return info
	}
	if info.Epoch {
		return info
	}
	best := slices.DeleteFunc(slices.Clone(pairs), func(p clockPair) bool { return p.header })
	if best = append(best, c.dumps...); len(best) == 0 {
		best = pairs
	}
	info.anchorAt(best, c.trailing)
	if len(c.pairs) == 0 {
		info.Why += "; only stamps behind the records were found, so times may be late"
	}
	return info
}

// inTime applies Options.From and To with the anchors known so far.
func (a *Analyzer) inTime(rec *Record) bool {
	return a.opt.From|a.opt.To == 0 || a.inBounds(rec)
}

func (a *Analyzer) inBounds(rec *Record) bool {
	if !rec.HasTim {
		return true
	}
	g := a.grp
	if g.clock.waiting {
		g.clock.anchor(rec.Tim, rec.Line)
	}
	clock := a.clockSoFar()
	w, ok := clock.Wall(rec.Tim)
	if !ok {
		return true
	}
	return a.opt.between(w-rec.Elapsed, w, clock.Zone)
}

// between reports whether what began and ended then, us UTC, touches From to To.
func (o *Options) between(begin, end int64, zone int) bool {
	local := int64(zone) * 1e6
	if o.FromLocal {
		end += local
	}
	if o.ToLocal {
		begin += local
	}
	return (o.From == 0 || end >= o.From) && (o.To == 0 || begin <= o.To)
}

// clockSoFar is the clock that an earlier reading found, or decides by the anchors
// known so far. Deciding takes as long as there are anchors, so it is done again only
// when there is a sixteenth more of them, or one of another stretch.
func (a *Analyzer) clockSoFar() ClockInfo {
	if a.clockKnown {
		return a.clock
	}
	c := &a.grp.clock
	if c.jumped || c.seen-c.soFarOf > c.soFarOf/16 || c.soFar.UnitNs == 0 {
		c.soFar, c.soFarOf, c.jumped = c.decide(a.file.Dialect.TimUnitNs), c.seen, false
	}
	return c.soFar
}
