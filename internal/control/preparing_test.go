package control_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// TestToldToArmNothing: who was announced before disable arms nothing after it;
// a run for another database goes on.
func TestToldToArmNothing(t *testing.T) {
	w, p := five(t)
	db := w.place().Database
	announce := func(of journal.Database) *journal.Announcement {
		a, err := w.state.Dir.Announce(journal.Preparing{Verb: "enable", By: w.state.Who})
		if err == nil && of != (journal.Database{}) {
			err = a.Name(of)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(a.End)
		return a
	}
	mine, other := announce(db), announce(journal.Database{UniqueName: "OTHER", DBID: 5})
	var said []string
	if err := w.state.StopPreparing(context.Background(), db, func(s string) { said = append(said, s) }); err != nil {
		t.Fatal(err)
	}
	if len(said) != 1 || !strings.Contains(said[0], "told to arm nothing") {
		t.Errorf("said %q", said)
	}
	e := w.enable(p)
	e.State.Announced = mine
	doc, err := e.Run(context.Background())
	if exit.CodeOf(err) != exit.Refused || doc != nil || len(w.truth()) > 0 {
		t.Errorf("after it was told to stop: %v, %d sessions hold something", err, len(w.truth()))
	}
	if ids, _ := w.state.Dir.IDs(); len(ids) > 0 {
		t.Errorf("journals %v", ids)
	}
	e.State.Announced = other
	if _, err := e.Run(context.Background()); err != nil || len(w.truth()) != 5 {
		t.Errorf("the other one: %v, %d sessions", err, len(w.truth()))
	}
	if list, err := w.state.Preparing(db); err != nil || len(list) > 0 {
		t.Errorf("announced still, beside its journal: %v, %v", list, err)
	}
}

// TestDatabaseNotKnownYet: a run that still connects is waited for, and told to
// stop if it does not find out where it is.
func TestDatabaseNotKnownYet(t *testing.T) {
	w, _ := five(t)
	db := w.place().Database
	for name, c := range map[string]struct {
		then    func(*journal.Announcement)
		wait    time.Duration // at the most
		revoked bool
	}{
		"it is this one":    {func(a *journal.Announcement) { _ = a.Name(db) }, time.Minute, true},
		"it is another one": {func(a *journal.Announcement) { _ = a.Name(journal.Database{UniqueName: "OTHER", DBID: 5}) }, time.Minute, false},
		"it never knows":    {func(*journal.Announcement) {}, time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := w.state.Dir.Announce(journal.Preparing{Verb: "watch", By: w.state.Who})
			if err != nil {
				t.Fatal(err)
			}
			defer a.End()
			go func() {
				time.Sleep(100 * time.Millisecond)
				c.then(a)
			}()
			s := w.state
			s.Wait = c.wait
			if err := s.StopPreparing(context.Background(), db, func(string) {}); err != nil {
				t.Fatal(err)
			}
			if err := a.Check("watch"); (err != nil) != c.revoked {
				t.Errorf("its permit: %v", err)
			}
		})
	}
	t.Run("it ends", func(t *testing.T) {
		a, err := w.state.Dir.Announce(journal.Preparing{Verb: "watch", By: w.state.Who})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(100*time.Millisecond, a.End)
		s := w.state
		s.Wait = time.Minute
		began := time.Now()
		if err := s.StopPreparing(context.Background(), db, func(string) {}); err != nil || time.Since(began) > 30*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestOwnerThatGaveTheLockBack: between the look at the lock and the signal the
// owner may end; still says so.
func TestOwnerThatGaveTheLockBack(t *testing.T) {
	w, _ := five(t)
	db := w.place().Database
	owner, err := w.state.Lock(db)
	if err != nil {
		t.Fatal(err)
	}
	s := w.state
	s.Wait = 10 * time.Second
	s.Stop = func(_ journal.Actor, still func() bool) error {
		if !still() {
			t.Error("the owner is said to be gone while it holds the lock")
		}
		if err := owner.Release(); err != nil {
			t.Error(err)
		}
		if still() {
			t.Error("the owner gave the lock back")
		}
		next, err := s.Dir.Lock(db, journal.Actor{PID: 2, Host: "h"})
		if err != nil {
			t.Fatal(err)
		}
		if still() {
			t.Error("another one owns the lock")
		}
		return next.Release()
	}
	l, err := s.LockForUndo(context.Background(), db, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}
