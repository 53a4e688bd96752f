package tracefile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ringtrace/tracefile"
)

// wallOf returns the wall-clock time of a tim of the first file, UTC.
func wallOf(t *testing.T, p *tracefile.Profile, tim int64) string {
	t.Helper()
	w, ok := p.Files[0].Clock.Wall(tim)
	if !ok {
		t.Fatal("the clock is not known")
	}
	return time.UnixMicro(w).UTC().Format("2006-01-02 15:04:05.000")
}

// TestProblemX03_StampsWithoutZoneAmongOthers: a stamp without a zone is of the same
// clock on the wall as those with one, wherever it stands.
func TestProblemX03_StampsWithoutZoneAmongOthers(t *testing.T) {
	with, without := "\n*** 2017-03-13T09:23:21.767000+02:00\n", "\n*** 2017-03-13 09:23:31.767\n"
	blank := "\n*** 2017-03-13 09:23:41.767 +02:00\n"
	first, second, third := call("EXEC", 9, 0, 0, 1_000_000), call("EXEC", 9, 0, 0, 11_000_000), call("EXEC", 9, 0, 0, 21_000_000)
	for name, text := range map[string]string{
		"zone first": with + first + without + second + blank + third,
		"zone last":  strings.Replace(with, "+02:00", "", 1) + first + without + second + blank + third,
		"one zone":   with + first + without + second + without[:len(without)-7] + "41.767\n" + third,
	} {
		p := analyse(t, []byte(text))
		for i, want := range []string{"07:23:21.767", "07:23:31.767", "07:23:41.767"} {
			equal(t, fmt.Sprint(name, ", stamp ", i), wallOf(t, p, int64(i)*10_000_000+1_000_000), "2017-03-13 "+want)
		}
		c := p.Files[0].Clock
		equal(t, name+": zone", c.Zone, 7200)
		equal(t, name+": accuracy", c.Accuracy, int64(0))
		if n := problem(p, "no_time_zone"); n == nil || n.Count != 1 {
			t.Errorf("%s: the missing zone is noted %+v", name, n)
		}
		equal(t, name+": unknown lines", p.Files[0].Unknown, int64(0))
	}
}

// TestProblemX03_DaysThatAreNone: a day that the calendar does not have is a damaged
// stamp, not one of another day.
func TestProblemX03_DaysThatAreNone(t *testing.T) {
	p := analyse(t, []byte(head19+call("EXEC", 9, 0, 0, 1_000_000)+"\n*** 2026-02-30T10:00:10.000000+01:00\n"+call("EXEC", 9, 0, 0, 11_000_000)))
	equal(t, "wall time", wallOf(t, p, 11_000_000), "2026-03-01 09:00:10.000")
	equal(t, "lines not understood", p.Files[0].Unknown, int64(1))
	leap := analyse(t, []byte("*** 2024-02-29 10:00:10.000\n"+call("EXEC", 9, 0, 0, 11_000_000)))
	equal(t, "leap day", wallOf(t, leap, 11_000_000), "2024-02-29 10:00:10.000")
}

// TestProblemX16_TimeBeforeTheDump: the wait for a lock that ends in a deadlock, or
// a long call that fails, passed before its dump, which takes no longer than its size
// allows. The stamp of the dump is then that of the record behind it.
func TestProblemX16_TimeBeforeTheDump(t *testing.T) {
	ring := "Trace output buffer of 65536 bytes wrapped 8 times\n"
	dump := "\n*** 2026-03-01T10:00:05.000000+01:00 (PDB1(3))\nDEADLOCK DETECTED ( ORA-00060 )\n\n[Transaction Deadlock]\n\nDeadlock graph:\n" +
		"TX-00020021-0000026C        94     203     X             104    195           X\n\nRows waited on:\n\n"
	before := call("EXEC", 9, 0, 1, 1_000_000)
	long := "EXEC #9:c=900,e=3900000,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=6000000\n"
	for name, c := range map[string]struct{ text, at1, error string }{
		"a long call":              {ring + before + dump + long + "ERROR #9:err=60 tim=6000010\n", "09:00:00.000", "09:00:05.000"},
		"a wait":                   {ring + before + dump + waitLine(9, "enq: TX - row lock contention", 3_000_000, 6_000_000) + "ERROR #9:err=60 tim=6000010\n", "09:00:00.000", "09:00:05.000"},
		"the ERROR line":           {before + dump + "ERROR #9:err=60 tim=6000000\n", "09:00:00.000", "09:00:05.000"},
		"a dump that took a while": {ring + before + dump + strings.Repeat("7F0011220000 00000008 00000000 00000000 [........]\n", 200_000) + long + "ERROR #9:err=60 tim=6000010\n", "09:00:05.000", "09:00:05.000"},
		"an idle wait":             {ring + before + dump + waitLine(9, "SQL*Net message from client", 4_900_000, 6_000_000), "09:00:05.000", "09:00:05.000"},
		"another call, later":      {ring + before + dump + call("EXEC", 9, 0, 1, 6_000_000), "09:00:05.000", "09:00:05.000"},
	} {
		p := analyse(t, []byte(head19+c.text))
		equal(t, name+": before the dump", wallOf(t, p, 1_000_000), "2026-03-01 "+c.at1)
		equal(t, name+": errors", len(p.Errors), 1)
		equal(t, name+": the error", time.UnixMicro(p.Errors[0].Wall).UTC().Format("15:04:05.000"), c.error)
	}
}
