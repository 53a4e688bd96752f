package main

import (
	"os"
	"os/user"

	"ringtrace/internal/campaigns"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// actor is this process as journals and locks name it.
func (rt *runtime) actor() journal.Actor {
	a := journal.Actor{PID: os.Getpid(), Start: rt.now().UTC(), Tool: "ringtrace " + version(), Ticks: startTicks(os.Getpid())}
	a.Host, _ = os.Hostname() // an unknown host is an empty one
	if u, err := user.Current(); err == nil {
		a.User = u.Username
	}
	return a
}

// campaignStore is the state directory for reading and writing campaigns. It
// makes nothing.
func (rt *runtime) campaignStore() (campaigns.Store, error) {
	dir := rt.stateDirPath()
	if dir == "" {
		return campaigns.Store{}, exit.Errorf(exit.Usage, "give --state-dir DIR, or set HOME", "no place for the state: neither --state-dir, XDG_STATE_HOME nor HOME is set")
	}
	return campaigns.Store{Dir: journal.Dir{Path: dir}, Now: rt.now, Who: rt.actor(), Undo: rt.undoFrom}, nil
}
