package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"ringtrace/internal/exit"
)

// File is a file being written. It is not there until its Set is committed.
type File struct {
	ctx       context.Context
	name      string
	path      string
	tmp       *os.File
	closed    bool
	backup    string // where a replaced file waits until all went well
	published bool
}

// Name returns the name the file will have, without its folder.
func (f *File) Name() string { return f.name }

// Write appends to the file. After the context is cancelled it fails.
func (f *File) Write(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, interrupted(err)
	}
	n, err := f.tmp.Write(p)
	if err != nil {
		return n, failed(f.path, err)
	}
	return n, nil
}

// mayWrite refuses a target that exists, or that is no regular file.
func (f *File) mayWrite(force bool) error {
	info, err := os.Lstat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return failed(f.path, err)
	case info.IsDir():
		return exit.Errorf(exit.Refused, "move it away, or give another folder", "%s is a folder", f.path)
	case special(f.path):
		// Renaming over /dev/null or /dev/stdout would take it from everybody.
		return exit.Errorf(exit.Refused, "give the name of a file, or leave it out for standard output", "%s is a device or pipe", f.path)
	case !force:
		return exists(f.path)
	}
	return nil
}

// special reports whether a path is, or leads to, what is no file: a device, a
// pipe, a socket.
func special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

func exists(path string) error {
	return exit.Errorf(exit.Refused, "give another --out, or --force to replace it", "%s exists already", path)
}

// Close flushes the file to the disk. The file appears when its Set is
// committed; Commit closes what is still open.
func (f *File) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	err := f.tmp.Sync()
	if cerr := f.tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return failed(f.path, err)
	}
	return nil
}

// publish gives the file its name.
func (f *File) publish(force bool) error {
	if err := f.mayWrite(force); err != nil {
		return err
	}
	if force {
		if err := f.setAside(); err != nil {
			return err
		}
		if err := os.Rename(f.tmp.Name(), f.path); err != nil {
			return errors.Join(failed(f.path, err), f.takeBack())
		}
		f.published = true
		return nil
	}
	// A hard link fails if the name is taken, where a rename would replace it.
	err := os.Link(f.tmp.Name(), f.path)
	switch {
	case err == nil:
		f.published = true
		return os.Remove(f.tmp.Name())
	case errors.Is(err, fs.ErrExist):
		return exists(f.path)
	}
	// No hard links here (vfat, some network file systems): we looked above.
	if err := os.Rename(f.tmp.Name(), f.path); err != nil {
		return failed(f.path, err)
	}
	f.published = true
	return nil
}

// setAside keeps the file that is about to be replaced.
func (f *File) setAside() error {
	if _, err := os.Lstat(f.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	backup := f.tmp.Name() + ".old"
	if err := os.Link(f.path, backup); err != nil {
		// No hard links: a moment without the file is the lesser evil.
		if err := os.Rename(f.path, backup); err != nil {
			return fmt.Errorf("keep %s: %w", f.path, err)
		}
	}
	f.backup = backup
	return nil
}

// takeBack undoes publish.
func (f *File) takeBack() error {
	if f.backup != "" {
		if err := os.Rename(f.backup, f.path); err != nil {
			return fmt.Errorf("restore %s (it is in %s): %w", f.path, f.backup, err)
		}
		// Two names of one file: rename leaves both, so make sure.
		if err := os.Remove(f.backup); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.backup = ""
		return nil
	}
	if !f.published {
		return nil
	}
	f.published = false
	return os.Remove(f.path)
}

func (f *File) dropBackup() error {
	if f.backup == "" {
		return nil
	}
	return os.Remove(f.backup)
}

func (f *File) discard() {
	if !f.closed {
		f.closed = true
		_ = f.tmp.Close() // it is being thrown away
	}
	_ = os.Remove(f.tmp.Name()) // gone if it was published
}

func isEINVAL(err error) bool { return errors.Is(err, syscall.EINVAL) }

// WriteFile writes one file of its own.
func WriteFile(ctx context.Context, path string, data []byte, opts Options) error {
	set, err := NewSet(ctx, filepath.Dir(path), opts)
	if err != nil {
		return err
	}
	defer set.Abort()
	f, err := set.Create(filepath.Base(path))
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	return set.Commit()
}
