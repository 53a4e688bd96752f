package sessions

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

// The cases of facts/problem-cases.md A on their own inputs. Every test
// compares the value that the case states.

func TestProblemS01_LetterCaseOfQuotedUsers(t *testing.T) {
	const list = "sid,serial,orapid,username\n1,1,31,AppUser\n2,2,32,APPUSER\n"
	inv := readCSV(t, list)
	notes := inv.Classify(selector(t, "username=AppUser"))
	if got := verdicts(inv); got != "1=matched 2=not_matched" {
		t.Errorf("exact: %s", got)
	}
	if !hasWarning(notes, `"APPUSER"`, `"AppUser"`, "letter case", "--ignore-case") {
		t.Errorf("no warning about letter case: %q", notes)
	}
	notes = inv.Classify(selector(t, "username=AppUser", "ignore-case"))
	if got := verdicts(inv); got != "1=matched 2=matched" {
		t.Errorf("ignore case: %s", got)
	}
	if len(notes) != 0 {
		t.Errorf("--ignore-case still warns: %q", notes)
	}
	notes = inv.Classify(selector(t, "username=!AppUser"))
	if got := verdicts(inv); got != "1=not_matched 2=matched" || !hasWarning(notes, "not excluded", `"APPUSER"`) {
		t.Errorf("negated: %s %q", got, notes)
	}
	live := oneInstance(v{sid: 1, username: "AppUser"}, v{sid: 2, username: "APPUSER", notMatched: true})
	got := live.find(t, selector(t, "username=AppUser"))
	if verdicts(got) != "1=matched 2=not_matched" || !hasWarning(got.Warnings, `"APPUSER"`, "letter case") {
		t.Errorf("live: %s %q", verdicts(got), got.Warnings)
	}
	if args := live.args["v$session"]; len(args) != 1 || args[0] != "AppUser" {
		t.Errorf("binds %v, want the name exactly as typed", args)
	}
}

func TestProblemS03_ClientProcessIsNotTheServers(t *testing.T) {
	inv := readCSV(t, "sid,serial,pid,process,program\n1,1,31,1234,JDBC Thin Client\n2,2,32,1234,JDBC Thin Client\n3,3,33,1234,JDBC Thin Client\n")
	inv.Classify(&Selector{})
	if got := verdicts(inv); got != "1=matched 2=matched 3=matched" {
		t.Errorf("all three are listed, got %s", got)
	}
	if inv.Rows[2].Orapid != 33 {
		t.Errorf("orapid %d, want V$PROCESS.PID 33", inv.Rows[2].Orapid)
	}
	if !hasWarning(inv.Warnings, `"process"`, "client's process id", "V$PROCESS.PID") {
		t.Errorf("client pid is not explained: %q", inv.Warnings)
	}
	_, err := ReadInventory("list.csv", strings.NewReader("sid,serial,process\n1,1,1234\n2,2,1234\n3,3,1234\n"))
	if err == nil || !strings.Contains(err.Error(), "no column orapid") || !strings.Contains(err.Error(), "client's process") {
		t.Errorf("PROCESS was taken for an orapid: %v", err)
	}
	if !strings.Contains(exit.HintOf(err), "p.pid") {
		t.Errorf("hint does not say what to export: %s", exit.HintOf(err))
	}
}

func TestProblemS05_OtherInstancesAreSeen(t *testing.T) {
	f := cluster(v{inst: 1, sid: 11}, v{inst: 2, sid: 21}, v{inst: 2, sid: 22})
	inv := f.find(t, &Selector{})
	sum := inv.Summary()
	if sum.ByInstance[1] != 1 || sum.ByInstance[2] != 2 {
		t.Errorf("by instance %v, want 1 and 2", sum.ByInstance)
	}
	if len(inv.Instances) != 2 || inv.Instances[1].HostName != "db2" || !inv.Instances[1].Threaded || inv.Instances[0].Threaded {
		t.Errorf("instances %+v", inv.Instances)
	}
	// GV$ not readable: the listing goes on and says what it lacks.
	f.answers["gv$session"] = fakeAnswer{err: &oraError{12850, "Could not allocate slaves on all specified instances: 2 needed, 1 allocated"}}
	f.sessions(false, v{sid: 11})
	inv = f.find(t, &Selector{})
	if got := inv.Summary().ByInstance; len(got) != 1 || got[1] != 1 {
		t.Errorf("fallback by instance %v", got)
	}
	if !hasWarning(inv.Warnings, "ORA-12850", "only instance 1", "cluster") {
		t.Errorf("fallback is silent: %q", inv.Warnings)
	}
	// GV$ that answers for one instance only.
	f = cluster(v{inst: 1, sid: 11})
	if inv = f.find(t, &Selector{}); !hasWarning(inv.Warnings, "instance 2", "connect there") {
		t.Errorf("missing instance is not named: %q", inv.Warnings)
	}
}

