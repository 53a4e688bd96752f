//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
)

// A file that standard output was led into may be cut or renamed between any
// two lines: none is lost, none is spoilt, and what the name stands for gets them.
func TestLogFileUnderRotation(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Log("renames are not noticed here: only cutting is tried")
	}
	const line = "a line of some length\n"
	for name, c := range map[string]struct {
		flag    int // beside O_WRONLY|O_CREATE
		rotate  func(t *testing.T, path string)
		renamed bool
		old     string // in path.1 at the end
		now     string // in path
		warned  string
	}{
		"copytruncate behind >>": {flag: os.O_APPEND, rotate: copytruncate, old: line, now: line + line},
		"copytruncate behind >":  {rotate: copytruncate, old: line, now: line + line},
		"rename and create": {renamed: true, rotate: func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".1"))
			must(t, os.WriteFile(path, nil, 0o640))
		}, old: line, now: line + line},
		"rename without create": {renamed: true, rotate: func(t *testing.T, path string) { must(t, os.Rename(path, path+".1")) }, old: line, now: line + line},
		"a link in its place": {renamed: true, rotate: func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".1"))
			must(t, os.WriteFile(path+".theirs", []byte("x"), 0o600))
			must(t, os.Symlink(path+".theirs", path))
		}, old: line + line + line, now: "x", warned: "--resume"},
		"a second name of another file": {renamed: true, rotate: func(t *testing.T, path string) {
			must(t, os.Rename(path, path+".1"))
			must(t, os.WriteFile(path+".theirs", []byte("x"), 0o600))
			must(t, os.Link(path+".theirs", path))
		}, old: line + line + line, now: "x", warned: "--resume"},
		"the folder is gone": {renamed: true, rotate: func(t *testing.T, path string) {
			must(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+".away"))
		}, warned: "--resume"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.renamed && goruntime.GOOS != "linux" {
				t.Skip("SKIPPED (1): nobody tells the name of an open file here")
			}
			path := filepath.Join(t.TempDir(), "d", "watch.jsonl")
			must(t, os.Mkdir(filepath.Dir(path), 0o700))
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|c.flag, 0o600)
			must(t, err)
			defer f.Close() //nolint:errcheck // of a test
			var talk bytes.Buffer
			p := &productWriter{w: f}
			l := openLogFile(p, func(format string, args ...any) { fmt.Fprintf(&talk, format+"\n", args...) })
			for i := range 3 {
				l.ready()
				_, err := p.Write([]byte(line))
				must(t, err)
				if i == 0 {
					c.rotate(t, path)
				}
			}
			l.close(f)
			if p.w != f || p.err != nil {
				t.Errorf("standard output is not as it was, %v", p.err)
			}
			if c.warned == "" && talk.Len() > 0 || c.warned != "" && strings.Count(talk.String(), c.warned) != 1 {
				t.Errorf("said: %q, want %q once", talk.String(), c.warned)
			}
			if c.now == "" {
				return
			}
			for file, want := range map[string]string{path: c.now, path + ".1": c.old} {
				if got, err := os.ReadFile(file); err != nil || string(got) != want {
					t.Errorf("%s holds %q, want %q (%v)", filepath.Base(file), got, want, err)
				}
			}
			if is, err := os.Stat(path); c.warned == "" && (err != nil || is.Mode().Perm()&0o007 != 0) {
				t.Errorf("others may read %s: %v %v", path, is.Mode(), err)
			}
		})
	}
}

func copytruncate(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path+".1", data, 0o600))
	must(t, os.Truncate(path, 0))
}

// Pipes, terminals and devices are written to as they are.
func TestLogFileIsAFile(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close() //nolint:errcheck // of a test
	defer w.Close() //nolint:errcheck // of a test
	for _, out := range []*productWriter{{w: w}, {w: &bytes.Buffer{}}} {
		l := openLogFile(out, t.Errorf)
		if l != nil {
			t.Errorf("%T is taken for a file", out.w)
		}
		l.ready()
		l.close(out.w)
	}
}
