package collect_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/sim"
	"ringtrace/tracefile"
)

// T01: five segments, the first and the last four, numbers not contiguous, the
// base name the newest.
func TestProblemT01_SegmentsInNumericOrderWithTheHole(t *testing.T) {
	w := newWorld(t)
	for _, n := range []string{"x_4711_1.trc", "x_4711_8.trc", "x_4711_9.trc", "x_4711_10.trc", "x_4711.trc"} {
		w.put(n, session(10, 100)+calls)
	}
	w.arm(1, 10, 100, "4711", w.path("x_4711.trc"))
	c := w.collect()
	var order []string
	for _, f := range c.Files {
		order = append(order, strings.TrimPrefix(*f.Name, "traces/1/x_4711"))
	}
	if want := []string{"_1.trc", "_8.trc", "_9.trc", "_10.trc", ".trc"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	c.wantRow(t, 10, "_8.trc", bundle.Partial, "segments 2 to 7 are gone")
	for _, n := range []string{"_1.trc", "_9.trc", "_10.trc", "x_4711.trc"} {
		if f := c.row(10, n); strings.Contains(note(f), "gone") {
			t.Errorf("%s: a hole that is not there: %s", n, note(f))
		}
	}
}

// T02: a limit of 16M, and no split: nothing is concluded from a parameter.
func TestProblemT02_NoSegmentsAreAssumed(t *testing.T) {
	w := newWorld(t)
	text := session(10, 100) + strings.Repeat(calls, 20<<20/len(calls))
	w.put("x_4711.trc", text)
	w.arm(1, 10, 100, "4711", w.path("x_4711.trc"))
	c := w.collect()
	if len(c.Files) != 1 {
		t.Errorf("%d rows for one file of 20M", len(c.Files))
	}
	c.wantRow(t, 10, "x_4711.trc", bundle.Collected)
	c.wantBytes(t, "1/x_4711.trc", text)
	if n := note(c.row(10, "")); n != "" {
		t.Errorf("note %q on a whole file", n)
	}
}

// T04: wrap marker, records, file-full marker: both are reported, and the
// horizon starts at the first complete record.
func TestProblemT04_WrappedAndFull(t *testing.T) {
	w := newWorld(t)
	text := session(10, 100) + "Trace output buffer of 65536 bytes wrapped 8 times\nr=1,dep=0,og=1,plh=7,tim=900\n" + calls + "*** Trace file full ***\n"
	w.put("x_4711.trc", text)
	w.arm(1, 10, 100, "4711", w.path("x_4711.trc"))
	c := w.collect()
	c.wantRow(t, 10, "x_4711.trc", bundle.Collected, "trace file was full", "1 flushed rings had wrapped")
	c.wantBytes(t, "1/x_4711.trc", text)
	a := tracefile.NewAnalyzer(tracefile.Options{})
	_, err := a.ReadFile("x", bytes.NewReader(c.files["traces/1/x_4711.trc"]))
	must(t, err)
	rings := a.Profile().Rings
	if len(rings) != 1 || rings[0].Bytes != 65536 || rings[0].Wrapped != 8 {
		t.Fatalf("rings %+v", rings)
	}
	line := int64(strings.Count(text[:strings.Index(text, "EXEC #")], "\n") + 1)
	if rings[0].FirstRecord != line {
		t.Errorf("first complete record in line %d, want %d", rings[0].FirstRecord, line)
	}
}

// T05: a trace was deleted, its process still writes: what it holds is
// collected from the open file, and the cure is told.
func TestProblemT05_DeletedButOpen(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("SKIPPED (1): no /proc on this system")
	}
	w := newWorld(t)
	text := session(10, 100) + calls
	path := w.put("x_4711.trc", text)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	must(t, os.Remove(path))
	procs := collect.Procs{Root: "/proc"}
	if len(procs.Holding(path)) != 1 {
		t.Errorf("held by %v, want this process", procs.Holding(path))
	}
	w.opt.Sources = []collect.Source{collect.Local{}, collect.Deleted{Procs: procs}}
	w.arm(1, 10, 100, "4711", path)
	c := w.collect()
	c.wantRow(t, 10, "x_4711.trc", bundle.Collected, "was deleted", "CLOSE_TRACE")
	c.wantBytes(t, "1/x_4711.trc", text)
}