func TestProblemS06_SameSidOnBothInstances(t *testing.T) {
	f := cluster(v{inst: 1, sid: 11, serial: 7}, v{inst: 2, sid: 11, serial: 7})
	inv := f.find(t, selector(t, "sid=11"))
	if len(inv.Rows) != 2 || inv.Rows[0].Key() == inv.Rows[1].Key() {
		t.Fatalf("keys %v and %v must differ", inv.Rows[0].Key(), inv.Rows[1].Key())
	}
	if !hasWarning(inv.Warnings, "sid 11", "2 instances", "@INST") {
		t.Errorf("no warning: %q", inv.Warnings)
	}
	one := selector(t, "sid=11,7,@2")
	if one.Match(&inv.Rows[0].Session) || !one.Match(&inv.Rows[1].Session) {
		t.Error("sid,serial#,@inst must match instance 2 only")
	}
	list := readCSV(t, "inst_id,sid,serial,orapid\n1,11,7,31\n2,11,7,31\n")
	list.Classify(one)
	if got := verdicts(list); got != "11=not_matched 11=matched" {
		t.Errorf("one process number on two instances is two processes: %s", got)
	}
}

func TestProblemS07_KilledSessionsShareAnAddress(t *testing.T) {
	const common = "00000000AA"
	f := oneInstance(
		v{sid: 1, status: "KILLED", paddr: common, onProcess: 3, pid: 50},
		v{sid: 2, status: "KILLED", paddr: common, onProcess: 3, pid: 50},
		v{sid: 3, paddr: common, onProcess: 3, pid: 50},
		v{sid: 4, status: "KILLED", noProcess: true},
		v{sid: 5, noProcess: true},
		v{sid: 6},
	)
	const want = "1=killed 2=killed 3=shared_process 4=killed 5=no_process 6=matched"
	if got := verdicts(f.find(t, &Selector{})); got != want {
		t.Errorf("live: %s", got)
	}
	inv := readCSV(t, "sid,serial,orapid,status,paddr\n1,1,50,KILLED,AA\n2,2,50,KILLED,AA\n3,3,50,INACTIVE,AA\n4,4,,KILLED,\n6,6,56,INACTIVE,BB\n")
	inv.Classify(&Selector{})
	if got := verdicts(inv); got != "1=killed 2=killed 3=shared_process 4=killed 6=matched" {
		t.Errorf("file: %s", got)
	}
}

func TestProblemS09_WindowsThreads(t *testing.T) {
	var list []v
	for i := range 5 {
		list = append(list, v{sid: 70 + i, spid: "5300", stid: "63" + itoa(12+i)})
	}
	list = append(list, v{sid: 80, spid: "4872", stid: "0"})
	inv := oneInstance(list...).find(t, &Selector{})
	if got := inv.Summary().Selected; got != 6 {
		t.Fatalf("%d of 6 selected: spid is not an identity (%s)", got, verdicts(inv))
	}
	pids := map[int]bool{}
	for i := range inv.Rows {
		pids[inv.Rows[i].Orapid] = true
	}
	if len(pids) != 6 {
		t.Errorf("%d different orapids, want 6", len(pids))
	}
	if a, b := inv.Rows[0], inv.Rows[5]; a.Stid != "6312" || a.Ospid != "5300" || b.Stid != "0" || b.Ospid != "4872" {
		t.Errorf("stid %s ospid %s, stid %s ospid %s", a.Stid, a.Ospid, b.Stid, b.Ospid)
	}
	file := readCSV(t, "sid,serial,orapid,ospid,stid\n70,1,40,5300,6312\n71,1,41,5300,6313\n80,1,42,4872,0\n")
	file.Classify(&Selector{})
	if got := verdicts(file); got != "70=matched 71=matched 80=matched" {
		t.Errorf("file: %s", got)
	}
}

