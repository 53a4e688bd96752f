package tracefile

import "slices"

// LeftOut is a session, or what it did as one module, that Options refused.
type LeftOut struct{ SID, Module string }

// maxLeftOut bounds how many of them are remembered, for telling what there would
// have been.
const maxLeftOut = 50

func (a *Analyzer) leaveOut(s *session) {
	l := LeftOut{s.SID, s.Module}
	if l != (LeftOut{}) && len(a.p.LeftOut) < maxLeftOut && !slices.Contains(a.p.LeftOut, l) {
		a.p.LeftOut = append(a.p.LeftOut, l)
	}
}

// unwanted reports whether the options refuse what stands here outside of the
// timed records, such as a dump: its session, or its time, which is that of its
// stamp, of the last stamp if no record followed that, or else of the record before
// it.
func (a *Analyzer) unwanted(stamp Clock) bool {
	if a.s.skip {
		return true
	}
	if a.opt.From == 0 && a.opt.To == 0 {
		return false
	}
	g := a.grp
	if !stamp.Valid && (g.clock.waiting || g.clock.since == g.lastTim) {
		stamp = g.clock.stamp
	}
	us, ok, zone := stamp.UTC(), stamp.Valid, stamp.Zone
	if !ok && g.lastTim > 0 {
		clock := a.clockSoFar()
		us, ok = clock.Wall(g.lastTim)
		zone = clock.Zone
	}
	return ok && !a.opt.between(us, us, zone)
}
