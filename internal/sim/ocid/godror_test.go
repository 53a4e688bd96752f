//go:build cgo

package ocid

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godror/godror"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

// stage is one simulated database behind the real godror. The client library
// can be loaded once in a process, so all tests share it.
type stage struct {
	db  *instance.Database
	lib string
	err error
}

var stageOnce = sync.OnceValue(func() *stage {
	s := &stage{}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		s.err = errors.New("no gcc")
		return s
	}
	if s.lib, s.err = os.MkdirTemp("", "rtocid"); s.err != nil {
		return s
	}
	// RINGTRACE_SHIM_CFLAGS="-fsanitize=address,undefined -g" with
	// LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" looks for memory faults.
	if s.err = Build(context.Background(), gcc, s.lib, strings.Fields(os.Getenv("RINGTRACE_SHIM_CFLAGS"))...); s.err != nil {
		return s
	}
	r, err := release.Find("19c")
	if err != nil {
		s.err = err
		return s
	}
	s.db = instance.New(instance.Config{Release: r, Sessions: 20, Seed: 1, Now: time.Now})
	s.db.Quiet(20)
	sock := filepath.Join(s.lib, "oci")
	if _, s.err = Listen(sock, s.db, engine.NewPool(s.db)); s.err != nil {
		return s
	}
	s.err = os.WriteFile(filepath.Join(s.lib, "socket"), []byte(sock), 0o600)
	return s
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s := stageOnce(); s.lib != "" {
		_ = os.RemoveAll(s.lib) // of the test alone
	}
	os.Exit(code)
}

func theStage(t testing.TB) *stage {
	t.Helper()
	s := stageOnce()
	if s.err != nil && s.err.Error() == "no gcc" {
		t.Skip("SKIPPED: no gcc, so the real godror was not run against the simulator (1 of 1 client library tests)")
	}
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s
}

