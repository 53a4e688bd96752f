package overhead

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Postgres is a Bench that measures what EXPLAIN ANALYZE costs: its timing
// reads the clock twice a row, so it is the same question in another database.
type Postgres struct {
	conn *pgx.Conn
	sql  string
	rows int64 // rows of all plan nodes of one execution
	now  func() time.Time
	cpu  func() (time.Duration, bool)

	Version string
	PID     uint32
}

// PostgresConfig says where and what.
type PostgresConfig struct {
	URL      string // without a password
	Password string
	SQL      string // one query
	Now      func() time.Time
	// CPU returns the CPU time of a server process on this host; nil, or false,
	// if that cannot be known.
	CPU func(pid uint32) (time.Duration, bool)
}

// DefaultPostgresSQL needs no table; n is its rows.
func DefaultPostgresSQL(n int) string {
	return fmt.Sprintf("select count(*) from generate_series(1, %d)", n)
}

// OpenPostgres connects, and takes parallelism and compilation out of the way
// of this session.
func OpenPostgres(ctx context.Context, cfg PostgresConfig) (*Postgres, error) {
	c, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("parse the postgres URL: %w", err)
	}
	if cfg.Password != "" {
		c.Password = cfg.Password
	}
	c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("connect to %s:%d: %w", c.Host, c.Port, err)
	}
	p := &Postgres{conn: conn, sql: strings.TrimRight(strings.TrimSpace(cfg.SQL), ";"), now: cfg.Now, PID: conn.PgConn().PID()}
	if cfg.CPU != nil && isLocal(c.Host) {
		p.cpu = func() (time.Duration, bool) { return cfg.CPU(p.PID) }
	}
	for _, q := range []string{"set max_parallel_workers_per_gather = 0", "set jit = off", "set application_name = 'ringtrace'"} {
		if _, err := conn.Exec(ctx, q); err != nil {
			_ = p.Close(ctx)
			return nil, fmt.Errorf("%s: %w", q, err)
		}
	}
	if err := p.look(ctx); err != nil {
		_ = p.Close(ctx)
		return nil, err
	}
	return p, nil
}

// isLocal reports whether the server's processes are on this host.
func isLocal(host string) bool {
	return host == "" || host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "/")
}

// look finds out the version and how many rows the plan's nodes return.
func (p *Postgres) look(ctx context.Context) error {
	if err := p.conn.QueryRow(ctx, "show server_version").Scan(&p.Version); err != nil {
		return fmt.Errorf("ask the version: %w", err)
	}
	var doc string
	if err := p.conn.QueryRow(ctx, "explain (analyze, timing off, summary off, format json) "+p.sql).Scan(&doc); err != nil {
		return fmt.Errorf("explain the query: %w", err)
	}
	n, err := planRows([]byte(doc))
	p.rows = n
	return err
}

// planNode is what we read of EXPLAIN's JSON.
type planNode struct {
	Rows  float64    `json:"Actual Rows"`
	Loops float64    `json:"Actual Loops"`
	Plans []planNode `json:"Plans"`
}

func (n *planNode) total() float64 {
	sum := n.Rows * n.Loops
	for i := range n.Plans {
		sum += n.Plans[i].total()
	}
	return sum
}

// planRows sums the rows of all nodes: each is timed on its own.
func planRows(doc []byte) (int64, error) {
	var plans []struct{ Plan planNode }
	if err := json.Unmarshal(doc, &plans); err != nil {
		return 0, fmt.Errorf("read the plan: %w", err)
	}
	if len(plans) == 0 {
		return 0, fmt.Errorf("read the plan: there is none in %.60q", doc)
	}
	return int64(plans[0].Plan.total()), nil
}

// Rows is how many rows one execution's plan nodes return together.
func (p *Postgres) Rows() int64 { return p.rows }

// Close ends the connection.
func (p *Postgres) Close(ctx context.Context) error { return p.conn.Close(ctx) }

// Unavailable implements Bench.
func (p *Postgres) Unavailable(State) string { return "" }

// Before implements Bench; nothing is switched, the statement is another one.
func (p *Postgres) Before(context.Context, State) error { return nil }

// After implements Bench.
func (p *Postgres) After(context.Context, State) (Trace, error) { return Trace{}, nil }

// Execute implements Bench.
func (p *Postgres) Execute(ctx context.Context, s State, k int) (Execution, error) {
	sql := p.sql
	switch s {
	case TimingOff:
		sql = "explain (analyze, timing off) " + p.sql
	case TimingOn:
		sql = "explain (analyze, timing on) " + p.sql
	}
	var cpu0 time.Duration
	have := false
	if p.cpu != nil {
		cpu0, have = p.cpu()
	}
	start := p.now()
	for range k {
		rows, err := p.conn.Query(ctx, sql)
		if err != nil {
			return Execution{}, err
		}
		for rows.Next() { // read them all; their values do not matter
		}
		if err := rows.Err(); err != nil {
			return Execution{}, err
		}
	}
	e := Execution{Elapsed: p.now().Sub(start), Rows: p.rows * int64(k)}
	if have {
		if cpu1, ok := p.cpu(); ok && cpu1 > cpu0 {
			e.CPU, e.HaveCPU = cpu1-cpu0, true
		}
	}
	return e, nil
}
