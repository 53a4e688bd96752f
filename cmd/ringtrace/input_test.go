//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

func TestInterruptibleReadsAll(t *testing.T) {
	if err := iotest.TestReader(&interruptible{ctx: t.Context(), stream: strings.NewReader("some text")}, []byte("some text")); err != nil {
		t.Error(err)
	}
	long := bytes.Repeat([]byte("0123456789"), 50_000)
	got, err := io.ReadAll(&interruptible{ctx: t.Context(), stream: iotest.HalfReader(bytes.NewReader(long))})
	if err != nil || !bytes.Equal(got, long) {
		t.Errorf("read %d of %d bytes, %v", len(got), len(long), err)
	}
}

func TestInterruptibleEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	silent, _ := io.Pipe()
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := io.ReadAll(&interruptible{ctx: ctx, stream: silent}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSignals: a run that waits for input ends with 130 at the first Ctrl-C.
func TestSignals(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "ringtrace")
	must(t, os.Symlink(self(t), bin))
	for _, args := range [][]string{{"lint", "-"}, {"sessions", "-c", "file:-"}, {"report", "-"}, {"timing", "explain", "-"}} {
		t.Run(args[0], func(t *testing.T) {
			cmd := exec.Command(bin, append(args, "-v")...)
			in, err := cmd.StdinPipe()
			must(t, err)
			defer in.Close() //nolint:errcheck // the program is gone by then
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			must(t, cmd.Start())
			// More than a pipe holds: when this returns, the verb is reading.
			_, err = io.WriteString(in, "sid,serial,orapid\n"+strings.Repeat("1,1,1\n", 50_000))
			must(t, err)
			must(t, cmd.Process.Signal(syscall.SIGINT))
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				_ = cmd.Process.Kill()
				t.Fatalf("still there after Ctrl-C; stderr %q", stderr.String())
			}
			if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(stderr.String(), "ringtrace: interrupted") {
				t.Errorf("code %d, stderr %q", code, stderr.String())
			}
		})
	}
}

// TestSignalsAtPipe: nobody writes to the pipe that is named, and the first
// Ctrl-C ends the run all the same. A bundle is no pipe at all.
func TestSignalsAtPipe(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "ringtrace")
	must(t, os.Symlink(self(t), bin))
	pipe := filepath.Join(t.TempDir(), "p.trc")
	must(t, syscall.Mkfifo(pipe, 0o600))
	for want, args := range map[int][]string{130: {"report", pipe}, 131: {"timing", "explain", pipe}, 1: {"collect", "verify", pipe}} {
		t.Run(args[0], func(t *testing.T) {
			// It waits for a writer when the signal comes; on a busy machine it is
			// not there yet, dies of the signal, and is given more time.
			for _, wait := range []time.Duration{500 * time.Millisecond, 2 * time.Second, 8 * time.Second} {
				cmd := exec.Command(bin, args...)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				must(t, cmd.Start())
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				if want >= 130 {
					time.Sleep(wait)
					must(t, cmd.Process.Signal(syscall.SIGINT))
				}
				select {
				case <-ended:
				case <-time.After(20 * time.Second):
					_ = cmd.Process.Kill()
					t.Fatalf("still there; stderr %q", stderr.String())
				}
				if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && wait < 8*time.Second {
					continue
				}
				if code := cmd.ProcessState.ExitCode(); code != min(want, 130) {
					t.Errorf("code %d, stderr %q", code, stderr.String())
				}
				break
			}
		})
	}
}
