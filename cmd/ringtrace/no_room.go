package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"ringtrace/internal/exit"
)

// noRoom says what to do about a state directory that cannot be written, for the
// verbs that put something back: the way out has to be there on a full disk too.
// ids are the campaigns that are meant.
func (rt *runtime) noRoom(err error, ids ...string) error {
	what := ""
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		what = "make room in " + rt.stateDirPath()
	case errors.Is(err, syscall.EFBIG):
		what = "raise the limit of file sizes (ulimit -f)"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		what = "make " + rt.stateDirPath() + " writable"
	default:
		return err
	}
	hint := what + ", and run it again"
	if len(ids) > 0 {
		hint += "; if that cannot be, with a copy on another disk: " + rt.undoElsewhere(ids[0])
	}
	if old := exit.HintOf(err); old != "" && len(ids) == 0 {
		hint = what + "; then " + old
	}
	return exit.Errorf(exit.CodeOf(err), hint, "%w", err)
}

// undoElsewhere takes a campaign back with a copy of its journal, and writes
// nothing in the state directory.
func (rt *runtime) undoElsewhere(id string) string {
	other := "/dev/shm"
	if info, err := os.Stat(other); err != nil || !info.IsDir() {
		other = "/OTHER/DISK"
	}
	file := other + "/" + id + ".jsonl"
	state := rt.stateWay()
	way := strings.TrimSuffix(rt.way(), strings.Join(state, " "))
	export := strings.Join(append([]string{"ringtrace campaigns export"}, state...), " ")
	return fmt.Sprintf("%s --out %s %s && ringtrace disable %s --state-dir %s --journal %s", export, file, id, strings.TrimSpace(way), other+"/ringtrace", file)
}
