package tracefile_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

func TestProblemS11_SharedServerSessions(t *testing.T) {
	session := func(id string) string { return "*** SESSION ID:(" + id + ") 2026-03-01T10:00:00.000000+01:00\n" }
	// Two sessions use the same cursor number; calls of one run while the other's
	// recursive call waits for its caller.
	data := head19 + session("101.5") + parsing(5, 0, 1000, "select 1 from dual") + call("EXEC", 5, 0, 1, 2000) +
		parsing(6, 1, 2500, "select a from b") + call("EXEC", 6, 1, 0, 4000) +
		session("102.9") + parsing(5, 0, 5000, "select 2 from dual") + call("EXEC", 5, 0, 1, 6500) +
		session("101.5") + strings.Replace(call("FETCH", 5, 0, 1, 9000), "e=1000", "e=7000", 1) +
		session("102.9") + call("FETCH", 5, 0, 1, 9500)
	p := analyse(t, []byte(data))
	equal(t, "sessions", len(p.Sessions), 2)
	one, two := stmt(t, p, "select 1 from dual"), stmt(t, p, "select 2 from dual")
	equal(t, "fetches of the first", one.Self.Fetch.Count, int64(1))
	equal(t, "fetches of the second", two.Self.Fetch.Count, int64(1))
	equal(t, "self time without the recursive call", one.Self.Fetch.Elapsed, int64(6000))
	equal(t, "no subtraction across sessions", two.Self.Exec.Elapsed, int64(1000))
	equal(t, "elapsed of the first", p.Sessions[0].Elapsed, int64(8000))
}

func TestProblemS12_PooledClients(t *testing.T) {
	client := func(id string) string { return "*** CLIENT ID:(" + id + ") 2026-03-01T10:00:00.000000+01:00\n" }
	data := head19 + parsing(5, 0, 1000, "select 1 from dual")
	for i := range int64(3) {
		data += fmt.Sprintf("*** SESSION ID:(%d.1) 2026-03-01T10:00:00.000000+01:00\n", 101+i)
		data += client("u1") + call("EXEC", 5, 0, 1, 10_000*(i+1)) + call("EXEC", 5, 0, 1, 10_000*(i+1)+1500) + client("u2") + call("EXEC", 5, 0, 1, 10_000*(i+1)+4000)
	}
	p := analyse(t, []byte(data))
	got := map[string]int64{}
	for _, s := range p.Sessions {
		for _, c := range s.Clients {
			got[c.ID] += c.Executions
		}
	}
	equal(t, "executions of u1", got["u1"], int64(6))
	equal(t, "executions of u2", got["u2"], int64(3))
	equal(t, "time of u2", clientTime(p, "u2"), int64(3000))
}

func clientTime(p *tracefile.Profile, id string) int64 {
	var t int64
	for _, s := range p.Sessions {
		for _, c := range s.Clients {
			if c.ID == id {
				t += c.Elapsed
			}
		}
	}
	return t
}

func TestProblemT04_WrapAndFullMarkers(t *testing.T) {
	p := analyse(t, []byte(head19+"Trace output buffer of 65536 bytes wrapped 8 times\n3,r=1,dep=0,og=1,tim=900\n"+
		call("EXEC", 5, 0, 1, 2_000_000)+call("FETCH", 5, 0, 1, 5_000_000)+"*** Trace file full ***\n"))
	equal(t, "rings", len(p.Rings), 1)
	r := p.Rings[0]
	equal(t, "size", r.Bytes, int64(65536))
	equal(t, "wraps", r.Wrapped, int64(8))
	equal(t, "file full", r.Full, true)
	equal(t, "first record", r.FirstRecord, int64(21))
	equal(t, "horizon", r.Span, int64(3_001_000))
	if problem(p, "file_full") == nil {
		t.Error("the full file is not reported")
	}
}

func TestProblemK01_UnitsOf1024Nanoseconds(t *testing.T) {
	// 10.2 on Linux: 10 s pass between the stamps, 9.765625 s by tim.
	data := "/u01/udump/dbm10203_ora_24433.trc\nOracle Database 10g Enterprise Edition Release 10.2.0.3.0 - 64bit Production\n" +
		"*** 2007-08-20 18:15:12.223\n" + call("EXEC", 5, 0, 1, 7_000_000) + "\n*** 2007-08-20 18:15:22.223\n" + call("EXEC", 5, 0, 1, 16_765_625)
	p := analyse(t, []byte(data))
	c := p.Files[0].Clock
	equal(t, "unit", c.UnitNs, int64(1024))
	a, _ := c.Wall(7_000_000)
	b, _ := c.Wall(16_765_625)
	equal(t, "10 s", b-a, int64(10_000_000))
	if problem(p, "clock_unit") == nil {
		t.Error("the unit is not reported")
	}
	equal(t, "figures stay those of the trace", p.Sessions[0].Elapsed, int64(9_766_625))
}

