package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim"
	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/scenario"
)

// serve runs a server in this process and returns a client.
func serve(t testing.TB, idle int64) (*Client, <-chan error) {
	t.Helper()
	l := Layout{Dir: t.TempDir()}
	if err := os.MkdirAll(l.Lib(), 0o700); err != nil {
		t.Fatal(err)
	}
	spec := Spec{Release: "19c", Instances: 2, Sessions: 10, Seed: 1, Scenario: "quiet", Idle: idle}
	d, err := sim.New(sim.Spec{Release: spec.Release, Instances: 2, Sessions: 10, Seed: 1}, time.Now, &adr.Dir{Root: l.Dir, Mode: 0o640}, l.Dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, l, spec, d, time.Now) }()
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		if c, err := Dial(l); err == nil {
			return c, done
		}
	}
	t.Fatal("the server does not answer")
	return nil, nil
}

func sqlplus(t *testing.T, c *Client, stdin string, interrupt chan os.Signal, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	code, err := c.SQLPlus(context.Background(), Request{Args: args, Env: map[string]string{}, Cwd: t.TempDir(), Host: "h", User: "u", PID: "1"},
		strings.NewReader(stdin), &out, interrupt)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), code
}

func TestSQLPlusOverTheSocket(t *testing.T) {
	c, _ := serve(t, 0)
	out, code := sqlplus(t, c, "set heading off pagesize 0 feedback off\nselect instance_name from v$instance;\nexit 3\n", nil, "-S", "sys/practice@h:1/ORCL2", "as", "sysdba")
	if out != "ORCL2\n" || code != 3 {
		t.Errorf("%q, %d", out, code)
	}
}

// TestInterrupt: SIGINT ends the call with ORA-01013, the session goes on,
// and what was asked of a hung target is carried out when it wakes
// (facts/oradebug.md 2.6).
func TestInterrupt(t *testing.T) {
	c, _ := serve(t, 0)
	do := func(q Request) json.RawMessage {
		data, err := c.Do(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var truth scenario.Truth
	if err := json.Unmarshal(do(Request{Op: "show"}), &truth); err != nil {
		t.Fatal(err)
	}
	var target scenario.Session
	for _, s := range truth.Sessions {
		if s.InstID == 1 && s.Eligible {
			target = s
		}
	}
	do(Request{Op: "fault", Arg: "hang-target=" + itoa(target.SID)})
	interrupt := make(chan os.Signal, 1)
	// Again and again: how soon the command hangs depends on the machine.
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(200 * time.Millisecond):
				select {
				case interrupt <- os.Interrupt:
				default:
				}
			}
		}
	}()
	out, code := sqlplus(t, c, "oradebug setorapid "+itoa(*target.Orapid)+"\noradebug session_event 942 errorstack(1)\nprompt still here\nexit\n", interrupt, "-S", "/", "as", "sysdba")
	close(over)
	if !strings.Contains(out, "ORA-01013: user requested cancel of current operation\nstill here\n") || code != 0 {
		t.Errorf("%q, %d", out, code)
	}
	armed := func() int {
		var now scenario.Truth
		if err := json.Unmarshal(do(Request{Op: "show"}), &now); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range now.Sessions {
			n += len(s.Events)
		}
		return n
	}
	if n := armed(); n != 0 {
		t.Errorf("%d events are set while the target hangs", n)
	}
	do(Request{Op: "fault", Arg: "hang-target=off"})
	if n := armed(); n != 1 {
		t.Errorf("%d events after the target woke, want the one that stayed posted", n)
	}
}

func itoa(n int) string {
	b, _ := json.Marshal(n) // an int always marshals
	return string(b)
}

