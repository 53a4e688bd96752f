package tracefile_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

const head19 = `Trace file /u01/app/oracle/diag/rdbms/db/db1/trace/db1_ora_4711.trc
Oracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production
Version 19.24.0.0.0
ORACLE_HOME:    /u01/app/oracle/product/19
System name:	Linux
Node name:	host1
Instance name: db1
Oracle process number: 38
Unix process pid: 4711, image: oracle@host1 (TNS V1-V3)


*** 2026-03-01T10:00:00.000000+01:00 (PDB1(3))
*** SESSION ID:(101.5) 2026-03-01T10:00:00.000000+01:00
*** CLIENT ID:() 2026-03-01T10:00:00.000000+01:00
*** SERVICE NAME:(app) 2026-03-01T10:00:00.000000+01:00
*** MODULE NAME:(sqlplus@host1 (TNS V1-V3)) 2026-03-01T10:00:00.000000+01:00
*** ACTION NAME:() 2026-03-01T10:00:00.000000+01:00

`

// call prints a call line of 1 ms that ended at tim.
func call(kind string, cursor, depth, rows, tim int64) string {
	return fmt.Sprintf("%s #%d:c=900,e=1000,p=1,cr=2,cu=3,mis=0,r=%d,dep=%d,og=1,plh=77,tim=%d\n", kind, cursor, rows, depth, tim)
}

func parsing(cursor, depth, tim int64, text string) string {
	return fmt.Sprintf("=====================\nPARSING IN CURSOR #%d len=%d dep=%d uid=90 oct=3 lid=90 tim=%d hv=%d ad='7f00' sqlid='%s'\n%s\nEND OF STMT\n",
		cursor, len(text), depth, tim, tracefile.HashOf([]byte(text)), tracefile.SQLIDOf([]byte(text)), text)
}

func waitLine(cursor int64, event string, ela, tim int64) string {
	return fmt.Sprintf("WAIT #%d: nam='%s' ela= %d driver id=1 #bytes=1 p3=0 obj#=-1 tim=%d\n", cursor, event, ela, tim)
}

func stmt(tb testing.TB, p *tracefile.Profile, text string) *tracefile.Statement {
	tb.Helper()
	for _, s := range p.Statements {
		if s.Text == text {
			return s
		}
	}
	tb.Fatalf("no statement %q", text)
	return nil
}

func problem(p *tracefile.Profile, kind string) *tracefile.Problem {
	for _, list := range [][]*tracefile.Problem{p.Problems, p.Notes} {
		for _, x := range list {
			if x.Kind == kind {
				return x
			}
		}
	}
	return nil
}

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestProblemX01_MalformedStat(t *testing.T) {
	p := analyse(t, []byte(head19+call("EXEC", 140463666059192, 1, 0, 5000)+
		"STAT #140463666059192 id=1 cnt=1 pid=0 pos=1 obj=0 op='FOR UPDATE  (cr=4 pr=0 pw=0 str=1 time=399 us)'\n"+
		"STAT #1 (cr=0 pr=0 pw=0 str=1 time=29 us)'\n"+"XCTEND rlbk=0, rd_only=0, tim=6000\n"))
	equal(t, "problems", len(p.Problems), 1)
	equal(t, "line of the problem", p.Problems[0].Line, int64(21))
	equal(t, "damaged records", p.Files[0].Damaged, int64(1))
	equal(t, "commits after it", p.Commits, int64(1))
	equal(t, "plans", len(p.Statements[0].Plans), 1)
	equal(t, "operation", p.Statements[0].Plans[0].Steps[0].Operation, "FOR UPDATE")
}

func TestProblemX03_ThreeStylesOfStamps(t *testing.T) {
	p := analyse(t, []byte("*** 2017-03-13 09:23:21.767\n"+call("EXEC", 9, 0, 0, 1_000_000)+
		"\n*** 2017-03-13T09:23:31.767000\n"+call("EXEC", 9, 0, 0, 11_000_000)+
		"\n*** 2017-03-13T09:23:41.767000-05:00\n"+call("EXEC", 9, 0, 0, 21_000_000)))
	equal(t, "anchors", p.Files[0].Clock.Anchors, 3)
	n := problem(p, "no_time_zone")
	if n == nil {
		t.Fatal("the missing zone is not noted")
	}
	equal(t, "notes of a missing zone", n.Count, int64(1))
	equal(t, "unknown lines", p.Files[0].Unknown, int64(0))
}

