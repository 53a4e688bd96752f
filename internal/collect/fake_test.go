package collect_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"testing"
	"time"
)

func simNow() time.Time { return armedAt }

// recording notes every query.
type recording struct {
	q       *sql.DB
	queries []string
}

func (r *recording) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	r.queries = append(r.queries, query)
	return r.q.QueryContext(ctx, query, args...)
}

// fakeDB answers queries from a function.
func fakeDB(t *testing.T, answer func(query string) [][]any) *sql.DB {
	db := sql.OpenDB(fakeConnector{answer})
	t.Cleanup(func() { db.Close() })
	return db
}

type fakeConnector struct{ answer func(string) [][]any }

func (c fakeConnector) Connect(context.Context) (driver.Conn, error) { return fakeConn(c), nil }
func (c fakeConnector) Driver() driver.Driver                        { return nil }

type fakeConn fakeConnector

func (fakeConn) Prepare(q string) (driver.Stmt, error) { return nil, fmt.Errorf("prepare %s", q) }
func (fakeConn) Close() error                          { return nil }
func (fakeConn) Begin() (driver.Tx, error)             { return nil, fmt.Errorf("begin") }

func (c fakeConn) QueryContext(_ context.Context, q string, _ []driver.NamedValue) (driver.Rows, error) {
	return &fakeRows{rows: c.answer(q)}, nil
}

type fakeRows struct {
	rows [][]any
	n    int
}

func (r *fakeRows) Columns() []string {
	if len(r.rows) == 0 {
		return []string{"c"}
	}
	return make([]string, len(r.rows[0]))
}
func (r *fakeRows) Close() error { return nil }

func (r *fakeRows) Next(to []driver.Value) error {
	if r.n >= len(r.rows) {
		return io.EOF
	}
	for i, v := range r.rows[r.n] {
		to[i] = v
	}
	r.n++
	return nil
}
