package tracefile_test

import (
	"strings"
	"testing"
	"time"

	"ringtrace/tracefile"
)

const twoModules = `*** 2026-03-01T10:00:00.000000+00:00
*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+00:00
*** MODULE NAME:(pay) 2026-03-01T10:00:00.000000+00:00

EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=1000000
*** MODULE NAME:(ship) 2026-03-01T10:00:01.000000+00:00
EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=2000000

*** 2026-03-01T10:00:30.000000+00:00
EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=31000000

*** 2026-03-01T10:00:31.000000+00:00
dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)
----- Error Stack Dump -----
ORA-00942: table or view does not exist
----- End of Call Stack Trace -----
ERROR #1:err=942 tim=32000000
*** MODULE NAME:(pay) 2026-03-01T10:00:32.000000+00:00
EXEC #1:c=1,e=100,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=33000000
`

// TestLeftOut: what a selection refuses counts nowhere, dumps and time in between
// included, and is named.
func TestLeftOut(t *testing.T) {
	run := func(opt tracefile.Options) *tracefile.Profile {
		a := tracefile.NewAnalyzer(opt)
		if _, err := a.ReadFile("x", strings.NewReader(twoModules)); err != nil {
			t.Fatal(err)
		}
		return a.Profile()
	}
	at := func(s string) int64 {
		u, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return u.UnixMicro()
	}
	module := func(want string) func(string, string) bool { return func(m, _ string) bool { return m == want } }
	for _, c := range []struct {
		name                  string
		opt                   tracefile.Options
		errors, dumps         int
		elapsed, left, counts int64
	}{
		{"all", tracefile.Options{}, 1, 1, 32000100, 0, 4},
		{"module with the error", tracefile.Options{Module: module("ship")}, 1, 1, 30000100, 2, 2},
		{"module around it", tracefile.Options{Module: module("pay")}, 0, 0, 200, 2, 2},
		{"no such session", tracefile.Options{Session: func(string) bool { return false }}, 0, 0, 0, 3, 0},
		{"before the error", tracefile.Options{To: at("2026-03-01T10:00:30Z")}, 0, 0, 30000100, 0, 3},
		{"from the error on", tracefile.Options{From: at("2026-03-01T10:00:31Z")}, 1, 1, 1000000, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := run(c.opt)
			var elapsed int64
			for _, s := range p.Sessions {
				elapsed += s.Elapsed
			}
			execs := p.Totals.UnknownCursors.Exec.Count
			if len(p.Errors) != c.errors || len(p.Dumps) != c.dumps || elapsed != c.elapsed || int64(len(p.LeftOut)) != c.left || execs != c.counts {
				t.Errorf("errors %d, dumps %d, elapsed %d, left out %v, executions %d; want %+v", len(p.Errors), len(p.Dumps), elapsed, p.LeftOut, execs, c)
			}
		})
	}
}

// TestErrorHasTheTimeOfItsDump: where the anchors of tim disagree, the stamp that
// was printed with the dump is the error's time.
func TestErrorHasTheTimeOfItsDump(t *testing.T) {
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("x", strings.NewReader(strings.Replace(twoModules, "tim=31000000", "tim=39000000", 1))); err != nil {
		t.Fatal(err)
	}
	e := a.Profile().Errors[0]
	if want := time.Date(2026, 3, 1, 10, 0, 31, 0, time.UTC).UnixMicro(); !e.Stamped || e.Wall != want {
		t.Errorf("stamped %v, %s", e.Stamped, time.UnixMicro(e.Wall).UTC())
	}
}

// TestTimesAsTheTraceShowsThem: a time without zone is the trace's own.
func TestTimesAsTheTraceShowsThem(t *testing.T) {
	text := strings.ReplaceAll(twoModules, "+00:00", "-07:00")
	at := time.Date(2026, 3, 1, 10, 0, 31, 0, time.UTC).UnixMicro()
	for name, c := range map[string]struct {
		opt   tracefile.Options
		execs int64
		dumps int
	}{
		"from, local": {tracefile.Options{From: at, FromLocal: true}, 1, 1},
		"from, UTC":   {tracefile.Options{From: at}, 4, 1},
		"to, local":   {tracefile.Options{To: at - 1e6, ToLocal: true}, 3, 0},
		"to, UTC":     {tracefile.Options{To: at - 1e6}, 0, 0},
	} {
		a := tracefile.NewAnalyzer(c.opt)
		if _, err := a.ReadFile("x", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		p := a.Profile()
		if n := p.Totals.UnknownCursors.Exec.Count; n != c.execs || len(p.Dumps) != c.dumps {
			t.Errorf("%s: %d executions, %d dumps; want %d, %d", name, n, len(p.Dumps), c.execs, c.dumps)
		}
	}
}