func TestProblemX05_OrphanCursors(t *testing.T) {
	p := analyse(t, []byte(head19+"CLOSE #11:c=3,e=3,dep=0,type=1,tim=100000\n"+call("EXEC", 12, 0, 7, 200000)+call("FETCH", 12, 0, 9, 300000)))
	equal(t, "unknown executions", p.Totals.UnknownCursors.Exec.Count, int64(1))
	equal(t, "unknown fetched rows", p.Totals.UnknownCursors.Fetch.Rows, int64(9))
	equal(t, "known calls", p.Totals.NonRecursive.Sum().Count, int64(0))
	s := stmt(t, p, "")
	_ = s
	found := false
	for _, s := range p.Statements {
		if s.Cursor == 12 {
			found = true
			equal(t, "its executions", s.Self.Exec.Count, int64(1))
			equal(t, "its text source", s.TextSource, tracefile.TextNone)
		}
	}
	if !found {
		t.Error("the orphan cursor is not among the statements")
	}
}

func TestProblemX06_CursorReusedByAnotherStatement(t *testing.T) {
	for _, end := range []string{"CLOSE #5:c=0,e=1,dep=0,type=0,tim=150500\n", ""} {
		p := analyse(t, []byte(head19+parsing(5, 0, 100000, "select 1 from dual")+call("EXEC", 5, 0, 0, 110000)+call("FETCH", 5, 0, 1, 150000)+end+
			parsing(5, 0, 200000, "select 2 from dual")+call("EXEC", 5, 0, 0, 210000)+call("FETCH", 5, 0, 1, 250000)+call("FETCH", 5, 0, 0, 260000)))
		equal(t, "statements", len(p.Statements), 2)
		equal(t, "fetches of the first", stmt(t, p, "select 1 from dual").Self.Fetch.Count, int64(1))
		equal(t, "fetches of the second", stmt(t, p, "select 2 from dual").Self.Fetch.Count, int64(2))
	}
	p := analyse(t, readShared(t, "two_statements_one_cursor.trc"))
	ids := map[string]bool{}
	for _, s := range p.Statements {
		ids[s.SQLID] = true
	}
	for _, id := range []string{"cdgn9f8spbxnt", "atxg62s17nkj4", "6ssxu7vjxb51a"} {
		if !ids[id] {
			t.Errorf("statement %s is missing", id)
		}
	}
}

func TestProblemX07_Errors(t *testing.T) {
	text := "/* SQL Analyze(436,0) */ select username from dba_users order by 1"
	p := analyse(t, readShared(t, "parse_error.trc"))
	equal(t, "errors", len(p.Errors), 1)
	e := p.Errors[0]
	equal(t, "ORA", e.ORA, int64(10980))
	equal(t, "parse error", e.ParseError, true)
	equal(t, "statement", e.Statement.Text, text)
	equal(t, "line", e.Line, int64(33))
	equal(t, "closes behind the text", p.Files[0].Records[tracefile.Close], int64(1))
	if !e.HasWall || e.Wall/1e6 != 1733820008 {
		t.Errorf("wall time %d", e.Wall)
	}

	p = analyse(t, readShared(t, "error.trc"))
	equal(t, "errors", len(p.Errors), 2)
	equal(t, "ORA", p.Errors[0].ORA, int64(27403))
	equal(t, "cursor", p.Errors[1].Cursor, uint64(139637915541432))

	// A script of several statements, with blank lines and something like a
	// record in it, is one text.
	script := "begin\n\n  null;\nend;\n/\nEXEC #1:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=3"
	p = analyse(t, []byte(head19+fmt.Sprintf("PARSE ERROR #77:len=%d dep=0 uid=9 oct=47 lid=9 tim=500000 err=922\n%s\nCLOSE #77:c=1,e=1,dep=0,type=0,tim=500100\n", len(script), script)))
	equal(t, "text", p.Errors[0].Statement.Text, script)
	equal(t, "executions", p.Files[0].Records[tracefile.Exec], int64(0))
}

func TestProblemX08_LOBCalls(t *testing.T) {
	p := analyse(t, readShared(t, "lobs.trc"))
	equal(t, "LOB calls by name", len(p.Lobs), 3)
	var n int64
	for _, l := range p.Lobs {
		n += l.Values.Count
	}
	equal(t, "LOB calls", n, int64(14))
	equal(t, "statements", len(p.Statements), 0)
	equal(t, "counted calls", p.Totals.NonRecursive.Sum().Count+p.Totals.UnknownCursors.Sum().Count, int64(0))
	equal(t, "waits between calls", p.Sessions[0].Idle, int64(83230))
}

