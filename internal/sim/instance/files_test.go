package instance

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/release"
)

func sample(t *testing.T, rel string) (*Database, *Session) {
	t.Helper()
	r, err := release.Find(rel)
	if err != nil {
		t.Fatal(err)
	}
	d := New(Config{Release: r, Sessions: 10, Seed: 1, Now: fixedNow, ErrorText: func(int) string { return "table or view does not exist" }})
	d.Quiet(10)
	for _, s := range d.Instances[0].Sessions() {
		if s.Eligible {
			return d, s
		}
	}
	t.Fatal("nobody is eligible")
	return nil, nil
}

// names are the files that are there, without their maps.
func names(t *testing.T, d *Database) string {
	t.Helper()
	list, err := d.Store.List(d.TraceDir(d.Instances[0]))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range list {
		if !strings.HasSuffix(i.Path, ".trm") {
			out = append(out, filepath.Base(i.Path))
		}
	}
	return strings.Join(out, " ")
}

// TestSegments: the first segment and the last ones stay, the middle is lost
// (facts/views-and-sqlplus.md 4.2); ORADEBUG UNLIMIT lifts the limit.
func TestSegments(t *testing.T) {
	d, s := sample(t, "21c") // 32M
	part := strings.Repeat("x", 1<<20-1) + "\n"
	for range 60 {
		d.Emit(s.Proc, part)
	}
	base := strings.TrimSuffix(filepath.Base(s.Proc.TracePath()), ".trc")
	got := names(t, d)
	if !strings.Contains(got, base+"_1.trc") || !strings.Contains(got, base+".trc") || strings.Contains(got, base+"_2.trc") || len(strings.Fields(got)) != 5 {
		t.Errorf("segments are %s, want the first, the last three and the current one", got)
	}
	d, s = sample(t, "21c")
	s.Proc.Unlimit = true
	for range 60 {
		d.Emit(s.Proc, part)
	}
	if got := names(t, d); len(strings.Fields(got)) != 1 {
		t.Errorf("unlimited: %s", got)
	}
}

// TestSmallLimitTruncates: below 25M there are no segments.
func TestSmallLimitTruncates(t *testing.T) {
	d, s := sample(t, "19c")
	if err := d.Fault(fault.Fault{Kind: fault.TraceLimit, Value: "4k"}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		d.Emit(s.Proc, strings.Repeat("x", 99)+"\n")
	}
	data, err := d.Store.ReadFile(s.Proc.TracePath())
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 4096+80 || !strings.HasSuffix(string(data), "*** DUMP FILE SIZE IS LIMITED TO 4096 BYTES ***\n") {
		t.Errorf("%d bytes, end %q", len(data), data[max(0, len(data)-80):])
	}
}

// TestIncident: file, alert log and session trace say what the facts show
// (facts/oradebug.md 4).
func TestIncident(t *testing.T) {
	d, s := sample(t, "19c")
	set(t, d, s.Proc, OfSession, `1400 incident("NULL_INSERTION")`)
	d.Raise(s, 1400)
	alert, err := d.Store.ReadFile(d.Instances[0].AlertLog())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Errors in file " + s.Proc.TracePath() + "  (incident=10193) (PDBNAME=APPPDB):\n",
		"ORA-00700: soft internal error, arguments: [EVENT_CREATED_INCIDENT], [1400], [NULL_INSERTION], [], ",
		"Incident details in: " + s.Proc.incidentPath(10193),
	} {
		if !strings.Contains(string(alert), want) {
			t.Errorf("the alert log lacks %q:\n%s", want, alert)
		}
	}
	dump, err := d.Store.ReadFile(s.Proc.incidentPath(10193))
	if err != nil || !strings.HasPrefix(string(dump), "Dump file ") || !strings.Contains(string(dump), "Dump continued from file: "+s.Proc.TracePath()) {
		t.Errorf("the incident file: %q, %v", dump, err)
	}
}

// TestFullDisk: writes silently stop, and go on when there is room.
func TestFullDisk(t *testing.T) {
	d, s := sample(t, "19c")
	d.Emit(s.Proc, "before\n")
	if err := d.Fault(fault.Fault{Kind: fault.DiskFull}); err != nil {
		t.Fatal(err)
	}
	d.Emit(s.Proc, "lost\n")
	if err := d.Fault(fault.Fault{Kind: fault.DiskFull, Off: true}); err != nil {
		t.Fatal(err)
	}
	d.Emit(s.Proc, "after\n")
	data, err := d.Store.ReadFile(s.Proc.TracePath())
	if err != nil || !strings.Contains(string(data), "before\nafter\n") || strings.Contains(string(data), "lost") {
		t.Errorf("%q, %v", data, err)
	}
}

