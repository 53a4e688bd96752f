package report_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// TestRefusedFilesAreNotSaidToBeCounted: the records of a file that --session or
// --from refuses whole have time stamps; nothing is said of them.
func TestRefusedFilesAreNotSaidToBeCounted(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for name, sid := range map[string]string{"a.trc": "101.5", "b.trc": "102.7"} {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(strings.ReplaceAll(ringTrace, "101.5", sid)), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	for name, opt := range map[string]tracefile.Options{
		"another session": {From: 1, Session: func(sid string) bool { return sid == "101.5" }},
		"another hour":    {From: 1 << 52},
	} {
		l, err := report.Load(context.Background(), report.Input{Paths: paths}, opt)
		if err != nil {
			t.Fatal(err)
		}
		m := report.Build(l.Profile, report.Options{Read: []string{name}})
		if s := strings.Join(m.Narrowed, "\n"); strings.Contains(s, "no time stamp") {
			t.Errorf("%s: %s", name, s)
		}
	}
}
