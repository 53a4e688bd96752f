//go:build !unix

package collect

import "io/fs"

// fileID is not known here; a file is known by its name alone.
func fileID(fs.FileInfo) string { return "" }
