package tracefile_test

import (
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// TestDeadlockIsOneError: the graph, the error stack behind it and the ERROR line
// tell of one error, in whichever order the two dumps stand.
func TestDeadlockIsOneError(t *testing.T) {
	const graph = "\n*** 2026-03-01T10:00:05.000000+01:00 (PDB1(3))\nDEADLOCK DETECTED ( ORA-00060 )\n\n[Transaction Deadlock]\n\nDeadlock graph:\n" +
		"TX-00020021-0000026C        94     203     X             104    195           X\nTX-0001001a-00000abc       104     195     X              94    203           X\n\nRows waited on:\n\n"
	const stack = "\n*** 2026-03-01T10:00:05.000000+01:00 (PDB1(3))\ndbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n" +
		"----- Error Stack Dump -----\nORA-00060: deadlock detected while waiting for resource\n----- Current SQL Statement for this session (sql_id=aaaaaaaaaaaa1) -----\nupdate t set a = 1\n\n"
	trace := func(dumps ...string) []byte {
		return []byte(head19 + parsing(1, 0, 1000, "update t set a = 1") + call("EXEC", 1, 0, 0, 3000) + strings.Join(dumps, "") + "ERROR #1:err=60 tim=3100\n")
	}
	for name, text := range map[string][]byte{"graph first": trace(graph, stack), "stack first": trace(stack, graph)} {
		p := analyse(t, text)
		equal(t, name+": errors", len(p.Errors), 1)
		equal(t, name+": counted", p.ErrorCount[60], 1)
		equal(t, name+": deadlocks", len(p.Deadlocks), 1)
		if e := p.Errors[0]; e.Dump == nil || e.Dump.Kind != "error stack" || e.Message != "deadlock detected while waiting for resource" || e.Source != "ERROR line" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	twice := analyse(t, append(trace(graph, stack), (call("EXEC", 1, 0, 0, 5000)+graph+stack+"ERROR #1:err=60 tim=5100\n")...))
	equal(t, "two deadlocks", len(twice.Errors), 2)
}

// TestRuleEndsTheStatementOfADump: of the dumps' SQL texts the line of equal signs
// behind them is no part.
func TestRuleEndsTheStatementOfADump(t *testing.T) {
	rule := strings.Repeat("=", 51) + "\n"
	const sql = "update t\n  set a = 1\n"
	graph := "\n*** 2026-03-01T10:00:05.000000+01:00 (PDB1(3))\nDEADLOCK DETECTED ( ORA-00060 )\n\n[Transaction Deadlock]\n\nDeadlock graph:\n" +
		"TX-00020021-0000026C        94     203     X             104    195           X\n\nRows waited on:\n\n" +
		"----- Current SQL Statement for this session (sql_id=aaaaaaaaaaaa1) -----\n" + sql + rule + "PROCESS STATE\n-------------\n"
	stack := "\n*** 2026-03-01T10:00:05.000000+01:00 (PDB1(3))\ndbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n" +
		"----- Error Stack Dump -----\nORA-00060: deadlock detected\n----- Current SQL Statement for this session (sql_id=aaaaaaaaaaaa1) -----\n" + sql + rule + "PROCESS STATE\n"
	p := analyse(t, []byte(head19+parsing(1, 0, 1000, "update t set a = 1")+call("EXEC", 1, 0, 0, 3000)+graph+stack))
	if len(p.Deadlocks) != 1 || len(p.Deadlocks[0].SQL) != 1 || len(p.Dumps) != 2 {
		t.Fatalf("%d deadlocks, %d dumps", len(p.Deadlocks), len(p.Dumps))
	}
	equal(t, "text of the deadlock", p.Deadlocks[0].SQL[0].Text, "update t\nset a = 1")
	equal(t, "text of the stack", p.Dumps[1].SQLText, "update t\n  set a = 1")
}

// TestContentsOfAnIncidentFile: the marks of its table of contents are no part of a
// statement, and no lines that nothing understands.
func TestContentsOfAnIncidentFile(t *testing.T) {
	p := analyse(t, []byte("Dump file /u01/diag/incident/incdir_10192/db1_ora_10_i10192.trc\nOracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\n\n[TOC00000]\nJump to table of contents\nDump continued from file: /u01/diag/trace/db1_ora_10.trc\n[TOC00001]\nORA-00600: internal error code\n\n[TOC00001-END]\n[TOC00002]\n========= Dump for incident 10192 (ORA 600 [x]) ========\n\n[TOC00003]\n----- Current SQL Statement for this session (sql_id=aaaaaaaaaaaa1) -----\nselect 1\n  from dual\n[TOC00003-END]\n\n[TOC00004]\n"))
	if len(p.Dumps) != 1 {
		t.Fatalf("%d dumps", len(p.Dumps))
	}
	equal(t, "statement", p.Dumps[0].SQLText, "select 1\n  from dual")
	equal(t, "unknown lines", p.Files[0].Unknown, 0)
}

// TestProblemX16_ColumnsOfTheGraph: from 12.2 on the serial numbers of a deadlock
// graph are the last column of each side; holds and waits may both be there.
func TestProblemX16_ColumnsOfTheGraph(t *testing.T) {
	party := func(process, session, serial int64, mode string) tracefile.Party {
		return tracefile.Party{Process: process, Session: session, Serial: serial, Mode: mode}
	}
	for name, c := range map[string]struct {
		line            string
		blocker, waiter tracefile.Party
	}{
		"10.2":              {"TX-00020021-0000026c        94     203     X            104     195           X", party(94, 203, 0, "X"), party(104, 195, 0, "X")},
		"12.1":              {"TX-00290010-00015F75-00000000-00000000 295 1200 X 288 10 X", party(295, 1200, 0, "X"), party(288, 10, 0, "X")},
		"12.2 on":           {"TX-00030013-000003CD-00000001-00000000         73     136     X        39548      74     254           X  45859", party(73, 136, 39548, "X"), party(74, 254, 45859, "X")},
		"both modes":        {"TM-000151a2-00000000       210      72    SX   SSX      211      73    SX   SSX", party(210, 72, 0, "SX SSX"), party(211, 73, 0, "SX SSX")},
		"both modes, 19c":   {"TM-000151A2-00000000-00000000-00000000   210  72  SX SSX  9  211  73  SX SSX  10", party(210, 72, 9, "SX SSX"), party(211, 73, 10, "SX SSX")},
		"nothing held, 19c": {"UL-000151A2-00000000-00000000-00000000   210  72   9  211  73     S  10", party(210, 72, 9, ""), party(211, 73, 10, "S")},
	} {
		p := analyse(t, []byte(head19+call("EXEC", 1, 0, 0, 3000)+"DEADLOCK DETECTED ( ORA-00060 )\n\n[Transaction Deadlock]\n\nDeadlock graph:\n"+c.line+"\n\nRows waited on:\n\n"+call("EXEC", 1, 0, 0, 4000)))
		if len(p.Deadlocks) != 1 || len(p.Deadlocks[0].Edges) != 1 {
			t.Fatalf("%s: %d deadlocks", name, len(p.Deadlocks))
		}
		equal(t, name+": blocker", p.Deadlocks[0].Edges[0].Blocker, c.blocker)
		equal(t, name+": waiter", p.Deadlocks[0].Edges[0].Waiter, c.waiter)
	}
}
