//go:build cgo

package oradb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/godror/godror"
	"github.com/godror/godror/dsn"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// Built tells whether the driver is in this build.
const Built = true

// DB is one session of the database: a single standalone connection, never a
// pool, so that "our own session" is one row of V$SESSION and a lost
// connection is seen instead of being opened again behind our back.
type DB struct {
	db   *sql.DB
	conn *sql.Conn
	ask  *relay
	cfg  Config
}

// Open connects. The errors are explained (Config.Explain).
func Open(ctx context.Context, cfg Config) (*DB, error) {
	params, err := cfg.params()
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(godror.NewConnector(params))
	db.SetMaxOpenConns(1)
	d := &DB{db: db, cfg: cfg}
	if d.conn, err = d.logon(ctx); err != nil {
		return nil, cfg.Explain(err)
	}
	d.ask = newRelay(d.conn, &d.cfg)
	return d, nil
}

// logon waits for the connection no longer than the context and ConnectTimeout
// allow. The driver's own logon knows neither, so it may go on in the
// background until the network gives up.
func (d *DB) logon(ctx context.Context) (*sql.Conn, error) {
	if d.cfg.ConnectTimeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d.cfg.ConnectTimeout)
		defer cancel()
	}
	type result struct {
		conn *sql.Conn
		err  error
	}
	done := make(chan result, 1)
	go func() {
		conn, err := d.db.Conn(d.tag(context.WithoutCancel(ctx)))
		done <- result{conn, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			d.db.Close()
		}
		return r.conn, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.err == nil {
				r.conn.Close()
			}
			d.db.Close()
		}()
		return nil, ctx.Err()
	}
}

// params builds the driver's parameters. The session gets binary comparison,
// whatever NLS_COMP and NLS_SORT the environment asks for, because selectors
// are exact.
func (c *Config) params() (godror.ConnectionParams, error) {
	var p godror.ConnectionParams
	switch c.Target.Kind {
	case connect.Local, connect.Wallet:
		p.ExternalAuth = sql.NullBool{Bool: true, Valid: true}
	case connect.Remote:
		p.Username = c.Target.User
		p.Password = godror.NewPassword(c.Password)
	default:
		return p, exit.Errorf(exit.Usage, "give -c user@host:port/service", "%s is not an Oracle database", c.Target)
	}
	p.ConnectString = c.Target.Address
	p.StandaloneConnection = sql.NullBool{Bool: true, Valid: true}
	p.LibDir, p.ConfigDir = c.LibDir, c.ConfigDir
	// A fixed zone keeps the driver from comparing zones and writing a warning
	// to stderr; times are read as text anyway.
	p.Timezone, p.NoTZCheck = time.UTC, true
	p.AlterSession = [][2]string{{"NLS_COMP", "BINARY"}, {"NLS_SORT", "BINARY"}}
	p.AdminRole = dsn.AdminRole(c.Target.Role) // the parser of --connect knows the roles
	return p, nil
}

// tag marks what is done in ctx as ours: V$SESSION.MODULE and ACTION.
func (d *DB) tag(ctx context.Context) context.Context {
	return godror.ContextWithTraceTag(ctx, godror.TraceTag{Module: d.cfg.Module, Action: d.cfg.Action})
}

// QueryContext runs a query. Arguments are positional binds (:1, :2 …). Rows
// are fetched by the thousand.
func (d *DB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	options := []any{godror.FetchArraySize(fetchRows), godror.PrefetchCount(fetchRows + 1)}
	return d.ask.query(d.tag(ctx), query, append(append([]any{}, args...), options...)...)
}

const fetchRows = 1000

// ExecContext runs a statement without rows.
func (d *DB) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	return d.ask.exec(d.tag(ctx), statement, args...)
}

// Close logs off. A database that does not answer is not waited for: the driver
// gives the logoff no time-out.
func (d *DB) Close() error {
	done := make(chan error, 1)
	go func() { done <- errors.Join(d.ask.rows.Close(), d.conn.Close(), d.db.Close()) }()
	if d.cfg.CallTimeout <= 0 {
		return <-done
	}
	patience := min(d.cfg.CallTimeout, closeTimeout)
	if d.ask.dead.Load() {
		patience = 0
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case err := <-done:
		return err
	case <-t.C:
		return fmt.Errorf("%s did not answer the logoff", d.cfg.Target)
	}
}

// closeTimeout is how long a logoff is waited for.
const closeTimeout = 5 * time.Second