func TestProblemS10_ThreadsOnLinux(t *testing.T) {
	f := oneInstance(v{sid: 1, spid: "900", stid: "901", tracefile: "/t/x_ora_900_901.trc"}, v{sid: 2, spid: "900", stid: "902", tracefile: "/t/x_ora_900_902.trc"})
	f.answers["v$parameter"] = fakeAnswer{rows: [][]driver.Value{{int64(1), "TRUE"}}}
	inv := f.find(t, &Selector{})
	if got := verdicts(inv); got != "1=matched 2=matched" {
		t.Errorf("%s", got)
	}
	if inv.Rows[0].Tracefile == inv.Rows[1].Tracefile || inv.Rows[0].Orapid == inv.Rows[1].Orapid {
		t.Error("each thread has its own trace file and orapid")
	}
	if !inv.Instances[0].Threaded {
		t.Error("threaded_execution was not seen")
	}
}

func TestProblemS11_SharedServersAreNeverATarget(t *testing.T) {
	f := oneInstance(v{sid: 1}, v{sid: 2, server: "SHARED", pname: "S000"}, v{sid: 3, server: "SHARED", pname: "S001"}, v{sid: 4})
	for _, sel := range []*Selector{{}, {AllApp: true}, selector(t, "username=APP")} {
		if got := verdicts(f.find(t, sel)); got != "1=matched 2=not_dedicated 3=not_dedicated 4=matched" {
			t.Errorf("%s: %s", sel, got)
		}
	}
	if !strings.Contains(NotDedicated.Explain(), "DBMS_MONITOR") {
		t.Error("the reason must name DBMS_MONITOR")
	}
	// An idle shared session points to the dispatcher; DRCP and pseudo too.
	inv := readCSV(t, "sid,serial,orapid,server\n1,1,31,NONE\n2,2,32,POOLED\n3,3,33,PSEUDO\n4,4,34,DEDICATED\n")
	inv.Classify(&Selector{AllApp: true})
	if got := verdicts(inv); got != "1=not_dedicated 2=not_dedicated 3=not_dedicated 4=matched" {
		t.Errorf("file: %s", got)
	}
}

