package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Lock is held by the one process that may change a database's sessions. It
// is an flock on an open file, so it dies with its owner, kill -9 included;
// the file's text only says who that is. The file stays when the lock is
// given back: removing it would let two processes lock two files of one name.
//
// A state directory on a network file system needs one that carries flock to
// its server (NFS on Linux does).
type Lock struct {
	f *os.File

	// Stale is the owner that died without giving the lock back, or nil. Its
	// runs have no end record.
	Stale *Actor
}

// LockedError reports a lock that somebody holds.
type LockedError struct {
	Path  string
	Owner *Actor // nil when its text cannot be read (yet)
}

func (e *LockedError) Error() string {
	if e.Owner == nil {
		return fmt.Sprintf("lock %s is held by another process", e.Path)
	}
	return fmt.Sprintf("lock %s is held by %s", e.Path, e.Owner)
}

// errWouldBlock is what tryFlock returns when somebody else holds the lock.
var errWouldBlock = errors.New("lock is held")

// TakeLock takes the lock at path for who, or returns a *LockedError at once.
func TakeLock(path string, who Actor) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("take lock: %w", err)
	}
	err = tryFlock(f)
	for range 3 {
		if !errors.Is(err, errWouldBlock) {
			break
		}
		time.Sleep(10 * time.Millisecond) // Owner holds it for a moment
		err = tryFlock(f)
	}
	if err != nil {
		defer f.Close()
		if !errors.Is(err, errWouldBlock) {
			return nil, fmt.Errorf("take lock %s: %w", path, err)
		}
		owner, _ := readOwner(f)
		return nil, &LockedError{Path: path, Owner: owner}
	}
	stale, err := readOwner(f)
	if err == nil {
		err = writeOwner(f, who)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("take lock %s: %w", path, err)
	}
	return &Lock{f: f, Stale: stale}, nil
}

// Await takes the lock as soon as it is free, looking every poll until ctx is
// done; then it returns the last *LockedError.
func Await(ctx context.Context, path string, who Actor, poll time.Duration) (*Lock, error) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		l, err := TakeLock(path, who)
		var held *LockedError
		if !errors.As(err, &held) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, held
		case <-tick.C:
		}
	}
}

// Owner returns who holds the lock at path; nil when nobody does.
func Owner(path string) (*Actor, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look at lock: %w", err)
	}
	defer f.Close()
	switch err := tryShared(f); {
	case err == nil:
		return nil, nil // closing f gives it back
	case !errors.Is(err, errWouldBlock):
		return nil, fmt.Errorf("look at lock %s: %w", path, err)
	}
	owner, err := readOwner(f)
	if err == nil && owner == nil {
		owner = &Actor{} // held, but its text is not written yet
	}
	return owner, err
}

// Release gives the lock back.
func (l *Lock) Release() error {
	err := l.f.Truncate(0)
	if cerr := l.f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("release lock: %w", err)
	}
	return nil
}

// readOwner returns nil for an empty file: given back properly.
func readOwner(f *os.File) (*Actor, error) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 64<<10))
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, nil
	}
	var a Actor
	if err := json.Unmarshal(b, &a); err != nil {
		// Cut short by a crash of an owner we cannot name.
		return &Actor{}, nil
	}
	return &a, nil
}

func writeOwner(f *os.File, who Actor) error {
	b, err := json.Marshal(who)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	if _, err := f.WriteAt(append(b, '\n'), 0); err != nil {
		return err
	}
	return f.Sync()
}
