package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var t0 = time.Date(2026, 3, 14, 2, 0, 0, 0, time.UTC)

// clock returns a clock that moves one second a reading.
func clock() func() time.Time {
	t := t0
	return func() time.Time { t = t.Add(time.Second); return t }
}

var (
	alice = Actor{PID: 4711, Host: "dbhost1", User: "oracle", Start: t0, Tool: "ringtrace test"}
	inst1 = Instance{InstID: 1, InstanceName: "PROD1", HostName: "dbhost1", StartupTime: t0.Add(-240 * time.Hour)}
	s38   = Session{InstID: 1, SID: 38, Serial: 5, LogonTime: t0.Add(-time.Hour)}
	s39   = Session{InstID: 1, SID: 39, Serial: 7, LogonTime: t0.Add(-2 * time.Hour)}
	p38   = Process{Orapid: 51, ProcessSerial: 3, Ospid: "23064", Stid: "23064"}
	p39   = Process{Orapid: 52, ProcessSerial: 4, Ospid: "23065", Stid: "23065"}
)

func header(id string) Header {
	return Header{
		Campaign: id, Created: t0, By: alice, Origin: "enable",
		Database: Database{UniqueName: "PROD", DBID: 123456789}, Instances: []Instance{inst1},
		Events:    []Event{{Kind: "error", Ora: 942, Spec: "942 trace name errorstack level 3", Off: []string{"942 off"}}},
		RingBytes: 256000,
	}
}

// must fails the test at once on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustSeq(t testing.TB) func(Seq, error) Seq {
	return func(s Seq, err error) Seq {
		t.Helper()
		must(t, err)
		return s
	}
}

// story writes one record of every kind but repair, unknown and close, and
// returns the path.
func story(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	j, err := Create(path, header("c"), clock())
	must(t, err)
	seq := mustSeq(t)
	run := seq(j.StartRun(Run{Verb: "enable", By: alice, Instances: []int{1}}))
	a := seq(j.Begin(Intent{Run: run, Op: OpArm, Session: s38, Process: p38, Username: "R&D \"x\"\n", Commands: []string{"session_event 942 off"}}))
	must(t, j.Note(Evidence{Intent: a, BeforeSession: []string{"60 trace name errorstack level 1"}, BeforeProcess: []string{}}))
	must(t, j.Finish(Outcome{Intent: a, Result: Done, Ring: RingOnAssumed, Events: []string{"sql_trace wait=true"}, Tracefile: "/t/x.trc"}))
	b := seq(j.Begin(Intent{Run: run, Op: OpArm, Session: s39, Process: p39}))
	must(t, j.Finish(Outcome{Intent: b, Result: Skipped, Reason: "gone"}))
	must(t, j.Observe(Observed{Run: run, Session: s38, State: Fired, Fired: []Fire{{Ora: 942, At: t0}}}))
	must(t, j.Instance(Instance{InstID: 2, InstanceName: "PROD2", HostName: "dbhost2", StartupTime: t0}))
	must(t, j.Import(Import{Run: run, Manifest: File{Name: "manifest.json"}, Logs: []File{{Name: "a.log"}}}))
	must(t, j.EndRun(End{Run: run, Exit: 3, Result: "partial"}))
	must(t, j.Close())
	return path
}

// TestNoHardLinks: vfat and some network file systems have none.
func TestNoHardLinks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	none := func(from, to string) error { return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EPERM} }
	must(t, createWhole(path, []byte("one\n"), none))
	if err := createWhole(path, []byte("two\n"), none); err == nil {
		t.Error("a journal was replaced")
	}
	if err := createWhole(path, []byte("two\n"), os.Link); !errors.Is(err, fs.ErrExist) {
		t.Errorf("with links: %v", err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "one\n" {
		t.Errorf("%q, %v", got, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left beside it: %v", entries)
	}
	if err := createWhole(filepath.Join(dir, "no", "b.jsonl"), nil, none); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a folder: %v", err)
	}
}

func TestStoryFoldsToStates(t *testing.T) {
	c, err := Load(story(t))
	must(t, err)
	if len(c.Damage)+len(c.Notes)+len(c.Dirty()) != 0 {
		t.Fatalf("damage %v, notes %v, dirty %v", c.Damage, c.Notes, c.Dirty())
	}
	if c.Records != 11 || len(c.Sessions) != 2 || len(c.Imports) != 1 || c.Closed {
		t.Fatalf("records %d, sessions %d, imports %d, closed %v", c.Records, len(c.Sessions), len(c.Imports), c.Closed)
	}
	a := c.Find(s38)
	if a.State != Fired || a.Ring != RingOnAssumed || a.Outcome != Done || a.Tracefile != "/t/x.trc" || len(a.Fired) != 1 ||
		a.Username != "R&D \"x\"\n" || a.BeforeSession[0] != "60 trace name errorstack level 1" || !a.Process.Same(p38) || !a.Open() {
		t.Errorf("session 38: %+v", a)
	}
	b := c.Find(Session{InstID: 1, SID: 39, Serial: 7})
	if b == nil || b.State != Clean || b.Outcome != Skipped || b.Reason != "gone" || b.Open() {
		t.Errorf("session 39: %+v", b)
	}
	if c.Find(Session{InstID: 2, SID: 38, Serial: 5}) != nil {
		t.Error("a session of another instance was found")
	}
	if r := c.Runs[0]; !r.Ended || r.Exit != 3 || r.Run.Verb != "enable" {
		t.Errorf("run: %+v", r)
	}
	if c.Instances[2].HostName != "dbhost2" || c.Instances[1].InstanceName != "PROD1" {
		t.Errorf("instances: %+v", c.Instances)
	}
}

func TestDirtyNamesIntentAndRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	j, err := Create(path, header("c"), clock())
	must(t, err)
	run, err := j.StartRun(Run{Verb: "enable", By: alice, Instances: []int{1}})
	must(t, err)
	i, err := j.Begin(Intent{Run: run, Op: OpArm, Session: s38, Process: p38})
	must(t, err)
	must(t, j.Close()) // the process died here
	c, err := Load(path)
	must(t, err)
	d := c.Dirty()
	if len(d) != 2 || d[0].Seq != run || d[0].Kind != KindRun || d[1].Seq != i || d[1].Kind != KindIntent || *d[1].Session != s38 {
		t.Fatalf("dirty: %+v", d)
	}
	if n := len(c.DirtyOn(1)); n != 2 {
		t.Errorf("instance 1 has %d pieces of dirt, want 2", n)
	}
	if n := len(c.DirtyOn(2)); n != 0 {
		t.Errorf("instance 2 has %d pieces of dirt, want 0", n)
	}
	if s := c.Find(s38); s.State != Uncertain || !s.Open() {
		t.Errorf("interrupted session is %s", s.State)
	}

	// The next process may finish what it finds, and only that.
	o, err := Open(path, clock(), OpenOptions{})
	must(t, err)
	if err := o.Journal.Finish(Outcome{Intent: 99, Result: Done}); err == nil {
		t.Error("outcome of an intent that does not exist was accepted")
	}
	if err := o.Journal.CloseCampaign(Close{Reason: "clean", By: alice}); err == nil {
		t.Error("a dirty campaign was closed")
	}
	must(t, o.Journal.Resolve(Resolve{By: alice, Intents: []Seq{i}, Runs: []Seq{run}, State: Clean, Note: "instance was restarted"}))
	must(t, o.Journal.CloseCampaign(Close{Reason: "resolved", By: alice}))
	if _, err := o.Journal.StartRun(Run{Verb: "disable"}); !errors.Is(err, ErrClosedCampaign) {
		t.Errorf("write behind the close record: %v", err)
	}
	must(t, o.Journal.Close())
	c, err = Load(path)
	must(t, err)
	if len(c.Dirty()) != 0 || !c.Closed || c.Find(s38).State != Clean || len(c.Notes) != 0 {
		t.Errorf("after resolve: dirty %v, closed %v, state %s, notes %v", c.Dirty(), c.Closed, c.Find(s38).State, c.Notes)
	}
}

