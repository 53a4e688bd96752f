package report_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestProblemT01_SegmentsAreOneTrace reads the segments of one trace in order:
// a cursor parsed in the first is known in the last, and the hole is told.
func TestProblemT01_SegmentsAreOneTrace(t *testing.T) {
	head, body, _ := strings.Cut(ringTrace, "Trace output buffer")
	parsing := body[strings.Index(body, "=====================\nPARSING IN CURSOR #140002"):strings.Index(body, "BINDS #140002")]
	exec := func(tim string) string {
		return "EXEC #140002:c=1,e=2,p=0,cr=0,cu=0,mis=0,r=1,dep=0,og=1,plh=9,tim=" + tim + "\n"
	}
	dir := writeFiles(t, map[string]string{
		"x_1.trc": head + parsing, "x_8.trc": exec("3000000"), "x_9.trc": exec("4000000"), "x_10.trc": exec("5000000"), "x.trc": exec("6000000"),
	})
	l, err := report.Load(context.Background(), report.Input{Paths: []string{dir}}, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := report.Build(l.Profile, report.Options{})
	var order []string
	for _, f := range m.Files {
		order = append(order, filepath.Base(f.Path))
	}
	equal(t, "order", strings.Join(order, " "), "x_1.trc x_8.trc x_9.trc x_10.trc x.trc")
	equal(t, "executions of the known cursor", m.Totals.NonRecursive.Exec.Count, 4)
	equal(t, "unknown ones", m.Totals.UnknownCursors.Exec.Count, 0)
	equal(t, "sessions", len(m.Sessions), 1)
	holes := 0
	for _, p := range m.Problems {
		if p.Kind == "segment_hole" {
			holes++
			equal(t, "file before the hole", filepath.Base(p.File), "x_1.trc")
			equal(t, "message", strings.HasPrefix(p.Message, "segments 2 to 7 "), true)
		}
	}
	equal(t, "holes", holes, 1)
}

// TestSnapshotNamesCursors names an unknown cursor by its plan hash value, if
// one cursor of the snapshot alone has it.
func TestSnapshotNamesCursors(t *testing.T) {
	for name, c := range map[string]struct{ cursors, source string }{
		"unique":    {`[{"sql_id":"ccccccccccccc","plan_hash_value":77,"text":"select 77 from dual"},{"sql_id":"ccccccccccccc","plan_hash_value":77,"text":"select 77 from dual"}]`, "snapshot"},
		"ambiguous": {`[{"sql_id":"ccccccccccccc","plan_hash_value":77,"text":"a"},{"sql_id":"ddddddddddddd","plan_hash_value":77,"text":"b"}]`, "none"},
		"other":     {`[{"sql_id":"ccccccccccccc","plan_hash_value":78,"text":"a"}]`, "none"},
	} {
		dir := writeFiles(t, map[string]string{"traces/1/a.trc": ringTrace, "cursors.json": c.cursors})
		l, err := report.Load(context.Background(), report.Input{Paths: []string{dir}}, tracefile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := report.Build(l.Profile, report.Options{})
		found := false
		for _, s := range m.Statements {
			if s.Cursor != nil && *s.Cursor == "#140001" {
				found = true
				equal(t, name+": source", s.TextSource, c.source)
				equal(t, name+": inferred", s.Inferred, c.source == "snapshot")
			}
		}
		equal(t, name+": the cursor is there", found, true)
		equal(t, name+": it still counts as unknown", m.Totals.UnknownCursors.Exec.Count, 1)
	}
}

func TestLoadGoesOnPastBadFiles(t *testing.T) {
	dir := writeFiles(t, map[string]string{"a.trc": ringTrace, "b.trc.gz": "\x1f\x8bbroken"})
	l, err := report.Load(context.Background(), report.Input{Paths: []string{dir, filepath.Join(dir, "none.trc")}}, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "read", l.Read, 1)
	equal(t, "failed", l.Failed, 2)
	m := report.Build(l.Profile, report.Options{})
	equal(t, "files", len(m.Files), 3)
	equal(t, "problems", len(m.Problems), 2)
	equal(t, "the error of the good file", m.Verdict.ORA, 1555)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := report.Load(ctx, report.Input{Paths: []string{dir}}, tracefile.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestProblemX16_StoryOfBothSides merges two rings into one story.
func TestProblemX16_StoryOfBothSides(t *testing.T) {
	other := strings.NewReplacer("101.5", "195.7", "4711", "9195", "value=4", "value=5", "O'Hara", "O'Hora").Replace(ringTrace)
	m := load(t, map[string]string{"a.trc": ringTrace, "b.trc": other}, report.Options{})
	binds := map[string]string{}
	last := ""
	switches := 0
	for _, r := range m.Timeline {
		if r.Session != last {
			last = r.Session
			switches++
		}
		for _, b := range r.Binds {
			binds[r.Session] += b.Value + " "
		}
	}
	equal(t, "binds of the first", binds["101.5"], "4 ")
	equal(t, "binds of the second", binds["195.7"], "5 ")
	if switches < 4 {
		t.Errorf("the stories are not interleaved: %d switches", switches)
	}
}

// TestSameSessionOnTwoInstances keeps sid 101 of both instances apart.
func TestSameSessionOnTwoInstances(t *testing.T) {
	m := load(t, map[string]string{"a.trc": ringTrace, "b.trc": strings.ReplaceAll(ringTrace, "Instance name: db1", "Instance name: db2")}, report.Options{})
	names := map[string]bool{}
	for _, s := range m.Sessions {
		names[s.Name] = true
	}
	equal(t, "sessions", len(names), 2)
	equal(t, "name", names["101.5@db2"], true)
}

// TestStoryFoldsLoops: an update and its commit, fifty times, are two rows that
// stand for fifty each, first and last values told.
func TestStoryFoldsLoops(t *testing.T) {
	head, _, _ := strings.Cut(ringTrace, "Trace output buffer")
	var b strings.Builder
	b.WriteString(head + "PARSING IN CURSOR #7 len=29 dep=0 uid=9 oct=6 lid=9 tim=1000 hv=1 ad='7' sqlid='aaaaaaaaaaaa9'\nupdate t set x = 1 where y=:1\nEND OF STMT\n")
	for i := range 50 {
		fmt.Fprintf(&b, "BINDS #7:\n\n Bind#0\n  oacdty=02 mxl=22\n  kxsbbbfp=7 bln=22  avl=02  flg=05\n  value=%d\n", i+17)
		fmt.Fprintf(&b, "EXEC #7:c=1,e=20,p=0,cr=1,cu=0,mis=0,r=2,dep=0,og=1,plh=5,tim=%d\nXCTEND rlbk=0, rd_only=0, tim=%d\n", 2000+i*100, 2050+i*100)
	}
	m := load(t, map[string]string{"a.trc": b.String()}, report.Options{})
	if len(m.Timeline) != 2 {
		t.Fatalf("%d rows", len(m.Timeline))
	}
	u, c := m.Timeline[0], m.Timeline[1]
	equal(t, "updates", fmt.Sprint(u.Fold, u.Executions, u.Rows, u.ElapsedUS), "50 50 100 1000")
	equal(t, "commits", c.Fold, 50)
	equal(t, "values", u.Binds[0].Value+" to "+u.LastBinds[0].Value, "17 to 66")
}

// TestVerdictWithoutAnErrorLine: tracing ended with the error stack, so nothing
// but the dump and what the ring held tells what failed.
func TestVerdictWithoutAnErrorLine(t *testing.T) {
	dumpOnly := strings.Replace(ringTrace, "ERROR #140004:err=1555 tim=2502000\n", "", 1)
	v := load(t, map[string]string{"a.trc": dumpOnly}, report.Options{}).Verdict
	if v == nil {
		t.Fatal("no verdict")
	}
	equal(t, "ORA", v.ORA, 1555)
	equal(t, "source", v.Source, "error stack")
	equal(t, "statement", text(v.SQLID), "bbbbbbbbbbbb1")
	equal(t, "values", text(v.WithValues), "select * from orders where customer = 'O''Hara'")
	equal(t, "at", text(v.At), "2026-03-01T10:00:05.000000+01:00")
	equal(t, "in flight", len(v.InFlight), 1)

	// No bind section either: the statement is the stack's current one.
	from, to := strings.Index(dumpOnly, "BINDS #140004"), strings.Index(dumpOnly, "\n*** 2026-03-01T10:00:05")
	v = load(t, map[string]string{"a.trc": dumpOnly[:from] + dumpOnly[to:]}, report.Options{}).Verdict
	equal(t, "statement", text(v.SQLID), "bbbbbbbbbbbb1")
	equal(t, "text source", v.TextSource, "errorstack")
	equal(t, "binds", len(v.Binds), 0)

	// The ring holds the failing statement's text.
	known := strings.Replace(dumpOnly, "sql_id=bbbbbbbbbbbb1", "sql_id=aaaaaaaaaaaa1", 1)
	from, to = strings.Index(known, "BINDS #140004"), strings.Index(known, "\n*** 2026-03-01T10:00:05")
	v = load(t, map[string]string{"a.trc": known[:from] + known[to:]}, report.Options{}).Verdict
	equal(t, "statement", text(v.Text), "update stock set qty = qty - :1 where id=2")
	equal(t, "text source", v.TextSource, "trace")

	// Bind values that were read for another statement are not the failing one's.
	other := strings.Replace(known, "BINDS #140004", "BINDS #140003", 1)
	v = load(t, map[string]string{"a.trc": other}, report.Options{}).Verdict
	equal(t, "binds of another statement", len(v.Binds), 0)
	equal(t, "statement", text(v.SQLID), "aaaaaaaaaaaa1")
}

// TestFilesNamedTwiceCountOnce: a folder and a file in it.
func TestFilesNamedTwiceCountOnce(t *testing.T) {
	dir := writeFiles(t, map[string]string{"a.trc": ringTrace})
	l, err := report.Load(context.Background(), report.Input{Paths: []string{dir, filepath.Join(dir, "a.trc"), dir + "/./a.trc"}}, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "files", len(l.Profile.Files), 1)
}

// TestCutArchiveKeepsWhatCame: a compressed file that breaks off gives the records
// before, and the report says so.
func TestCutArchiveKeepsWhatCame(t *testing.T) {
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(ringTrace)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.trc.gz")
	if err := os.WriteFile(path, z.Bytes()[:z.Len()/2+400], 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := report.Load(context.Background(), report.Input{Paths: []string{path}}, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "failed, partly, read", fmt.Sprintln(l.Failed, l.Partly, l.Read), "1 1 0\n")
	m := report.Build(l.Profile, report.Options{})
	if len(m.Statements) == 0 || m.Files[0].Error == nil {
		t.Errorf("%d statements, error %v", len(m.Statements), m.Files[0].Error)
	}
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "NOT READ to its end: ") {
		t.Error("the text does not say that the file broke off")
	}
}

// TestNoTraceIsNoVerdict: text that is no trace must not read as a trace without
// an error.
func TestNoTraceIsNoVerdict(t *testing.T) {
	m := load(t, map[string]string{"x.trc": "nothing of use\n"}, report.Options{})
	var b bytes.Buffer
	if err := m.WriteText(&b, 80); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "NO ERROR") || !strings.HasPrefix(b.String(), "NO SQL TRACE in what was read.\n") {
		t.Errorf("text: %.200s", b.String())
	}
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "No error") {
		t.Error("the page tells of no error")
	}
}