func TestDatabaseDoor(t *testing.T) {
	c, _ := serve(t, 0)
	db := c.OpenDB(2, Request{Host: "h", User: "u", PID: "1"})
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	var name string
	var started time.Time
	var raw []byte
	q := "select i.instance_name, i.startup_time, p.addr from v$instance i, v$process p where p.pname = :1"
	if err := db.QueryRow(q, "PMON").Scan(&name, &started, &raw); err != nil || name != "ORCL2" || started.Year() != 2025 || len(raw) != 8 {
		t.Errorf("%s %v %x, %v", name, started, raw, err)
	}
	if _, err := db.Exec("begin raise_application_error(-20005, 'no'); end;"); err == nil || !strings.Contains(err.Error(), "ORA-20005") {
		t.Errorf("got %v", err)
	}
	if err := db.QueryRow("select * from nowhere").Scan(&name); err == nil || err.Error() != "ORA-00942: table or view does not exist" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := db.ExecContext(ctx, "begin dbms_session.sleep(30); end;"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestEnds(t *testing.T) {
	t.Run("down", func(t *testing.T) {
		c, done := serve(t, 0)
		if _, err := c.Do(context.Background(), Request{Op: "down"}); err != nil {
			t.Fatal(err)
		}
		ended(t, done)
		if _, err := Dial(c.Layout); !errors.Is(err, ErrNotRunning) {
			t.Errorf("Dial after down: %v", err)
		}
		if _, err := os.Stat(c.State.Sockets); err == nil {
			t.Error("the sockets are left")
		}
	})
	t.Run("folder vanishes", func(t *testing.T) {
		c, done := serve(t, 0)
		if err := os.RemoveAll(c.Layout.Dir); err != nil {
			t.Fatal(err)
		}
		ended(t, done)
	})
	t.Run("idle", func(t *testing.T) {
		_, done := serve(t, 1)
		ended(t, done)
	})
}

func ended(t *testing.T, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("Serve: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server goes on")
	}
}

// TestEnvSwitches: sourced under `set -eu` in a shell with nothing set, again,
// after another instance's, and back: the last one sourced comes first.
func TestEnvSwitches(t *testing.T) {
	var files []string
	for _, name := range []string{"one lab", "two"} {
		u := Launch{Layout: Layout{Dir: filepath.Join(t.TempDir(), name)}}
		if err := os.MkdirAll(u.Layout.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := u.Env(Places{SID: "ORCL"}); err != nil {
			t.Fatal(err)
		}
		files = append(files, u.Layout.EnvFile())
	}
	script := `set -eu
unset LD_LIBRARY_PATH ORACLE_HOME
. "$1"; a=$PATH:$LD_LIBRARY_PATH; . "$1"
[ "$a" = "$PATH:$LD_LIBRARY_PATH" ] || { echo "not idempotent: $PATH"; exit 1; }
for f in "$2" "$1" "$2"; do
  . "$f"
  case "$PATH $LD_LIBRARY_PATH" in
  "${f%/*}/oracle_home/bin:"*" ${f%/*}/oracle_home/lib"*) ;;
  *) echo "after $f: $PATH $LD_LIBRARY_PATH"; exit 1 ;;
  esac
done`
	for _, shell := range []string{"sh", "dash", "bash", "ksh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not here", shell)
			continue
		}
		if out, err := exec.Command(path, "-c", script, shell, files[0], files[1]).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", shell, err, out)
		}
	}
}

// TestSqlplusMissing: the program is gone, and comes back.
func TestSqlplusMissing(t *testing.T) {
	c, _ := serve(t, 0)
	program := filepath.Join(c.Layout.Bin(), "sqlplus")
	if err := os.MkdirAll(c.Layout.Bin(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		arg   string
		there bool
	}{{"sqlplus-missing", false}, {"sqlplus-missing", false}, {"sqlplus-missing=off", true}, {"sqlplus-missing=off", true}} {
		if _, err := c.Do(context.Background(), Request{Op: "fault", Arg: step.arg}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(program); (err == nil) != step.there {
			t.Errorf("after %s: %v", step.arg, err)
		}
	}
}

// TestEnvFile: POSIX, and nothing of ours.
func TestEnvFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's here")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	u := Launch{Layout: Layout{Dir: dir}}
	if err := u.Env(Places{SID: "ORCL"}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(u.Layout.EnvFile())
	if err != nil || bytes.Contains(data, []byte("RINGTRACE_")) || !bytes.Contains(data, []byte(`it'\''s here/oracle_home'`)) {
		t.Errorf("%s, %v", data, err)
	}
}

// BenchmarkDoor is ORADEBUG commands a second through the socket of the
// simulated sqlplus, its answers read; the floor is PROMPT, which asks nothing
// of the instance.
func BenchmarkDoor(b *testing.B) {
	c, _ := serve(b, 0)
	for _, k := range []struct{ name, line, answer string }{
		{"oradebug", "oradebug setmypid\n", "Statement processed.\n"},
		{"prompt", "prompt Statement processed.\n", "Statement processed.\n"},
		{"sql", "select 1 from dual;\n", "1\n"},
	} {
		b.Run(k.name, func(b *testing.B) {
			const batch = 100
			script := "set heading off feedback off pagesize 0 numwidth 1\n" + strings.Repeat(k.line, batch)
			n := 0
			for b.Loop() {
				var out bytes.Buffer
				code, err := c.SQLPlus(context.Background(), Request{Args: []string{"-S", "/", "as", "sysdba"}, Env: map[string]string{}, Cwd: b.TempDir(), Host: "h", User: "u", PID: "1"},
					strings.NewReader(script), &out, nil)
				if err != nil || code != 0 || strings.Count(out.String(), k.answer) != batch {
					b.Fatalf("%d, %v, %q", code, err, out.String())
				}
				n += batch
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "commands/s")
		})
	}
}
