package report_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// TestBoundsOfTimeInARing: in a ring all time stamps stand behind the records, and
// yet --from and --to keep what they name and nothing else. A pipe, which is read
// once, cannot be bounded so, and that is said.
func TestBoundsOfTimeInARing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "ring.trc")
	if err := os.WriteFile(name, []byte(ringTrace), 0o600); err != nil {
		t.Fatal(err)
	}
	parts := func(opt tracefile.Options) (int64, *report.Model) {
		t.Helper()
		l, err := report.Load(context.Background(), report.Input{Paths: []string{name}}, opt)
		if err != nil {
			t.Fatal(err)
		}
		m := report.Build(l.Profile, report.Options{Read: []string{"x"}, ReadOnce: l.ReadOnce})
		var n int64
		for _, c := range []report.CallSet{m.Totals.NonRecursive, m.Totals.Recursive, m.Totals.UnknownCursors} {
			n += c.Parse.Count + c.Exec.Count + c.Fetch.Count
		}
		return n, m
	}
	all, m := parts(tracefile.Options{})
	first, err := time.Parse(time.RFC3339Nano, text(m.Time.First))
	if err != nil {
		t.Fatal(err)
	}
	last, err := time.Parse(time.RFC3339Nano, text(m.Time.Last))
	if err != nil {
		t.Fatal(err)
	}
	if none, _ := parts(tracefile.Options{To: first.Add(-time.Hour).UnixMicro()}); none != 0 {
		t.Errorf("%d calls up to an hour before the first", none)
	}
	if none, _ := parts(tracefile.Options{From: last.Add(time.Hour).UnixMicro()}); none != 0 {
		t.Errorf("%d calls from an hour after the last", none)
	}
	mid := first.Add(last.Sub(first) / 2).UnixMicro()
	before, _ := parts(tracefile.Options{To: mid})
	after, _ := parts(tracefile.Options{From: mid})
	if before == 0 || after == 0 || before+after < all || before+after > all+2 {
		t.Errorf("%d calls in the first half, %d in the second, %d in all", before, after, all)
	}

	l, err := report.Load(context.Background(), report.Input{Paths: []string{"-"}, Stdin: strings.NewReader(ringTrace)}, tracefile.Options{To: mid})
	if err != nil {
		t.Fatal(err)
	}
	m = report.Build(l.Profile, report.Options{Read: []string{"to x"}, ReadOnce: l.ReadOnce})
	if txt := asText(t, m); !strings.Contains(txt, "a pipe is read once") {
		t.Errorf("of a pipe: %.400s", txt)
	}
}

// TestSelectedSessionsAlone: sessions that share a file, as in the output of
// trcsess, are not counted where another was asked for.
func TestSelectedSessionsAlone(t *testing.T) {
	call := func(cur, tim string) string {
		return "PARSE #" + cur + ":c=1,e=10,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=" + tim + "\nSTAT #" + cur + " id=1 cnt=1 pid=0 pos=1 obj=7 op='X (cr=1 pr=0 pw=0 str=1 time=9 us)'\n"
	}
	trace := "*** [ Unix process pid: 9850 ]\n" + call("5", "1000") + "*** [ Unix process pid: 9854 ]\n" + call("6", "2000") + "*** [ Unix process pid: 9850 ]\n" + call("5", "3000")
	name := filepath.Join(t.TempDir(), "x.trc")
	if err := os.WriteFile(name, []byte(trace), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := report.Load(context.Background(), report.Input{Paths: []string{name}}, tracefile.Options{Session: func(sid string) bool { return sid == "pid 9854" }})
	if err != nil {
		t.Fatal(err)
	}
	m := report.Build(l.Profile, report.Options{Read: []string{"session pid 9854"}})
	var names []string
	for _, s := range m.Sessions {
		names = append(names, s.Name)
	}
	equal(t, "sessions", strings.Join(names, ", "), "pid 9854")
	equal(t, "calls", m.Totals.UnknownCursors.Parse.Count, int64(1))
}
