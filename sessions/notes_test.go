package sessions

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

// Somebody who asks for a session that is never a target has to be told so.
func TestLeftOutAlthoughAskedFor(t *testing.T) {
	inv := readCSV(t, "sid,serial,orapid,server,type,status,username\n"+
		"1,1,31,SHARED,USER,ACTIVE,APP\n2,2,32,SHARED,USER,ACTIVE,APP\n3,3,33,DEDICATED,USER,ACTIVE,APP\n4,4,34,DEDICATED,BACKGROUND,ACTIVE,\n")
	for words, want := range map[string]int{"username=APP": 1, "sid=2": 1, "sid=3": 0, "sid=4": 1, "username=!X": 0, "": 0, "inst=1": 0} {
		notes := inv.Classify(selector(t, strings.Fields(words)...))
		if len(notes) != want {
			t.Errorf("%s: %d notes %q, want %d", words, len(notes), notes, want)
		}
	}
	notes := inv.Classify(selector(t, "username=APP"))
	if !hasWarning(notes, "2 sessions of those asked for left out as not_dedicated", "1,1,@1", "DBMS_MONITOR") {
		t.Errorf("%q", notes)
	}
}

func TestReusedSidIsNamed(t *testing.T) {
	inv := readCSV(t, "inst_id,sid,serial,orapid\n1,34,15193,31\n2,34,7,31\n")
	for words, want := range map[string]string{
		"sid=34,15193,@2": "34,15193,@2 is not there: sid 34 is",
		"sid=34,8":        "34,8 is not there: sid 34 is",
		"sid=34,7":        "",
		"sid=34,15193,@1": "",
		"sid=!34,8":       "",
	} {
		notes := inv.Classify(selector(t, words))
		if want == "" && len(notes) != 0 || want != "" && !hasWarning(notes, want) {
			t.Errorf("%s: %q, want %q", words, notes, want)
		}
	}
}

func TestContainersAreNamedOnlyWhereTheyAre(t *testing.T) {
	f := oneInstance(v{sid: 1})
	f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", "7", "+00:00", "2026-11-30 02:04:05", "PDB1", "3"}}}
	if w := warningsOf(t, f); len(w) != 1 || !strings.Contains(w[0], "container PDB1") {
		t.Errorf("in a PDB: %q", w)
	}
	// CON_NAME of a database without containers is the database's name.
	f.answers["dual"] = fakeAnswer{rows: [][]driver.Value{{"99", "7", "+00:00", "2026-11-30 02:04:05", "ORCL", "0"}}}
	if w := warningsOf(t, f); len(w) != 0 {
		t.Errorf("without containers: %q", w)
	}
	f.answers["v$session"] = fakeAnswer{err: &oraError{600, "x"}}
	if _, err := f.tryFind(&Selector{}); err == nil || strings.Contains(err.Error(), "container") || exit.HintOf(err) != "" {
		t.Errorf("%v, hint %q", err, exit.HintOf(err))
	}
}

func TestQueryErrorsAreTheDatabasesWords(t *testing.T) {
	f := oneInstance()
	f.answers["v$session"] = fakeAnswer{err: fmt.Errorf("dpiStmt_execute(mode=0 arrLen=-1): %w",
		&oraError{1013, "user requested cancel\nORA-06512: at line 1\nHelp: https://docs.oracle.com/error-help/db/ora-01013/"})}
	_, err := f.tryFind(&Selector{})
	if err == nil || err.Error() != "query V$SESSION in container CDB$ROOT: ORA-01013: user requested cancel\nORA-06512: at line 1" {
		t.Errorf("%v", err)
	}
}

func TestInstanceFactsFromColumns(t *testing.T) {
	inv := readCSV(t, "inst_id,sid,serial,orapid,instance_name,host_name,startup_time,db_unique_name,dbid,version\n"+
		"2,1,1,31,ORCL2,db2,2026-11-01 00:00:00,ORCL_A,12345,19.3.0.0.0\n1,2,1,32,ORCL1,db1,,ORCL_A,,\n2,3,1,33,,,,,,\n2,4,1,34,OTHER,,,,,\n")
	if len(inv.Rows) != 3 || len(inv.Problems) != 1 || inv.Problems[0].Line != 5 || !strings.Contains(inv.Problems[0].Message, `instance_name "OTHER" of instance 2 was "ORCL2" in line 2`) {
		t.Errorf("%d rows, %v", len(inv.Rows), inv.Problems)
	}
	if len(inv.Instances) != 2 || inv.Instances[0].InstanceName != "ORCL1" || inv.Instances[1].DBID != 12345 || inv.Instances[1].HostName != "db2" ||
		timeText(inv.Instances[1].StartupTime) != "2026-11-01T00:00:00Z" || inv.Instances[1].Version != "19.3.0.0.0" {
		t.Errorf("%+v", inv.Instances)
	}
	inv = readCSV(t, "sid,serial,orapid,dbid,startup_time\n1,1,31,x,\n2,1,32,,01/02/2026 00:00:00\n")
	if len(inv.Problems) != 2 || !strings.HasPrefix(inv.Problems[0].Message, "dbid") || !strings.HasPrefix(inv.Problems[1].Message, "startup_time ") {
		t.Errorf("%v", inv.Problems)
	}
}
