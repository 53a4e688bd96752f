package tracefile_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestOpenTransactionAtTheError: what was open is told as of the error, whatever the
// session did afterwards: most roll back, and go on.
func TestOpenTransactionAtTheError(t *testing.T) {
	const update = "update t set a = 1"
	insert := fmt.Sprintf("=====================\nPARSING IN CURSOR #6 len=%d dep=0 uid=90 oct=6 lid=90 tim=1000 hv=1 ad='7f00' sqlid='%s'\n%s\nEND OF STMT\n", len(update), tracefile.SQLIDOf([]byte(update)), update)
	text := head19 + insert + call("EXEC", 6, 0, 3, 3000) + call("EXEC", 6, 0, 0, 5000) + "ERROR #6:err=60 tim=5100\n" +
		"XCTEND rlbk=1, rd_only=0, tim=5200\n" + call("EXEC", 6, 0, 9, 8000)
	p := analyse(t, []byte(text))
	if len(p.Errors) != 1 {
		t.Fatalf("%d errors", len(p.Errors))
	}
	tx := p.Errors[0].OpenTx
	equal(t, "executions", tx.Execs, 2)
	equal(t, "rows", tx.Rows, 3)
	equal(t, "statements", len(tx.Statement), 1)
	equal(t, "rows open at the end", p.Sessions[0].OpenTx.Rows, 9)
}

// TestStackAndParseErrorAreOneStatement: an error stack names a statement before the
// line that tells why it failed.
func TestStackAndParseErrorAreOneStatement(t *testing.T) {
	const sql = "select x from nothing"
	id := tracefile.SQLIDOf([]byte(sql))
	text := head19 + "\n*** 2026-03-01T10:00:05.000000+01:00 (PDB1(3))\ndbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n" +
		"----- Error Stack Dump -----\nORA-00942: table or view does not exist\n----- Current SQL Statement for this session (sql_id=" + id + ") -----\n" + sql + "\n\n" +
		fmt.Sprintf("PARSE ERROR #7:len=%d dep=0 uid=90 oct=3 lid=90 tim=5000 err=942\n%s\n", len(sql)+1, sql) + "CLOSE #7:c=0,e=1,dep=0,type=0,tim=5100\n"
	p := analyse(t, []byte(text))
	var found []*tracefile.Statement
	for _, s := range p.Statements {
		if s.SQLID == id {
			found = append(found, s)
		}
	}
	if len(found) != 1 || found[0].TextSource != tracefile.TextTrace || found[0].Errors != 1 || found[0].Text != sql {
		t.Errorf("%d statements: %+v", len(found), found)
	}
	equal(t, "errors", len(p.Errors), 1)
}

// TestExecutionBehindTheBound: which execution of its cursor failed does not depend
// on what was selected.
func TestExecutionBehindTheBound(t *testing.T) {
	text := "\n*** 2026-03-01T10:00:01.000000+01:00 (PDB1(3))\n" + call("EXEC", 6, 0, 1, 1_000_000) + "\n*** 2026-03-01T10:01:00.000000+01:00 (PDB1(3))\n" + call("EXEC", 6, 0, 1, 60_000_000) + "ERROR #6:err=60 tim=60000100\n"
	for _, from := range []int64{0, 1_772_355_630_000_000} { // 10:00:30 +01:00
		a := tracefile.NewAnalyzer(tracefile.Options{From: from})
		if _, err := a.ReadFile("x.trc", strings.NewReader(head19+text)); err != nil {
			t.Fatal(err)
		}
		p := a.Profile()
		if len(p.Errors) != 1 || p.Errors[0].Ordinal != 2 {
			t.Errorf("from %d: %d errors, %+v", from, len(p.Errors), p.Errors)
		}
	}
}

// TestStackWithoutID: the error stacks of 10.2 print a statement without its SQL id.
// It is the one that the trace has.
func TestStackWithoutID(t *testing.T) {
	const sql = "update t set a = 1"
	head := "/u01/app/oracle/admin/db/udump/db_ora_4711.trc\nOracle Database 10g Enterprise Edition Release 10.2.0.4.0 - Production\nUnix process pid: 4711, image: oracle@host1\n\n"
	text := head + fmt.Sprintf("=====================\nPARSING IN CURSOR #6 len=%d dep=0 uid=90 oct=6 lid=90 tim=1000 hv=1 ad='7f00'\n%s\nEND OF STMT\n", len(sql), sql) +
		"EXEC #6:c=900,e=1000,p=1,cr=2,cu=3,mis=0,r=0,dep=0,og=1,tim=5000\n\n*** 2026-03-01 10:00:05.000\nksedmp: internal or fatal error\nORA-01555: snapshot too old\nCurrent SQL statement for this session:\n" + sql + "\n----- Call Stack Trace -----\n"
	p := analyse(t, []byte(text))
	equal(t, "statements", len(p.Statements), 1)
	if len(p.Errors) != 1 || p.Errors[0].Statement == nil || p.Errors[0].Statement.Text != sql {
		t.Errorf("%+v", p.Errors)
	}
}

// TestCommandsOutsideOfTheBounds: ORADEBUG commands have the time of the last stamp
// before them, each of them.
func TestCommandsOutsideOfTheBounds(t *testing.T) {
	text := head19 + "\n*** 2026-03-01T10:00:00.500000+01:00 (PDB1(3))\n"
	for i := range 3 {
		text += fmt.Sprintf("Received ORADEBUG command (#%d) 'eventdump session' from process '1'\n\n*** 2026-03-01T10:00:00.600000+01:00 (PDB1(3))\nFinished processing ORADEBUG command (#%d) 'eventdump session'\n\n", i+1, i+1)
	}
	read := func(from int64) int {
		a := tracefile.NewAnalyzer(tracefile.Options{From: from})
		if _, err := a.ReadFile("x.trc", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		return len(a.Profile().Markers)
	}
	const ten = 1_772_355_600_000_000 // 10:00 +01:00
	equal(t, "commands from ten", read(ten), 6)
	equal(t, "commands from a minute later", read(ten+60_000_000), 0)
}
