package sim

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func rehearse(t *testing.T, spec, script string) *Rehearsal {
	t.Helper()
	s, err := ParseSpec(spec)
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(s, fixedNow, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "script.sql")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Rehearse(context.Background(), d, d.Instances[0], file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRehearseFoundingLines: what the plain script leaves on, and its undo.
func TestRehearseFoundingLines(t *testing.T) {
	r := rehearse(t, "?release=11.2&sessions=10", `oradebug setorapid 20
oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3
exit
`)
	if r.Summary.Commands != 4 || r.Summary.Failed != 0 || r.Summary.Armed != 1 || r.Summary.LeftOn != 1 {
		t.Fatalf("summary %+v, lines %+v", r.Summary, r.Lines)
	}
	l := r.LeftOn[0]
	if l.Orapid != 20 || len(l.Events) != 2 || l.Ring == nil || *l.Ring != 256000 {
		t.Errorf("left on %+v", l)
	}
	if want := "oradebug session_event 942 off"; l.Undo[1] != want {
		t.Errorf("undo %q, want %q second", l.Undo, want)
	}
	if !strings.HasPrefix(r.Lines[0].Answer, "Oracle pid: 20, Unix process pid: ") {
		t.Errorf("attach answered %q", r.Lines[0].Answer)
	}
}

// TestRehearseFailure: a wrong line is shown with its error, the rest runs.
func TestRehearseFailure(t *testing.T) {
	r := rehearse(t, "", "whenever sqlerror exit 3\noradebug eventdump session\noradebug setmypid\nselect 1/0 from dual;\nprompt never\n")
	if r.ExitCode != 3 || r.Summary.Failed != 2 || r.Summary.Commands != 4 {
		t.Fatalf("exit code %d, summary %+v, %+v", r.ExitCode, r.Summary, r.Lines)
	}
	if r.Lines[1].OK || r.Lines[1].Answer != "ORA-00074: no process has been specified" {
		t.Errorf("without a target: %+v", r.Lines[1])
	}
	if !strings.Contains(r.Lines[3].Answer, "ERROR at line 1:\nORA-01476: divisor is equal to zero") {
		t.Errorf("division: %+v", r.Lines[3])
	}
}

// TestRehearseThreaded: `/` does not log on to an instance of threads
// (facts/views-and-sqlplus.md 2.4); a rehearsal does, as a person would.
func TestRehearseThreaded(t *testing.T) {
	r := rehearse(t, "?release=19c&sessions=10&threaded", "oradebug setorapid 20\noradebug session_event 942 errorstack(1)\nexit\n")
	if r.Summary.Failed != 0 || r.Summary.Armed != 1 {
		t.Fatalf("summary %+v, lines %+v", r.Summary, r.Lines)
	}
}
