package main

import (
	"fmt"
	"os"

	"ringtrace/internal/exit"
)

// stateDirPath is --state-dir, or $XDG_STATE_HOME/ringtrace, or
// ~/.local/state/ringtrace; empty when there is neither.
func (rt *runtime) stateDirPath() string {
	if rt.stateDir != "" {
		return rt.stateDir
	}
	return rt.xdg("XDG_STATE_HOME", ".local/state", "")
}

// ensureStateDir returns the state directory, made with mode 0700 if it was
// not there. One that was there keeps its mode; doctor tells of a wide one.
func (rt *runtime) ensureStateDir() (string, error) {
	dir := rt.stateDirPath()
	if dir == "" {
		return "", exit.Errorf(exit.Usage, "give --state-dir DIR, or set HOME", "no place for the state: neither --state-dir, XDG_STATE_HOME nor HOME is set")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", exit.Errorf(exit.Failed, "give --state-dir DIR of a directory that you can write", "make state directory: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("look at state directory: %w", err)
	}
	if !info.IsDir() {
		return "", exit.Errorf(exit.Failed, "give --state-dir DIR of a directory", "state directory %s is a file", dir)
	}
	return dir, nil
}
