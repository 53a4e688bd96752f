//go:build unix

package bundle

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func fifo(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "p.trc")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPipeWithoutWriter: opening it ends with the context, and so does reading
// one whose writer says nothing.
func TestPipeWithoutWriter(t *testing.T) {
	name := fifo(t)
	c, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Members[0].OpenWithin(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("opened without a writer: %v", err)
	}
	// The writer that comes now frees what was left behind.
	w, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.WriteString("some text, then silence\n"); err != nil {
		t.Fatal(err)
	}
}

func TestPipeIsReadWithin(t *testing.T) {
	name := fifo(t)
	go func() {
		w, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err == nil {
			_, _ = w.WriteString("EXEC #1\n")
			_ = w.Close()
		}
	}()
	c, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	rc, err := c.Members[0].OpenWithin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	if text, err := io.ReadAll(rc); err != nil || string(text) != "EXEC #1\n" {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestSilentPipe(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	a := &awaited{ctx: ctx, from: r}
	if _, err := a.Read(make([]byte, 10)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("read from silence: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestBundleIsNoPipe(t *testing.T) {
	if _, err := Verify(t.Context(), fifo(t)); err == nil || !errors.Is(err, errNoFile) {
		t.Errorf("a pipe was looked at: %v", err)
	}
}
