//go:build unix

package overhead

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// startPostgres runs a server of its own on loopback, from Debian's packages
// or PATH; RINGTRACE_TEST_POSTGRES names a running one instead.
func startPostgres(t *testing.T) string {
	t.Helper()
	if url := os.Getenv("RINGTRACE_TEST_POSTGRES"); url != "" {
		return url
	}
	bin := ""
	if path, err := exec.LookPath("initdb"); err == nil {
		bin = filepath.Dir(path)
	} else if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
		bin = filepath.Dir(found[len(found)-1])
	}
	if bin == "" {
		t.Skip("SKIPPED (1): no PostgreSQL server here (Debian: apt-get install postgresql, or set RINGTRACE_TEST_POSTGRES)")
	}
	dir, err := os.MkdirTemp("", "rtpg") // short: the socket's path is limited
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	attr := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 { // the server refuses root
		u, err := user.Lookup("postgres")
		if err != nil {
			t.Skipf("SKIPPED (1): we are root, and there is no user postgres to run a server as: %v", err)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	data := filepath.Join(dir, "data")
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = dir, attr
		return cmd
	}
	if out, err := run("initdb", "-D", data, "-U", "rt", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close() // the server takes it
	server := run("postgres", "-D", data, "-p", strconv.Itoa(port), "-k", dir, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "autovacuum=off")
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGINT) // fast shutdown
		_ = server.Wait()
		_ = log.Close()
	})
	for range 300 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			_ = c.Close()
			return fmt.Sprintf("postgres://rt@127.0.0.1:%d/postgres", port)
		}
		time.Sleep(100 * time.Millisecond)
	}
	text, _ := os.ReadFile(log.Name())
	t.Fatalf("the server does not answer:\n%s", text)
	return ""
}

// TestPostgresLive: on a real server, plain against plain again covers 0 at
// 99.9 % (three tries: the host may be busy), and EXPLAIN ANALYZE costs more
// nanoseconds a row with timing than without.
func TestPostgresLive(t *testing.T) {
	url := startPostgres(t)
	var p *Postgres
	var err error
	for range 50 { // it may still be starting up
		if p, err = OpenPostgres(t.Context(), PostgresConfig{URL: url, SQL: DefaultPostgresSQL(20_000) + ";", Now: time.Now, CPU: schedstat}); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	if p.Rows() != 20_001 || p.Version == "" {
		t.Errorf("%d rows, version %q", p.Rows(), p.Version)
	}
	plan := Plan{Name: "count", States: PostgresStates(), Rounds: 12, K: 3, Confidence: 0.999}
	var faults []string
	for try := range 3 {
		plan.Seed = int64(42 + try)
		test, err := Run(t.Context(), p, plan)
		if err != nil {
			t.Fatal(err)
		}
		faults = nil
		aa, on, off := test.figure(OffAgain), test.figure(TimingOn), test.figure(TimingOff)
		if aa.CI == nil || *aa.Confidence < 0.999 {
			t.Fatalf("the A/A interval %v has only %v", aa.CI, aa.Confidence)
		}
		if aa.CI[0] > 0 || aa.CI[1] < 0 {
			faults = append(faults, fmt.Sprintf("A/A [%.1f, %.1f] %% does not cover 0", aa.CI[0], aa.CI[1]))
		}
		if on.NSPerRow == nil || off.NSPerRow == nil || *on.NSPerRow <= *off.NSPerRow || *on.NSPerRow < 5 {
			faults = append(faults, fmt.Sprintf("timing on costs %v ns a row, off %v", *on.NSPerRow, *off.NSPerRow))
		}
		t.Logf("A/A [%.1f, %.1f] %% at %.2f %%, timing off %.1f ns a row, on %.1f; CPU known: %v", aa.CI[0], aa.CI[1], 100**aa.Confidence, *off.NSPerRow, *on.NSPerRow, aa.CPUPct != nil)
		if len(faults) == 0 {
			break
		}
	}
	for _, f := range faults {
		t.Error(f)
	}
	if _, err := p.Execute(t.Context(), Off, 1); err != nil {
		t.Fatal(err)
	}
	// A server that ends in the middle: the rounds so far are kept.
	killer := &dying{Postgres: p, after: 14}
	test, err := Run(t.Context(), killer, Plan{Name: "dies", States: PostgresStates(), Rounds: 6, K: 1, Confidence: 0.95})
	if err == nil || errors.Is(err, context.Canceled) || test.Rounds != 2 || test.Complete {
		t.Errorf("%d rounds, complete %v, %v", test.Rounds, test.Complete, err)
	}
}

// dying ends its own server process by and by.
type dying struct {
	*Postgres
	after int
}

func (d *dying) Execute(ctx context.Context, s State, k int) (Execution, error) {
	if d.after--; d.after < 0 {
		_, _ = d.conn.Exec(ctx, "select pg_terminate_backend(pg_backend_pid())") // it says so itself
	}
	return d.Postgres.Execute(ctx, s, k)
}

func schedstat(pid uint32) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0, false
	}
	var ns int64
	if _, err := fmt.Sscan(string(text), &ns); err != nil {
		return 0, false
	}
	return time.Duration(ns), true
}

func TestPlanRows(t *testing.T) {
	n, err := planRows([]byte(`[{"Plan": {"Actual Rows": 1, "Actual Loops": 1, "Plans": [{"Actual Rows": 100.5, "Actual Loops": 2}]}}]`))
	if err != nil || n != 202 {
		t.Errorf("%d, %v", n, err)
	}
	for _, bad := range []string{"", "[]", "{}"} {
		if _, err := planRows([]byte(bad)); err == nil {
			t.Errorf("%q was a plan", bad)
		}
	}
}

func TestIsLocal(t *testing.T) {
	for host, want := range map[string]bool{"127.0.0.1": true, "localhost": true, "/run/postgresql": true, "::1": true, "db1": false, "10.0.0.1": false} {
		if isLocal(host) != want {
			t.Errorf("%s: %v", host, !want)
		}
	}
}
