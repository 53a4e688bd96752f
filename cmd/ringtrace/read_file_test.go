package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFileIsBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := readFile(context.Background(), name, 5); err != nil || string(data) != "12345" {
		t.Errorf("a file that fits: %q, %v", data, err)
	}
	if _, err := readFile(context.Background(), name, 4); err == nil || !strings.Contains(err.Error(), "larger than 4 bytes") {
		t.Errorf("a file that does not: %v", err)
	}
	if _, err := readFile(context.Background(), name+"y", 4); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := readFile(context.Background(), "/dev/zero", 1000); err == nil {
			t.Error("a device without end was read")
		}
		got := runProgram(nil, "version", "-o", "json", "--config", "/dev/zero")
		if got.code == 0 {
			got = runProgram(nil, "sessions", "-c", "file:x.csv", "--config", "/dev/zero")
		}
		if got.code != 2 || !strings.Contains(got.stderr, "larger than") {
			t.Errorf("config without end: %d, %q", got.code, got.stderr)
		}
	}
	if _, err := readFile(ctx, filepath.Join(t.TempDir(), "none"), 5); err == nil {
		t.Error("an ended context read a file that does not exist")
	}
}