func TestProblemS12_PooledUserHopsBetweenSessions(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid,client_identifier,module,action\n1,1,31,u1,shop,pay\n2,2,32,u2,shop,list\n3,3,33,u1,shop,list\n")
	for words, want := range map[string]string{
		"client-id=u1":              "1=matched 2=not_matched 3=matched",
		"module=shop":               "1=matched 2=matched 3=matched",
		"action=list":               "1=not_matched 2=matched 3=matched",
		"client-id=u1 action=list":  "1=not_matched 2=not_matched 3=matched",
		"client-id=u1 client-id=u2": "1=matched 2=matched 3=matched",
		"client-id=!u1":             "1=not_matched 2=matched 3=not_matched",
	} {
		inv.Classify(selector(t, strings.Fields(words)...))
		if got := verdicts(inv); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

func TestProblemS13_ConstantAndEmptyAttributes(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid,terminal,machine,client_identifier,module\n1,1,31,unknown,3f2a9c0b1d4e,,\n2,2,32,unknown,9b1c2d3e4f50,,shop\n")
	for words, want := range map[string]string{
		"machine=3f2a9c0b1d4e": "1=matched 2=not_matched",
		"module=!shop":         "1=matched 2=not_matched",
		"like client-id=%":     "1=not_matched 2=not_matched", // NULL is not like anything
		"like client-id=!%":    "1=matched 2=matched",
		"like module=s%":       "1=not_matched 2=matched",
	} {
		inv.Classify(selector(t, strings.Fields(words)...))
		if got := verdicts(inv); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
	var s Selector
	err := s.Add(FieldClientID, "")
	if exit.CodeOf(err) != exit.Usage || !strings.Contains(exit.HintOf(err), "'!%'") {
		t.Errorf("an empty value must be refused, not match every session without one: %v", err)
	}
}

func TestProblemS14_ClientInfoBehindAppServers(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid,program,client_info,service_name\n"+
		"1,1,31,PSAPPSRV.exe,\"u,host,PSAPPSRV,x\",HR\n2,2,32,PSAPPSRV.exe,\"v,host,PSAPPSRV,x\",HR\n3,3,33,PSAPPSRV.exe,,FIN\n")
	for words, want := range map[string]string{
		"program=PSAPPSRV.exe":          "1=matched 2=matched 3=matched",
		"client-info=u,host,PSAPPSRV,x": "1=matched 2=not_matched 3=not_matched", // a comma does not separate
		"like client-info=u,%":          "1=matched 2=not_matched 3=not_matched",
		"service=FIN":                   "1=not_matched 2=not_matched 3=matched",
	} {
		inv.Classify(selector(t, strings.Fields(words)...))
		if got := verdicts(inv); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

func TestProblemS15_PDBIsNamed(t *testing.T) {
	f := oneInstance()
	f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", "7", "+00:00", "2026-11-30 02:04:05", "PDB1", "3"}}}
	f.answers["v$session"] = fakeAnswer{err: &oraError{1031, "insufficient privileges"}}
	_, err := f.tryFind(&Selector{})
	if err == nil || !strings.Contains(err.Error(), "container PDB1") || !strings.Contains(err.Error(), "ORA-01031") {
		t.Errorf("container and error are to be named: %v", err)
	}
	if !strings.Contains(exit.HintOf(err), "CDB$ROOT") || exit.CodeOf(err) != exit.NotAllowed {
		t.Errorf("code %d, hint %q", exit.CodeOf(err), exit.HintOf(err))
	}
	f.answers["v$session"] = fakeAnswer{err: &oraError{600, "internal error code"}}
	if _, err = f.tryFind(&Selector{}); exit.CodeOf(err) != exit.Failed || !strings.Contains(exit.HintOf(err), "CDB$ROOT") {
		t.Errorf("a query that fails for another reason: code %d, %v", exit.CodeOf(err), err)
	}
	// Even V$INSTANCE is refused: the container is named all the same.
	f.answers["v$instance"] = fakeAnswer{err: &oraError{942, "table or view does not exist"}}
	if _, err = f.tryFind(&Selector{}); err == nil || !strings.Contains(err.Error(), "container PDB1") {
		t.Errorf("V$INSTANCE: %v", err)
	}
}

func TestProblemS16_ORA65011IsShownVerbatim(t *testing.T) {
	f := oneInstance()
	f.answers["v$instance"] = fakeAnswer{err: &oraError{65011, "Pluggable database PDBX does not exist."}}
	inv, err := f.tryFind(&Selector{})
	if inv != nil || err == nil || !strings.Contains(err.Error(), "ORA-65011: Pluggable database PDBX does not exist.") {
		t.Errorf("inventory %v, error %v", inv, err)
	}
	// In the middle of the listing: what was read is not passed off as all.
	f = oneInstance(v{sid: 1}, v{sid: 2})
	a := f.answers["v$session"]
	a.late = &oraError{65011, "Pluggable database PDBX does not exist."}
	f.answers["v$session"] = a
	if inv, err = f.tryFind(&Selector{}); inv != nil || err == nil || !strings.Contains(err.Error(), "ORA-65011") {
		t.Errorf("inventory %v, error %v", inv, err)
	}
}

func TestProblemS17_NoFreePredicate(t *testing.T) {
	const evil = "1=1; drop table t --' or 'x'='x"
	sel := selector(t, "username="+evil, "like", "module="+evil)
	f := oneInstance(v{sid: 1, notMatched: true})
	f.find(t, sel)
	for _, q := range f.asked {
		if strings.Contains(q, "drop") || strings.Contains(q, "1=1") {
			t.Errorf("text of the selector reached the statement:\n%s", q)
		}
	}
	if args := f.args["v$session"]; len(args) != 2 || args[0] != evil {
		t.Errorf("binds %q", args)
	}
}

func TestProblemS18_TotalsByInstance(t *testing.T) {
	f := cluster(v{inst: 1, sid: 1}, v{inst: 2, sid: 2}, v{inst: 2, sid: 3}, v{inst: 3, sid: 4, notMatched: true}, v{inst: 3, sid: 5})
	inv := f.find(t, &Selector{})
	sum := inv.Summary()
	b, err := sum.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"seen":5,"selected":4,"by_instance":{"1":1,"2":2,"3":1},"excluded":{"not_matched":1}}`
	if string(b) != want {
		t.Errorf("%s, want %s", b, want)
	}
}

func TestProblemS19_NeitherItselfNorPMON(t *testing.T) {
	f := oneInstance(
		v{sid: 2, typ: "BACKGROUND", username: "NULL", pname: "PMON", background: "1", image: "oracle@db1 (PMON)"},
		v{sid: 99, username: "DBA1"},
		v{sid: 98, username: "DBA1", audsid: 4711}, // a query slave that works for us
		v{sid: 97, module: OwnModule},
		v{sid: 5},
	)
	f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", "4711", "+00:00", "2026-11-30 02:04:05", "CDB$ROOT", "1"}}}
	if got := verdicts(f.find(t, &Selector{})); got != "2=background 5=matched 97=own_session 98=own_session 99=own_session" {
		t.Errorf("live: %s", got)
	}
	// The AUDSID of a SYSDBA session names nobody: others that have it are not ours.
	for _, id := range []string{"4294967295", "0"} {
		f = oneInstance(v{sid: 99, username: "DBA1"}, v{sid: 96, username: "DBA1", audsid: 4294967295}, v{sid: 5})
		f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", id, "+00:00", "2026-11-30 02:04:05", "CDB$ROOT", "1"}}}
		if got := verdicts(f.find(t, &Selector{})); got != "5=matched 96=matched 99=own_session" {
			t.Errorf("audsid %s: %s", id, got)
		}
	}
	inv := readCSV(t, "sid,serial,orapid,type,username,program\n2,1,2,BACKGROUND,,oracle@db1 (PMON)\n5,1,35,USER,APP,x\n")
	inv.Classify(&Selector{AllApp: true})
	if got := verdicts(inv); got != "2=background 5=matched" {
		t.Errorf("file: %s", got)
	}
}

// A named process is the server's own, whatever the session on it claims to be;
// a name in the text of a client says nothing where the image is known.
func TestProblemS19_NamedProcesses(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid,type,username,program,pname\n"+
		"1,1,31,USER,APP,oracle@db1 (E000),E000\n2,2,32,USER,APP,x,M001\n3,3,33,USER,APP,x,PMON\n4,4,34,USER,APP,x,\n5,5,35,,APP,ORACLE.EXE (SHAD),\n")
	inv.Classify(&Selector{AllApp: true})
	if got := verdicts(inv); got != "1=background 2=background 3=background 4=matched 5=matched" {
		t.Errorf("file: %s", got)
	}
	f := oneInstance(
		v{sid: 1, program: "oracle@elsewhere (J000)", image: "oracle@db1"},
		v{sid: 2, program: "oracle@elsewhere (P001)", image: "oracle@db1 (TNS V1-V3)"},
		v{sid: 3, program: "x", image: "oracle@db1 (J000)"},
		v{sid: 4, program: "x", image: "ORACLE.EXE (SHAD)"},
		v{sid: 5, program: "x", image: "oracle@db1", pname: "E001"},
	)
	if got := verdicts(f.find(t, &Selector{AllApp: true})); got != "1=matched 2=matched 3=job_slave 4=matched 5=background" {
		t.Errorf("live: %s", got)
	}
}

func TestProblemO01_OperatingSystemPidAsOrapid(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid,ospid\n1,1,37,34275448\n")
	if inv.Rows[0].Orapid != 37 || inv.Rows[0].Ospid != "34275448" || hasWarning(inv.Warnings, "operating-system pid") {
		t.Errorf("orapid %d ospid %s, warnings %q", inv.Rows[0].Orapid, inv.Rows[0].Ospid, inv.Warnings)
	}
	inv = readCSV(t, "sid,serial,orapid,ospid\n1,1,3427544,3427544\n")
	if !hasWarning(inv.Warnings, "3427544", "operating-system pid", "SETORAPID") {
		t.Errorf("a 7-digit orapid is not warned of: %q", inv.Warnings)
	}
	inv = readCSV(t, "sid,serial,orapid,ospid\n1,1,412,412\n2,1,413,413\n")
	if !hasWarning(inv.Warnings, "orapid and ospid are the same number in 2 rows") {
		t.Errorf("spid in both columns is not warned of: %q", inv.Warnings)
	}
}

func TestProblemP11_SpooledListIsRefusedByLine(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line string
	}{
		"dashes":        {"       SID    SERIAL#        PID\n---------- ---------- ----------\n        11        100         38\n", ":2: "},
		"tabs":          {"       SID\t SERIAL#\t  PID\n---------- ---------- ----------\n\t11\t100\t38\n", ":2: "},
		"wrapped head":  {"       SID    SERIAL#\n       PID\n---------- ----------\n----------\n", ":3: "},
		"prompt":        {"SQL> select sid, serial#, pid from v$session;\n", ":1: "},
		"blanks":        {"\n\nSID SERIAL# PID\n11 100 38\n", ":3: "},
		"colsep dashes": {"       SID,   SERIAL#,       PID\n----------,----------,----------\n        11,       100,        38\n", ":2: "},
	} {
		_, err := ReadInventory("list.lst", strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), "list.lst"+c.line) || exit.CodeOf(err) != exit.Failed {
			t.Errorf("%s: %v, want line %s", name, err, c.line)
		}
	}
	inv := readCSV(t, "sid,serial,orapid,username\n11,100,38,APP\n12,101,39,AP\nP\nsid,serial,orapid,username\n13,102,40,APP\n")
	if len(inv.Rows) != 2 || len(inv.Problems) != 3 || inv.Problems[0].Line != 3 || inv.Problems[1].Line != 4 || inv.Problems[2].Line != 5 {
		t.Errorf("wrapped row and repeated heading: %d rows, problems %v", len(inv.Rows), inv.Problems)
	}
	// Cut within its last column, a row looks whole: 3 is not the orapid.
	inv = readCSV(t, "sid,serial,orapid\n11,100,38\n12,101,3\n9\n13,102,40\n")
	if len(inv.Rows) != 2 || inv.Rows[1].SID != 13 || len(inv.Problems) != 2 || inv.Problems[0].Line != 3 || inv.Problems[0].Column != 8 || inv.Problems[1].Line != 4 {
		t.Errorf("cut orapid: %d rows, problems %v", len(inv.Rows), inv.Problems)
	}
	// What SQL*Plus says behind the last row is no part of it; a quoted value is whole.
	for _, text := range []string{"sid,serial,orapid\n11,100,38\nSQL> spool off\n", "sid,serial,orapid\n11,100,38\n1 row selected.\n", "sid,serial,orapid,program\n11,100,38,\"x\"\nstray\n"} {
		if inv := readCSV(t, text); len(inv.Rows) != 1 || inv.Rows[0].Orapid != 38 {
			t.Errorf("%q: %d rows, problems %v", text, len(inv.Rows), inv.Problems)
		}
	}
}

// The listing must end with the caller's context, not go on.
func TestSessionsHeedTheContext(t *testing.T) {
	db := sql.OpenDB(oneInstance(v{sid: 1}))
	defer db.Close()
	ctx, cancel := context.WithCancel(context.Background())
	f, err := Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for _, err := range f.Sessions(ctx, &Selector{}) {
		if err == nil {
			t.Fatal("a row after the context's end")
		}
		return
	}
	t.Fatal("no error")
}
