package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"ringtrace/internal/exit"
)

// failed says what could not be done with path and what to do about it. The
// temporary name, which the system's error holds, says nothing to a person.
func failed(path string, err error) error {
	hint := "nothing was written; try again, or give another folder"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		hint = "nothing was written; make room, or give a folder on another file system"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		hint = "nothing was written; give a folder that you may write to"
	}
	return exit.Errorf(exit.Failed, hint, "write %s: %w", path, bare(err))
}

// bare is the cause without the names around it.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}
