package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/journal"
)

// TestStopOwner: only the process that is known to be the owner gets a signal.
func TestStopOwner(t *testing.T) {
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	defer child.Process.Kill() //nolint:errcheck // it may have ended
	rt := newRuntime(strings.NewReader(""), io.Discard, io.Discard, nil, time.Now)
	a := rt.actor()
	if me := startTicks(os.Getpid()); a.Ticks != me || me == 0 {
		t.Fatalf("this process began at %d, %d", a.Ticks, me)
	}
	a.PID, a.Ticks = child.Process.Pid, startTicks(child.Process.Pid)
	yes, no := func() bool { return true }, func() bool { return false }

	reused, nobody, far := a, a, a
	reused.Ticks++
	nobody.PID = 0
	far.Host = "elsewhere"
	for name, c := range map[string]struct {
		who   journal.Actor
		still func() bool
		says  string
	}{
		"the lock was given back":  {a, no, ""},
		"a pid used again":         {reused, yes, "is another process by now"},
		"nobody knows who":         {nobody, yes, "nobody knows"},
		"a process somewhere else": {far, yes, "runs on host elsewhere"},
	} {
		err := rt.stopOwner(c.who, c.still)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("the process got a signal: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	if err := rt.stopOwner(a, yes); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the owner was not asked to stop")
	}
	if err := rt.stopOwner(a, yes); err != nil {
		t.Errorf("an owner that has ended: %v", err)
	}
}