// T06: close_trace rotates without stopping: a file is renamed while it is
// collected. Both parts are there, each once.
func TestProblemT06_RenamedWhileTraced(t *testing.T) {
	w := newWorld(t)
	old, fresh := session(10, 100)+calls, session(10, 100)+calls+calls
	path := w.put("x_4711.trc", old)
	w.arm(1, 10, 100, "4711", path)
	renamed := false
	w.opt.Progress = func(p collect.Progress) {
		if p.Doing == "pack" && !renamed {
			renamed = true
			must(t, os.Rename(path, path+".1"))
			w.put("x_4711.trc", fresh)
		}
	}
	c := w.collect()
	var parts []string
	for n, b := range c.files {
		if strings.HasPrefix(n, "traces/") {
			parts = append(parts, string(b))
		}
	}
	slices.SortFunc(parts, func(a, b string) int { return len(a) - len(b) })
	if !slices.Equal(parts, []string{old, fresh}) {
		t.Errorf("%d parts in the bundle, want the old and the new one", len(parts))
	}
	c.wantRow(t, 10, "x_4711.trc", bundle.Collected, "renamed")

	// Rotated before we came: the part is found beside its trace.
	w.opt.Progress = nil
	c = w.collect()
	c.wantBytes(t, "1/x_4711.trc", fresh)
	c.wantBytes(t, "1/x_4711.trc.1.trc", old)
}

// T08: a job slave with an identifier: the reported path is used, none is
// built.
func TestProblemT08_ReportedPathIsUsed(t *testing.T) {
	w := newWorld(t)
	w.put("SHOP1_j003_2268_month_end.trc", session(10, 100)+calls)
	w.put("SHOP1_ora_2268.trc", session(77, 1)+calls)
	w.arm(1, 10, 100, "2268", w.path("SHOP1_j003_2268_month_end.trc"))
	c := w.collect()
	c.wantRow(t, 10, "SHOP1_j003_2268_month_end.trc", bundle.Collected)
	if _, ok := c.files["traces/1/SHOP1_ora_2268.trc"]; ok {
		t.Error("a name with _ora_ was made up, and another process's file taken")
	}
}

// denying answers like a file of mode 0640 of another group.
type denying struct {
	collect.Source
	path string
}

func (d denying) Open(ctx context.Context, inst int, path string, offset int64) (collect.File, error) {
	if path == d.path {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
	}
	return d.Source.Open(ctx, inst, path, offset)
}

// T09: a file that its owner alone can read is listed with what to do, the
// others are collected, and no mode is changed.
func TestProblemT09_UnreadableFileIsListed(t *testing.T) {
	w := newWorld(t)
	closed := w.put("x_1.trc", session(10, 100)+calls)
	must(t, os.Chmod(closed, 0o200))
	w.put("y_2.trc", session(11, 110)+calls)
	w.arm(1, 10, 100, "1", closed)
	w.arm(1, 11, 110, "2", w.path("y_2.trc"))
	w.opt.Sources = []collect.Source{denying{collect.Local{}, closed}}
	c := w.collect()
	c.wantRow(t, 10, "x_1.trc", bundle.Denied, "permission denied", "V$DIAG_TRACE_FILE_CONTENTS")
	c.wantRow(t, 11, "y_2.trc", bundle.Collected)
	// A second source gives it, although a segment beside it could be read here.
	w.put("x_1_2.trc", session(10, 100)+calls)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "x_1.trc"), []byte(session(10, 100)+calls+calls), 0o600))
	folder, err := collect.OpenFolder(dir, nil)
	must(t, err)
	w.opt.Sources = append(w.opt.Sources, folder)
	c = w.collect()
	c.wantRow(t, 10, "x_1.trc", bundle.Collected)
	c.wantRow(t, 10, "x_1_2.trc", bundle.Partial, "segment 1 is gone")
	c.wantBytes(t, "1/x_1.trc", session(10, 100)+calls+calls)
	if n := note(c.row(10, "x_1.trc")); n != "" {
		t.Errorf("a file that was had in the end says %q", n)
	}
	info, err := os.Stat(closed)
	must(t, err)
	if info.Mode().Perm() != 0o200 {
		t.Errorf("the mode of the original became %v", info.Mode())
	}
}

