// Package sharedtest finds the facts and the sample traces that tests compare
// with. They lie beside the project, or where RINGTRACE_SHARED says; where they do
// not, tests skip, loudly and counted.
package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of what is called so in the shared folder, which need not
// be there.
func Path(tb testing.TB, elem ...string) string {
	tb.Helper()
	root := os.Getenv("RINGTRACE_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			tb.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			up := filepath.Dir(dir)
			if up == dir {
				tb.Fatal("there is no go.mod above the test's folder")
			}
			dir = up
		}
		root = filepath.Join(filepath.Dir(dir), "shared")
	}
	return filepath.Join(append([]string{root}, elem...)...)
}

// Want returns Path, or skips the test where nothing is there: lost is what then
// was not checked.
func Want(tb testing.TB, lost string, elem ...string) string {
	tb.Helper()
	path := Path(tb, elem...)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("SKIPPED (1): there is no %s (set RINGTRACE_SHARED); %s", path, lost)
	}
	return path
}

// Read returns the file, or skips as Want does.
func Read(tb testing.TB, lost string, elem ...string) []byte {
	tb.Helper()
	data, err := os.ReadFile(Want(tb, lost, elem...))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
