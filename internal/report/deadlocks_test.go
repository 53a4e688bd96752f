package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// lockedOut is the trace of one session of a deadlock (facts/trace-format.md 11):
// it updates row :1 = first, then waits for row :1 = second.
func lockedOut(sid, start, first, second int64, graph string) string {
	bind := func(v int64) string {
		return fmt.Sprintf("BINDS #50:\n\n Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0\n  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05\n  value=%d\n", v)
	}
	exec := func(e, tim int64) string {
		return fmt.Sprintf("EXEC #50:c=9,e=%d,p=0,cr=1,cu=3,mis=0,r=1,dep=0,og=1,plh=5,tim=%d\n", e, tim)
	}
	at := func(tim int64) string { return fmt.Sprintf("2026-03-01T10:00:%09.6f+01:00", float64(tim)/1e6) }
	s := fmt.Sprintf("Trace file /u01/db1_ora_%d.trc\nOracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\nVersion 19.24.0.0.0\nInstance name: db1\n\n*** %s\n*** SESSION ID:(%d.7) %s\n\n", 9000+sid, at(start), sid, at(start))
	s += fmt.Sprintf("PARSING IN CURSOR #50 len=34 dep=0 uid=9 oct=6 lid=9 tim=%d hv=1 ad='7' sqlid='aaaaaaaaaaaa1'\nupdate acc set x = 1\n where id = :1\nEND OF STMT\n", start)
	s += bind(first) + exec(10, start+2000) + bind(second)
	if graph == "" {
		return s + exec(5_000_000, 7_500_000)
	}
	return s + exec(3_000_000, 6_000_000) + "\n*** " + at(6_000_010) + "\n" + graph + "ERROR #50:err=60 tim=6000020\n"
}

const graphOf203 = `DEADLOCK DETECTED ( ORA-00060 )

[Transaction Deadlock]

Deadlock graph:
                       ---------Blocker(s)--------  ---------Waiter(s)---------
Resource Name          process session holds waits  process session holds waits
TX-00020021-0000026C        94     203     X             104    195           X
TX-0001001A-00000ABC       104     195     X              94    203           X

Rows waited on:
  Session 203: obj - rowid = 00011DAC - AAAR2sAAEAAAA2PAAA
  (dictionary objn - 73132, file - 1024, block - 3471, slot - 1)
  Session 195: obj - rowid = 00011DAC - AAAR2sAAEAAAA2PAAB
  (dictionary objn - 73132, file - 1024, block - 3471, slot - 2)

----- Information for the OTHER waiting sessions -----
Session 195:
  sid: 195 ser: 7 audsid: 1 user: 90/APP
  current SQL:
  update acc set x = 1
   where id = :1

----- End of information for the OTHER waiting sessions -----

Information for THIS session:

----- Current SQL Statement for this session (sql_id=aaaaaaaaaaaa1) -----
update acc set x = 1
 where id = :1
`

// TestDeadlockOnTheFirstScreen: who waited for whom and what both ran stands in
// the verdict, with the bind values of the other session where its trace is there.
func TestDeadlockOnTheFirstScreen(t *testing.T) {
	one := lockedOut(203, 1_000_000, 1, 2, graphOf203)
	m := load(t, map[string]string{"a.trc": one}, report.Options{})
	v := m.Verdict
	if v == nil || v.Deadlock == nil || len(v.Sides) != 2 {
		t.Fatalf("verdict %+v", v)
	}
	equal(t, "first", v.Sides[0].This, true)
	equal(t, "other", text(v.Sides[1].Text), "update acc set x = 1\nwhere id = :1")
	txt := asText(t, m)
	for _, want := range []string{
		"session 203 process 94 (the one that failed) waits X for session 195 process 104, which holds X: TX-0001001A-00000ABC, row AAAR2sAAEAAAA2PAAA of object 73132 it ran the statement above",
		"session 195 process 104 waits X for session 203 process 94, which holds X: TX-00020021-0000026C, row AAAR2sAAEAAAA2PAAB of object 73132 it ran update acc set x = 1 where id = :1",
	} {
		if i := strings.Index(txt, want); i < 0 || i > strings.Index(txt, "COVERAGE") {
			t.Errorf("%q is not in the verdict:\n%s", want, txt[:strings.Index(txt, "COVERAGE")])
		}
	}

	m = load(t, map[string]string{"a.trc": one, "b.trc": lockedOut(195, 1_100_000, 2, 1, "")}, report.Options{})
	if got := text(m.Verdict.Sides[1].Text); got != "update acc set x = 1\nwhere id = 1" {
		t.Errorf("the other side ran %q, want its bind value 1", got)
	}
	equal(t, "file", m.Verdict.Sides[1].File, "b.trc")
	m = load(t, map[string]string{"a.trc": one, "b.trc": lockedOut(195, 1_100_000, 2, 1, "")}, report.Options{Redact: report.Redact{Binds: true}})
	if got := text(m.Verdict.Sides[1].Text); strings.Contains(got, "= 1\nwhere id = 1") {
		t.Errorf("redacted, and yet %q", got)
	}
}

