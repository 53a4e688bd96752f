package overhead

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"ringtrace/internal/exit"
)

// Folder is TraceFiles on this host.
type Folder struct {
	// OwnerIsUs reports whether a file belongs to our OS user.
	OwnerIsUs func(fs.FileInfo) bool
}

// Ours implements TraceFiles.
func (f Folder) Ours(dir string) (bool, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return false, err
	}
	return info.IsDir() && f.OwnerIsUs(info), nil
}

// Count implements TraceFiles.
func (f Folder) Count(path string) (lines, size int64, ok bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, 0, false
	}
	in, err := os.Open(path)
	if err != nil {
		return 0, 0, false
	}
	defer in.Close()
	buf := make([]byte, 256<<10)
	for {
		n, err := in.Read(buf)
		size += int64(n)
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		if errors.Is(err, io.EOF) {
			return lines, size, true
		}
		if err != nil {
			return 0, 0, false
		}
	}
}

// Link implements TraceFiles. Symlink fails if anything is there, a dangling
// link included: an existing trace is never hidden or lost.
func (f Folder) Link(path string) error {
	if err := os.Symlink(os.DevNull, path); err != nil {
		return fmt.Errorf("point the trace file to %s: %w", os.DevNull, err)
	}
	return nil
}

// Unlink implements TraceFiles. What is not our link stays.
func (f Folder) Unlink(path string) error {
	to, err := os.Readlink(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || to != os.DevNull {
		return exit.Errorf(exit.Failed, "look at it: ls -l "+path, "%s is no longer the link to %s that ringtrace made; it stays", path, os.DevNull)
	}
	return os.Remove(path) // removes the link, never what it points to
}