func TestProblemX11_BindsOf9i(t *testing.T) {
	p := analyse(t, []byte(`Dump file /u01/udump/o9_ora_12.trc
Oracle9i Enterprise Edition Release 9.2.0.8.0 - Production
PARSING IN CURSOR #1 len=47 dep=0 uid=20 oct=3 lid=20 tim=100 hv=1 ad='5a'
select * from t where a = :b3 and b = :b2 or :b
END OF STMT
PARSE #1:c=0,e=10,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,tim=100
BINDS #1:
 bind 0: dty=2 mxl=22(22) mal=00 scl=00 pre=00 oacflg=08 oacfl2=1 size=24 offset=0
   bfp=0a0b0c bln=22 avl=03 flg=05
   value=2374
 bind 1: dty=1 mxl=32(04) mal=00 scl=00 pre=00 oacflg=00 oacfl2=1 size=32 offset=24
   bfp=0a0b0d bln=32 avl=04 flg=05
   value="BLUE"
 bind 2: (No oacdef for this bind)
EXEC #1:c=0,e=20,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=4,tim=130
WAIT #1: nam='SQL*Net message to client' ela= 2 p1=1413697536 p2=1 p3=0
`))
	row := p.Sessions[0].Story[0]
	b := row.Binds()
	equal(t, "binds", len(b), 3)
	equal(t, "first", b[0].Literal(), "2374")
	equal(t, "second", b[1].Literal(), "'BLUE'")
	// By position: the first placeholder, :b3, is bind 0.
	equal(t, "statement with values", tracefile.Substitute(row.Statement.Text, b[:2]), "select * from t where a = 2374 and b = 'BLUE' or :b")
	equal(t, "waits without a time", p.Events[0].Stat.Total, int64(2))
	equal(t, "damaged", p.Files[0].Damaged, int64(0))
}

func TestProblemX12_NationalTextAndQuotes(t *testing.T) {
	data := head19 + parsing(3, 0, 1000, "select :1,:2,:3,:4,:5,:6 from dual") + `BINDS #3:

 Bind#0
  oacdty=01 mxl=128(08) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000010 frm=02 csi=2000 siz=160 off=0
  kxsbbbfp=7fae3bd02fd8  bln=128  avl=04  flg=05
  value=0 54 0 31
 Bind#1
  oacdty=01 mxl=128(30) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000010 frm=01 csi=873 siz=160 off=0
  kxsbbbfp=7fae3bd02fd8  bln=128  avl=26  flg=05
  value="say "hi"
EXEC #9 and "bye""

 Bind#2
  No oacdef for this bind.
 Bind#3
  oacdty=12 mxl=07(07) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000010 frm=00 csi=00 siz=8 off=0
  kxsbbbfp=7fae3bd02fd8  bln=07  avl=07  flg=05
  value="6/26/2017 9:58:26"
 Bind#4
  oacdty=01 mxl=32(00) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000010 frm=01 csi=873 siz=32 off=0
  kxsbbbfp=7fae3bd02fd8  bln=32  avl=00  flg=05
 Bind#5
  oacdty=102 mxl=04(04) mxlc=00 mal=00 scl=00 pre=00
  oacflg=03 fl2=1000010 frm=00 csi=00 siz=8 off=0
  kxsbbbfp=7fae3bd02fd8  bln=04  avl=04  flg=05
  value=Unhandled datatype (102) found in kxsbndinf
Dump of memory from 0x00007F0011220000 to 0x00007F0011220004
7F0011220000 00000008                             [....]
` + call("EXEC", 3, 0, 0, 9000) + call("FETCH", 3, 0, 1, 11000)
	p := analyse(t, []byte(data))
	row := p.Sessions[0].Story[0]
	b := row.Binds()
	if len(b) != 6 {
		t.Fatalf("%d binds: %+v", len(b), b)
	}
	equal(t, "national text", b[0].Literal(), "N'T1'")
	equal(t, "quotes and newline", b[1].Text, "say \"hi\"\nEXEC #9 and \"bye\"")
	equal(t, "date", b[3].Literal(), "TO_DATE('6/26/2017 9:58:26','MM/DD/YYYY HH24:MI:SS')")
	equal(t, "null", b[4].Literal(), "NULL")
	equal(t, "executions", row.Execs, int64(1))
	equal(t, "fetches", row.Fetches, int64(1))
	equal(t, "damaged", p.Files[0].Damaged, int64(0))
	equal(t, "dumps", len(p.Dumps), 0)
}

