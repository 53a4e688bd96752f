//go:build !cgo

package oradb

import (
	"context"
	"database/sql"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// Built tells whether the driver is in this build.
const Built = false

// DB is one session of the database; this build cannot open one.
type DB struct{}

// Open says what is missing: the driver is written in C in part.
func Open(_ context.Context, cfg Config) (*DB, error) {
	return nil, notBuilt(cfg.Target)
}

func notBuilt(t connect.Target) error {
	if t.Kind == connect.Local {
		return connect.NoOSAuthentication(t)
	}
	return exit.Errorf(exit.ToolMissing,
		"build with CGO_ENABLED=1 and a C compiler, or "+connect.WithoutDriver,
		"this ringtrace was built without cgo, so it has no Oracle driver")
}

// QueryContext is never reached: Open opens nothing.
func (d *DB) QueryContext(context.Context, string, ...any) (*sql.Rows, error) {
	return nil, notBuilt(connect.Target{})
}

// ExecContext is never reached: Open opens nothing.
func (d *DB) ExecContext(context.Context, string, ...any) (sql.Result, error) {
	return nil, notBuilt(connect.Target{})
}

// Close closes nothing.
func (d *DB) Close() error { return nil }
