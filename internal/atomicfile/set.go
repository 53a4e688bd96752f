package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ringtrace/internal/exit"
)

// Mode is the mode of every file written: scripts and traces name users and
// hold bind values.
const Mode fs.FileMode = 0o600

// Options of a Set.
type Options struct {
	Force bool // replace files that exist
}

// Set is files of one directory that appear together.
type Set struct {
	ctx     context.Context
	dir     string
	opts    Options
	files   []*File
	madeDir bool
	done    bool
}

// NewSet begins a set in dir, which is created (mode 0700) if it is missing.
// Abort must be called, usually deferred; after Commit it does nothing.
func NewSet(ctx context.Context, dir string, opts Options) (*Set, error) {
	s := &Set{ctx: ctx, dir: dir, opts: opts}
	if err := ctx.Err(); err != nil {
		return nil, interrupted(err)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, failed(dir, err)
		}
		s.madeDir = true
	case err != nil:
		return nil, failed(dir, err)
	case !info.IsDir():
		return nil, exit.Errorf(exit.Usage, "give the name of a folder", "%s is not a folder", dir)
	}
	return s, nil
}

// Create begins a file of the set. The name must have no folder in it. A file
// that exists is refused (exit.Refused) unless Force is set.
func (s *Set) Create(name string) (*File, error) {
	if name == "" || name != filepath.Base(name) || name == "." || name == ".." || strings.ContainsRune(name, 0) {
		return nil, fmt.Errorf("%q is not a plain file name", name)
	}
	for _, f := range s.files {
		if f.name == name {
			return nil, fmt.Errorf("%s is already part of the set", name)
		}
	}
	f := &File{ctx: s.ctx, name: name, path: filepath.Join(s.dir, name)}
	if err := f.mayWrite(s.opts.Force); err != nil {
		return nil, err
	}
	tmp, err := os.CreateTemp(s.dir, "."+name+".tmp-*") // CreateTemp makes mode 0600
	if err != nil {
		return nil, failed(f.path, err)
	}
	hold(tmp)
	dropStale(s.dir, name, tmp)
	f.tmp = tmp
	s.files = append(s.files, f)
	return f, nil
}

// Commit gives all files their names, in the order they were created, so a
// manifest created last never names a file that is not there. If one fails, all
// are taken back and what they replaced is restored.
func (s *Set) Commit() error {
	if s.done {
		return errors.New("the set is already committed or aborted")
	}
	for _, f := range s.files {
		if err := f.Close(); err != nil {
			return err
		}
	}
	for i, f := range s.files {
		err := s.ctx.Err()
		if err != nil {
			err = interrupted(err)
		} else {
			err = f.publish(s.opts.Force)
		}
		if err != nil {
			for j := i - 1; j >= 0; j-- {
				err = errors.Join(err, s.files[j].takeBack())
			}
			return err
		}
	}
	s.done = true
	err := syncDir(s.dir)
	for _, f := range s.files {
		err = errors.Join(err, f.dropBackup())
	}
	return err
}

// Abort removes every temporary file of a set that was not committed, and the
// folder if the set made it.
func (s *Set) Abort() {
	if s.done {
		return
	}
	s.done = true
	for _, f := range s.files {
		f.discard()
	}
	if s.madeDir {
		_ = os.Remove(s.dir) // fails if somebody else uses it already: theirs
	}
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || isEINVAL(err) {
		err = nil // some network file systems cannot flush a folder
	}
	return errors.Join(err, d.Close())
}

func interrupted(err error) error {
	return exit.Errorf(exit.Interrupted, "nothing was written", "%w", err)
}
