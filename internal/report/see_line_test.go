package report_test

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestSeeLine: the command that is printed for a file in an archive.
func TestSeeLine(t *testing.T) {
	for path, want := range map[string]string{
		"a/db1_ora_1.trc":              "",
		"-":                            "",
		"a.trc.gz":                     "gzip -dc a.trc.gz | less +nnng",
		"a.trc.zst":                    "zstd -dc a.trc.zst | less +nnng",
		"-a.trc.gz":                    "gzip -dc ./-a.trc.gz | less +nnng",
		"d/b.zip!traces/1/x.trc":       "unzip -p d/b.zip traces/1/x.trc | less +nnng",
		"d/b.zip!traces/1/x.trc.gz":    "unzip -p d/b.zip traces/1/x.trc.gz | gzip -dc | less +nnng",
		"my b.tar.gz!x.trc":            "tar -xOf 'my b.tar.gz' x.trc | less +nnng",
		"b.tar.zst!x$(id).trc":         "tar --zstd -xOf b.tar.zst 'x$(id).trc' | less +nnng",
		"b.zip!*.trc":                  "",
		"b.zip!-x.trc":                 "",
		"b.zip!x\x1b[2J.trc":           "",
		"who!knows/b!traces/1/x.trc":   "",
		"who!knows/b.zip!traces/x.trc": "unzip -p 'who!knows/b.zip' traces/x.trc | less +nnng",
	} {
		f := report.File{Path: path}
		equal(t, path, f.SeeLine(), want)
	}
}

// TestSeeLineWorks runs it: what a shell shows is the trace's text.
func TestSeeLineWorks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's here")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const member = "traces/1/my file.trc"
	write := func(name string, pack func(w io.Writer) error) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := pack(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gz := func(inner func(w io.Writer) error) func(io.Writer) error {
		return func(w io.Writer) error {
			z := gzip.NewWriter(w)
			if err := inner(z); err != nil {
				return err
			}
			return z.Close()
		}
	}
	plain := func(w io.Writer) error { _, err := io.WriteString(w, ringTrace); return err }
	for tool, path := range map[string]string{
		"unzip": write("b.zip", func(w io.Writer) error {
			z := zip.NewWriter(w)
			m, err := z.Create(member)
			if err != nil {
				return err
			}
			if err := plain(m); err != nil {
				return err
			}
			return z.Close()
		}) + "!" + member,
		"tar": write("b.tar.gz", gz(func(w io.Writer) error {
			z := tar.NewWriter(w)
			if err := z.WriteHeader(&tar.Header{Name: member, Size: int64(len(ringTrace)), Mode: 0o600}); err != nil {
				return err
			}
			if err := plain(z); err != nil {
				return err
			}
			return z.Close()
		})) + "!" + member,
		"gzip": write("a.trc.gz", gz(plain)),
	} {
		t.Run(tool, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skipf("SKIPPED (1): %s is not installed, so the command that uses it was not run", tool)
			}
			f := report.File{Path: path}
			line, ok := strings.CutSuffix(f.SeeLine(), " | less +nnng")
			if !ok {
				t.Fatalf("no command: %q", line)
			}
			out, err := exec.Command("sh", "-c", line).Output()
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			equal(t, "text", string(out), ringTrace)
		})
	}
}

// TestSeeLineIsTold: in text and page, beside the file.
func TestSeeLineIsTold(t *testing.T) {
	m := load(t, map[string]string{"a.trc": ringTrace}, report.Options{})
	if txt := asText(t, m); strings.Contains(txt, "a line of it") {
		t.Error("a plain file needs no such line")
	}
	m.Files[0].Path = "b.zip!traces/1/a.trc"
	const want = "unzip -p b.zip traces/1/a.trc | less +nnng"
	var page strings.Builder
	if err := m.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	equal(t, "text", strings.Contains(asText(t, m), "a line of it "+want), true)
	equal(t, "page", strings.Contains(page.String(), strings.ReplaceAll(want, "+", "&#43;")), true)
}