func dial(t testing.TB, s *stage, params string) *sql.DB {
	t.Helper()
	db, err := sql.Open("godror", fmt.Sprintf(`%s libDir=%q noTimezoneCheck=1 timezone=UTC`, params, s.lib))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

const sysdba = `user=sys password=practice connectString="localhost:1521/ORCL" sysdba=1`

func TestQueries(t *testing.T) {
	db := dial(t, theStage(t), sysdba)
	var n, sid int
	var user string
	var logon time.Time
	var raw []byte
	if err := db.QueryRow("select count(*) from v$session where username = :1", "APP").Scan(&n); err != nil || n != 12 {
		t.Fatalf("%d sessions, %v", n, err)
	}
	row := db.QueryRow("select sid, username, logon_time, paddr from v$session where username = :u and server = :srv and rownum = 1",
		sql.Named("u", "APP"), sql.Named("srv", "DEDICATED"))
	if err := row.Scan(&sid, &user, &logon, &raw); err != nil || user != "APP" || sid == 0 || logon.Year() != 2025 || len(raw) != 8 {
		t.Errorf("%d %s %v %x, %v", sid, user, logon, raw, err)
	}
	// A literal that looks like a bind broke godror v0.51.1.
	var text string
	if err := db.QueryRow("select to_char(sysdate, 'HH24:MI:SS') || :1 from dual", "x").Scan(&text); err != nil || len(text) != 9 {
		t.Errorf("%q, %v", text, err)
	}
	var null sql.NullString
	if err := db.QueryRow("select client_info from v$session where username = 'APP' and rownum = 1").Scan(&null); err != nil || null.String != "" {
		t.Errorf("NULL came as %+v, %v", null, err)
	}
}

func TestNumbersRoundTrip(t *testing.T) {
	db := dial(t, theStage(t), sysdba)
	for _, want := range []string{"0", "1", "-1", "100", "0.001", "-0.5", "123.456", "99999999", "-100", "1000000000000"} {
		var got godror.Number
		if err := db.QueryRow("select to_number(:1) from dual", want).Scan(&got); err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		if strings.TrimPrefix(got.String(), "0") != strings.TrimPrefix(want, "0") && !(want == "-0.5" && (got.String() == "-.5" || got.String() == "-0.5")) {
			t.Errorf("%s came as %s", want, got)
		}
	}
}

func TestManyRowsInArrays(t *testing.T) {
	db := dial(t, theStage(t), sysdba)
	rows, err := db.Query("select s.sid, s.username, p.spid from v$session s left join v$process p on p.addr = s.paddr", godror.FetchArraySize(7), godror.PrefetchCount(8))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	n := 0
	for rows.Next() {
		var sid int
		var user, spid sql.NullString
		if err := rows.Scan(&sid, &user, &spid); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if err := rows.Err(); err != nil || n < 40 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestErrors(t *testing.T) {
	s := theStage(t)
	db := dial(t, s, sysdba)
	for q, want := range map[string][2]int{
		"select * from nowhere":         {942, 14},
		"select nosuch from v$instance": {904, 7},
		"select 1/0 from dual":          {1476, 0},
	} {
		_, err := db.Query(q)
		var oe *godror.OraErr
		if !errors.As(err, &oe) || oe.Code() != want[0] || oe.Offset() != want[1] {
			t.Errorf("%s: %v, want ORA-%05d at %d", q, err, want[0], want[1])
		}
	}
	for params, want := range map[string]int{
		`user=sys password=wrong connectString="localhost/ORCL" sysdba=1`: 1017,
		`user=sys password=practice connectString="localhost/ORCL"`:       28009,
		`user=system password=practice connectString="h/ORCL" sysdba=1`:   1031,
		`user=system password=practice connectString="h/nosuch"`:          12514,
	} {
		err := dial(t, s, params).Ping()
		var oe *godror.OraErr
		if !errors.As(err, &oe) || oe.Code() != want {
			t.Errorf("%s: %v, want ORA-%05d", params, err, want)
		}
	}
}

func TestTimeoutAndCancel(t *testing.T) {
	db := dial(t, theStage(t), sysdba)
	db.SetMaxOpenConns(1)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := db.ExecContext(ctx, "begin dbms_session.sleep(30); end;")
	if err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	var n int
	if err := db.QueryRow("select 1 from dual").Scan(&n); err != nil || n != 1 {
		t.Errorf("the connection is not usable afterwards: %d, %v", n, err)
	}
}

func TestKilledSession(t *testing.T) {
	s := theStage(t)
	db := dial(t, s, sysdba)
	db.SetMaxOpenConns(1)
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // it is broken by then
	var sid string
	if err := c.QueryRowContext(context.Background(), "select sys_context('userenv','sid') from dual").Scan(&sid); err != nil {
		t.Fatal(err)
	}
	victim, err := s.db.Find(sid)
	if err != nil {
		t.Fatal(err)
	}
	s.db.Kill(victim)
	if err := c.QueryRowContext(context.Background(), "select 1 from dual").Scan(&sid); !errors.Is(err, driver.ErrBadConn) {
		t.Errorf("a killed session got %v", err)
	}
	s.db.Faults.Put(fault.Fault{Kind: fault.LostContact})
	other := dial(t, s, sysdba)
	if err := other.QueryRow("select 1 from dual").Scan(&sid); err != nil {
		t.Errorf("database/sql does not reconnect after ORA-03113: %v", err)
	}
}

func TestPoolAndConcurrency(t *testing.T) {
	s := theStage(t)
	db := dial(t, s, `user=system password=practice connectString="localhost/ORCL" standaloneConnection=0 poolMaxSessions=8 poolMinSessions=1 poolIncrement=1`)
	db.SetMaxOpenConns(6)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 40 {
				var n int
				if err := db.QueryRow("select count(*) from v$instance where instance_number = :1", 1).Scan(&n); err != nil || n != 1 {
					t.Errorf("%d, %v", n, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// TestNobodyIsLeft: closed connections leave no session on the server.
func TestNobodyIsLeft(t *testing.T) {
	s := theStage(t)
	count := func() int {
		n := 0
		s.db.Locked(func() {
			for _, x := range s.db.Instances[0].Sessions() {
				if x.ClientDriver == "godror : v0.51.5" && !x.Killed {
					n++
				}
			}
		})
		return n
	}
	before := count()
	db, err := sql.Open("godror", fmt.Sprintf(`%s libDir=%q noTimezoneCheck=1 timezone=UTC`, sysdba, s.lib))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	if count() != before+1 {
		t.Errorf("%d sessions, want one more than %d", count(), before)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); count() > before && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
	}
	if count() > before {
		t.Errorf("%d sessions are left, %d were there before", count(), before)
	}
}

// TestTimestampAndLongText: what the views over trace files hold.
func TestTimestampAndLongText(t *testing.T) {
	s := theStage(t)
	var p *instance.Process
	s.db.Locked(func() {
		for _, x := range s.db.Instances[0].Sessions() {
			if x.Username == "BATCH" {
				p = x.Proc
			}
		}
	})
	s.db.Emit(p, strings.Repeat("ü", 1500)+"\n")
	db := dial(t, s, sysdba)
	var at time.Time
	var name, payload string
	if err := db.QueryRow("select change_time, trace_filename from v$diag_trace_file where trace_filename = :1", filepath.Base(p.TracePath())).Scan(&at, &name); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(at); d < -time.Minute || d > time.Hour {
		t.Errorf("change_time %v is %v away", at, d)
	}
	q := "select payload from v$diag_trace_file_contents where trace_filename = :1 and payload like 'ü%' order by line_number"
	if err := db.QueryRow(q, name).Scan(&payload); err != nil || payload != strings.Repeat("ü", 1500)+"\n" {
		t.Errorf("payload of %d bytes, %v", len(payload), err)
	}
}

// TestLongObject: a CLOB comes whole, as string and as reader.
func TestLongObject(t *testing.T) {
	s := theStage(t)
	want := "select '" + strings.Repeat("ä", 40_000) + "' from dual"
	s.db.Locked(func() {
		for _, x := range s.db.Instances[0].Sessions() {
			if x.Username == "BATCH" {
				x.SQLID, x.SQLText = "7h35uxf5uhmm1", want
			}
		}
	})
	s.db.Touch()
	db := dial(t, s, sysdba)
	var got string
	if err := db.QueryRow("select sql_fulltext from v$sql where sql_id = :1", "7h35uxf5uhmm1").Scan(&got); err != nil || got != want {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	rows, err := db.Query("select sql_fulltext from v$sql where sql_id = :1", "7h35uxf5uhmm1", godror.LobAsReader())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		t.Fatal("no row", rows.Err())
	}
	var lob any
	if err := rows.Scan(&lob); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(lob.(io.Reader))
	if err != nil || string(data) != want {
		t.Errorf("reader: %d bytes of %d, %v", len(data), len(want), err)
	}
}