// TestRemovedAndRenamed: a file that vanished is made anew, an identifier
// starts another one.
func TestRemovedAndRenamed(t *testing.T) {
	d, s := sample(t, "19c")
	d.Emit(s.Proc, "one\n")
	if err := d.Store.Remove(s.Proc.TracePath()); err != nil {
		t.Fatal(err)
	}
	d.Emit(s.Proc, "two\n")
	data, err := d.Store.ReadFile(s.Proc.TracePath())
	if err != nil || !strings.Contains(string(data), "*** TRACE FILE RECREATED AFTER BEING REMOVED ***\n") {
		t.Errorf("%q, %v", data, err)
	}
	old := s.Proc.TracePath()
	d.Locked(func() { s.Proc.Identifier = "MINE" })
	d.Emit(s.Proc, "three\n")
	if data, err = d.Store.ReadFile(s.Proc.TracePath()); err != nil || !strings.Contains(string(data), fmt.Sprintf("*** TRACE CONTINUED FROM FILE %s ***\n", old)) {
		t.Errorf("%q, %v", data, err)
	}
}

// TestLostAtExit: what the buffer held goes with the process, unless that
// assumption is off.
func TestLostAtExit(t *testing.T) {
	for _, lost := range []bool{true, false} {
		d, s := sample(t, "19c")
		d.Assume, _ = d.Assume.With("ring-lost-at-exit", lost)
		set(t, d, s.Proc, OfSession, "sql_trace trace_buffer_on(1000)")
		d.Emit(s.Proc, "held\n")
		p := s.Proc
		d.Logoff(s)
		data, err := d.Store.ReadFile(p.TracePath())
		if got := err == nil && strings.Contains(string(data), "held\n"); got == lost {
			t.Errorf("lost at exit %v: %q, %v", lost, data, err)
		}
	}
}

// TestReusedProcessInheritsTheRing: another session in the same process has
// no events of ours, but the ring is there (assumed).
func TestReusedProcessInheritsTheRing(t *testing.T) {
	d, s := sample(t, "19c")
	set(t, d, s.Proc, OfSession, "sql_trace trace_buffer_on(1000)")
	n := d.SwitchSession(s, Logon{User: "STRANGER"})
	if n.Proc != s.Proc || n.SID == 0 || !n.Events.Empty() {
		t.Errorf("the new session: %+v", n)
	}
	if _, _, _, ok := n.Proc.Ring(); !ok {
		t.Error("the ring went with the session")
	}
}

// TestFilesOnOrder: what sim fault does to trace files.
func TestFilesOnOrder(t *testing.T) {
	d, s := sample(t, "19c")
	who := fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.Inst.ID)
	order := func(k fault.Kind) error { return d.Fault(fault.Fault{Kind: k, Value: who}) }
	for _, k := range []fault.Kind{fault.TraceVanished, fault.TraceRenamed, fault.TraceUnreadable, fault.TraceSegmented} {
		if err := order(k); err == nil || !strings.Contains(err.Error(), "has written no trace file yet") {
			t.Errorf("%s without a file: %v", k, err)
		}
	}
	file := s.Proc.TracePath()
	base := strings.TrimSuffix(filepath.Base(file), ".trc")
	for _, c := range []struct {
		kind fault.Kind
		want string // the files that are there after the next write
	}{
		{fault.TraceSegmented, base + ".trc " + base + "_1.trc"},
		{fault.TraceRenamed, base + ".trc " + base + ".trc.old " + base + "_1.trc"},
		{fault.TraceVanished, base + ".trc " + base + ".trc.old " + base + "_1.trc"},
	} {
		d.Emit(s.Proc, "before\n")
		if err := order(c.kind); err != nil {
			t.Fatal(err)
		}
		d.Emit(s.Proc, "after "+string(c.kind)+"\n")
		if got := names(t, d); got != c.want {
			t.Errorf("%s: %s, want %s", c.kind, got, c.want)
		}
		data, err := d.Store.ReadFile(file)
		if err != nil || strings.Contains(string(data), "before\n") || !strings.HasPrefix(string(data), "Trace file "+file) || !strings.HasSuffix(string(data), "after "+string(c.kind)+"\n") {
			t.Errorf("%s: %q, %v", c.kind, data, err)
		}
	}
	if err := order(fault.TraceUnreadable); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Store.ReadFile(file); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("an unreadable file: %v", err)
	}
	if err := d.Fault(fault.Fault{Kind: fault.SqlplusMissing}); err == nil || !strings.Contains(err.Error(), "sim up --dir") {
		t.Errorf("sqlplus is missing in process: %v", err)
	}
}

// TestMapFiles: each trace file has its map (assumed), also when it is made
// anew or becomes a segment; with the switch off there is none.
func TestMapFiles(t *testing.T) {
	for _, on := range []bool{true, false} {
		d, s := sample(t, "19c")
		d.Assume, _ = d.Assume.With("map-files", on)
		d.Emit(s.Proc, "one\n")
		if err := d.Fault(fault.Fault{Kind: fault.TraceSegmented, Value: fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.Inst.ID)}); err != nil {
			t.Fatal(err)
		}
		d.Emit(s.Proc, "two\n")
		base := strings.TrimSuffix(s.Proc.TracePath(), ".trc")
		for _, file := range []string{base + ".trm", base + "_1.trm"} {
			if _, err := d.Store.Size(file); (err == nil) != on {
				t.Errorf("map files %v: %s: %v", on, file, err)
			}
		}
	}
}
