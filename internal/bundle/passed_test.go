package bundle

import (
	"archive/tar"
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestPassedOver: what a folder or an archive holds besides traces is counted by
// kind, so that somebody who has them named otherwise learns of it.
func TestPassedOver(t *testing.T) {
	names := []string{"a.trc", "b.trc.gz", "a.trm", "b.TRM", "alert.log.1", "err.txt", "err2.txt", "err3.txt", "README", ".hidden", "x.tar.gz", "odd.\x1b[31m"}
	dir := t.TempDir()
	folder := filepath.Join(dir, "f", "deep")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	z, tb := filepath.Join(dir, "a.zip"), filepath.Join(dir, "a.tar")
	zf, err := os.Create(z)
	if err != nil {
		t.Fatal(err)
	}
	tf, err := os.Create(tb)
	if err != nil {
		t.Fatal(err)
	}
	zw, tw := zip.NewWriter(zf), tar.NewWriter(tf)
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(folder, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := zw.Create(n); err != nil {
			t.Fatal(err)
		}
		if err := tw.WriteHeader(&tar.Header{Name: n, Typeflag: tar.TypeReg, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{zw, tw, zf, tf} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := "[{.txt 3} {.trm 2} {without ending 2} {.1 1} {.tar.gz 1} {other 1}]"
	for _, p := range []string{filepath.Join(dir, "f"), z, tb} {
		c, err := Open(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.Passed); got != want {
			t.Errorf("%s: passed over %s, want %s", filepath.Base(p), got, want)
		}
		if len(c.Members) != 2 {
			t.Errorf("%s: %d traces", filepath.Base(p), len(c.Members))
		}
		c.Close()
	}
	if err := os.Symlink("/dev/null", filepath.Join(folder, "z.trc")); err != nil {
		t.Fatal(err)
	}
	c, err := Open(filepath.Join(dir, "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, want := fmt.Sprint(c.Passed), "[{.txt 3} {.trm 2} {without ending 2} {.1 1} {.tar.gz 1} {link 1} {other 1}]"; got != want {
		t.Errorf("with a link: passed over %s, want %s", got, want)
	}
}

// TestPassedOverIsBounded: a hostile archive has as many kinds as it likes.
func TestPassedOverIsBounded(t *testing.T) {
	c := &Container{}
	for i := range 5000 {
		c.pass(kindOf(fmt.Sprintf("x.k%d", i)))
	}
	n := 0
	for _, p := range c.Passed {
		n += p.Count
	}
	if len(c.Passed) > maxPassedKinds+1 || n != 5000 {
		t.Errorf("%d kinds of %d files", len(c.Passed), n)
	}
}
