//go:build unix

package collect_test

import (
	"os"
	"syscall"
	"testing"
)

// diskUse is what a file takes of the disk.
func diskUse(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Sys().(*syscall.Stat_t).Blocks * 512
}