func TestProblemX14_SyntheticCommit(t *testing.T) {
	p := analyse(t, []byte(head19+"XCTEND rlbk=0, rd_only=1, tim=1000\nXCTEND rlbk=1, rd_only=0, tim=2000\nXCTEND rlbk=0, rd_only=0\n"))
	equal(t, "commits", p.Commits, int64(2))
	equal(t, "rollbacks", p.Rollbacks, int64(1))
	equal(t, "read only", p.ReadOnly, int64(1))
	equal(t, "statements", len(p.Statements), 0)
	equal(t, "rows of the story", len(p.Sessions[0].Story), 3)
	equal(t, "kind", p.Sessions[0].Story[0].Kind, tracefile.RowTransaction)
	equal(t, "read only flagged", p.Sessions[0].Story[0].ReadOnly, true)
}

const errorStack = `
*** 2026-03-01T10:00:03.000000+01:00 (PDB1(3))
dbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)
----- Error Stack Dump -----
<error barrier> at 0x7fff83740dd0 placed dbkda.c@296
ORA-01555: snapshot too old: rollback segment number 12 with name "_SYSSMU12_1$" too small
ORA-06512: at "APP.PAY", line 36
----- Current SQL Statement for this session (sql_id=%s) -----
%s
----- PL/SQL Stack -----
----- PL/SQL Call Stack -----
  object      line  object
  handle    number  name
0x78c5a8b8        36  package body APP.PAY.RUN
0x78c5a000         1  anonymous block

----- Call Stack Trace -----
calling              call     entry                argument values in hex      
location             type     point                (? means dubious value)     
-------------------- -------- -------------------- ----------------------------
ksedst1()+95         call     kgdsdst()            7FFF1 ? 0 ?
dbkedDefDump()+2     call     ksedst1()            0 ?
ktussto()+310        call     dbgeEndDDEInvocation() 0 ?
kcbgtcr()+4000       call     ktussto()            0 ?
----- End of Call Stack Trace -----
******************** Session Cursor Dump **********************
Current cursor: 6, pgadep=0
Cursor#6(0x7f0000000060) state=BOUND curiob=0x7f0000000070
 child#0(0x7a) pcs=0x7b
 Bind#0
  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00
  oacflg=00 fl2=1000001 frm=00 csi=00 siz=24 off=0
  kxsbbbfp=7f36fc263fb0  bln=22  avl=02  flg=05
  value=42
Dump of memory from 0x0000000060D2A000 to 0x0000000060D2A010
060D2A000 00000008 00000000                    [........]
----- End of Customized Incident Dump(s) -----
`

func TestProblemX15_DumpsBetweenRecords(t *testing.T) {
	text := "select * from orders where id = :1"
	id := tracefile.SQLIDOf([]byte(text))
	data := head19 + call("EXEC", 140001, 0, 0, 1_000_000) + fmt.Sprintf(errorStack, id, text) + strings.Repeat("0060D2A000 00000008 00000000                    [........]\n", 5000) +
		parsing(140002, 0, 4_000_000, "select 2 from dual") + call("EXEC", 140002, 0, 0, 4_100_000) +
		"DEADLOCK DETECTED ( ORA-00060 )\n\n[Transaction Deadlock]\nsome text\n" + call("FETCH", 140002, 0, 3, 4_200_000)
	p := analyse(t, []byte(data))
	s := stmt(t, p, "select 2 from dual")
	equal(t, "executions behind the dump", s.Self.Exec.Count, int64(1))
	equal(t, "rows behind the second dump", s.Self.Fetch.Rows, int64(3))
	equal(t, "unknown lines", p.Files[0].Unknown, int64(0))
	equal(t, "dumps", len(p.Dumps), 2)
	d := p.Dumps[0]
	if d.Bytes < 5000*58 {
		t.Errorf("size of the dump %d", d.Bytes)
	}
	equal(t, "level", d.Level, int64(3))
	ora, msg := d.Trigger()
	equal(t, "trigger", ora, int64(1555))
	equal(t, "message", strings.HasPrefix(msg, "snapshot too old"), true)
	equal(t, "current SQL", d.SQLText, text)
	equal(t, "PL/SQL", d.PLSQL[0], tracefile.PLSQLFrame{Unit: "package body APP.PAY.RUN", Line: 36})
	equal(t, "first telling frame", d.Frames[0], "ktussto")
	equal(t, "cursor binds", d.Cursors[0].Binds[0].Text, "42")
	equal(t, "errors", len(p.Errors), 1)
	equal(t, "error's dump", p.Errors[0].Dump, d)
	equal(t, "error's bind", p.Errors[0].Binds[0].Text, "42")
}

