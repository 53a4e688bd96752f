//go:build unix

package atomicfile

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLeftoversOfTheKilledGo(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	stay := []string{".b.zip.tmp-2.old", ".b.zip.tmp-x", ".other.tmp-3", ".b.zip.tmp-4"}
	for _, n := range append(stay, ".b.zip.tmp-1") {
		path := filepath.Join(dir, n)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if n != ".b.zip.tmp-4" { // somebody began it a moment ago
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	// One that is being written has been for an hour.
	first, err := NewSet(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := first.Create("b.zip")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(f.tmp.Name(), old, old); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(context.Background(), filepath.Join(dir, "b.zip"), []byte("new"), Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".b.zip.tmp-1")); err == nil {
		t.Error("what a killed process left is still there")
	}
	for _, path := range append(stay, filepath.Base(f.tmp.Name())) {
		if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
			t.Errorf("%s is gone: %v", path, err)
		}
	}
	first.Abort()
}
