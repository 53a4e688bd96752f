package overhead

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"strings"
	"testing"
)

// fakeDB is a database/sql driver that answers by the beginning of a query and
// records all statements.
type fakeDB struct {
	answers map[string]string // substring of a query to its one value; "-" is no row
	fails   map[string]error
	said    []string
}

func (f *fakeDB) Connect(context.Context) (driver.Conn, error) { return fakeConn{f}, nil }
func (f *fakeDB) Driver() driver.Driver                        { return nil }

type fakeConn struct{ f *fakeDB }

func (fakeConn) Prepare(string) (driver.Stmt, error) { return nil, driver.ErrSkip }
func (fakeConn) Close() error                        { return nil }
func (fakeConn) Begin() (driver.Tx, error)           { return nil, driver.ErrSkip }

func (c fakeConn) fail(q string) error {
	for part, err := range c.f.fails {
		if strings.Contains(q, part) {
			return err
		}
	}
	return nil
}

func (c fakeConn) ExecContext(_ context.Context, q string, _ []driver.NamedValue) (driver.Result, error) {
	c.f.said = append(c.f.said, q)
	return driver.ResultNoRows, c.fail(q)
}

func (c fakeConn) QueryContext(_ context.Context, q string, _ []driver.NamedValue) (driver.Rows, error) {
	c.f.said = append(c.f.said, q)
	if err := c.fail(q); err != nil {
		return nil, err
	}
	for part, value := range c.f.answers {
		if strings.Contains(q, part) && value != "-" {
			return &fakeRows{[]string{value}}, nil
		}
	}
	return &fakeRows{}, nil
}

type fakeRows struct{ values []string }

func (*fakeRows) Columns() []string { return []string{"v"} }
func (*fakeRows) Close() error      { return nil }

func (r *fakeRows) Next(dest []driver.Value) error {
	if len(r.values) == 0 {
		return io.EOF
	}
	dest[0], r.values = r.values[0], r.values[1:]
	return nil
}

func (f *fakeDB) session(t *testing.T) Session {
	t.Helper()
	conn, err := sql.OpenDB(f).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return conn
}
