package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/bundle"
	"ringtrace/internal/exit"
)

// playDemo plays a small demo and returns what it left, by name, and said.
func playDemo(t *testing.T, seed int64) (files map[string]string, said, dir, private string) {
	t.Helper()
	dir, private = filepath.Join(t.TempDir(), "out"), t.TempDir()
	var out strings.Builder
	d := &demo{ctx: context.Background(), dir: dir, private: private, seed: seed, sessions: 24, say: func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }}
	defer d.close()
	must(t, d.play())
	files = map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return files, out.String(), dir, private
}

func TestDemoTellsTheWholeStory(t *testing.T) {
	files, said, dir, private := playDemo(t, 3)
	for _, step := range []string{"1/9 look", "2/9 generate", "3/9 enable", "4/9 wait", "5/9 catch", "6/9 flush", "7/9 collect", "8/9 report", "9/9 disable", "0 bytes written", "the answer: ORA-01555 at 02:4", "from orders o where o.created > :1", "with :1 = "} {
		if !strings.Contains(said, step) {
			t.Errorf("the story lacks %q:\n%s", step, said)
		}
	}
	for _, name := range []string{"README.md", "bundle.zip", "report.html", "report.json", "scripts/manifest.json", "scripts/enable_1.sql", "scripts/disable_1.sql", "scripts/collect_1.sql", "dialogue/enable.log", "dialogue/flush.log", "dialogue/disable.log"} {
		if files[name] == "" {
			t.Errorf("%s is not there, or empty", name)
		}
	}
	var rep struct {
		Errors []struct{ Ora int }
		Files  []struct{ Path string }
	}
	must(t, json.Unmarshal([]byte(files["report.json"]), &rep))
	if len(rep.Errors) != 1 || rep.Errors[0].Ora != 1555 || len(rep.Files) != 2 {
		t.Errorf("the report has errors %v in %d files, want ORA-01555 once in two", rep.Errors, len(rep.Files))
	}
	found, err := bundle.Verify(context.Background(), filepath.Join(dir, "bundle.zip"))
	must(t, err)
	if len(found.Problems) > 0 || found.Manifest.Summary.Files != 2 {
		t.Errorf("bundle: %v, %+v", found.Problems, found.Manifest.Summary)
	}
	for name, text := range unzipped(t, files) {
		for _, secret := range []string{dir, private, filepath.Dir(dir)} {
			if strings.Contains(text, secret) {
				t.Errorf("%s names the folder %s", name, secret)
			}
		}
	}
	for name := range files {
		if dirName, _, ok := strings.Cut(name, "/"); !strings.Contains(files["README.md"], name) && !(ok && strings.Contains(files["README.md"], dirName+"/")) && name != "README.md" {
			t.Errorf("README.md does not explain %s", name)
		}
	}
}

// unzipped adds the files of the bundle to those of the folder.
func unzipped(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	all := maps.Clone(files)
	delete(all, "bundle.zip")
	z, err := zip.NewReader(bytes.NewReader([]byte(files["bundle.zip"])), int64(len(files["bundle.zip"])))
	must(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		text, err := io.ReadAll(r)
		must(t, err)
		all["bundle.zip!"+f.Name] = string(text)
	}
	return all
}

func TestDemoSameSeedSameBytes(t *testing.T) {
	one, _, _, _ := playDemo(t, 7)
	two, _, _, _ := playDemo(t, 7)
	for _, name := range slices.Sorted(maps.Keys(one)) {
		if one[name] != two[name] {
			t.Errorf("%s differs between two runs of one seed", name)
		}
	}
	if len(one) != len(two) {
		t.Errorf("%d files, then %d", len(one), len(two))
	}
	other, _, _, _ := playDemo(t, 8)
	if other["report.json"] == one["report.json"] {
		t.Error("another seed tells the same story")
	}
}

func TestDemoDoesNotOverwrite(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "mine"), []byte("x"), 0o600))
	got := runProgram(nil, "demo", "--out", dir)
	if got.code != 7 || !strings.Contains(got.stderr, "is not empty") {
		t.Errorf("exit %d: %s", got.code, got.stderr)
	}
}

// What is no folder is refused at once; a run that ends early leaves nothing,
// and takes nothing of anybody else's along.
func TestDemoHostileOut(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, []byte("mine"), 0o600))
	for out, want := range map[string]int{"": 2, file: 7, filepath.Join(file, "sub"): 1, "/proc/ringtrace-demo": 1} {
		got := runProgram(nil, "demo", "--out", out)
		if got.code != want || !strings.Contains(got.stderr, "hint: ") {
			t.Errorf("--out %q: exit %d, want %d: %s", out, got.code, want, got.stderr)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

func TestDemoInterruptedLeavesNothing(t *testing.T) {
	for _, other := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "out")
		if other {
			must(t, os.MkdirAll(filepath.Join(dir, "scripts"), 0o700))
			must(t, os.WriteFile(filepath.Join(dir, "scripts", "mine.sql"), []byte("x"), 0o600))
		}
		ctx, stop := context.WithCancel(context.Background())
		d := &demo{ctx: ctx, dir: dir, private: t.TempDir(), seed: 3, sessions: 24, say: func(format string, args ...any) {
			if strings.Contains(fmt.Sprintf(format, args...), "5/9 catch") {
				stop()
			}
		}}
		if err := d.play(); err == nil {
			t.Fatal("it played on")
		}
		d.undo()
		d.close()
		var left []string
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				left = append(left, filepath.Base(path))
			}
			return nil
		})
		if want := map[bool]int{false: 0, true: 1}[other]; len(left) != want {
			t.Errorf("left: %v", left)
		}
		if _, err := os.Stat(dir); other == os.IsNotExist(err) {
			t.Errorf("the folder: %v", err)
		}
	}
}

// --force takes away what an earlier demo had more of.
func TestDemoForceClearsAnEarlierOne(t *testing.T) {
	_, _, dir, _ := playDemo(t, 3)
	stale := filepath.Join(dir, "scripts", "enable_1_07.sql")
	must(t, os.WriteFile(stale, []byte("x"), 0o600))
	mine := filepath.Join(dir, "notes.txt")
	must(t, os.WriteFile(mine, []byte("x"), 0o600))
	d := &demo{dir: dir}
	must(t, d.clear())
	if _, err := os.Stat(stale); err == nil {
		t.Error("a script of the earlier demo is still there")
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error("a file that is no demo's is gone")
	}
}

// Nor does it take a README.md that somebody wrote.
func TestDemoKeepsAnotherREADME(t *testing.T) {
	d := &demo{ctx: context.Background(), dir: t.TempDir()}
	must(t, os.WriteFile(filepath.Join(d.dir, "README.md"), []byte("# my project\n"), 0o600))
	if err := d.clear(); exit.CodeOf(err) != exit.Refused {
		t.Errorf("a folder with a README.md of its own: %v", err)
	}
}
