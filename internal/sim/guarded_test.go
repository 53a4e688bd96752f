package sim

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"ringtrace/internal/plan"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/spool"
	"ringtrace/sessions"
	"ringtrace/templates"
)

// generated writes the scripts for user REPORT of a database and returns the
// paths of enable and disable.
func generated(t *testing.T, d *instance.Database) (enable, disable string, list []sessions.Session) {
	t.Helper()
	db, err := Connect(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // in memory
	f, err := sessions.Open(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	sel := &sessions.Selector{}
	if err := sel.Add(sessions.FieldUsername, "REPORT"); err != nil {
		t.Fatal(err)
	}
	inv, err := f.Inventory(context.Background(), sel)
	if err != nil {
		t.Fatal(err)
	}
	o := plan.DefaultOptions()
	o.Ora = []int{942, 1555}
	req := plan.Request{Tool: "ringtrace", Campaign: "c", Now: fixedNow(), Expires: fixedNow().Add(time.Hour), Style: plan.StyleGuarded, Options: o, Instances: f.Instances, Selector: sel.String()}
	for _, r := range inv.Selected() {
		req.Sessions = append(req.Sessions, r.Session)
	}
	p, err := plan.New(req)
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := templates.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := spool.Write(context.Background(), p, builtin, spool.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "enable_1.sql"), filepath.Join(dir, "disable_1.sql"), req.Sessions
}

func world(t *testing.T, set assume.Set) *instance.Database {
	t.Helper()
	d, err := New(Spec{Sessions: 20, Instances: 1, Seed: 3, Assume: set}, fixedNow, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func run(t *testing.T, d *instance.Database, scripts ...string) *Rehearsal {
	t.Helper()
	r, err := Rehearse(context.Background(), d, d.Instances[0], scripts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func outcomes(r *Rehearsal, word string) int {
	n := 0
	for _, log := range r.Spooled {
		for _, l := range bytes.Split(log, []byte("\n")) {
			if bytes.HasPrefix(l, []byte("ringtrace: "+word+" ")) {
				n++
			}
		}
	}
	return n
}

// TestGuardedScriptsUnderEverySwitch: whatever of the assumptions is wrong,
// the generated script arms the sessions and its undo leaves nothing on; an
// unfreed buffer is possible only where trace_buffer_off is said not to free.
func TestGuardedScriptsUnderEverySwitch(t *testing.T) {
	for _, e := range assume.Entries() {
		t.Run(string(e.Switch), func(t *testing.T) {
			set, _ := assume.Set{}.With(e.Switch, !e.Default)
			d := world(t, set)
			enable, disable, list := generated(t, d)
			armed := run(t, d, enable)
			if armed.ExitCode != 0 || armed.Summary.Armed != len(list) || armed.Summary.LeftOn != len(list) || outcomes(armed, "ARMED") != len(list) {
				t.Fatalf("enable: exit code %d, %+v, %d ARMED of %d", armed.ExitCode, armed.Summary, outcomes(armed, "ARMED"), len(list))
			}
			undone := run(t, d, disable)
			if undone.ExitCode != 0 || outcomes(undone, "DISARMED") != len(list) {
				t.Errorf("disable: exit code %d, %d DISARMED", undone.ExitCode, outcomes(undone, "DISARMED"))
			}
			for _, a := range d.Armed() {
				if len(a.Session)+len(a.Process) > 0 || e.Switch != assume.RingOffFrees {
					t.Errorf("left on: %+v", a)
				}
			}
		})
	}
}

// TestGuardedScriptMeetsTheUnexpected: a session that is gone or replaced
// between the list and the attach is skipped, and nothing is set in a
// stranger.
func TestGuardedScriptMeetsTheUnexpected(t *testing.T) {
	for _, kind := range []fault.Kind{fault.DelayedGone, fault.DelayedReuse, fault.EndProcess, fault.ReuseProcess, fault.SwitchUser, fault.KillSession} {
		t.Run(string(kind), func(t *testing.T) {
			d := world(t, assume.Set{})
			enable, disable, list := generated(t, d)
			f, err := fault.Parse(string(kind) + "=" + strconv.Itoa(list[1].SID))
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Fault(f); err != nil {
				t.Fatal(err)
			}
			r := run(t, d, enable)
			if n := outcomes(r, "ARMED"); r.ExitCode != 0 || n != len(list)-1 || outcomes(r, "SKIPPED") != 1 {
				t.Errorf("exit code %d, %d ARMED, %d SKIPPED of %d", r.ExitCode, n, outcomes(r, "SKIPPED"), len(list))
			}
			for _, a := range d.Armed() {
				s := d.Instances[0].Session(a.SID)
				if s == nil || s.Username != "REPORT" {
					t.Errorf("armed is %+v", a)
				}
			}
			if run(t, d, disable); len(d.Armed()) != 0 {
				t.Errorf("after the undo: %v", d.Armed())
			}
		})
	}
}

// TestGuardedScriptStops: not as SYSDBA, not elsewhere, not too late.
func TestGuardedScriptStops(t *testing.T) {
	d := world(t, assume.Set{})
	enable, _, _ := generated(t, d)
	late := world(t, assume.Set{})
	late.Advance(2 * time.Hour)
	other, err := New(Spec{Sessions: 30, Instances: 1, Seed: 4}, fixedNow, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for want, x := range map[string]*instance.Database{"STOP: expired": late, "STOP: another database": other} {
		r := run(t, x, enable)
		if r.ExitCode != 12 || r.Summary.Armed != 0 || !bytes.Contains(bytes.Join(logs(r), nil), []byte(want)) {
			t.Errorf("%s: exit code %d, %d armed", want, r.ExitCode, r.Summary.Armed)
		}
	}
}

func logs(r *Rehearsal) [][]byte {
	var out [][]byte
	for _, l := range r.Spooled {
		out = append(out, l)
	}
	return out
}

// TestRehearsalWritesNoFile: spool files stay in memory.
func TestRehearsalWritesNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	d := world(t, assume.Set{})
	enable, _, _ := generated(t, d)
	run(t, d, enable)
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}
