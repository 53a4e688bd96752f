package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ringtrace/internal/exit"
)

func TestSetAppearsTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	set := mustSet(t, context.Background(), dir, Options{})
	defer set.Abort()
	for _, name := range []string{"a.sql", "b.sql"} {
		write(t, set, name, "text of "+name)
	}
	if got := visible(t, dir); got != "" {
		t.Fatalf("before Commit there is %q", got)
	}
	if err := set.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := all(t, dir); got != "a.sql b.sql" {
		t.Fatalf("after Commit there is %q", got)
	}
	info, err := os.Stat(filepath.Join(dir, "a.sql"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
	if got := content(t, filepath.Join(dir, "b.sql")); got != "text of b.sql" {
		t.Errorf("b.sql holds %q", got)
	}
	set.Abort()
	if got := all(t, dir); got != "a.sql b.sql" {
		t.Errorf("Abort after Commit left %q", got)
	}
}

func TestNoOverwriteWithoutForce(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "b.sql")
	if err := os.WriteFile(old, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	set := mustSet(t, context.Background(), dir, Options{})
	write(t, set, "a.sql", "new")
	_, err := set.Create("b.sql")
	if exit.CodeOf(err) != exit.Refused {
		t.Fatalf("Create over a file: %v, code %d, want 7", err, exit.CodeOf(err))
	}
	if !strings.Contains(exit.HintOf(err), "--force") {
		t.Errorf("hint %q does not say --force", exit.HintOf(err))
	}
	set.Abort()
	if got := all(t, dir); got != "b.sql" {
		t.Errorf("left %q", got)
	}

	set = mustSet(t, context.Background(), dir, Options{Force: true})
	defer set.Abort()
	write(t, set, "b.sql", "new")
	if got := content(t, old); got != "old" {
		t.Errorf("before Commit b.sql holds %q", got)
	}
	if err := set.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, old); got != "new" {
		t.Errorf("after Commit b.sql holds %q", got)
	}
	if got := all(t, dir); got != "b.sql" {
		t.Errorf("left %q", got)
	}
}

// Somebody else takes the name between Create and Commit.
func TestNameTakenMeanwhile(t *testing.T) {
	dir := t.TempDir()
	set := mustSet(t, context.Background(), dir, Options{})
	write(t, set, "a.sql", "ours")
	write(t, set, "b.sql", "ours")
	if err := os.WriteFile(filepath.Join(dir, "b.sql"), []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := set.Commit()
	if exit.CodeOf(err) != exit.Refused {
		t.Fatalf("Commit: %v, want a refusal", err)
	}
	set.Abort()
	if got := all(t, dir); got != "b.sql" {
		t.Errorf("left %q, want only their file", got)
	}
	if got := content(t, filepath.Join(dir, "b.sql")); got != "theirs" {
		t.Errorf("b.sql holds %q", got)
	}
}

// The second of two replacements fails: the first is undone.
func TestFailedReplacementRestores(t *testing.T) {
	dir := t.TempDir()
	first := filepath.Join(dir, "a.sql")
	if err := os.WriteFile(first, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	set := mustSet(t, context.Background(), dir, Options{Force: true})
	write(t, set, "a.sql", "new")
	write(t, set, "b.sql", "new")
	// A folder in the way cannot be replaced by a file.
	if err := os.MkdirAll(filepath.Join(dir, "b.sql", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := set.Commit(); err == nil {
		t.Fatal("Commit succeeded over a folder")
	}
	set.Abort()
	if got := content(t, first); got != "old" {
		t.Errorf("a.sql holds %q, want the old text back", got)
	}
	if got := all(t, dir); got != "a.sql b.sql" {
		t.Errorf("left %q", got)
	}
}

func TestInterruptLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	ctx, cancel := context.WithCancel(context.Background())
	set := mustSet(t, ctx, dir, Options{})
	f, err := set.Create("a.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := f.Write([]byte("other half")); exit.CodeOf(err) != exit.Interrupted || !errors.Is(err, context.Canceled) {
		t.Errorf("Write after the interrupt: %v", err)
	}
	if err := set.Commit(); exit.CodeOf(err) != exit.Interrupted {
		t.Errorf("Commit after the interrupt: %v", err)
	}
	set.Abort()
	if got := all(t, parent); got != "" {
		t.Errorf("left %q", got)
	}
	if _, err := NewSet(ctx, dir, Options{}); exit.CodeOf(err) != exit.Interrupted {
		t.Errorf("NewSet after the interrupt: %v", err)
	}
}

func TestBadNames(t *testing.T) {
	dir := t.TempDir()
	set := mustSet(t, context.Background(), dir, Options{})
	defer set.Abort()
	for _, name := range []string{"", ".", "..", "../x", "a/b", "/x", "a\x00b"} {
		if _, err := set.Create(name); err == nil {
			t.Errorf("Create(%q) succeeded", name)
		}
	}
	write(t, set, "twice", "")
	if _, err := set.Create("twice"); err == nil {
		t.Error("one name was given twice")
	}
	file := filepath.Join(dir, "plain")
	if err := WriteFile(context.Background(), file, []byte("x"), Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := NewSet(context.Background(), file, Options{}); exit.CodeOf(err) != exit.Usage {
		t.Errorf("a file as folder: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := WriteFile(context.Background(), path, []byte("one"), Options{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(context.Background(), path, []byte("two"), Options{}); exit.CodeOf(err) != exit.Refused {
		t.Errorf("second write: %v", err)
	}
	if got := content(t, path); got != "one" {
		t.Errorf("file holds %q", got)
	}
}

func mustSet(t *testing.T, ctx context.Context, dir string, opts Options) *Set {
	t.Helper()
	set, err := NewSet(ctx, dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func write(t *testing.T, set *Set, name, text string) {
	t.Helper()
	f, err := set.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// all lists dir, temporary files included; visible leaves those out.
func all(t *testing.T, dir string) string { return list(t, dir, func(string) bool { return true }) }

func visible(t *testing.T, dir string) string {
	return list(t, dir, func(name string) bool { return !strings.HasPrefix(name, ".") })
}

func list(t *testing.T, dir string, keep func(string) bool) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if keep(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, " ")
}

func TestFailuresSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "plain")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewSet(context.Background(), filepath.Join(file, "below"), Options{})
	if exit.CodeOf(err) != exit.Failed || exit.HintOf(err) == "" || strings.Contains(err.Error(), ".tmp-") {
		t.Errorf("a folder below a file: %v, hint %q", err, exit.HintOf(err))
	}
	for cause, want := range map[error]string{
		syscall.ENOSPC: "make room", syscall.EDQUOT: "make room", syscall.EACCES: "may write", syscall.EROFS: "may write", syscall.EIO: "try again",
	} {
		err := failed("out/a.sql", &fs.PathError{Op: "write", Path: "out/.a.sql.tmp-1", Err: cause})
		if !errors.Is(err, cause) || !strings.Contains(exit.HintOf(err), want) || strings.Contains(err.Error(), ".tmp-") {
			t.Errorf("%v: %v, hint %q", cause, err, exit.HintOf(err))
		}
	}
}

// Who may do it must not lose /dev/null to a report.
func TestDevicesAndPipesStay(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skipf("SKIPPED (1): no mkfifo here: %v", err)
	}
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, link} {
		if err := WriteFile(context.Background(), name, []byte("x"), Options{Force: true}); exit.CodeOf(err) != exit.Refused {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode().IsRegular() {
		t.Errorf("the pipe was replaced: %v, %v", info, err)
	}
}
