//go:build unix

package sqlplus

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// child is the process, the leader of a group of its own, so that a signal
// reaches a wrapper script's children and a Ctrl-C at our terminal does not.
type child struct {
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	errors tail
	dir    string // its empty working folder
	exited chan struct{}

	mu    sync.Mutex
	end   bool          // it has exited: reads must not wait any more
	err   error         // of Wait
	quiet time.Duration // how long a read may wait, each; 0: until the deadline
	bound bool          // reads and writes have a deadline
}

// waitDelay is how long Wait waits for standard error after the process ended:
// a bequeathed server process inherits it and may live longer.
const waitDelay = 500 * time.Millisecond

func startChild(o *Options) (*child, error) {
	dir, err := os.MkdirTemp(o.TempDir, "ringtrace-sqlplus-")
	if err != nil {
		return nil, err
	}
	c := &child{dir: dir, exited: make(chan struct{})}
	fail := func(err error) (*child, error) {
		c.cleanup()
		return nil, err
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	defer inR.Close() //nolint:errcheck // the child has its own
	c.in = inW
	outR, outW, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	defer outW.Close() //nolint:errcheck // likewise
	c.out = outR
	// -S: no banner, prompts and echo; -L: never ask again for a user.
	c.cmd = exec.Command(o.Program, "-S", "-L", "/nolog")
	c.cmd.Dir, c.cmd.Env = dir, childEnviron(o.Environ)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = inR, outW, &c.errors
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.cmd.WaitDelay = waitDelay
	if err := c.cmd.Start(); err != nil {
		return fail(err)
	}
	go c.wait()
	return c, nil
}

func (c *child) wait() {
	err := c.cmd.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err, c.end = err, true
	// A server process may hold the other end of the pipe, so that there is no
	// end of file: what is there now is read, and no more is waited for. The
	// error of a closed pipe is of no interest.
	_ = c.out.SetReadDeadline(time.Now().Add(drain))
	close(c.exited)
}

// drain is how long the rest of the output is read after the process ended.
const drain = 100 * time.Millisecond

// silence bounds each wait for output, and for room to write.
func (c *child) silence(d time.Duration) {
	c.deadline(time.Now().Add(d))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = d
}

// Read reads from the standard output.
func (c *child) Read(p []byte) (int, error) {
	c.mu.Lock()
	if c.quiet > 0 && !c.end {
		_ = c.out.SetReadDeadline(time.Now().Add(c.quiet)) // as in deadline
	}
	c.mu.Unlock()
	return c.out.Read(p)
}

// deadline bounds reads and writes; the zero time is none.
func (c *child) deadline(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = 0
	if t.IsZero() && !c.bound {
		return // as it is
	}
	c.bound = !t.IsZero()
	if !c.end {
		_ = c.out.SetReadDeadline(t) // a pipe that is closed has no deadline, and reads say so
	}
	_ = c.in.SetWriteDeadline(t)
}

func (c *child) ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end
}

// status describes how the process ended.
func (c *child) status() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var x *exec.ExitError
	switch {
	case !c.end:
		return "still running"
	case c.err == nil, errors.Is(c.err, exec.ErrWaitDelay):
		return "exit status 0"
	case errors.As(c.err, &x):
		return x.Error()
	}
	return c.err.Error()
}

func (c *child) awaitEnd(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c.exited:
		return true
	case <-t.C:
		return false
	}
}

// interrupt asks the running command to stop (SQL*Plus: ORA-01013).
func (c *child) interrupt() { c.signal(syscall.SIGINT) }

// kill ends the process: asked, then forced.
func (c *child) kill(grace time.Duration) {
	if c.ended() {
		return
	}
	c.signal(syscall.SIGTERM)
	if c.awaitEnd(grace) {
		return
	}
	c.signal(syscall.SIGKILL)
	c.awaitEnd(grace + waitDelay)
}

// signal goes to the whole group. The server process of a local connection may
// be in it (bequeathed): it is spared what would kill it, because the database
// has to clean up after a killed server, and it ends by itself when its client
// is gone.
func (c *child) signal(sig syscall.Signal) {
	pgid := c.cmd.Process.Pid
	members, ok := group(pgid)
	if sig == syscall.SIGINT || !ok {
		_ = syscall.Kill(-pgid, sig) // nobody left is what is wanted
		return
	}
	for _, pid := range members {
		_ = syscall.Kill(pid, sig) // likewise
	}
}

// group lists the members of a process group that are no Oracle server
// processes; ok is false where there is no /proc.
func group(pgid int) (pids []int, ok bool) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is good
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		// pid (name) state ppid pgrp …
		i := bytes.LastIndexByte(b, ')')
		f := strings.Fields(string(b[i+1:]))
		if i < 0 || len(f) < 3 || f[2] != strconv.Itoa(pgid) {
			continue
		}
		ok = true
		if cmdline, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")); err == nil && isServer(string(cmdline)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, ok
}

// isServer recognises the command line of a dedicated server process:
// oracleORCL (DESCRIPTION=(LOCAL=YES)…).
func isServer(cmdline string) bool {
	return strings.HasPrefix(cmdline, "oracle") && strings.Contains(cmdline, "(LOCAL=")
}

// cleanup closes the pipes and removes the working folder.
func (c *child) cleanup() {
	for _, f := range []*os.File{c.in, c.out} {
		if f != nil {
			_ = f.Close() // nothing can be lost: the child is gone
		}
	}
	_ = os.RemoveAll(c.dir) // it is empty, or holds what sqlplus left
}
