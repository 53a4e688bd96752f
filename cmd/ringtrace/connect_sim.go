package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
)

// openSim is the door to a simulated instance: in process for `sim:` and
// `sim:?…`, the one that runs in a folder for `sim:DIR`.
func (rt *runtime) openSim(c *cli.Context, t connect.Target) (*door, error) {
	if t.Address != "" && !strings.HasPrefix(t.Address, "?") {
		client, err := dialSim(t.Address)
		if err != nil {
			return nil, err
		}
		client.Timeout = commandTimeout(c)
		db := client.OpenDB(1, rt.simCaller())
		conn, err := db.Conn(c.Context) // one session, so that it knows itself, and a lost one is seen
		if err != nil {
			return nil, errors.Join(exit.Errorf(exit.CannotConnect, "start it again with: ringtrace sim up --dir "+quoteArg(t.Address), "%w", err), db.Close())
		}
		return &door{Querier: simSession{conn, client.Timeout, client.Layout.Dir}, target: t, close: func() error { return errors.Join(conn.Close(), db.Close()) }}, nil
	}
	spec, err := rt.simSpec(t.Address)
	if err != nil {
		return nil, err
	}
	db, _, err := sim.Open(c.Context, spec, rt.now)
	if err != nil {
		return nil, exit.Errorf(exit.CannotConnect, "report this, it is a fault of the simulator", "%w", err)
	}
	return &door{Querier: db, target: t, close: db.Close}, nil
}

// simSession is a session of a simulated instance that runs in a folder.
type simSession struct {
	*sql.Conn
	timeout time.Duration
	dir     string
}

// QueryContext says what to do about an answer that does not come.
func (s simSession) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := s.Conn.QueryContext(ctx, query, args...)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = exit.Errorf(exit.CannotConnect, "give a longer --command-timeout, or end it with: ringtrace sim down --dir "+quoteArg(s.dir), "the simulated instance gave no answer within %v", s.timeout)
	}
	return rows, err
}

// simSpec reads what stands behind sim: for an instance in process.
func (rt *runtime) simSpec(address string) (sim.Spec, error) {
	spec, err := sim.ParseSpec(address)
	if err != nil {
		return spec, exit.Errorf(exit.Usage, "write for example -c 'sim:?seed=1&sessions=60&release=19c'", "%w", err)
	}
	return spec, nil
}
