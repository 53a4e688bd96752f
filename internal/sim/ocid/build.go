// Package ocid lets the real godror talk to a simulated instance: it holds
// the C source of a stand-in for libclntsh.so, compiles it, and serves the
// socket that the library forwards statements to.
package ocid

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed shim
var shim embed.FS

// Build compiles libclntsh.so into the folder lib with the compiler gcc. It
// takes about half a second.
func Build(ctx context.Context, gcc, lib string, flags ...string) error {
	src, err := os.MkdirTemp("", "rtshim")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(src) }() // what stays is a few files of source
	entries, err := shim.ReadDir("shim")
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := shim.ReadFile("shim/" + e.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(src, e.Name()), data, 0o600); err != nil {
			return err
		}
	}
	out := filepath.Join(lib, "libclntsh.so")
	args := append([]string{"-shared", "-fPIC", "-O1", "-w", "-o", out + ".new"}, flags...)
	cmd := exec.CommandContext(ctx, gcc, append(args, filepath.Join(src, "libclntsh.c"), "-lpthread", "-ldl")...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", gcc, err, strings.TrimSpace(string(text)))
	}
	return os.Rename(out+".new", out)
}
