package sqlplus

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"

	"ringtrace/internal/exit"
)

// OpenDB returns the conversation as a database: one connection, which is the
// conversation's session. Closing it does not end the conversation. There are
// no transactions.
func (c *Conversation) OpenDB() *sql.DB {
	db := sql.OpenDB(connector{c})
	db.SetMaxOpenConns(1)
	return db
}

type connector struct{ c *Conversation }

func (k connector) Connect(context.Context) (driver.Conn, error) { return conn(k), nil }

func (k connector) Driver() driver.Driver { return drv{} }

type drv struct{}

// Open is not the way: a conversation is started with Start.
func (drv) Open(string) (driver.Conn, error) {
	return nil, errors.New("use Start and Conversation.OpenDB")
}

type conn struct{ c *Conversation }

func (k conn) Close() error { return nil }

func (k conn) Begin() (driver.Tx, error) {
	return nil, errors.New("a sqlplus conversation has no transactions")
}

func (k conn) Prepare(query string) (driver.Stmt, error) { return stmt{k.c, query}, nil }

// CheckNamedValue takes what literalOf takes, after the usual conversions.
func (k conn) CheckNamedValue(v *driver.NamedValue) (err error) {
	v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	return err
}

func (k conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	r, err := k.c.Query(ctx, query, args...)
	if err != nil {
		return nil, explained(err)
	}
	return &rows{result: r}, nil
}

func (k conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return driver.ResultNoRows, explained(k.c.Exec(ctx, query, args...))
}

// explained gives an end of the conversation its exit code. Errors of the
// database are the caller's to judge, and an interruption is main's.
func explained(err error) error {
	switch {
	case asCanceled(err):
		return err
	case errors.Is(err, ErrLost):
		return exit.Errorf(exit.CannotConnect, "try again; --dialogue FILE keeps what was said until then, and the alert log may tell why", "%w", err)
	case errors.Is(err, ErrTimedOut):
		return exit.Errorf(exit.CannotConnect, "look at the load of the database, or give a longer --command-timeout", "%w", err)
	}
	return err
}

type stmt struct {
	c     *Conversation
	query string
}

func (s stmt) Close() error  { return nil }
func (s stmt) NumInput() int { return -1 }

func (s stmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

func (s stmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return conn{s.c}.QueryContext(ctx, s.query, args)
}

func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return conn{s.c}.ExecContext(ctx, s.query, args)
}

type rows struct {
	result *Result
	at     int
}

func (r *rows) Columns() []string { return r.result.Columns }

func (r *rows) Close() error { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if r.at >= len(r.result.Rows) {
		return io.EOF
	}
	copy(dest, r.result.Rows[r.at])
	r.result.Rows[r.at] = nil // read once
	r.at++
	return nil
}
