//go:build linux || darwin || freebsd

package main

import "syscall"

// diskFree is the room in bytes that is left for us on the file system of dir.
func diskFree(dir string) (int64, bool) {
	var fs syscall.Statfs_t
	if syscall.Statfs(dir, &fs) != nil {
		return 0, false
	}
	return int64(fs.Bavail) * int64(fs.Bsize), true //nolint:unconvert // the types differ between systems
}
