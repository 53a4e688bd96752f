package oradb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// session is what a relay asks; *sql.Conn is one.
type session interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
}

// relay stands between a session and those who ask, and waits for no answer
// longer than cfg.CallTimeout and a grace. The client library keeps the same
// time (OCI_ATTR_CALL_TIMEOUT), but then it sends a break to the server and
// waits for an answer to that, and a server or network that is hung gives none.
// A session that was given up is dead: its call may still be running.
type relay struct {
	s     session
	cfg   *Config
	grace time.Duration
	dead  atomic.Bool
	rows  *sql.DB // serves what comes in batches
}

// relayGrace is how long the client library may need to report a time-out.
const relayGrace = 2 * time.Second

func newRelay(s session, cfg *Config) *relay {
	r := &relay{s: s, cfg: cfg, grace: relayGrace}
	r.rows = sql.OpenDB(relayConnector{r})
	return r
}

// batch is a part of an answer.
type batch struct {
	columns []string // in the first
	rows    [][]driver.Value
	err     error // io.EOF: that was all
}

// batchRows is how many rows are handed over at once.
const batchRows = 256

// request is the one argument of a query to relay.rows.
type request struct {
	query string
	args  []any
}

// query runs a query; each wait for a part of its answer is bounded.
func (r *relay) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if r.cfg.CallTimeout <= 0 {
		return r.s.QueryContext(ctx, query, args...)
	}
	return r.rows.QueryContext(ctx, "", request{query, args})
}

// exec runs a statement.
func (r *relay) exec(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if r.cfg.CallTimeout <= 0 {
		return r.s.ExecContext(ctx, statement, args...)
	}
	if r.dead.Load() {
		return nil, r.cfg.gaveUp()
	}
	type answer struct {
		res sql.Result
		err error
	}
	done := make(chan answer, 1)
	go func() {
		res, err := r.s.ExecContext(r.cfg.bound(ctx), statement, args...)
		done <- answer{res, err}
	}()
	t := time.NewTimer(r.patience())
	defer t.Stop()
	select {
	case a := <-done:
		return a.res, r.cfg.late(ctx, a.err)
	case <-t.C:
		r.dead.Store(true)
		return nil, r.cfg.gaveUp()
	}
}

func (r *relay) patience() time.Duration { return r.cfg.CallTimeout + r.grace }

// produce asks the session and hands the answer over until stop is closed.
func (r *relay) produce(ctx context.Context, q request, to chan<- batch, stop <-chan struct{}) {
	send := func(b batch) bool {
		select {
		case to <- b:
			return true
		case <-stop:
			return false
		}
	}
	rows, err := r.s.QueryContext(r.cfg.bound(ctx), q.query, q.args...)
	if err != nil {
		send(batch{err: err})
		return
	}
	defer rows.Close() //nolint:errcheck // Err tells
	columns, err := rows.Columns()
	if err != nil || !send(batch{columns: columns}) {
		send(batch{err: err})
		return
	}
	var b batch
	for rows.Next() {
		row, dest := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			dest[i] = &row[i]
		}
		if b.err = rows.Scan(dest...); b.err != nil {
			send(b)
			return
		}
		values := make([]driver.Value, len(row))
		for i, v := range row {
			values[i] = v
		}
		if b.rows = append(b.rows, values); len(b.rows) == batchRows {
			if !send(b) {
				return
			}
			b = batch{}
		}
	}
	if b.err = rows.Err(); b.err == nil {
		b.err = io.EOF
	}
	send(b)
}

type relayConnector struct{ r *relay }

func (c relayConnector) Connect(context.Context) (driver.Conn, error) { return relayConn(c), nil }

func (relayConnector) Driver() driver.Driver { return relayDriver{} }

type relayDriver struct{}

// Open is not the way to a relay.
func (relayDriver) Open(string) (driver.Conn, error) { return nil, errors.ErrUnsupported }

type relayConn struct{ r *relay }

func (relayConn) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }
func (relayConn) Begin() (driver.Tx, error)           { return nil, errors.ErrUnsupported }
func (relayConn) Close() error                        { return nil }

// CheckNamedValue takes a request as it is: the session checks its arguments.
func (relayConn) CheckNamedValue(*driver.NamedValue) error { return nil }

// QueryContext implements driver.QueryerContext.
func (c relayConn) QueryContext(ctx context.Context, _ string, args []driver.NamedValue) (driver.Rows, error) {
	if c.r.dead.Load() {
		return nil, c.r.cfg.gaveUp()
	}
	from, stop := make(chan batch), make(chan struct{})
	go c.r.produce(ctx, args[0].Value.(request), from, stop)
	rows := &relayRows{r: c.r, ctx: ctx, from: from, stop: stop}
	b := rows.next()
	if b.err != nil {
		return nil, errors.Join(b.err, rows.Close())
	}
	rows.columns = b.columns
	return rows, nil
}

type relayRows struct {
	r       *relay
	ctx     context.Context //nolint:containedctx // of the query
	from    <-chan batch
	stop    chan struct{}
	closed  bool
	columns []string
	at      batch
}

// next waits for the next part.
func (x *relayRows) next() batch {
	t := time.NewTimer(x.r.patience())
	defer t.Stop()
	select {
	case b := <-x.from:
		if b.err != nil && !errors.Is(b.err, io.EOF) {
			b.err = x.r.cfg.late(x.ctx, b.err)
		}
		return b
	case <-x.ctx.Done():
		return batch{err: context.Cause(x.ctx)}
	case <-t.C:
		x.r.dead.Store(true)
		return batch{err: x.r.cfg.gaveUp()}
	}
}

func (x *relayRows) Columns() []string { return x.columns }

func (x *relayRows) Close() error {
	if !x.closed {
		x.closed = true
		close(x.stop)
	}
	return nil
}

// Next implements driver.Rows.
func (x *relayRows) Next(dest []driver.Value) error {
	for len(x.at.rows) == 0 {
		if x.at.err != nil {
			return x.at.err
		}
		x.at = x.next()
	}
	copy(dest, x.at.rows[0])
	x.at.rows[0] = nil // read once
	x.at.rows = x.at.rows[1:]
	return nil
}
