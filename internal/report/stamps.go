package report

import (
	"strings"
	"time"

	"ringtrace/tracefile"
)

// noZone stands in JSON for the zone of a time of which no trace tells the zone.
// It is a numeric offset, so every reader of RFC 3339 takes it, and one that no
// zone has: RFC 3339 4.3 keeps it for an unknown local offset.
const noZone = "-00:00"

// stamp formats a wall-clock time, us UTC, in the zone of the trace; zoned tells
// whether there is one. Without, us is the time as the trace shows it.
func stamp(us int64, zone int, zoned bool) *string {
	t := time.UnixMicro(us).UTC()
	layout := "2006-01-02T15:04:05.000000"
	switch {
	case !zoned:
		s := t.Format(layout) + noZone
		return &s
	case zone != 0:
		t = t.In(time.FixedZone("", zone))
	}
	s := t.Format(layout + "Z07:00")
	return &s
}

func wall(c tracefile.ClockInfo, tim int64) *string {
	us, ok := c.Wall(tim)
	if !ok {
		return nil
	}
	return stamp(us, c.Zone, c.HasZone)
}

// instant is the moment of a stamp, us UTC, and its zone. One without zone has
// that of its trace, where tim tells it (to 11.2).
func instant(s tracefile.Clock, trace tracefile.ClockInfo) (us int64, zone int, zoned bool) {
	if !s.HasZone && trace.HasZone {
		return s.Micros - int64(trace.Zone)*1e6, trace.Zone, true
	}
	return s.UTC(), s.Zone, s.HasZone
}

func clockStamp(s tracefile.Clock, f *tracefile.File) *string {
	if !s.Valid {
		return nil
	}
	var trace tracefile.ClockInfo
	if f != nil {
		trace = f.Clock
	}
	return stamp(instant(s, trace))
}

// shownTime is a time as text and page show it: one without zone looks as it does
// in the trace.
func shownTime(s *string) string {
	if t, ok := strings.CutSuffix(deref(s), noZone); ok {
		return strings.Replace(t, "T", " ", 1) + " (no zone in the trace)"
	}
	return deref(s)
}

// shortTime is one without that remark, for rows where there is no room.
func shortTime(s *string) string {
	return strings.TrimSuffix(shownTime(s), " (no zone in the trace)")
}