// TestDeadlockOfItsError: of several graphs in a file the verdict takes the one
// that belongs to its error.
func TestDeadlockOfItsError(t *testing.T) {
	first := lockedOut(203, 1_000_000, 1, 2, graphOf203)
	later := strings.ReplaceAll(graphOf203, "0000026C", "0000FFFF") + "ERROR #50:err=60 tim=8000020\n"
	m := load(t, map[string]string{"a.trc": first + "\n*** 2026-03-01T10:00:08.000010+01:00\n" + later}, report.Options{})
	if n := len(m.Deadlocks); n != 2 {
		t.Fatalf("%d deadlocks", n)
	}
	for i, e := range m.Errors {
		if e.Line == m.Verdict.Line && m.Verdict.Deadlock.Line != m.Deadlocks[i].Line {
			t.Errorf("error L%d has the graph of L%d", e.Line, m.Verdict.Deadlock.Line)
		}
	}
	if m.Verdict.Deadlock.Line > m.Verdict.Line {
		t.Errorf("error L%d has a graph behind it, L%d", m.Verdict.Line, m.Verdict.Deadlock.Line)
	}
}

// TestDeadlockOfTheCluster: in a cluster the graph is LMD0's, in another file; the
// verdict takes it if it is of the same moment (its lines are assumed, see
// docs/report.md).
func TestDeadlockOfTheCluster(t *testing.T) {
	session := lockedOut(203, 1_000_000, 1, 2, "dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n----- Error Stack Dump -----\nORA-00060: deadlock detected while waiting for resource\n\n")
	lmd0 := func(at string) string {
		return "Trace file /u01/db1_lmd0_4.trc\nOracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\nInstance name: db1\n\n*** " + at + "\nGlobal Wait-For-Graph(WFG) at ddTS[0.1] :\nBLOCKED 0x1 5 wq 2 cvtops x1 TX 0xe0007.0x26d(ext 0x2,0x0)[69000-0001-00000B2B] inst 1\nBLOCKER 0x2 5 wq 1 cvtops x28 TX 0xe0007.0x26d(ext 0x2,0x0)[6A000-0002-00000B2C] inst 2\n\n"
	}
	m := load(t, map[string]string{"a.trc": session, "lmd0.trc": lmd0("2026-03-01T10:00:05.900000+01:00")}, report.Options{ORA: []int64{60}})
	v := m.Verdict
	if v == nil || v.Deadlock == nil || v.Deadlock.File != "lmd0.trc" || len(v.Sides) != 1 || v.Sides[0].This {
		t.Fatalf("verdict %+v", v)
	}
	equal(t, "the session's error is told", v.File, "a.trc")
	equal(t, "errors", len(m.Errors), 1)
	if txt := asText(t, m); !strings.Contains(txt, "deadlock lmd0.trc:L6") || !strings.Contains(txt, "on instance 1 waits for process") {
		t.Errorf("text: %.900s", txt)
	}
	m = load(t, map[string]string{"a.trc": session, "lmd0.trc": lmd0("2026-03-01T10:05:05.900000+01:00")}, report.Options{ORA: []int64{60}})
	if m.Verdict == nil || m.Verdict.File == "a.trc" && m.Verdict.Deadlock != nil {
		t.Errorf("the graph of five minutes later: %+v", m.Verdict)
	}
}

// TestDeadlockNamesItsOwner: "this session" of a graph is whoever's trace it stands
// in; among several sessions the words alone name nobody.
func TestDeadlockNamesItsOwner(t *testing.T) {
	for name, tt := range map[string]struct{ trace, want string }{
		"with an error":    {lockedOut(203, 1_000_000, 1, 2, graphOf203), "session 203.7 (whose trace this is) ran aaaaaaaaaaaa1"},
		"without an error": {strings.Split(lockedOut(203, 1_000_000, 1, 2, graphOf203), "ERROR #50")[0], "session 203.7 (whose trace this is) ran aaaaaaaaaaaa1"},
		"nobody":           {graphOf203, "the session of a.trc ran aaaaaaaaaaaa1"},
	} {
		t.Run(name, func(t *testing.T) {
			m := load(t, map[string]string{"a.trc": tt.trace, "b.trc": lockedOut(195, 1_100_000, 2, 1, "")}, report.Options{})
			var page strings.Builder
			if err := m.WriteHTML(&page); err != nil {
				t.Fatal(err)
			}
			txt := asText(t, m)
			if !strings.Contains(txt, tt.want) {
				t.Errorf("%q is missing in\n%s", tt.want, between(txt, "DEADLOCK", "WHERE THE TIME"))
			}
			equal(t, "page", strings.Contains(page.String(), strings.ReplaceAll(tt.want, " ran", "")), true)
			if strings.Contains(strings.ToLower(txt), "this session ran") {
				t.Error("this session is nobody")
			}
		})
	}
}

// TestVerdictTellsTheWait: how long the failing execution had waited, and for what.
func TestVerdictTellsTheWait(t *testing.T) {
	one := strings.Replace(lockedOut(203, 1_000_000, 1, 2, graphOf203), "EXEC #50:c=9,e=3000000",
		"WAIT #50: nam='enq: TX - row lock contention' ela= 2999000 name|mode=1415053318 usn<<16 | slot=65562 sequence=2748 obj#=73132 tim=5999500\nEXEC #50:c=9,e=3000000", 1)
	m := load(t, map[string]string{"a.trc": one}, report.Options{})
	if m.Verdict.Took == nil {
		t.Fatal("the verdict does not tell how long it took")
	}
	equal(t, "wait", m.Verdict.Took.LongestUS, 2_999_000)
	const want = "it took 3.000 s, of which it waited 2.999 s: enq: TX - row lock contention (TX mode 6, object 73132)"
	if txt := asText(t, m); !strings.Contains(txt[:strings.Index(txt, "COVERAGE")], want) {
		t.Errorf("%q is not on the first screen:\n%.900s", want, txt)
	}
	var page strings.Builder
	if err := m.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	equal(t, "page", strings.Contains(page.String(), want), true)
}
