package collect_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/collect"
)

// countingSSH is a played ssh that keeps what came over the line, and can lack or
// replace the other host's tar.
func countingSSH(t *testing.T, path string) (program, came string) {
	t.Helper()
	came = filepath.Join(t.TempDir(), "came")
	program = filepath.Join(t.TempDir(), "ssh")
	script := "#!/bin/sh\nwhile [ $# -gt 0 ] && [ \"$1\" != -- ]; do shift; done\nPATH=" + path + "\nsh -c \"$3\" > " + came + "\nstatus=$?\n/bin/cat " + came + "\nexit $status\n"
	must(t, os.WriteFile(program, []byte(script), 0o700))
	return program, came
}

// tarInPath is a PATH in which tar is what the script says, and the rest as it is.
func tarInPath(t *testing.T, script string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "tar"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	return dir + ":" + os.Getenv("PATH")
}

// Over ssh the holes of a file do not travel where the other host's tar can say
// where they are, and its bytes are the same where it cannot.
func TestHolesDoNotTravel(t *testing.T) {
	real, err := exec.LookPath("tar")
	if err != nil {
		t.Skip("SKIPPED (1): no tar here")
	}
	if out, _ := exec.Command(real, "--version").Output(); !strings.Contains(string(out), "GNU tar") {
		t.Skip("SKIPPED (1): tar is not GNU's")
	}
	const size = 24 << 20
	dir := t.TempDir()
	name := filepath.Join(dir, "trace", "-a b\nc'_1.trc")
	must(t, os.Mkdir(filepath.Dir(name), 0o700))
	f, err := os.Create(name)
	must(t, err)
	head, tail := []byte("Trace file x\n"), []byte("EXEC #1:c=0,tim=30\n")
	_, err = f.WriteAt(head, 9<<20)
	must(t, err)
	_, err = f.WriteAt(tail, size-int64(len(tail)))
	must(t, err)
	must(t, f.Close())
	if diskUse(t, name) > 4<<20 {
		t.Skip("SKIPPED (1): this file system keeps no holes")
	}
	want, err := os.ReadFile(name)
	must(t, err)
	const archive = `for a; do [ "$a" = -S ] && break; done; `
	for _, c := range []struct {
		name, tar string
		offset    int64
		travels   bool   // the holes do
		fails     string // the reading
	}{
		{name: "GNU tar", tar: `exec ` + real + ` "$@"`},
		{name: "GNU tar, from the middle", tar: `exec ` + real + ` "$@"`, offset: 9<<20 + 6},
		{name: "no tar", tar: `exit 127`, travels: true},
		{name: "no tar, from the middle", tar: `exit 127`, travels: true, offset: 9<<20 + 6},
		{name: "another tar", tar: `echo bsdtar 3.6`, travels: true},
		{name: "a tar that fails", tar: archive + `[ "$a" = -S ] && exit 2; exec ` + real + ` "$@"`, travels: true},
		{name: "a tar that sends something else", tar: archive + `[ "$a" = -S ] && exec ` + real + ` -c -f - .; exec ` + real + ` "$@"`, travels: true},
		{name: "a tar that cannot read on", tar: archive + `[ "$a" = -S ] && echo 'tar: x: Read error at byte 0: padding with zeros' >&2; exec ` + real + ` "$@"`, fails: "padding with zeros"},
		{name: "a tar that breaks off", tar: archive + `[ "$a" = -S ] && { ` + real + ` "$@" | head -c 6000; exit 2; }; exec ` + real + ` "$@"`, fails: "unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			program, came := countingSSH(t, tarInPath(t, c.tar))
			s := &collect.SSH{Host: "db1", Program: program, Environ: os.Environ()}
			f, err := s.Open(context.Background(), 1, name, c.offset)
			must(t, err)
			got, err := io.ReadAll(f)
			must(t, f.Close())
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("%d bytes, %v; want an error with %q", len(got), err, c.fails)
				}
				return
			}
			must(t, err)
			if string(got) != string(want[c.offset:]) {
				t.Errorf("%d bytes came, %d were there, or they differ", len(got), len(want)-int(c.offset))
			}
			if i := f.Info(); i.Size != size || !strings.HasPrefix(i.ID, "db1:") {
				t.Errorf("%+v", i)
			}
			line, err := os.Stat(came)
			must(t, err)
			if sent := line.Size(); c.travels != (sent >= size-c.offset) || !c.travels && sent > 64<<10 {
				t.Errorf("%s came over the line for %d bytes", fmt.Sprint(sent), size)
			}
		})
	}
}

// A file without holes, or with small ones, comes as it is.
func TestWholeFilesAreNotPutIntoAnArchive(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a_1.trc")
	must(t, os.WriteFile(name, []byte(strings.Repeat("x", 2<<20)), 0o600))
	program, _ := countingSSH(t, tarInPath(t, "echo GNU tar; echo called >> "+name+".called"))
	s := &collect.SSH{Host: "db1", Program: program, Environ: os.Environ()}
	f, err := s.Open(context.Background(), 1, name, 5)
	must(t, err)
	got, err := io.ReadAll(f)
	must(t, err)
	must(t, f.Close())
	if len(got) != 2<<20-5 {
		t.Errorf("%d bytes", len(got))
	}
	if _, err := os.Stat(name + ".called"); err == nil {
		t.Error("tar was asked for a file without holes")
	}
}
