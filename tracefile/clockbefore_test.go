package tracefile_test

import (
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestBoundsInARing: all time stamps of a flushed ring stand behind its records,
// so bounds of time need the clock that an earlier reading found.
func TestBoundsInARing(t *testing.T) {
	ring := call("EXEC", 5, 0, 1, 1_000_000) + call("EXEC", 5, 0, 1, 3_000_000) + call("EXEC", 5, 0, 1, 5_000_000) +
		"\n*** 2026-03-01T10:00:05.000000+00:00\ndbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n----- Error Stack Dump -----\nORA-00942: table or view does not exist\n"
	read := func(opt tracefile.Options) *tracefile.Profile {
		a := tracefile.NewAnalyzer(opt)
		if _, err := a.ReadFile("ring.trc", strings.NewReader(ring)); err != nil {
			t.Fatal(err)
		}
		return a.Profile()
	}
	clock := read(tracefile.Options{}).Files[0].Clock
	opt := tracefile.Options{To: 1772359202_000_000} // 10:00:02 UTC
	opt.Clock = func(path string) (tracefile.ClockInfo, bool) { return clock, path == "ring.trc" }
	equal(t, "executions to 10:00:02", read(opt).Totals.UnknownCursors.Exec.Count, int64(1))
	opt.From, opt.To = opt.To, 0
	equal(t, "executions from 10:00:02", read(opt).Totals.UnknownCursors.Exec.Count, int64(2))
	opt.Clock = func(string) (tracefile.ClockInfo, bool) { return tracefile.ClockInfo{}, false }
	equal(t, "executions without a clock", read(opt).Totals.UnknownCursors.Exec.Count, int64(3))
}

// TestSessionByProcess: a session whose sid the trace does not tell has the name
// under which it is shown.
func TestSessionByProcess(t *testing.T) {
	data := "*** [ Unix process pid: 9850 ]\n" + call("EXEC", 5, 0, 1, 1000) + "*** [ Unix process pid: 9854 ]\n" + call("EXEC", 5, 0, 1, 2000) + call("EXEC", 5, 0, 1, 3000)
	a := tracefile.NewAnalyzer(tracefile.Options{Session: func(sid string) bool { return sid == "pid 9854" }})
	if _, err := a.ReadFile("merged.trc", strings.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	equal(t, "executions", a.Profile().Totals.UnknownCursors.Exec.Count, int64(2))
}
