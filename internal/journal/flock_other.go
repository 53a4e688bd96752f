//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package journal

import (
	"errors"
	"os"
)

// tryFlock refuses: the controller runs on Unix only, the offline verbs need
// no lock.
func tryFlock(*os.File) error {
	return errors.New("locking is not supported on this platform; run the controller on Linux")
}

func tryShared(f *os.File) error { return tryFlock(f) }
