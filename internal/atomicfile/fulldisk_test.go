//go:build linux

package atomicfile

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// A file size limit stands in for a full disk: the write comes back short.
// It cannot be lifted again in a process, so a child takes it.
func TestFullDiskLeavesNothing(t *testing.T) {
	const childDir = "ATOMICFILE_TEST_DIR"
	if dir := os.Getenv(childDir); dir != "" {
		fillDisk(t, dir)
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b.sql"), []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.StartProcess(self, []string{self, "-test.run=^TestFullDiskLeavesNothing$"}, &os.ProcAttr{
		Env:   append(os.Environ(), childDir+"="+dir),
		Files: []*os.File{nil, os.Stdout, os.Stderr},
	})
	if err != nil {
		t.Fatal(err)
	}
	state, err := p.Wait()
	if err != nil || !state.Success() {
		t.Fatalf("child: %v %v", state, err)
	}
	if got := all(t, dir); got != "b.sql" {
		t.Errorf("left %q, want only the old file", got)
	}
	if got := content(t, filepath.Join(dir, "b.sql")); got != "old" {
		t.Errorf("b.sql holds %q", got)
	}
}

func fillDisk(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 4096, Max: 4096}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	set := mustSet(t, context.Background(), dir, Options{Force: true})
	defer set.Abort()
	write(t, set, "a.sql", "fits")
	f, err := set.Create("b.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, 10_000)); !errors.Is(err, syscall.EFBIG) {
		t.Fatalf("write beyond the limit: %v", err)
	}
}
