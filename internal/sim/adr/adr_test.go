package adr

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestStores runs both stores through the same life of a file.
func TestStores(t *testing.T) {
	root := t.TempDir()
	for name, s := range map[string]Store{"memory": &Memory{}, "dir": &Dir{Root: root, Mode: 0o640}} {
		t.Run(name, func(t *testing.T) {
			now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			file, moved := filepath.Join(root, "diag", "x.trc"), filepath.Join(root, "diag", "x_1.trc")
			if _, err := s.Size(file); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("Size of nothing: %v", err)
			}
			for _, p := range []string{"one ", "two"} {
				if err := s.Append(file, []byte(p), now); err != nil {
					t.Fatal(err)
				}
			}
			if n, err := s.Size(file); n != 7 || err != nil {
				t.Errorf("Size = %d, %v", n, err)
			}
			if err := s.Rename(file, moved); err != nil {
				t.Fatal(err)
			}
			if list, err := s.List(filepath.Dir(file)); err != nil || len(list) != 1 || list[0].Path != moved || list[0].Size != 7 {
				t.Errorf("List = %v, %v", list, err)
			}
			if data, err := s.ReadFile(moved); string(data) != "one two" || err != nil {
				t.Errorf("ReadFile = %q, %v", data, err)
			}
			if err := s.Forbid(moved); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ReadFile(moved); !errors.Is(err, fs.ErrPermission) && (name == "memory" || os.Geteuid() != 0) {
				t.Errorf("ReadFile of a forbidden file: %v", err)
			}
			if err := s.Append(moved, []byte("!"), now); err != nil {
				t.Errorf("a forbidden file cannot be written: %v", err)
			}
			if err := s.Remove(moved); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ReadFile(moved); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("ReadFile of a removed file: %v", err)
			}
		})
	}
}

// TestDirStaysInside: whatever path a process makes up, nothing outside of
// the instance's folder is touched.
func TestDirStaysInside(t *testing.T) {
	root := t.TempDir()
	d := &Dir{Root: filepath.Join(root, "sim"), Mode: 0o640}
	outside := filepath.Join(root, "outside.trc")
	if err := d.Append(outside, []byte("x"), time.Time{}); err == nil {
		t.Error("Append wrote outside of the folder")
	}
	if err := d.Append(filepath.Join(d.Root, "..", "outside.trc"), []byte("x"), time.Time{}); err == nil {
		t.Error("Append followed ..")
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file is there")
	}
}
