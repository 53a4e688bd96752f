package engine

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"ringtrace/internal/sim/instance"
)

// TestOwnTrace: a session that traces itself finds its statements in its own
// file, under the identifier it chose.
func TestOwnTrace(t *testing.T) {
	s := open(t, "19c", 1, 5)
	ask := func(q string) string {
		t.Helper()
		r, err := s.Query(context.Background(), q, nil)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		return flat(r)
	}
	ask("alter session set tracefile_identifier = 'MINE'")
	path := ask("select value from v$diag_info where name = 'Default Trace File'")
	if !strings.HasSuffix(path, "_MINE.trc") {
		t.Fatalf("default trace file %q", path)
	}
	ask("alter session set events 'sql_trace wait=true, bind=true'")
	ask("select 'traced' from dual")
	ask("alter session set events 'sql_trace off'")
	ask("select 'not traced' from dual")
	data, err := s.Engine.model.Store.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "\nselect 'traced' from dual\nEND OF STMT\n") || strings.Contains(string(data), "not traced") {
		t.Errorf("the trace file: %v\n%s", err, data)
	}
	cpu := ask("select value from v$sess_time_model where sid = sys_context('userenv','sid') and stat_name = 'DB CPU'")
	if later := ask("select value from v$sess_time_model where sid = sys_context('userenv','sid') and stat_name = 'DB CPU'"); later <= cpu {
		t.Errorf("DB CPU was %s, then %s", cpu, later)
	}
	_, err = s.Query(context.Background(), "alter session set events '942 errorstck(3)'", nil)
	if err == nil || err.Error() != "ORA-49100: Failed to process event statement [942 errorstck(3)]\nORA-49102: Action definition for [errorstck] not found" {
		t.Errorf("a wrong event: %v", err)
	}
}

// TestDefaultTraceFileIsTheCallers: two sessions ask in turn.
func TestDefaultTraceFileIsTheCallers(t *testing.T) {
	a := open(t, "19c", 1, 5)
	d := a.Engine.model
	self, err := d.Logon(d.Instances[0], instance.Logon{User: "SYSTEM"})
	if err != nil {
		t.Fatal(err)
	}
	b := a.Engine.NewSession(self)
	for range 3 {
		for _, s := range []*Session{a, b} {
			r, err := s.Query(context.Background(), "select value from v$diag_info where name = 'Default Trace File'", nil)
			if err != nil || flat(r) != s.Self.Proc.TracePath() {
				t.Fatalf("%v, %v, want %s", r, err, s.Self.Proc.TracePath())
			}
			r, err = s.Query(context.Background(), "select sid from v$mystat where rownum = 1", nil)
			if err != nil || flat(r) != strconv.Itoa(s.Self.SID) {
				t.Fatalf("V$MYSTAT: %v, %v, want %d", r, err, s.Self.SID)
			}
		}
	}
}
