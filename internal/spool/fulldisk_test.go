//go:build linux

package spool_test

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"ringtrace/internal/spool"
)

// The file size limit stands in for a full disk; a child takes it, because it
// cannot be lifted again.
func TestFullDiskLeavesNoHalfWrittenScript(t *testing.T) {
	const childDir = "SPOOL_TEST_DIR"
	if dir := os.Getenv(childDir); dir != "" {
		signal.Ignore(syscall.SIGXFSZ)
		limit := syscall.Rlimit{Cur: 8192, Max: 8192}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
		if _, err := spool.Write(context.Background(), mustPlan(t, sampleRequest()), mustTemplates(t), spool.Options{Dir: dir}); err == nil {
			t.Fatal("the disk is full and nobody noticed")
		}
		return
	}
	dir := filepath.Join(t.TempDir(), "out")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.StartProcess(self, []string{self, "-test.run=^TestFullDiskLeavesNoHalfWrittenScript$"}, &os.ProcAttr{
		Env: append(os.Environ(), childDir+"="+dir), Files: []*os.File{nil, os.Stdout, os.Stderr},
	})
	if err != nil {
		t.Fatal(err)
	}
	if state, err := p.Wait(); err != nil || !state.Success() {
		t.Fatalf("child: %v %v", state, err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}
