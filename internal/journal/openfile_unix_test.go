//go:build unix

package journal

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestNoFileInAJournalsPlace: opening a pipe for reading waits for a writer,
// and reading a device may never end. Both are refused at once, and said.
func TestNoFileInAJournalsPlace(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"pipe":      func(p string) error { return syscall.Mkfifo(p, 0o600) },
		"directory": func(p string) error { return os.Mkdir(p, 0o700) },
		"device":    func(p string) error { return os.Symlink("/dev/zero", p) },
	} {
		t.Run(name, func(t *testing.T) {
			d := Dir{Path: t.TempDir()}
			must(t, d.make("campaigns"))
			must(t, make(filepath.Join(d.Path, "campaigns", "c.jsonl")))
			type answer struct{ load, open, listed error }
			got := stopAfter(t, func() (a answer) {
				_, failed, err := d.OfDatabase(Database{UniqueName: "PROD"})
				must(t, err)
				a.listed = failed["c"]
				_, a.load = d.Load("c")
				_, a.open = d.Open("c", clock(), OpenOptions{})
				return a
			})
			if !errors.Is(got.load, ErrNoFile) || !errors.Is(got.open, ErrNoFile) || !errors.Is(got.listed, ErrNoFile) {
				t.Errorf("load %v, open %v, listed %v", got.load, got.open, got.listed)
			}
		})
	}
}

// stopAfter fails the test when f does not come back.
func stopAfter[T any](t *testing.T, f func() T) T {
	t.Helper()
	out := make(chan T, 1)
	go func() { out <- f() }()
	select {
	case v := <-out:
		return v
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for ever")
		panic("not reached")
	}
}