func TestMisuseIsRefusedAndLeavesTheJournalUsable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	j, err := Create(path, header("c"), clock())
	must(t, err)
	run, err := j.StartRun(Run{Verb: "enable", By: alice})
	must(t, err)
	i, err := j.Begin(Intent{Run: run, Op: OpArm, Session: s38, Process: p38})
	must(t, err)
	must(t, j.Finish(Outcome{Intent: i, Result: Done}))
	bad := map[string]error{
		"second outcome":      j.Finish(Outcome{Intent: i, Result: Done}),
		"outcome of a run":    j.Finish(Outcome{Intent: run, Result: Done}),
		"no result":           j.Finish(Outcome{Intent: i}),
		"evidence too late":   j.Note(Evidence{Intent: i}),
		"end of an intent":    j.EndRun(End{Run: i}),
		"too long":            j.Observe(Observed{Run: run, Session: s38, Reason: strings.Repeat("x", MaxLine)}),
		"resolve what is not": j.Resolve(Resolve{Intents: []Seq{i}}),
	}
	_, bad["intent without run"] = j.Begin(Intent{Run: 99, Op: OpArm, Session: s38})
	for name, err := range bad {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	must(t, j.EndRun(End{Run: run}))
	c, err := Load(path)
	must(t, err)
	if c.Records != 5 || len(c.Notes) != 0 || len(c.Damage) != 0 {
		t.Errorf("refused records reached the file: %d records, notes %v", c.Records, c.Notes)
	}
}

func TestCreateNeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	j, err := Create(path, header("c"), clock())
	must(t, err)
	must(t, j.Close())
	before, err := os.ReadFile(path)
	must(t, err)
	if _, err := Create(path, header("d"), clock()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second Create: %v", err)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Error("Create changed the existing file")
	}
	st, err := os.Stat(path)
	must(t, err)
	if st.Mode().Perm() != 0o600 {
		t.Errorf("mode %o, want 600", st.Mode().Perm())
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".new-*"))
	must(t, err)
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDirKeepsHostileIDsInside(t *testing.T) {
	d := Dir{Path: filepath.Join(t.TempDir(), "state")}
	if ids, err := d.IDs(); err != nil || ids != nil {
		t.Fatalf("no directory yet: %v, %v", ids, err)
	}
	for _, id := range []string{"", "..", "../x", "a/b", ".hidden", "a\nb", "a b", strings.Repeat("x", 101), "é"} {
		if _, err := d.Create(header(id), clock()); err == nil {
			t.Errorf("id %q accepted", id)
		}
	}
	j, err := d.Create(header("20260314-0200.a_b"), clock())
	must(t, err)
	must(t, j.Close())
	ids, err := d.IDs()
	must(t, err)
	if len(ids) != 1 || ids[0] != "20260314-0200.a_b" {
		t.Errorf("ids %v", ids)
	}
	for _, sub := range []string{"", "campaigns"} {
		st, err := os.Stat(filepath.Join(d.Path, sub))
		must(t, err)
		if st.Mode().Perm() != 0o700 {
			t.Errorf("%q has mode %o, want 700", sub, st.Mode().Perm())
		}
	}
	if a, b := lockName(Database{UniqueName: "A/B"}), lockName(Database{UniqueName: "A%2fB"}); a == b || strings.Contains(a, "/") {
		t.Errorf("lock names %q and %q", a, b)
	}
}
