package journal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestMain lets the test binary play the other process: it takes the lock,
// says so, and waits to be killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("JOURNAL_TEST_HOLD_LOCK"); path != "" {
		l, err := TakeLock(path, Actor{PID: os.Getpid(), Host: "here", User: "bob", Start: t0})
		fmt.Println("held", err)
		time.Sleep(time.Hour)
		fmt.Println(l) // keeps the lock from the garbage collector
	}
	if dir := os.Getenv("JOURNAL_TEST_ANNOUNCE"); dir != "" {
		a, err := Dir{dir}.Announce(Preparing{Verb: "enable", By: Actor{PID: os.Getpid(), Host: "here", User: "bob", Start: t0}})
		fmt.Println("announced", err)
		time.Sleep(time.Hour)
		fmt.Println(a)
	}
	os.Exit(m.Run())
}

func TestLockDiesWithItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db.lock")
	if o, err := Owner(path); o != nil || err != nil {
		t.Fatalf("no lock file yet: %v, %v", o, err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "JOURNAL_TEST_HOLD_LOCK="+path)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held <nil>\n" {
		t.Fatalf("child said %q", line)
	}
	_, err = TakeLock(path, alice)
	var held *LockedError
	if !errors.As(err, &held) || held.Owner == nil || held.Owner.PID != child.Process.Pid || held.Owner.User != "bob" {
		t.Fatalf("lock held by the child: %v", err)
	}
	if o, err := Owner(path); err != nil || o == nil || o.PID != child.Process.Pid {
		t.Fatalf("owner %+v, %v", o, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	if _, err := Await(ctx, path, alice, 10*time.Millisecond); !errors.As(err, &held) {
		t.Fatalf("await of a held lock: %v", err)
	}
	cancel()

	must(t, child.Process.Kill())
	ctx, cancel = context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	l, err := Await(ctx, path, alice, 5*time.Millisecond)
	must(t, err)
	if l.Stale == nil || l.Stale.PID != child.Process.Pid {
		t.Errorf("the dead owner is not named: %+v", l.Stale)
	}
	must(t, l.Release())
	l, err = TakeLock(path, alice)
	must(t, err)
	if l.Stale != nil {
		t.Errorf("a lock that was given back names a stale owner: %+v", l.Stale)
	}
	must(t, l.Release())
	if o, err := Owner(path); o != nil || err != nil {
		t.Errorf("released: %v, %v", o, err)
	}
}

func TestLockTextCutShortByACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db.lock")
	must(t, os.WriteFile(path, []byte(`{"pid":47`), 0o600))
	l, err := TakeLock(path, alice)
	must(t, err)
	if l.Stale == nil {
		t.Error("an owner that cannot be named is still a stale owner")
	}
	must(t, l.Release())
}
