// Package examples runs every console example of the READMEs, so that what a
// newcomer types is what was tested.
package examples

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// step is one "$ command" of a console block and the output it must print.
type step struct {
	line    int
	command string
	want    []string
}

// TestConsoleExamples runs the ```console blocks of README.md and of every
// example. In the wanted output a line "..." stands for any lines, and "..."
// inside a line for any text. stdout and stderr count, as on a terminal.
func TestConsoleExamples(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin := build(t, root)
	pages, err := filepath.Glob(filepath.Join(root, "examples", "*", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) == 0 {
		t.Fatal("no example has a README.md")
	}
	pages = append(pages, filepath.Join(root, "README.md"))
	for _, page := range pages {
		rel, _ := filepath.Rel(root, page)
		t.Run(filepath.ToSlash(rel), func(t *testing.T) {
			steps := readSteps(t, page)
			if len(steps) == 0 {
				t.Fatal("the page holds no console example")
			}
			dir := t.TempDir()
			if filepath.Dir(page) == root {
				copyTree(t, filepath.Join(root, "examples"), filepath.Join(dir, "examples"))
			} else {
				copyTree(t, filepath.Dir(page), dir)
			}
			for _, s := range steps {
				run(t, rel, dir, bin, s)
			}
		})
	}
}

func build(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "ringtrace"), "./cmd/ringtrace")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

func readSteps(t *testing.T, page string) []step {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var steps []step
	inside := false
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside && line == "```console"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			steps = append(steps, step{line: n, command: line[2:]})
		case len(steps) > 0:
			s := &steps[len(steps)-1]
			s.want = append(s.want, line)
		}
	}
	return steps
}

func run(t *testing.T, page, dir, bin string, s step) {
	t.Helper()
	cmd := exec.Command("sh", "-c", s.command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, ".state"), "XDG_CONFIG_HOME="+filepath.Join(dir, ".config"),
		"TZ=UTC", "NO_COLOR=1", "COLUMNS=120")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		fmt.Fprintf(&out, "exit status %d\n", cmd.ProcessState.ExitCode())
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.TrimRight(line, "\r\n"))
	}
	want := trimBlank(s.want)
	if !matchLines(want, trimBlank(got)) {
		t.Errorf("%s:%d: $ %s\n--- wanted\n%s\n--- got\n%s", page, s.line, s.command,
			strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// matchLines compares line by line; a wanted "..." eats any number of lines.
func matchLines(want, got []string) bool {
	switch {
	case len(want) == 0:
		return len(got) == 0
	case strings.TrimSpace(want[0]) == "...":
		for i := 0; i <= len(got); i++ {
			if matchLines(want[1:], got[i:]) {
				return true
			}
		}
		return false
	case len(got) == 0 || !matchLine(want[0], got[0]):
		return false
	}
	return matchLines(want[1:], got[1:])
}

func matchLine(want, got string) bool {
	want, got = strings.TrimRight(want, " "), strings.TrimRight(got, " ")
	parts := strings.Split(want, "...")
	if len(parts) == 1 {
		return want == got
	}
	if !strings.HasPrefix(got, parts[0]) {
		return false
	}
	got = got[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(got, p)
		}
		at := strings.Index(got, p)
		if at < 0 {
			return false
		}
		got = got[at+len(p):]
	}
	return true
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		dst := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(dst, 0o755)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(dst, b, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
