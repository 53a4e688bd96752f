package report_test

import (
	"archive/zip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// TestDeadlockPeerMissing: only the other session's own trace has its bind values,
// so where it is not read, the report says what to type for it.
func TestDeadlockPeerMissing(t *testing.T) {
	one, other := lockedOut(203, 1_000_000, 1, 2, graphOf203), lockedOut(195, 1_100_000, 2, 1, "")
	manifest := func(rows ...string) string {
		return `{"campaign":"C1","watched":[60],"contents":[],"files":[` + strings.Join(rows, ",") + `]}`
	}
	const (
		own   = `{"inst_id":1,"sid":203,"serial":7,"status":"collected","name":"traces/1/a.trc","armed_at":"2026-03-01T08:00:00Z"}`
		armed = `{"inst_id":1,"sid":195,"serial":7,"status":"skipped","note":"no trace text","armed_at":"2026-03-01T08:00:00Z"}`
		rac   = `{"inst_id":2,"sid":195,"serial":9,"status":"skipped","note":"no trace text","armed_at":"2026-03-01T08:00:00Z"}`
	)
	for _, c := range []struct {
		name  string
		files map[string]string
		opt   tracefile.Options
		read  []string
		want  string
	}{
		{"here", map[string]string{"a.trc": one, "b.trc": other}, tracefile.Options{}, nil, ""},
		{"nowhere", map[string]string{"a.trc": one}, tracefile.Options{}, nil, "while it is armed, get it with ringtrace flush -c / --sid 195 ringtrace collect -c /"},
		{"by session", map[string]string{"a.trc": one, "b.trc": other}, tracefile.Options{Session: func(s string) bool { return s == "203.7" }}, []string{"session 203.7"}, "left out by --session: add --session 195"},
		{"armed", map[string]string{"manifest.json": manifest(own, armed, rac), "traces/1/a.trc": one}, tracefile.Options{}, nil, "get it with ringtrace flush -c / --campaign C1 --sid 195,7,@1 ringtrace collect -c / --campaign C1"},
		{"hostile", map[string]string{"manifest.json": strings.Replace(manifest(own, armed), "C1", "C1;reboot", 1), "traces/1/a.trc": one}, tracefile.Options{}, nil, "get it with ringtrace flush -c / --sid 195,7,@1 ringtrace collect -c /"},
		{"not armed", map[string]string{"manifest.json": manifest(own, rac), "traces/1/a.trc": one}, tracefile.Options{}, nil, "campaign C1 had not armed it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "b.zip")
			f, err := os.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			z := zip.NewWriter(f)
			for n, text := range c.files {
				w, err := z.Create(n)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			l, err := report.Load(context.Background(), report.Input{Paths: []string{name}}, c.opt)
			if err != nil || l.Failed > 0 {
				t.Fatal(err, l.Errors)
			}
			m := report.Build(l.Profile, report.Options{Bundles: l.Bundles, Read: c.read})
			if m.Verdict == nil || len(m.Verdict.Sides) != 2 {
				t.Fatalf("verdict %+v", m.Verdict)
			}
			side := m.Verdict.Sides[1]
			got := strings.Join(append([]string{text(side.Missing)}, side.Fetch...), " ")
			if c.want == "" {
				equal(t, "missing", got, "(null)")
				return
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if txt := asText(t, m); !strings.Contains(txt, c.want) {
				t.Errorf("the text does not say %q", c.want)
			}
			var page strings.Builder
			if err := m.WriteHTML(&page); err != nil {
				t.Fatal(err)
			}
			for _, part := range append([]string{*side.Missing}, side.Fetch...) {
				if !strings.Contains(page.String(), part) {
					t.Errorf("the page does not say %q", part)
				}
			}
			equal(t, "own side", m.Verdict.Sides[0].Missing == nil, true)
		})
	}
}
