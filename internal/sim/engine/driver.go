package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"reflect"
	"time"

	"ringtrace/internal/sim/instance"
)

// Connector opens connections to the engine through database/sql: each one
// is a session of the simulated database.
type Connector struct {
	Engine *Engine
	Logon  instance.Logon
	// Block runs PL/SQL; nil: ORA-06550 for every block.
	Block func(ctx context.Context, s *Session, q string, binds []Bind) error
}

// Connect implements driver.Connector.
func (c *Connector) Connect(context.Context) (driver.Conn, error) {
	self, err := c.Engine.model.Logon(c.Engine.inst, c.Logon)
	if err != nil {
		return nil, err
	}
	return &conn{s: c.Engine.NewSession(self), block: c.Block}, nil
}

// Driver implements driver.Connector.
func (c *Connector) Driver() driver.Driver { return noDSN{} }

type noDSN struct{}

func (noDSN) Open(string) (driver.Conn, error) {
	return nil, fmt.Errorf("the simulator is opened by its connector, not by a name")
}

// OpenDB returns a *sql.DB over the connector.
func OpenDB(c *Connector) *sql.DB { return sql.OpenDB(c) }

type conn struct {
	s     *Session
	block func(ctx context.Context, s *Session, q string, binds []Bind) error
}

func (c *conn) Close() error {
	c.s.Engine.model.Logoff(c.s.Self)
	return nil
}

func (c *conn) Prepare(q string) (driver.Stmt, error) { return &stmt{c, q}, nil }

func (c *conn) Begin() (driver.Tx, error) { return tx{}, nil }

// CheckNamedValue takes every value as it is; binds turns it into Oracle's.
func (c *conn) CheckNamedValue(nv *driver.NamedValue) error { return CheckBind(nv) }

// CheckBind takes every value as it is, for drivers over this package.
func CheckBind(nv *driver.NamedValue) error {
	if v, ok := nv.Value.(driver.Valuer); ok {
		x, err := v.Value()
		if err != nil {
			return err
		}
		nv.Value = x
	}
	return nil
}

// Ping implements driver.Pinger.
func (c *conn) Ping(context.Context) error { return c.s.alive() }

func (c *conn) QueryContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	res, err := c.run(ctx, q, args)
	if err != nil {
		return nil, err
	}
	return &rows{res: res}, nil
}

func (c *conn) ExecContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Result, error) {
	res, err := c.run(ctx, q, args)
	if err != nil {
		return nil, err
	}
	return driver.RowsAffected(res.Affected), nil
}

func (c *conn) run(ctx context.Context, q string, args []driver.NamedValue) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	binds, err := Binds(args)
	if err != nil {
		return nil, err
	}
	if IsBlock(q) {
		if c.block == nil {
			return nil, &Error{Code: 6550, Message: "line 1, column 1:\nPL/SQL is not available through this door"}
		}
		return &Result{Kind: "begin"}, c.block(ctx, c.s, q, binds)
	}
	return c.s.Query(ctx, q, binds)
}

// Binds makes binds of database/sql arguments.
func Binds(args []driver.NamedValue) ([]Bind, error) {
	var out []Bind
	for _, a := range args {
		b := Bind{Name: a.Name}
		v := reflect.ValueOf(a.Value)
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		switch x := a.Value.(type) {
		case nil, string, []byte, time.Time:
			b.Value = x
		default:
			switch {
			case v.CanInt():
				b.Value = v.Int()
			case v.CanUint():
				b.Value = int64(v.Uint())
			case v.CanFloat():
				b.Value = v.Float()
			case v.Kind() == reflect.String:
				b.Value = v.String()
			case v.Kind() == reflect.Bool:
				b.Value = int64(boolInt(v.Bool()))
			default:
				return nil, fmt.Errorf("bind %d: a %T cannot be bound", a.Ordinal, a.Value)
			}
		}
		out = append(out, b)
	}
	return out, nil
}

type stmt struct {
	c *conn
	q string
}

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return -1 }

func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.c.QueryContext(ctx, s.q, args)
}

func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.c.ExecContext(ctx, s.q, args)
}

func (s *stmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (s *stmt) Query([]driver.Value) (driver.Rows, error)  { return nil, driver.ErrSkip }

type tx struct{}

func (tx) Commit() error   { return nil }
func (tx) Rollback() error { return nil }

type rows struct {
	res *Result
	at  int
}

func (r *rows) Columns() []string {
	out := make([]string, len(r.res.Columns))
	for i, c := range r.res.Columns {
		out[i] = c.Name
	}
	return out
}

func (r *rows) Close() error { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if r.at >= len(r.res.Rows) {
		return io.EOF
	}
	for i, v := range r.res.Rows[r.at] {
		dest[i] = v
	}
	r.at++
	return nil
}

// ColumnTypeDatabaseTypeName implements driver.RowsColumnTypeDatabaseTypeName.
func (r *rows) ColumnTypeDatabaseTypeName(i int) string {
	switch r.res.Columns[i].Kind {
	case Number:
		return "NUMBER"
	case Date:
		return "DATE"
	case Timestamp:
		return "TIMESTAMP"
	case Raw:
		return "RAW"
	case Clob:
		return "CLOB"
	}
	return "VARCHAR2"
}
