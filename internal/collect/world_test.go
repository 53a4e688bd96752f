package collect_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/journal"
)

var armedAt = time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)

// world is a campaign whose trace files lie in an ADR home of this host.
type world struct {
	t     *testing.T
	home  string // ADR home
	trace string // its trace folder
	state journal.Dir
	j     *journal.Journal
	run   journal.Seq
	opt   collect.Options
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newWorld(t *testing.T) *world { return newWorldOn(t, "db1") }

// newWorldOn is newWorld with the name of the first instance's host.
func newWorldOn(t *testing.T, host string) *world {
	t.Helper()
	w := &world{t: t, home: filepath.Join(t.TempDir(), "diag/rdbms/shop/SHOP1"), state: journal.Dir{Path: t.TempDir()}}
	w.trace = filepath.Join(w.home, "trace")
	must(t, os.MkdirAll(w.trace, 0o700))
	now := func() time.Time { return armedAt }
	var err error
	w.j, err = w.state.Create(journal.Header{
		Campaign: "night", Created: armedAt, By: journal.Actor{Host: "dbhost", User: "oracle"}, Origin: "enable",
		Database: journal.Database{UniqueName: "SHOP", DBID: 4711},
		Instances: []journal.Instance{
			{InstID: 1, InstanceName: "SHOP1", HostName: host}, {InstID: 2, InstanceName: "SHOP2", HostName: "db2"},
		},
		Events: []journal.Event{{Kind: "sql_trace", Spec: "sql_trace"}, {Kind: "error", Ora: 1555, Spec: "1555 trace name errorstack"}},
	}, now)
	must(t, err)
	w.run, err = w.j.StartRun(journal.Run{Verb: "enable", Instances: []int{1, 2}})
	must(t, err)
	w.opt = collect.Options{
		Sources: []collect.Source{collect.Local{}}, Format: bundle.Zip, Stage: t.TempDir(), Tool: "ringtrace test",
	}
	return w
}

// arm records a session as armed, with the trace file that was reported.
func (w *world) arm(inst, sid, serial int, ospid, tracefile string) {
	w.finish(inst, sid, serial, ospid, tracefile, journal.Done)
}

func (w *world) finish(inst, sid, serial int, ospid, tracefile string, result journal.Result) {
	w.t.Helper()
	s := journal.Session{InstID: inst, SID: sid, Serial: serial, LogonTime: armedAt.Add(-time.Hour)}
	p := journal.Process{Orapid: sid + 1, ProcessSerial: 1, Ospid: ospid}
	i, err := w.j.Begin(journal.Intent{Run: w.run, Op: journal.OpArm, Session: s, Process: p, Username: "APP", Commands: []string{"event"}})
	must(w.t, err)
	must(w.t, w.j.Finish(journal.Outcome{Intent: i, Op: journal.OpArm, Session: s, Process: p, Result: result, Tracefile: tracefile}))
}

// path is the full name of a trace.
func (w *world) path(name string) string { return filepath.Join(w.trace, name) }

// put writes a trace file.
func (w *world) put(name, text string) string {
	w.t.Helper()
	must(w.t, os.WriteFile(w.path(name), []byte(text), 0o600))
	return w.path(name)
}

// header is what a 19c trace file begins with.
func header(path, instance, host string) string {
	return "Trace file " + path + "\nOracle Database 19c Enterprise Edition Release 19.0.0.0.0 - Production\nVersion 19.12.0.0.0\n" +
		"Node name:\t" + host + "\nInstance name: " + instance + "\nUnix process pid: 4711, image: oracle@" + host + "\n\n\n"
}

const stamp = "2026-11-30T03:05:00.000000+00:00"

// session is a session block.
func session(sid, serial int) string {
	return fmt.Sprintf("*** %s\n*** SESSION ID:(%d.%d) %s\n", stamp, sid, serial, stamp)
}

const (
	calls   = "EXEC #140:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=1,dep=0,og=1,plh=7,tim=1000\nFETCH #140:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=1,dep=0,og=1,plh=7,tim=1010\n"
	markers = "\n*** " + stamp + "\nReceived ORADEBUG command (#1) 'event 942 trace name errorstack' from process '2772'\n\n*** " + stamp +
		"\nFinished processing ORADEBUG command (#1) 'event 942 trace name errorstack'\n\n"
)

// collected is a bundle with its bytes.
type collected struct {
	*bundle.Manifest
	result *collect.Result
	raw    []byte
	files  map[string][]byte
}

func (w *world) campaign() *journal.Campaign {
	w.t.Helper()
	c, err := w.state.Load("night")
	must(w.t, err)
	return c
}

// collect makes a bundle, and checks what must hold for every one: it agrees
// with its manifest, and every session has a row.
func (w *world) collect() *collected {
	w.t.Helper()
	w.opt.Campaign = w.campaign()
	var out bytes.Buffer
	res, err := collect.Run(context.Background(), &out, w.opt)
	must(w.t, err)
	place := filepath.Join(w.t.TempDir(), "b.zip")
	must(w.t, os.WriteFile(place, out.Bytes(), 0o600))
	found, err := bundle.Verify(context.Background(), place)
	must(w.t, err)
	if len(found.Problems) > 0 {
		w.t.Errorf("the bundle does not agree with its manifest: %v", found.Problems)
	}
	c := &collected{Manifest: found.Manifest, result: res, raw: out.Bytes(), files: map[string][]byte{}}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	must(w.t, err)
	for _, f := range z.File {
		r, err := f.Open()
		must(w.t, err)
		c.files[f.Name], err = io.ReadAll(r)
		must(w.t, err)
	}
	for _, s := range w.opt.Campaign.Sessions {
		if c.row(s.Session.SID, "") == nil {
			w.t.Errorf("session %s has no row", s.Session)
		}
	}
	return c
}

// row finds the row of a session whose name ends so.
func (c *collected) row(sid int, name string) *bundle.File {
	for i := range c.Files {
		f := &c.Files[i]
		if f.SID == sid && (name == "" || f.Name != nil && strings.HasSuffix(*f.Name, name)) {
			return f
		}
	}
	return nil
}

func note(f *bundle.File) string {
	if f == nil || f.Note == nil {
		return ""
	}
	return *f.Note
}

// wantRow checks status and note of a row.
func (c *collected) wantRow(t *testing.T, sid int, name string, status bundle.Status, notes ...string) {
	t.Helper()
	f := c.row(sid, name)
	if f == nil {
		t.Fatalf("no row of %d for %q", sid, name)
	}
	if f.Status != status {
		t.Errorf("%d %s is %s, want %s (%s)", sid, name, f.Status, status, note(f))
	}
	for _, n := range notes {
		if !strings.Contains(note(f), n) {
			t.Errorf("%d %s: note %q does not say %q", sid, name, note(f), n)
		}
	}
}

func (c *collected) wantBytes(t *testing.T, name, want string) {
	t.Helper()
	got, ok := c.files["traces/"+name]
	if !ok {
		t.Fatalf("the bundle does not hold %s", name)
	}
	if string(got) != want {
		t.Errorf("%s has %d bytes, want %d", name, len(got), len(want))
	}
}