func TestProblemK03_ClockSetBack(t *testing.T) {
	p := analyse(t, []byte(head19+call("EXEC", 5, 0, 1, 100_000_000)+call("EXEC", 5, 0, 1, 110_000_000)+call("EXEC", 5, 0, 1, 80_000_000)+call("EXEC", 5, 0, 1, 90_000_000)))
	x := problem(p, "clock_step")
	if x == nil {
		t.Fatal("the step is not reported")
	}
	equal(t, "line", x.Line, int64(21))
	if !strings.Contains(x.Message, "L20") || !strings.Contains(x.Message, "30.000000 s") {
		t.Errorf("message %q", x.Message)
	}
	equal(t, "elapsed without the step", p.Sessions[0].Elapsed, int64(20_002_000))
}

// TestIncidentFile reads the dump file of an incident: no SQL trace, but an
// error with its statement.
func TestIncidentFile(t *testing.T) {
	p := analyse(t, []byte(`Dump file /u01/diag/rdbms/db/db1/incident/incdir_10192/db1_ora_7_i10192.trc
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
Instance name: db1

*** 2026-03-01T10:00:00.000000+01:00
*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00

[TOC00000]
Jump to table of contents
Dump continued from file: /u01/diag/rdbms/db/db1/trace/db1_ora_7.trc
[TOC00001]
ORA-00600: internal error code, arguments: [autodiag_test], [1]

[TOC00001-END]
[TOC00002]
========= Dump for incident 10192 (ORA 600 [autodiag_test]) ========

*** 2026-03-01T10:00:00.100000+01:00
dbkedDefDump(): Starting incident default dumps (flags=0x2, level=3, mask=0x0)
----- Current SQL Statement for this session (sql_id=9x825n14bw9r9) -----
select 1 from dual
----- Call Stack Trace -----
`))
	equal(t, "errors", len(p.Errors), 1)
	e := p.Errors[0]
	equal(t, "ORA", e.ORA, int64(600))
	equal(t, "message", e.Message, "internal error code, arguments: [autodiag_test], [1]")
	equal(t, "statement", e.Statement.Text, "select 1 from dual")
	equal(t, "dumps", len(p.Dumps), 1)
	equal(t, "wall time", e.HasWall, true)
}

func TestLockDetail(t *testing.T) {
	p := analyse(t, []byte(head19+parsing(5, 0, 1000, "update t set x = 1")+
		"WAIT #5: nam='enq: TX - row lock contention' ela= 500000 name|mode=1415053318 usn<<16 | slot=131105 sequence=620 obj#=73132 tim=510000\n"+
		strings.Replace(call("EXEC", 5, 0, 1, 520000), "e=1000", "e=518000", 1)))
	equal(t, "what was waited for", p.Sessions[0].Story[0].EventWhat, "TX mode 6, object 73132")
}

func TestProblemK09_ChildrenLongerThanTheirParent(t *testing.T) {
	stat := func(id, pid int, op string, time int64) string {
		return fmt.Sprintf("STAT #5 id=%d cnt=1 pid=%d pos=1 obj=0 op='%s (cr=0 pr=0 pw=0 str=1 time=%d us)'\n", id, pid, op, time)
	}
	p := analyse(t, []byte(head19+parsing(5, 0, 1000, "select 1 from t")+call("EXEC", 5, 0, 0, 2000)+
		stat(1, 0, "PX COORDINATOR", 100)+stat(2, 1, "PX BLOCK ITERATOR", 700)+stat(3, 2, "TABLE ACCESS FULL T", 600)))
	steps := p.Statements[0].Plans[0].Steps
	equal(t, "self time of the coordinator", steps[0].SelfTime, int64(-600))
	equal(t, "self time of the iterator", steps[1].SelfTime, int64(100))
	equal(t, "level", steps[2].Level, 2)
}

// TestClockOfARing: the file was made when the session was armed, an hour before
// its ring was written; the dump's stamp tells the time, not the header's.
func TestClockOfARing(t *testing.T) {
	armed := head19 + "Received ORADEBUG command (#1) 'session_event 942 …' from process '7'\n\n*** 2026-03-01T10:00:00.500000+01:00 (PDB1(3))\nFinished processing ORADEBUG command (#1) 'session_event 942 …'\n"
	text := "select * from orders where id = :1"
	ring := call("EXEC", 9, 0, 1, 1_000_000) + call("EXEC", 9, 0, 1, 2_000_000)
	stack := strings.ReplaceAll(fmt.Sprintf(errorStack, tracefile.SQLIDOf([]byte(text)), text), "T10:00:03", "T11:00:03")
	for name, data := range map[string]string{"with markers": armed + ring + stack, "without": head19 + ring + stack, "with an ERROR line": armed + ring + stack + "ERROR #9:err=1555 tim=2900000\n"} {
		p := analyse(t, []byte(data))
		w, ok := p.Files[0].Clock.Wall(2_000_000)
		equal(t, name+": known", ok, true)
		equal(t, name+": wall time of the last record", tracefile.Clock{Micros: w}.Time().Format("15:04:05.000"), "10:00:03.000") // UTC
	}
}