// TestProblemX16_BothSidesOfADeadlock merges the rings of sessions 203 and 195
// on one clock, with the bind values of both.
func TestProblemX16_BothSidesOfADeadlock(t *testing.T) {
	side := func(sid string, pid, start int64, first, second string) string {
		h := strings.ReplaceAll(strings.ReplaceAll(head19, "101.5", sid), "4711", fmt.Sprint(pid))
		bind := func(v string) string {
			return "BINDS #50:\n\n Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  oacflg=03 fl2=1000000 frm=00 csi=00 siz=24 off=0\n  kxsbbbfp=7fe9c3cf3450  bln=22  avl=02  flg=05\n  value=" + v + "\n"
		}
		text := "update acc set x = 1 where id = :1"
		return h + parsing(50, 0, start, text) + bind(first) + call("EXEC", 50, 0, 1, start+2000) + bind(second) + call("EXEC", 50, 0, 1, start+400_000)
	}
	a := tracefile.NewAnalyzer(tracefile.Options{})
	for i, s := range []string{side("203.1", 9203, 1_000_000, "1", "2"), side("195.7", 9195, 1_100_000, "2", "1")} {
		if _, err := a.ReadFile(fmt.Sprint(i, ".trc"), strings.NewReader(s)); err != nil {
			t.Fatal(err)
		}
	}
	p := a.Profile()
	type step struct {
		at   int64
		sid  string
		bind string
	}
	var steps []step
	for _, s := range p.Sessions {
		for _, r := range s.Story {
			if r.Kind == tracefile.RowGap {
				continue
			}
			w, ok := s.Clock.Wall(r.Start)
			if !ok {
				t.Fatal("no wall clock")
			}
			b := r.Binds()
			if len(b) != 1 {
				t.Fatalf("%d binds in session %s", len(b), s.SID)
			}
			steps = append(steps, step{w, s.SID, b[0].Text})
		}
	}
	equal(t, "executions of both", len(steps), 4)
	equal(t, "binds", fmt.Sprint(steps[0].bind, steps[1].bind, steps[2].bind, steps[3].bind), "1221")
	equal(t, "statements", len(p.Statements), 1)

	graph := head19 + call("EXEC", 1, 0, 0, 1000) + `DEADLOCK DETECTED ( ORA-00060 )

[Transaction Deadlock]

Deadlock graph:
                       ---------Blocker(s)--------  ---------Waiter(s)---------
Resource Name          process session holds waits  process session holds waits
TX-00020021-0000026C        94     203     X             104    195           X
TX-0001001a-00000abc       104     195     X              94    203           X

session 203: DID 0001-005E-00000010	session 195: DID 0001-0068-00000020

Rows waited on:
  Session 203: obj - rowid = 00011DAC - AAAR2sAAEAAAA2PAAA
  (dictionary objn - 73132, file - 1024, block - 3471, slot - 1)
  Session 195: obj - rowid = 00011DAC - AAAR2sAAEAAAA2PAAB
  (dictionary objn - 73132, file - 1024, block - 3471, slot - 2)

----- Information for the OTHER waiting sessions -----
Session 195:
  sid: 195 ser: 7 audsid: 1 user: 90/APP
  current SQL:
  update acc set x = 1 where id = :1

----- End of information for the OTHER waiting sessions -----
`
	p = analyse(t, []byte(graph))
	equal(t, "deadlocks", len(p.Deadlocks), 1)
	l := p.Deadlocks[0]
	equal(t, "edges", len(l.Edges), 2)
	equal(t, "waiter", l.Edges[0].Waiter, tracefile.Party{Process: 104, Session: 195, Mode: "X"})
	equal(t, "row", l.Rows[1], tracefile.RowWait{Session: 195, ROWID: "AAAR2sAAEAAAA2PAAB", Object: 73132, File: 1024, Block: 3471, Slot: 2})
	equal(t, "SQL of the other", l.SQL[0].Text, "update acc set x = 1 where id = :1")
	equal(t, "session of the SQL", l.SQL[0].Session, int64(195))
}

