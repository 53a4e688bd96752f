package report_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/bundle"
	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// read loads paths as the verb does.
func read(t *testing.T, paths ...string) *report.Model {
	t.Helper()
	l, err := report.Load(context.Background(), report.Input{Paths: paths}, tracefile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Build(l.Profile, report.Options{Bundles: l.Bundles, Passed: l.Passed})
}

func page(t *testing.T, m *report.Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFolderSaysWhatItLeavesOut: files of a folder that are no traces by name are
// counted in text, page and JSON, whether there is a trace beside them or not.
func TestFolderSaysWhatItLeavesOut(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]string{"a.trc": unzoned, "a.trm": "", "err.txt": unzoned, "b.trm": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(m *report.Model, want string) {
		t.Helper()
		if len(m.Passed) != 1 {
			t.Fatalf("passed over %+v", m.Passed)
		}
		if txt := asText(t, m); !strings.Contains(txt, want) {
			t.Errorf("%q is not in the text:\n%.600s", want, txt)
		}
		if h := page(t, m); !strings.Contains(h, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	check(read(t, dir), "2 .trm, 1 .txt; name those that are traces")
	if m := read(t, filepath.Join(dir, "err.txt")); len(m.Passed) != 0 || m.Verdict == nil {
		t.Errorf("a file by name: %+v", m.Passed)
	}
	if err := os.Remove(filepath.Join(dir, "a.trc")); err != nil {
		t.Fatal(err)
	}
	check(read(t, dir), "3 files in")
}

// TestEmptyBundle: a bundle without a trace says whose it is, why each session has
// none and when one will come, not "no trace file there".
func TestEmptyBundle(t *testing.T) {
	note := "no trace text"
	d := bundle.Manifest{Campaign: "20260301T100000Z-abcdef", Watched: []int{942, 1555}, Contents: []bundle.Entry{{Name: "journal.jsonl"}}, Summary: bundle.Summary{Sessions: 3}}
	for sid := range 3 {
		d.Files = append(d.Files, bundle.File{InstID: 1, SID: 10 + sid, Serial: 1, Status: bundle.Skipped, Note: &note})
	}
	never := "it was never armed: foreign_event"
	d.Files[1].Note = &never
	text, err := json.Marshal(&d)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "b.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for n, s := range map[string]string{"manifest.json": string(text), "journal.jsonl": "{}\n"} {
		w, err := z.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	m := read(t, name)
	for what, s := range map[string]string{"text": asText(t, m), "page": page(t, m)} {
		for _, want := range []string{
			"the bundle of campaign 20260301T100000Z-abcdef holds no trace of its 3 sessions (2 sessions: no trace text; 1 session: it was never armed: foreign_event)",
			"ORA-00942, ORA-01555), or by ringtrace flush",
		} {
			if !strings.Contains(s, want) {
				t.Errorf("%s: %q is not there", what, want)
			}
		}
	}
	h := page(t, m)
	for _, not := range []string{`class="ok"`, `id="story"`, `id="totals"`, `href="#time"`} {
		if strings.Contains(h, not) {
			t.Errorf("a page of nothing has %s", not)
		}
	}
	if h := page(t, load(t, map[string]string{"x.trc": strings.ReplaceAll(unzoned, "ERROR #140001", "CLOSE #140001")}, report.Options{})); !strings.Contains(h, `class="ok"`) || !strings.Contains(h, `id="story"`) {
		t.Error("a page without an error is not in green, or has no story")
	}
	if txt := asText(t, m); strings.Contains(txt, "FILES") || strings.Contains(txt, "journal") {
		t.Errorf("a heading without files, or the bundle's own files as passed over:\n%s", txt)
	}
}