func TestByteOrderMark(t *testing.T) {
	p := analyse(t, []byte("\xef\xbb\xbf"+head19+call("EXEC", 9, 0, 1, 1_000_000)))
	equal(t, "headers", p.Files[0].Headers, 1)
	equal(t, "release", p.Files[0].Release, "19.24.0.0.0")
}

// TestGlobalDeadlock reads the graph of a cluster's LMD0 process. Its lines are
// as assumed in docs/report.md.
func TestGlobalDeadlock(t *testing.T) {
	p := analyse(t, []byte(strings.ReplaceAll(head19, "TNS V1-V3", "LMD0")+`Global Wait-For-Graph(WFG) at ddTS[0.2] :
BLOCKED 0x3d2438198 5 wq 2 cvtops x1 TX 0xe0007.0x26d(ext 0x2,0x0)[69000-0001-00000B2B] inst 1
BLOCKER 0x3d2438e38 5 wq 1 cvtops x28 TX 0xe0007.0x26d(ext 0x2,0x0)[6A000-0002-0000065F] inst 2
BLOCKED 0x3d2438199 5 wq 2 cvtops x1 TX 0xa0007.0x11(ext 0x2,0x0)[6A000-0002-0000065F] inst 2
BLOCKER 0x3d2438e39 5 wq 1 cvtops x28 TX 0xa0007.0x11(ext 0x2,0x0)[69000-0001-00000B2B] inst 1
user session for deadlock lock 0x3d2438198
  sid: 135 ser: 47 audsid: 1 user: 90/APP
  current SQL:
  update acc set x = 1 where id = :1
`))
	equal(t, "deadlocks", len(p.Deadlocks), 1)
	l := p.Deadlocks[0]
	equal(t, "global", l.Global, true)
	equal(t, "edges", len(l.Edges), 2)
	equal(t, "waiter's instance", l.Edges[0].Waiter.Instance, int64(1))
	equal(t, "holder's instance", l.Edges[0].Blocker.Instance, int64(2))
	equal(t, "resource", l.Edges[0].Resource, "TX 0xe0007.0x26d")
	equal(t, "SQL", l.SQL[0].Text, "update acc set x = 1 where id = :1")
	equal(t, "session", l.SQL[0].Session, int64(135))
	equal(t, "errors", len(p.Errors), 1)
	equal(t, "ORA", p.Errors[0].ORA, int64(60))
}

// TestImplausibleTime: one damaged digit must not spoil the clock of what
// follows; two records that agree are believed.
func TestImplausibleTime(t *testing.T) {
	p := analyse(t, []byte(head19+call("EXEC", 9, 0, 1, 1_000_000)+call("EXEC", 9, 0, 1, 9_000_000_002_000_000)+call("EXEC", 9, 0, 1, 3_000_000)))
	equal(t, "executions", p.Totals.UnknownCursors.Exec.Count, int64(3))
	equal(t, "elapsed", p.Sessions[0].Elapsed, int64(2_001_000))
	equal(t, "problems", len(p.Problems), 1)
	p = analyse(t, []byte(head19+call("EXEC", 9, 0, 1, 1_000_000)+call("EXEC", 9, 0, 1, 9_000_000_002_000_000)+call("EXEC", 9, 0, 1, 9_000_000_003_000_000)))
	equal(t, "last", p.Sessions[0].Last, int64(9_000_000_003_000_000))
}

// TestMarkersInARing: ORADEBUG writes its lines into the ring of its target, so
// they do not end it; the command that writes it out does.
func TestMarkersInARing(t *testing.T) {
	marker := func(s string) string {
		return "Received ORADEBUG command (#3) '" + s + "' from process '7'\n\n*** 2026-03-01T10:00:01.000000+01:00 (PDB1(3))\nFinished processing ORADEBUG command (#3) '" + s + "'\n"
	}
	p := analyse(t, []byte(head19+"Trace output buffer of 65536 bytes wrapped 1 times\nrest of a line\n"+call("EXEC", 9, 0, 1, 1_000_000)+marker("eventdump session")+
		call("EXEC", 9, 0, 1, 3_000_000)+"Finished processing ORADEBUG command (#4) 'event immediate trace name trace_buffer_off'\n"+call("EXEC", 9, 0, 1, 9_000_000)))
	equal(t, "rings", len(p.Rings), 1)
	equal(t, "span", p.Rings[0].Span, int64(2_001_000))
	equal(t, "records", p.Rings[0].Records, int64(2))
	equal(t, "markers", len(p.Markers), 3)
	equal(t, "skipped", p.Rings[0].Skipped, int64(15))
}