// TestProblemX18_RingCutAnywhere cuts the text of a ring at every byte: the cut
// record is skipped and its bytes are counted.
func TestProblemX18_RingCutAnywhere(t *testing.T) {
	cutOff := parsing(60, 0, 1_000_000, "select\n'x'\nfrom dual where a = :1") +
		"BINDS #60:\n\n Bind#0\n  oacdty=02 mxl=22(22) mxlc=00 mal=00 scl=00 pre=00\n  kxsbbbfp=7fe9  bln=22  avl=02  flg=05\n  value=7\n" +
		call("EXEC", 60, 0, 0, 1_100_000) + waitLine(60, "SQL*Net message to client", 2, 1_100_100)
	rest := parsing(61, 0, 2_000_000, "select 61 from dual") + call("PARSE", 61, 0, 0, 2_000_100) + call("EXEC", 61, 0, 0, 2_100_000) + call("FETCH", 61, 0, 1, 2_200_000)
	ring := "Trace output buffer of 65536 bytes wrapped 8 times\n"
	for i := range len(cutOff) + 1 {
		p := analyse(t, []byte(head19+ring+cutOff[i:]+rest))
		if len(p.Rings) != 1 {
			t.Fatalf("cut at %d: %d rings", i, len(p.Rings))
		}
		r := p.Rings[0]
		s := stmt(t, p, "select 61 from dual")
		if s.Self.Fetch.Rows != 1 || s.Self.Exec.Count != 1 {
			t.Fatalf("cut at %d: whole records were lost", i)
		}
		if p.Files[0].Unknown != 0 || len(p.Problems) != 0 {
			t.Fatalf("cut at %d: unknown lines %d, problems %d", i, p.Files[0].Unknown, len(p.Problems))
		}
		start := strings.Index(head19+ring+cutOff[i:]+rest, "wrapped 8 times\n") + 16
		lines := strings.SplitAfter((head19 + ring + cutOff[i:] + rest)[start:], "\n")
		var skipped int64
		for n, l := range lines {
			if int64(n)+int64(strings.Count(head19+ring, "\n"))+1 == r.FirstRecord {
				break
			}
			if l != "=====================\n" {
				skipped += int64(len(l))
			}
		}
		if r.Skipped != skipped {
			t.Fatalf("cut at %d: %d bytes skipped, want %d (first record at line %d)", i, r.Skipped, skipped, r.FirstRecord)
		}
	}
	p := analyse(t, []byte(head19+ring+"im=5793511\n"+rest))
	equal(t, "bytes skipped", p.Rings[0].Skipped, int64(11))
}

func TestProblemX20_LongLinesAndLargeFiles(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	text := "select '" + long + "' from dual"
	p := analyse(t, []byte(head19+parsing(5, 0, 1000, text)+call("EXEC", 5, 0, 0, 2000)+long+"\n"+call("FETCH", 5, 0, 1, 3000)))
	equal(t, "executions", p.Totals.NonRecursive.Exec.Count, int64(1))
	equal(t, "rows", p.Totals.NonRecursive.Fetch.Rows, int64(1))
	equal(t, "the text was cut", len(p.Statements[0].Text), tracefile.MaxLine)
	if problem(p, "damaged") == nil {
		t.Error("the cut text is not reported")
	}

	size := int64(3 << 30)
	if testing.Short() {
		size = 64 << 20
	}
	block := []byte(call("EXEC", 5, 0, 1, 5000) + waitLine(5, "db file sequential read", 7, 5100) + call("FETCH", 5, 0, 1, 6000))
	g := &repeat{block: bytes.Repeat(block, 4096), left: size / 8}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := tracefile.NewAnalyzer(tracefile.Options{})
	f, err := a.ReadFile("large.trc", g)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	equal(t, "bytes", f.Bytes, g.given)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("memory grew by %d bytes for %d bytes of trace", grown, f.Bytes)
	}
	equal(t, "executions", f.Records[tracefile.Exec], g.given/int64(len(block)))
}

// repeat is a file made of one block again and again.
type repeat struct {
	block []byte
	at    int
	left  int64
	given int64
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left <= 0 && r.at == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	r.left -= int64(n)
	r.given += int64(n)
	return n, nil
}
