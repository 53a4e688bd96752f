//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package journal

import (
	"errors"
	"os"
	"syscall"
)

// tryFlock takes an exclusive lock that belongs to the open file. Children do
// not inherit it: Go opens files with O_CLOEXEC.
func tryFlock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

// tryShared takes a lock that several may hold, and nobody beside tryFlock: for
// those who look whether there is an owner, so that they do not see each other.
func tryShared(f *os.File) error { return flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errWouldBlock
		}
		return err
	}
}
