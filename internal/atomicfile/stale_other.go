//go:build !unix

package atomicfile

import "os"

// Without locks that end with their process nobody can tell whether a temporary
// file is still written.
func hold(*os.File) {}

func dropStale(string, string, *os.File) {}
