//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// hold marks a temporary file as being written, for as long as it is open: the
// system takes the lock away when its process dies.
func hold(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) // no locks here: it is never called stale either
}

// dropStale removes what a killed process left of a file of that name, because
// a bundle can fill most of a disk. A leftover is held by nobody and is a
// minute older than fresh: a younger one may be new and not held yet. What was
// set aside (….old) stays, because it is somebody's file.
func dropStale(dir, name string, fresh *os.File) {
	now, err := fresh.Stat() // the time of the file server, not ours
	if err != nil {
		return
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		number, ok := strings.CutPrefix(e.Name(), "."+name+".tmp-")
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err != nil || now.ModTime().Sub(info.ModTime()) < time.Minute {
			continue
		}
		path := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.Remove(path) // it only takes room
		}
		_ = f.Close()
	}
}
