package overhead

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ringtrace/internal/exit"
)

func TestNullLinkIsNeverFollowed(t *testing.T) {
	dir := t.TempDir()
	f := Folder{OwnerIsUs: func(fs.FileInfo) bool { return true }}
	trc, precious := filepath.Join(dir, "x.trc"), filepath.Join(dir, "precious")
	for _, name := range []string{trc, precious} {
		if err := os.WriteFile(name, []byte("trace\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Link(trc); err == nil {
		t.Fatal("a trace file that was there was hidden")
	}
	if err := os.Remove(trc); err != nil {
		t.Fatal(err)
	}
	if err := f.Link(trc); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := f.Count(trc); ok {
		t.Error("the null device was counted")
	}
	if err := f.Unlink(trc); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(trc); !os.IsNotExist(err) {
		t.Errorf("the link stayed: %v", err)
	}
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Errorf("the null device is gone: %v", err)
	}
	if err := f.Unlink(trc); err != nil {
		t.Errorf("gone already: %v", err)
	}
	// Somebody put another link, or a file, in its place: it stays.
	if err := os.Symlink(precious, trc); err != nil {
		t.Fatal(err)
	}
	if err := f.Unlink(trc); exit.HintOf(err) == "" {
		t.Errorf("another's link: %v", err)
	}
	if err := f.Unlink(precious); exit.HintOf(err) == "" {
		t.Errorf("a file: %v", err)
	}
	for _, name := range []string{trc, precious} {
		if text, err := os.ReadFile(name); err != nil || string(text) != "trace\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if lines, size, ok := f.Count(precious); !ok || lines != 1 || size != 6 {
		t.Errorf("counted %d lines, %d bytes, %v", lines, size, ok)
	}
	ours := func(f Folder, path string) bool { is, err := f.Ours(path); return is && err == nil }
	if _, err := f.Ours(filepath.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if !ours(f, dir) || ours(f, precious) || ours(Folder{OwnerIsUs: func(fs.FileInfo) bool { return false }}, dir) {
		t.Error("Ours is wrong")
	}
}
