package sim

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/plsql"
)

// Open returns a connection to an instance in process, for `-c sim:?…`. Its
// session is SYS AS SYSDBA on the first instance. Closing the *sql.DB ends
// the instance; nothing is kept. now is the clock of the simulated server.
func Open(ctx context.Context, spec Spec, now func() time.Time) (*sql.DB, *instance.Database, error) {
	d, err := New(spec, now, nil, "")
	if err != nil {
		return nil, nil, err
	}
	db, err := Connect(d, d.Instances[0])
	if err != nil {
		return nil, nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, nil, fmt.Errorf("simulated instance: %w", err)
	}
	return db, d, nil
}

// Connect opens the database/sql door to one instance of a simulated
// database.
func Connect(d *instance.Database, in *instance.Instance) (*sql.DB, error) {
	e, err := engine.Open(d, in)
	if err != nil {
		return nil, err
	}
	return engine.OpenDB(&engine.Connector{
		Engine: e,
		Logon: instance.Logon{
			User: "SYS", Sysdba: true, Bequeath: true, Program: "ringtrace@" + in.Host, Machine: in.Host, OSUser: "oracle",
			ClientPID: "4711", Module: "ringtrace", Driver: "simulator",
		},
		Block: runBlock,
	}), nil
}

// runBlock runs a PL/SQL block; positional binds are :1, :2 …
func runBlock(ctx context.Context, s *engine.Session, q string, binds []engine.Bind) error {
	m := &plsql.Machine{SQL: s, Binds: map[string]any{}}
	for i, b := range binds {
		name := b.Name
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		m.Binds[strings.ToUpper(name)] = b.Value
	}
	return m.Run(ctx, q)
}
