package collect_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/collect/collecttest"
	"ringtrace/internal/sim"
)

func onDisk(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop/SHOP1/trace")
	must(t, os.MkdirAll(dir, 0o700))
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func TestLocalIsASource(t *testing.T) {
	collecttest.Run(t, true, func(t *testing.T, files map[string]string) collecttest.Place {
		return collecttest.Place{Source: collect.Local{}, Dir: onDisk(t, files)}
	})
}

func TestFolderIsASource(t *testing.T) {
	collecttest.Run(t, true, func(t *testing.T, files map[string]string) collecttest.Place {
		f, err := collect.OpenFolder(onDisk(t, files), nil)
		must(t, err)
		return collecttest.Place{Source: f, Dir: "/u01/app/trace"}
	})
}

// fakeSSH is a client that runs what it is told on this host: it checks how it
// is called, and everything behind the host name is real.
func fakeSSH(t *testing.T, prelude string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ssh")
	script := "#!/bin/sh\nwhile [ $# -gt 0 ] && [ \"$1\" != -- ]; do shift; done\n[ \"$2\" = db1 ] || exit 255\n" + prelude + "\nexec sh -c \"$3\"\n"
	must(t, os.WriteFile(name, []byte(script), 0o700))
	return name
}

func TestSSHIsASource(t *testing.T) {
	collecttest.Run(t, true, func(t *testing.T, files map[string]string) collecttest.Place {
		return collecttest.Place{Source: &collect.SSH{Host: "db1", Program: fakeSSH(t, ""), Environ: os.Environ()}, Dir: onDisk(t, files)}
	})
}

func TestSQLIsASource(t *testing.T) {
	collecttest.Run(t, false, func(t *testing.T, files map[string]string) collecttest.Place {
		spec, err := sim.ParseSpec("?sessions=4")
		must(t, err)
		db, model, err := sim.Open(context.Background(), spec, simNow)
		must(t, err)
		t.Cleanup(func() { db.Close() })
		dir := model.TraceDir(model.Instances[0])
		for name, text := range files {
			must(t, model.Store.Append(dir+"/"+name, []byte(text), armedAt))
		}
		src, err := collect.NewSQL(context.Background(), db)
		must(t, err)
		return collecttest.Place{Source: src, Dir: dir}
	})
}

// On a release before 12.2 there is no such view, and that is said.
func TestNoSQLSourceBefore122(t *testing.T) {
	spec, err := sim.ParseSpec("?sessions=4&release=12.1")
	must(t, err)
	db, _, err := sim.Open(context.Background(), spec, simNow)
	must(t, err)
	defer db.Close()
	if _, err := collect.NewSQL(context.Background(), db); !errors.Is(err, collect.ErrNoView) {
		t.Errorf("on 12.1: %v", err)
	}
}

// A link may lead from one folder of the ADR home to another, not out of it.
func TestLinksStayInTheADRHome(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.trc")
	must(t, os.WriteFile(secret, []byte("secret"), 0o600))
	dir := onDisk(t, map[string]string{"a.trc": "inside"})
	must(t, os.Symlink(secret, filepath.Join(dir, "out.trc")))
	must(t, os.Symlink(filepath.Dir(secret), filepath.Join(dir, "..", "incident")))
	must(t, os.MkdirAll(filepath.Join(dir, "folder.trc"), 0o700))
	ssh := &collect.SSH{Host: "db1", Program: fakeSSH(t, ""), Environ: os.Environ()}
	for _, src := range []collect.Source{collect.Local{}, ssh} {
		for name, want := range map[string]error{
			dir + "/out.trc": collect.ErrEscapes, filepath.Dir(dir) + "/incident/secret.trc": collect.ErrEscapes, dir + "/folder.trc": collect.ErrNotRegular,
		} {
			if _, err := src.Open(context.Background(), 1, name, 0); !errors.Is(err, want) {
				t.Errorf("%s: %s: %v, want %v", src.Name(), filepath.Base(name), err, want)
			}
		}
		list, err := src.List(context.Background(), 1, dir, "out")
		if err != nil || len(list) != 0 {
			t.Errorf("%s: a link is listed: %v %v", src.Name(), list, err)
		}
	}
}

// A connection that breaks leaves what came, and the next run goes on there.
func TestSSHResumesAfterABreak(t *testing.T) {
	w := newWorld(t)
	text := session(10, 100) + strings.Repeat(calls, 3000)
	w.put("SHOP1_ora_4711.trc", text)
	w.arm(1, 10, 100, "4711", w.path("SHOP1_ora_4711.trc"))
	broken := filepath.Join(t.TempDir(), "breaks")
	must(t, os.WriteFile(broken, nil, 0o600))
	log := filepath.Join(t.TempDir(), "log")
	// The first transfer ends after 100 kB; every command is noted.
	program := fakeSSH(t, `printf '%s\n' "$3" >>`+log+`; case "$3" in *tail*) [ -e `+broken+` ] && { rm `+broken+`; sh -c "$3" | head -c 100000; exit 255; };; esac`)
	w.opt.Sources = []collect.Source{&collect.SSH{Host: "db1", Program: program, Environ: os.Environ()}}
	c := w.collect()
	c.wantRow(t, 10, "SHOP1_ora_4711.trc", bundle.Partial, "broke off after", "again")
	if !c.result.Unfinished {
		t.Error("the run does not say that copies were kept")
	}
	c = w.collect()
	c.wantRow(t, 10, "SHOP1_ora_4711.trc", bundle.Collected, "an earlier run had copied")
	c.wantBytes(t, "1/SHOP1_ora_4711.trc", text)
	said, err := os.ReadFile(log)
	must(t, err)
	if strings.Count(string(said), "tail -c +1 ") != 1 {
		t.Error("the second run began again at the first byte")
	}
}

// Real sshd on the loopback, where there is one.
func TestSSHAgainstSshd(t *testing.T) {
	sshd, err := exec.LookPath("sshd")
	if err != nil {
		if _, serr := os.Stat("/usr/sbin/sshd"); serr != nil {
			t.Skip("SKIPPED (1): no sshd is installed here")
		}
		sshd = "/usr/sbin/sshd"
	}
	src := startSshd(t, sshd)
	collecttest.Run(t, true, func(t *testing.T, files map[string]string) collecttest.Place {
		return collecttest.Place{Source: src, Dir: onDisk(t, files)}
	})
}

// Rows without newlines, rows with, and an order that is not the file's.
func TestSQLRebuildsLinesAndOrder(t *testing.T) {
	whole := "Trace file /x/trace/a.trc\n" + session(10, 100) + "EXEC #1:c=0,tim=10\nEXEC #1:c=0,tim=20\n" + strings.Repeat("y", 4000) + "zz\nEXEC #1:c=0,tim=30\n"
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	for _, newlines := range []bool{true, false} {
		for _, shuffled := range []bool{true, false} {
			rows := func(q string) [][]any {
				switch {
				case strings.Contains(q, "count(*)"):
					return [][]any{{"0"}}
				case !strings.Contains(q, "contents"):
					return [][]any{{"a.trc", "/x", "2026-11-30 03:00:00"}}
				}
				var out [][]any
				for _, l := range lines {
					l = strings.TrimSuffix(l, "\n")
					for len(l) > 4000 {
						out, l = append(out, []any{l[:4000]}), l[4000:]
					}
					if newlines {
						l += "\n"
					}
					out = append(out, []any{l})
				}
				if shuffled != strings.Contains(q, "order by") { // one of the two orders is wrong
					n := len(out)
					out[n-1], out[n-5] = out[n-5], out[n-1]
				}
				return out
			}
			w := newWorld(t)
			w.arm(1, 10, 100, "4711", "/x/trace/a.trc")
			src, err := collect.NewSQL(context.Background(), fakeDB(t, rows))
			must(t, err)
			w.opt.Sources = []collect.Source{src}
			c := w.collect()
			c.wantRow(t, 10, "a.trc", bundle.Collected, "read over SQL")
			c.wantBytes(t, "1/a.trc", whole)
		}
	}
}

// Files of one name in two ADR homes are told apart, also where one home's name
// begins like the other's; a name that the view has no room for is said.
func TestSQLSourceAsksForOneHome(t *testing.T) {
	for _, c := range []struct{ base, path string }{
		{"/x/", "/x/ORCL1/trace/a.trc"},
		{`C:\x\`, `C:\x\ORCL1\trace\a.trc`},
	} {
		text := "Trace file " + c.path + "\n" + session(10, 100) + calls
		src, err := collect.NewSQL(context.Background(), fakeDB(t, func(q string) [][]any {
			switch {
			case strings.Contains(q, "count(*)"):
				return [][]any{{"0"}}
			case !strings.Contains(q, "contents") && strings.Contains(q, "trace_filename = "):
				return [][]any{{"a.trc", c.base + "ORCL", "2026-11-30 03:00:00"}, {"a.trc", c.base + "ORCL1", "2026-11-30 03:00:00"}}
			case strings.Contains(q, "adr_home = :3"):
				return [][]any{{text}}
			case strings.Contains(q, "contents"):
				return [][]any{{"Trace file of the other home\n"}, {text}}
			}
			return nil
		}))
		must(t, err)
		f, err := src.Open(context.Background(), 1, c.path, 0)
		must(t, err)
		got, err := io.ReadAll(f)
		must(t, err)
		if string(got) != text {
			t.Errorf("%s: got %q", c.path, got)
		}
	}

	none, err := collect.NewSQL(context.Background(), fakeDB(t, func(q string) [][]any {
		if strings.Contains(q, "count(*)") {
			return [][]any{{"0"}}
		}
		return nil
	}))
	must(t, err)
	if _, err := none.Open(context.Background(), 1, "/x/ORCL1/trace/"+strings.Repeat("a", 70)+".trc", 0); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "74 bytes") {
		t.Errorf("a long name: %v", err)
	}
}

// Two files of one name in a folder are told apart.
func TestSameNameOnTwoInstances(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	one, two := "Trace file /a.trc\nInstance name: SHOP1\n"+session(10, 100)+calls, "Trace file /a.trc\nInstance name: SHOP2\n"+session(20, 200)+calls+calls
	for sub, text := range map[string]string{"here": two, "there": one} {
		must(t, os.MkdirAll(filepath.Join(dir, sub), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, sub, "SHOP_ora_7.trc"), []byte(text), 0o600))
	}
	w.arm(1, 10, 100, "7", "/u01/trace/SHOP_ora_7.trc")
	w.arm(2, 20, 200, "7", "/u01/trace/SHOP_ora_7.trc")
	f, err := collect.OpenFolder(dir, map[int]string{1: "SHOP1", 2: "SHOP2"})
	must(t, err)
	w.opt.Sources = []collect.Source{f}
	c := w.collect()
	c.wantBytes(t, "1/SHOP_ora_7.trc", one)
	c.wantBytes(t, "2/SHOP_ora_7.trc", two)

	// This host's file of that name is the other instance's: it is not taken.
	w = newWorld(t)
	path := w.put("SHOP_ora_7.trc", header("/a.trc", "SHOP1", "db1")+session(10, 100)+calls)
	w.arm(2, 20, 200, "7", path)
	w.collect().wantRow(t, 20, "SHOP_ora_7.trc", bundle.Missing, "another instance's", "SHOP1 on db1")
}

func TestCheckHostRefusesOptions(t *testing.T) {
	for _, h := range []string{"", "-oProxyCommand=x", "a b", "a\nb", "a'b"} {
		if collect.CheckHost(h) == nil {
			t.Errorf("%q was taken for a host", h)
		}
	}
	must(t, collect.CheckHost("oracle@db1.example.com"))
	if _, err := (collect.Hosts{}).Open(context.Background(), 3, "/x", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no host for the instance: %v", err)
	}
}

// A host that cannot be reached is tried once, not for every file; an instance
// without a host says that.
func TestUnreachableHostIsTriedOnce(t *testing.T) {
	w := newWorld(t)
	for sid := 10; sid < 15; sid++ {
		w.arm(1, sid, 100, "1", w.path(fmt.Sprintf("x_%d.trc", sid)))
	}
	w.arm(2, 20, 200, "2", "/u01/trace/y.trc")
	log := filepath.Join(t.TempDir(), "log")
	program := fakeSSH(t, "echo try >>"+log+"; echo 'ssh: connect to host db1 port 22: No route to host' >&2; exit 255")
	h := collect.Hosts{ByInstance: map[int]collect.Source{1: &collect.SSH{Host: "db1", Program: program, Environ: os.Environ()}}}
	w.opt.Sources = []collect.Source{h}
	c := w.collect()
	for sid := 10; sid < 15; sid++ {
		c.wantRow(t, sid, "", bundle.Missing, "connect to host db1 port 22: No route to host")
		if n := note(c.row(sid, "")); strings.Count(n, "No route") != 1 {
			t.Errorf("said more than once: %s", n)
		}
	}
	c.wantRow(t, 20, "", bundle.Missing, "no --host is given for instance 2")
	said, err := os.ReadFile(log)
	must(t, err)
	if n := strings.Count(string(said), "try"); n != 1 {
		t.Errorf("ssh was started %d times", n)
	}
	if h.Down() == nil {
		t.Error("nothing says that the host is down")
	}
}
