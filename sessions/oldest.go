package sessions

import "ringtrace/internal/exit"

// TooOld refuses a release before 11.1 (exit.Refused): it has neither the event
// sql_trace nor EVENTDUMP, so nothing could be set as we write it or proved, and
// V$PROCESS names no trace file (facts/oradebug.md 9, facts/views-and-sqlplus.md
// 1.1, 1.3).
func TooOld(r Release) error {
	if r.AtLeast(11, 1) {
		return nil
	}
	return exit.Errorf(exit.Refused,
		"by hand: oradebug setorapid N, then session_event 10046 trace name context forever, level 12 and 942 trace name errorstack level 3; off: 10046 trace name context off, 942 trace name errorstack off",
		"the database is release %s, which has neither the event sql_trace nor oradebug eventdump: 11.1 is the oldest that can be armed", r)
}
