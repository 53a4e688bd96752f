package tracefile_test

import (
	"os"
	"path/filepath"
	"sort"
	"testing"

	"ringtrace/internal/sharedtest"
)

// sharedTraces returns the sample traces, or skips the test loudly where they
// are not at hand.
func sharedTraces(tb testing.TB) []string {
	tb.Helper()
	root := sharedtest.Want(tb, "nothing was compared with real traces", "traces")
	var files []string
	for _, p := range []string{"*.trc", "*.txt"} {
		m, _ := filepath.Glob(filepath.Join(root, "*", p))
		files = append(files, m...)
	}
	if len(files) == 0 {
		tb.Fatalf("there are no sample traces below %s", root)
	}
	sort.Strings(files)
	return files
}

func readShared(tb testing.TB, name string) []byte {
	tb.Helper()
	for _, f := range sharedTraces(tb) {
		if filepath.Base(f) == name {
			b, err := os.ReadFile(f)
			if err != nil {
				tb.Fatal(err)
			}
			return b
		}
	}
	tb.Fatalf("sample trace %s is missing", name)
	return nil
}
