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
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Skip("SKIPPED (1): this system does not tell")
	}
	return st.Blocks * 512
}
