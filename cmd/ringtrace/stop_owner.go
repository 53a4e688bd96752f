package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"ringtrace/internal/journal"
)

// stopOwner asks the process that holds a lock to end. On Linux FindProcess
// pins the process; only then is it asked whether it still is the owner, so
// that a pid reused by another process gets no signal.
func (rt *runtime) stopOwner(a journal.Actor, still func() bool) error {
	me := rt.actor()
	switch {
	case a.PID <= 0:
		return errors.New("nobody knows which process that is")
	case a.Host != me.Host:
		return fmt.Errorf("it runs on host %s", a.Host)
	}
	p, err := os.FindProcess(a.PID)
	if err != nil {
		return err
	}
	defer p.Release() //nolint:errcheck // nothing is left to be done with it
	if !still() {
		return nil // it has ended, or given the lock back
	}
	if now := startTicks(a.PID); a.Ticks != 0 && now != 0 && now != a.Ticks {
		return fmt.Errorf("pid %d is another process by now", a.PID)
	}
	if err := p.Signal(syscall.SIGTERM); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// startTicks is when a process began, in clock ticks since the kernel did: field
// 22 of /proc/PID/stat. 0: not known.
func startTicks(pid int) uint64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name, field 2, is in brackets and may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	const at = 22 - 3
	if len(fields) <= at {
		return 0
	}
	n, err := strconv.ParseUint(fields[at], 10, 64)
	if err != nil {
		return 0
	}
	return n
}
