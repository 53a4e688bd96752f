//go:build cgo

package ocid

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnderSanitizers runs the tests of this package again, in a process of
// its own, with the shim compiled for the address and the undefined-behaviour
// sanitizer. Leaks are not looked for: the driver keeps its handles to the end.
func TestUnderSanitizers(t *testing.T) {
	switch {
	case os.Getenv("RINGTRACE_SHIM_CFLAGS") != "":
		t.Skip("this is the process with the sanitizers")
	case testing.Short() || raced:
		t.Skip("skipped: -short or -race")
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("skipped: no gcc, so the shim's memory was not checked")
	}
	var preload []string
	for _, lib := range []string{"libasan.so", "libubsan.so"} {
		out, err := exec.Command(gcc, "-print-file-name="+lib).Output()
		path := strings.TrimSpace(string(out))
		if err != nil || !filepath.IsAbs(path) {
			t.Skipf("skipped: gcc has no %s, so the shim's memory was not checked", lib)
		}
		preload = append(preload, path)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.v", "-test.timeout", "5m")
	cmd.Env = append(os.Environ(), "RINGTRACE_SHIM_CFLAGS=-fsanitize=address,undefined -fno-sanitize-recover=undefined -g",
		"LD_PRELOAD="+strings.Join(preload, " "), "ASAN_OPTIONS=detect_leaks=0", "UBSAN_OPTIONS=print_stacktrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestQueries") {
		t.Errorf("the tests of the shim did not run:\n%s", out)
	}
}
