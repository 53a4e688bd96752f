package daemon

import (
	"bufio"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"ringtrace/internal/sim/engine"
)

// OpenDB returns a *sql.DB on instance inst of a running server, for
// `-c sim:DIR`.
func (c *Client) OpenDB(inst int, who Request) *sql.DB {
	who.Op, who.Inst = "sql", inst
	return sql.OpenDB(connector{c, who})
}

type connector struct {
	c   *Client
	who Request
}

func (k connector) Driver() driver.Driver { return nameless{} }

type nameless struct{}

func (nameless) Open(string) (driver.Conn, error) {
	return nil, errors.New("a simulated instance is opened by its folder")
}

func (k connector) Connect(ctx context.Context) (driver.Conn, error) {
	nc, err := k.c.connect(ctx)
	if err != nil {
		return nil, err
	}
	x := &remote{conn: nc, r: bufio.NewReader(nc), timeout: k.c.Timeout}
	if _, err := x.ask(ctx, k.who); err != nil {
		return nil, errors.Join(err, nc.Close())
	}
	return x, nil
}

// remote is one connection.
type remote struct {
	conn net.Conn
	r    *bufio.Reader
	bad  bool

	timeout time.Duration
}

func (x *remote) ask(ctx context.Context, q Request) (*Answer, error) {
	if x.bad {
		return nil, driver.ErrBadConn
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if x.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, x.timeout)
		defer cancel()
	}
	defer wakeAt(ctx, x.conn)()
	data, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	if _, err = x.conn.Write(append(data, '\n')); err == nil {
		var line []byte
		if line, err = x.r.ReadBytes('\n'); err == nil {
			var a Answer
			if err := json.Unmarshal(line, &a); err != nil {
				return nil, err
			}
			switch {
			case a.ORA != 0:
				return nil, &engine.Error{Code: a.ORA, Offset: a.Offset, Message: a.Error}
			case a.Error != "":
				return nil, errors.New(a.Error)
			}
			return &a, nil
		}
	}
	x.bad = true
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("the simulated instance went away: %w", err)
}

func (x *remote) Close() error              { return x.conn.Close() }
func (x *remote) Begin() (driver.Tx, error) { return nothing{}, nil }
func (x *remote) Prepare(q string) (driver.Stmt, error) {
	return nil, errors.New("prepare is not offered")
}
func (x *remote) CheckNamedValue(nv *driver.NamedValue) error { return engine.CheckBind(nv) }

type nothing struct{}

func (nothing) Commit() error   { return nil }
func (nothing) Rollback() error { return nil }

func (x *remote) run(ctx context.Context, q string, args []driver.NamedValue) (*Answer, error) {
	bs, err := engine.Binds(args)
	if err != nil {
		return nil, err
	}
	vals := make([]Value, len(bs))
	for i, b := range bs {
		vals[i] = ValueOf(b.Value)
		vals[i].Name = b.Name
	}
	return x.ask(ctx, Request{SQL: q, Binds: vals})
}

func (x *remote) QueryContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	a, err := x.run(ctx, q, args)
	if err != nil {
		return nil, err
	}
	return &remoteRows{a: a}, nil
}

func (x *remote) ExecContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Result, error) {
	a, err := x.run(ctx, q, args)
	if err != nil {
		return nil, err
	}
	return driver.RowsAffected(a.Count), nil
}

type remoteRows struct {
	a  *Answer
	at int
}

func (r *remoteRows) Columns() []string {
	out := make([]string, len(r.a.Columns))
	for i, c := range r.a.Columns {
		out[i] = c.Name
	}
	return out
}

func (r *remoteRows) Close() error { return nil }

func (r *remoteRows) Next(dest []driver.Value) error {
	if r.at >= len(r.a.Rows) {
		return io.EOF
	}
	for i, v := range r.a.Rows[r.at] {
		dest[i] = v.Go()
	}
	r.at++
	return nil
}
