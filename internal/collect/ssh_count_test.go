package collect_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/collect"
)

func TestSSHCountsLines(t *testing.T) {
	dir := t.TempDir()
	s := &collect.SSH{Host: "db1", Program: fakeSSH(t, ""), Environ: os.Environ()}
	for name, text := range map[string]string{"a.trc": "one\ntwo\n", "-n b'c.trc": "no end", "empty.trc": ""} {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		lines, size, err := s.Count(context.Background(), path)
		if err != nil || lines != int64(strings.Count(text, "\n")) || size != int64(len(text)) {
			t.Errorf("%s: %d lines, %d bytes, %v", name, lines, size, err)
		}
	}
	if _, _, err := s.Count(context.Background(), filepath.Join(dir, "gone.trc")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, _, err := s.Count(context.Background(), dir); !errors.Is(err, collect.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	chatty := &collect.SSH{Host: "db1", Program: fakeSSH(t, "echo welcome"), Environ: os.Environ()}
	if _, _, err := chatty.Count(context.Background(), filepath.Join(dir, "a.trc")); err == nil || !strings.Contains(err.Error(), "login shell") {
		t.Errorf("a login shell that talks: %v", err)
	}
	down := &collect.SSH{Host: "db2", Program: fakeSSH(t, ""), Environ: os.Environ()}
	for range 2 {
		if _, _, err := down.Count(context.Background(), filepath.Join(dir, "a.trc")); err == nil || down.Down() == nil {
			t.Errorf("a host that cannot be reached: %v, down %v", err, down.Down())
		}
	}
}