// T11: a managed service has no SYSDBA: that is said, and analysis works.
func TestProblemT11_ManagedService(t *testing.T) {
	for user, name := range map[string]string{"RDSADMIN": "Amazon RDS", "C##CLOUD$SERVICE": "Autonomous"} {
		db := fakeDB(t, func(q string) [][]any {
			if strings.Contains(q, "all_users") {
				return [][]any{{user}}
			}
			return nil
		})
		d, err := collect.AskDatabase(context.Background(), db, armedAt)
		must(t, err)
		for _, want := range []string{name, "no ORADEBUG", "ringtrace report"} {
			if !strings.Contains(d.ManagedAdvice(), want) {
				t.Errorf("%s: %q does not say %q", user, d.ManagedAdvice(), want)
			}
		}
	}
	// Downloaded files, without a database.
	w := newWorld(t)
	w.put("SHOP1_ora_4711.trc", session(10, 100)+calls)
	w.arm(1, 10, 100, "4711", "/rdsdbdata/log/diag/rdbms/shop/SHOP1/trace/SHOP1_ora_4711.trc")
	f, err := collect.OpenFolder(w.trace, map[int]string{1: "SHOP1"})
	must(t, err)
	w.opt.Sources = []collect.Source{f}
	w.collect().wantRow(t, 10, "SHOP1_ora_4711.trc", bundle.Collected)
}

// T13: asking the database does not make trace files of its own, however often.
func TestProblemT13_AskingMakesNoTraceFiles(t *testing.T) {
	spec, err := sim.ParseSpec("?sessions=8")
	must(t, err)
	db, model, err := sim.Open(context.Background(), spec, simNow)
	must(t, err)
	defer db.Close()
	count := func() int {
		list, err := model.Store.List(model.TraceDir(model.Instances[0]))
		must(t, err)
		return len(list)
	}
	before := count()
	seen := &recording{q: db}
	for range 200 {
		_, err := collect.AskDatabase(context.Background(), seen, armedAt)
		must(t, err)
		src, err := collect.NewSQL(context.Background(), seen)
		must(t, err)
		if _, err := src.Open(context.Background(), 1, "/none/trace/none.trc", 0); !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if got := count(); got != before {
		t.Errorf("%d trace files, %d before", got, before)
	}
	for _, q := range seen.queries {
		if strings.Contains(q, "x$") || strings.Contains(q, "v$asm") {
			t.Errorf("a query that can leave a trace: %s", q)
		}
	}
	if len(seen.queries) < 800 {
		t.Errorf("only %d queries were seen", len(seen.queries))
	}
}

// T16: one problem prints a stack of ORA lines: it is one, about the code that
// means something.
func TestProblemT16_OneProblemManyLines(t *testing.T) {
	text := "2026-11-30T03:00:00.000000+00:00\nErrors in file /d/shop/SHOP1/trace/SHOP1_j000_1.trc:\n" +
		"ORA-12012: error on auto execute of job 42\nORA-01089: immediate shutdown in progress\n" +
		"ORA-06512: at \"SYS.X\", line 1\nORA-06512: at line 1\nORA-06512: at line 2\n" +
		"2026-11-30T03:01:00.000000+00:00\nThread 1 advanced\n"
	groups := collect.ParseAlert(text)
	if len(groups) != 1 {
		t.Fatalf("%d problems, want 1", len(groups))
	}
	if g := groups[0]; g.Trigger() != 1089 || len(g.Codes) != 5 || g.File != "/d/shop/SHOP1/trace/SHOP1_j000_1.trc" {
		t.Errorf("problem %+v, trigger %d", g, g.Trigger())
	}
}
