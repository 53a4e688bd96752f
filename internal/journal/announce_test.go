package journal

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func announced(t *testing.T, d Dir) []Preparing {
	t.Helper()
	list, err := d.Preparing()
	must(t, err)
	return list
}

func TestAnnouncement(t *testing.T) {
	d := Dir{t.TempDir()}
	if n := len(announced(t, d)); n != 0 {
		t.Fatalf("%d announced before anybody did", n)
	}
	prod := Database{UniqueName: "PROD", DBID: 7}
	a, err := d.Announce(Preparing{Verb: "enable", By: alice, Way: "-c /"})
	must(t, err)
	b, err := d.Announce(Preparing{Verb: "watch", By: alice})
	must(t, err)
	defer b.End()
	info, err := os.Stat(a.path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	list := announced(t, d)
	if len(list) != 2 || list[0].By != alice || list[0].Database != (Database{}) {
		t.Fatalf("announced: %+v", list)
	}
	must(t, a.Name(prod))
	mine := Preparing{}
	for _, p := range announced(t, d) {
		if p.Verb == "enable" {
			mine = p
		}
	}
	if mine.Database != prod || mine.Way != "-c /" || !strings.HasPrefix(mine.String(), "an enable (pid 4711 of ") {
		t.Errorf("%v: %+v", &mine, mine)
	}
	must(t, a.Check("enable"))
	must(t, d.Revoke(mine))
	must(t, d.Revoke(mine)) // again does no harm
	var revoked *RevokedError
	if err := a.Check("enable"); !errors.As(err, &revoked) || !strings.Contains(err.Error(), "nothing was armed") {
		t.Errorf("after it was revoked: %v", err)
	}
	must(t, b.Check("watch"))
	if _, alive := d.Again(mine); alive {
		t.Error("it is announced still")
	}
	a.End()
	a.End()
	b.End()
	if n := len(announced(t, d)); n != 0 {
		t.Errorf("%d announced at the end", n)
	}
}

// TestAnnouncementOfTheDead: what was killed misleads nobody, at whatever point
// of its file, and its file goes when the next one announces itself.
func TestAnnouncementOfTheDead(t *testing.T) {
	d := Dir{t.TempDir()}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "JOURNAL_TEST_ANNOUNCE="+d.Path)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "announced <nil>\n" {
		t.Fatalf("child said %q", line)
	}
	if list := announced(t, d); len(list) != 1 || list[0].By.PID != child.Process.Pid {
		t.Fatalf("announced: %+v", list)
	}
	must(t, child.Process.Kill())
	_ = child.Wait()
	dir := filepath.Join(d.Path, announceDir)
	for name, text := range map[string]string{"1.json": "", "2.json": `{"verb":"ena`, "3.json": `{"verb":"enable","by":{"pid":1}}` + "\n" + `{"db_un`} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if list := announced(t, d); len(list) != 0 {
		t.Errorf("the dead are announced: %+v", list)
	}
	a, err := d.Announce(Preparing{Verb: "enable", By: alice})
	must(t, err)
	defer a.End()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// TestAnnouncementHalfWritten: a run that lives and has not written who it is.
func TestAnnouncementHalfWritten(t *testing.T) {
	d := Dir{t.TempDir()}
	for _, text := range []string{"", `{"verb":"ena`} {
		a, err := d.Announce(Preparing{Verb: "enable", By: alice})
		must(t, err)
		must(t, os.WriteFile(a.path, []byte(text), 0o600))
		list := announced(t, d)
		if len(list) != 1 || list[0].Database != (Database{}) || !strings.Contains(list[0].String(), "has not said its name") {
			t.Errorf("%q: %+v", text, list)
		}
		a.End()
	}
}

// TestAnnouncementsAtOnce: whoever looks, or sweeps, takes away nobody's permit.
func TestAnnouncementsAtOnce(t *testing.T) {
	d := Dir{t.TempDir()}
	var wg sync.WaitGroup
	errs := make(chan error, 1000)
	for range 8 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			for range 20 {
				a, err := d.Announce(Preparing{Verb: "enable", By: alice})
				if err == nil {
					time.Sleep(time.Millisecond)
					err = a.Check("enable")
					a.End()
				}
				if err != nil {
					errs <- err
				}
			}
		}()
		go func() {
			defer wg.Done()
			for range 100 {
				if _, err := d.Preparing(); err != nil {
					errs <- err
				}
				d.sweep()
			}
		}()
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Fatal(err)
	}
}
