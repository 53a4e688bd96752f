package tracefile_test

import (
	"strings"
	"testing"
)

// TestFiguresBeyondBelief: numbers that do not fit 64 bits, and errors that no
// database has, are damaged digits and count nowhere.
func TestFiguresBeyondBelief(t *testing.T) {
	for _, line := range []string{
		"ERROR #7:err=99999999999999999999 tim=1000100\n",
		"ERROR #7:err=100000 tim=1000100\n",
		"EXEC #7:c=99999999999999999999,e=1000,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=1000100\n",
		"EXEC #7:c=1,e=9223372036854775807,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=1000100\n",
		"EXEC #7:c=1,e=10,p=1,cr=900000000000000000,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=1000100\n",
		"WAIT #7: nam='x' ela= 18446744073709551615 p1=0 p2=0 p3=0 obj#=-1 tim=1000100\n",
		"EXEC #7:c=-9223372036854775807,e=1000,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=1000100\n",
		"EXEC #7:c=1,e=-99999999999999999999,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=1000100\n",
		"WAIT #7: nam='x' ela= 900000000000000000 p1=0 p2=0 p3=0 obj#=-1 tim=1000100\n",
		"WAIT #7: nam='x' ela=-9223372036854775807 p1=0 p2=0 p3=0 obj#=-1 tim=1000100\n",
		"STAT #7 id=1 cnt=9223372036854775807 pid=0 pos=1 obj=0 op='X (cr=1 pr=0 pw=0 time=9 us)'\n",
		"STAT #7 id=1 cnt=9999999999999999 pid=0 pos=1 obj=0 op='X (cr=1 pr=0 pw=0 str=1 time=9 us)'\n",
		"STAT #7 id=1 cnt=1 pid=0 pos=1 obj=0 op='X (cr=1 pr=0 pw=0 str=1 time=9999999999999999 us)'\n",
		"STAT #7 id=1 cnt=1 pid=0 pos=1 obj=0 op='X (cr=1 pr=0 pw=-99999999999999999999 time=9 us)'\n",
	} {
		p := analyse(t, []byte(head19+parsing(7, 0, 1_000_000, "select 1 from dual")+line+call("EXEC", 7, 0, 0, 1_002_000)))
		s := stmt(t, p, "select 1 from dual")
		equal(t, line+"executions", s.Self.Exec.Count, 1)
		equal(t, line+"elapsed", s.Self.Exec.Elapsed, 1000)
		equal(t, line+"errors", len(p.Errors), 0)
		equal(t, line+"plans", len(s.Plans), 0)
		for _, e := range p.Events {
			equal(t, line+"waited", e.Stat.Total, 0)
		}
		if d := problem(p, "damaged"); d == nil || d.Count != 1 {
			t.Errorf("%s: problem %+v", strings.TrimSpace(line), d)
		}
	}
	// A time that no clock has leaves the rest of its line as it is.
	for _, tim := range []string{"999999999999999999", "99999999999999999999", "-5"} {
		line := strings.ReplaceAll(call("EXEC", 7, 0, 0, 1_001_000), "1001000", tim)
		p := analyse(t, []byte(head19+parsing(7, 0, 1_000_000, "select 1 from dual")+line+call("EXEC", 7, 0, 0, 1_002_000)))
		equal(t, tim+": executions", stmt(t, p, "select 1 from dual").Self.Exec.Count, 2)
		equal(t, tim+": last time", p.Sessions[0].Last, 1_002_000)
		if d := problem(p, "damaged"); d == nil || d.Count != 1 {
			t.Errorf("tim=%s: problem %+v", tim, d)
		}
	}
	// What the optimizer estimated is no figure of what was done.
	p := analyse(t, []byte(head19+parsing(7, 0, 1_000_000, "select 1 from dual")+call("EXEC", 7, 0, 0, 1_001_000)+
		"STAT #7 id=1 cnt=1 pid=0 pos=1 obj=0 op='MERGE JOIN CARTESIAN (cr=1 pr=0 pw=0 str=1 time=9 us cost=18446744073709551615 size=18446744073709551615 card=18446744073709551615)'\n"))
	equal(t, "plans", len(stmt(t, p, "select 1 from dual").Plans), 1)
	equal(t, "problems", len(p.Problems), 0)
	p = analyse(t, []byte(head19+parsing(7, 0, 1_000_000, "select 1 from dual")+"ERROR #7:err=65535 tim=1000100\n"))
	equal(t, "errors", len(p.Errors), 1)
}

// TestErrorTakesTheZoneOfItsClock: where neither the error has a time nor the stamp
// of its dump a zone, but the clock of the trace has one, the stamp is in that.
func TestErrorTakesTheZoneOfItsClock(t *testing.T) {
	const text = `/u01/app/oracle/diag/rdbms/db/db1/trace/db1_ora_4711.trc
Oracle Database 11g Enterprise Edition Release 11.2.0.4.0 - 64bit Production
Unix process pid: 4711, image: oracle@host1


*** 2011-03-12 12:00:00.000
*** SESSION ID:(101.5) 2011-03-12 12:00:00.000

EXEC #7:c=900,e=1000,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=1299924000000000
EXEC #7:c=900,e=1000,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,plh=77,tim=1299924003000000

*** 2011-03-12 12:00:03.000
dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)
----- Error Stack Dump -----
ORA-00942: table or view does not exist

`
	p := analyse(t, []byte(text))
	if len(p.Errors) != 1 {
		t.Fatalf("%d errors", len(p.Errors))
	}
	e := p.Errors[0]
	equal(t, "zone", e.Zone, 7200)
	equal(t, "time", e.Wall, 1_299_924_003_000_000)
}

// TestGoalOfAStatement: the optimizer's goal is that of the last call that tells.
func TestGoalOfAStatement(t *testing.T) {
	text := head19 + parsing(7, 0, 1_000_000, "select 1 from dual") + strings.ReplaceAll(call("PARSE", 7, 0, 0, 1_001_000), "og=1", "og=4") + strings.ReplaceAll(call("FETCH", 7, 0, 0, 1_003_000), "og=1", "og=0")
	equal(t, "goal", stmt(t, analyse(t, []byte(text)), "select 1 from dual").Goal, 4)
}
