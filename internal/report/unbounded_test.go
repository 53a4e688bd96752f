package report_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// TestBoundsOfTimeWithoutAStamp: where no time stamp tells the time of a file's
// records, --from and --to refuse none of them, and that is said.
func TestBoundsOfTimeWithoutAStamp(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 5 {
		text := fmt.Sprintf("EXEC #5:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=%d\n", 5_000_000+i)
		if i == 4 {
			text = "*** 2026-03-19T15:58:52.000000+00:00\n" + text
		}
		name := filepath.Join(dir, fmt.Sprintf("f%d.trc", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, name)
	}
	told := func(opt tracefile.Options, paths ...string) (string, int64) {
		t.Helper()
		l, err := report.Load(context.Background(), report.Input{Paths: paths}, opt)
		if err != nil {
			t.Fatal(err)
		}
		m := report.Build(l.Profile, report.Options{Read: []string{"from x"}})
		var out bytes.Buffer
		if err := m.WriteText(&out, 120); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(m.Narrowed, "\n")
		if strings.Contains(said, "no time stamp") != strings.Contains(out.String(), "no time stamp tells") {
			t.Errorf("text and JSON differ:\n%s", out.String())
		}
		return said, m.Totals.UnknownCursors.Exec.Count
	}
	const late = 1 << 52
	if said, n := told(tracefile.Options{From: late}, paths...); n != 4 || !strings.Contains(said, "f0.trc, ") || !strings.Contains(said, "f2.trc, 1 more: all are counted") || strings.Contains(said, "f4.trc") {
		t.Errorf("%d counted, told: %s", n, said)
	}
	if said, n := told(tracefile.Options{From: late}, paths[4]); n != 0 || strings.Contains(said, "no time stamp") {
		t.Errorf("with a stamp: %d counted, told: %s", n, said)
	}
	if said, n := told(tracefile.Options{}, paths...); n != 5 || strings.Contains(said, "no time stamp") {
		t.Errorf("without bounds: %d counted, told: %s", n, said)
	}
}