// TestSeveralHeaders: a file appended after a restart holds another process,
// whose cursors are its own although their numbers are the same.
func TestSeveralHeaders(t *testing.T) {
	second := strings.ReplaceAll(strings.ReplaceAll(head19, "4711", "4712"), "101.5", "77.1")
	p := analyse(t, []byte(head19+parsing(5, 0, 1_000_000, "select 1 from dual")+call("EXEC", 5, 0, 1, 1_100_000)+second+call("EXEC", 5, 0, 1, 500_000)))
	equal(t, "headers", p.Files[0].Headers, 2)
	equal(t, "sessions", len(p.Sessions), 2)
	equal(t, "known executions", p.Totals.NonRecursive.Exec.Count, int64(1))
	equal(t, "unknown executions", p.Totals.UnknownCursors.Exec.Count, int64(1))
	equal(t, "problems", len(p.Problems), 0)
	// The same process again: nothing but the header block changes.
	p = analyse(t, []byte(head19+parsing(5, 0, 1_000_000, "select 1 from dual")+call("EXEC", 5, 0, 1, 1_100_000)+head19+call("EXEC", 5, 0, 1, 1_300_000)))
	equal(t, "executions", p.Totals.NonRecursive.Exec.Count, int64(2))
}

// TestPlanLinesOfAllReleases reads the figures of STAT in every order and with
// every omission that facts 8 names.
func TestPlanLinesOfAllReleases(t *testing.T) {
	type figures struct{ cr, pr, pw, time, cost, size, card, starts int64 }
	for op, want := range map[string]struct {
		name string
		figures
	}{
		"SORT AGGREGATE": {"SORT AGGREGATE", figures{starts: -1}},
		"SORT AGGREGATE (cr=5 r=2 w=1 time=33 us)":                                                               {"SORT AGGREGATE", figures{5, 2, 1, 33, 0, 0, 0, -1}},
		"TABLE ACCESS FULL T (cr=5 pr=2 pw=1 time=33 us)":                                                        {"TABLE ACCESS FULL T", figures{5, 2, 1, 33, 0, 0, 0, -1}},
		"INDEX RANGE SCAN I (cr=5 pr=2 pw=1 time=33 us cost=4 size=246 card=6)":                                  {"INDEX RANGE SCAN I", figures{5, 2, 1, 33, 4, 246, 6, -1}},
		"INDEX RANGE SCAN I (cr=5 pr=2 pw=1 str=7 time=33 us cost=4 size=246 card=6)":                            {"INDEX RANGE SCAN I", figures{5, 2, 1, 33, 4, 246, 6, 7}},
		"INDEX RANGE SCAN I (cr=5 pr=2 pw=1 str=7 time=33us cost=4 size=246 card=6)":                             {"INDEX RANGE SCAN I", figures{5, 2, 1, 33, 4, 246, 6, 7}},
		"INDEX RANGE SCAN I (cr=5 pr=2 pw=1 str=0 time=33 dr=0 dw=0 us cost=4 size=246 card=6)":                  {"INDEX RANGE SCAN I", figures{5, 2, 1, 33, 4, 246, 6, 0}},
		"PARTITION RANGE ALL PARTITION: START=1 STOP=4 (cr=5 pr=2 pw=1 str=7 time=33 us cost=4 size=246 card=6)": {"PARTITION RANGE ALL PARTITION: START=1 STOP=4", figures{5, 2, 1, 33, 4, 246, 6, 7}},
		"VIEW  (cr=2228 pr=2228 pw=0 time=8673508 us cost=2231 size=26000000 card=1000000)":                      {"VIEW", figures{2228, 2228, 0, 8673508, 2231, 26000000, 1000000, -1}},
	} {
		r := tracefile.NewReader(strings.NewReader("STAT #5 id=1 cnt=14 pid=0 pos=1 obj=89440 op='" + op + "'\n"))
		if !r.Scan() {
			t.Fatal("no record")
		}
		rec := r.Record()
		pl := rec.Plan
		equal(t, op+": damage", rec.Damage, tracefile.Sound)
		equal(t, op, string(pl.Operation), want.name)
		equal(t, op, figures{pl.CR, pl.PR, pl.PW, pl.Time, pl.Cost, pl.Size, pl.Card, pl.Starts}, want.figures)
		equal(t, op, [5]int64{int64(pl.ID), pl.Rows, int64(pl.Parent), int64(pl.Position), pl.Object}, [5]int64{1, 14, 0, 1, 89440})
	}
}
