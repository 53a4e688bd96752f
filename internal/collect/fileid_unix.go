//go:build unix

package collect

import (
	"fmt"
	"io/fs"
	"syscall"
)

// fileID tells a file from another one of the same name.
func fileID(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
	}
	return ""
}
