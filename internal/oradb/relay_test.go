package oradb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
)

// slow is a session of a played driver: it has rows, and stands still before
// one of them (or before the answer: 0), until released.
type slow struct {
	rows, stop int
	release    chan struct{}
	fail       error
}

func (s *slow) Open(string) (driver.Conn, error)             { return nil, errors.ErrUnsupported }
func (s *slow) Driver() driver.Driver                        { return s }
func (s *slow) Connect(context.Context) (driver.Conn, error) { return slowConn{s}, nil }

type slowConn struct{ s *slow }

func (slowConn) Prepare(string) (driver.Stmt, error)      { return nil, errors.ErrUnsupported }
func (slowConn) Begin() (driver.Tx, error)                { return nil, errors.ErrUnsupported }
func (slowConn) Close() error                             { return nil }
func (slowConn) CheckNamedValue(*driver.NamedValue) error { return nil }
func (c slowConn) stand(n int) {
	if n == c.s.stop {
		<-c.s.release
	}
}

func (c slowConn) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	c.stand(0)
	return &slowRows{c: c}, c.s.fail
}

func (c slowConn) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	c.stand(0)
	return driver.RowsAffected(3), c.s.fail
}

type slowRows struct {
	c  slowConn
	at int
}

func (*slowRows) Columns() []string { return []string{"N", "TEXT"} }
func (*slowRows) Close() error      { return nil }
func (r *slowRows) Next(dest []driver.Value) error {
	if r.at++; r.at > r.c.s.rows {
		return io.EOF
	}
	r.c.stand(r.at)
	dest[0], dest[1] = int64(r.at), nil
	if r.at%2 == 0 {
		dest[1] = fmt.Sprint("row ", r.at)
	}
	return nil
}

// testRelay's limits are short for a session that stands still, and never
// reached by one that does not.
func testRelay(t *testing.T, s *slow) *relay {
	t.Helper()
	s.release = make(chan struct{})
	db := sql.OpenDB(s)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	cfg := config("/ as sysdba", "")
	cfg.CallTimeout = 20 * time.Second
	if s.stop >= 0 {
		cfg.CallTimeout = 100 * time.Millisecond
	}
	r := newRelay(conn, cfg)
	r.grace = 100 * time.Millisecond
	t.Cleanup(func() {
		select {
		case <-s.release:
		default:
			close(s.release)
		}
		if err := errors.Join(r.rows.Close(), conn.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// readAll returns the last number, and how many rows came.
func readAll(r *relay) (n int, err error) {
	rows, err := r.query(context.Background(), "select", 1, "x")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var k int
		var text sql.NullString
		if err := rows.Scan(&k, &text); err != nil {
			return n, err
		}
		if n++; k != n || text.Valid != (k%2 == 0) {
			return n, fmt.Errorf("row %d is %d %v", n, k, text)
		}
	}
	return n, rows.Err()
}

func TestRelayHandsEveryRowOver(t *testing.T) {
	for _, rows := range []int{0, 1, batchRows - 1, batchRows, batchRows + 1, 3 * batchRows} {
		r := testRelay(t, &slow{rows: rows, stop: -1})
		for range 2 {
			if n, err := readAll(r); n != rows || err != nil {
				t.Errorf("%d of %d rows, %v", n, rows, err)
			}
		}
	}
	r := testRelay(t, &slow{stop: -1})
	if res, err := r.exec(context.Background(), "x"); err != nil {
		t.Error(err)
	} else if n, _ := res.RowsAffected(); n != 3 {
		t.Errorf("%d rows affected", n)
	}
}

// The client library keeps the time too; where it does not come back, nobody
// waits for it, and nothing more is asked of the session.
func TestRelayWaitsNoLonger(t *testing.T) {
	for _, stop := range []int{0, 1, batchRows + 10} {
		r := testRelay(t, &slow{rows: 2 * batchRows, stop: stop})
		began := time.Now()
		n, err := readAll(r)
		if exit.CodeOf(err) != exit.CannotConnect || !strings.Contains(err.Error(), "no answer within 100ms") || !strings.Contains(exit.HintOf(err), "--command-timeout") {
			t.Errorf("stop %d: %v, hint %q", stop, err, exit.HintOf(err))
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("stop %d: it took %v", stop, took)
		}
		if n > stop {
			t.Errorf("stop %d: %d rows", stop, n)
		}
		if !r.dead.Load() {
			t.Errorf("stop %d: the session is used on", stop)
		}
		if _, err := readAll(r); exit.CodeOf(err) != exit.CannotConnect {
			t.Errorf("stop %d: asked again: %v", stop, err)
		}
		if _, err := r.exec(context.Background(), "x"); exit.CodeOf(err) != exit.CannotConnect {
			t.Errorf("stop %d: a statement: %v", stop, err)
		}
	}
	r := testRelay(t, &slow{stop: 0})
	if _, err := r.exec(context.Background(), "x"); exit.CodeOf(err) != exit.CannotConnect || !r.dead.Load() {
		t.Errorf("a statement: %v", err)
	}
}

// A reader that needs time itself is not the database being late.
func TestRelaySlowReader(t *testing.T) {
	r := testRelay(t, &slow{rows: 3 * batchRows, stop: -1})
	r.cfg.CallTimeout = 400 * time.Millisecond
	rows, err := r.query(context.Background(), "select")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows.Next() {
		if n++; n%batchRows == 0 {
			time.Sleep(r.patience() + 50*time.Millisecond)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); n != 3*batchRows || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	// Left in the middle: the next query comes to its turn.
	if rows, err = r.query(context.Background(), "select"); err != nil || !rows.Next() {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	if n, err := readAll(r); n != 3*batchRows || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestRelayErrors(t *testing.T) {
	r := testRelay(t, &slow{stop: -1, fail: &driverError{942, "table or view does not exist"}})
	if _, err := readAll(r); err == nil || !strings.Contains(err.Error(), "ORA-00942") {
		t.Errorf("%v", err)
	}
	r = testRelay(t, &slow{stop: -1, fail: &driverError{3156, "OCI call timed out"}})
	if _, err := readAll(r); exit.CodeOf(err) != exit.CannotConnect {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r = testRelay(t, &slow{stop: 0})
	r.cfg.CallTimeout = 20 * time.Second
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := r.query(ctx, "select"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	// Without a limit the session is asked directly.
	r = testRelay(t, &slow{rows: 2, stop: -1})
	r.cfg.CallTimeout = 0
	if n, err := readAll(r); n != 2 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestDeadlineMoves(t *testing.T) {
	c := config("/", "")
	c.CallTimeout = time.Hour
	ctx := c.bound(context.Background())
	first, ok := ctx.Deadline()
	time.Sleep(2 * time.Millisecond)
	second, _ := ctx.Deadline()
	if !ok || !second.After(first) || ctx.Err() != nil {
		t.Errorf("%v, then %v, %v", first, second, ctx.Err())
	}
	near, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	want, _ := near.Deadline()
	if at, _ := c.bound(near).Deadline(); !at.Equal(want) {
		t.Errorf("the nearer deadline does not win: %v", at)
	}
	c.CallTimeout = 0
	if _, ok := c.bound(context.Background()).Deadline(); ok {
		t.Error("a deadline without a limit")
	}
}
