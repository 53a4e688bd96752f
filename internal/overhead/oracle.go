package overhead

import (
	"context"
	"database/sql"
	"fmt"
	"path"
	"strings"
	"time"

	"ringtrace/internal/exit"
)

// Session is one database session; *sql.Conn is one. All of a test runs in it.
type Session interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// OracleConfig says how a test runs.
type OracleConfig struct {
	Session Session
	Now     func() time.Time
	Host    string // this host, to tell whether trace files are here
	Ring    int64  // bytes of the buffer
	Flush   bool   // flush the buffer cache before values of IO-bound work
	NoFiles bool   // trace files cannot be reached whatever the host says (sim:)
	Here    bool   // they are on this host whatever it is called (sim:DIR)
	Null    bool   // --allow-null
	Files   TraceFiles
	// Remote counts trace files where the database runs, if that is not here; nil:
	// nobody does. It is asked around every value, in every state: all wait alike.
	Remote   func(path string) (lines, bytes int64, ok bool)
	Identity string // goes into trace file names
}

// TraceFiles is the folder of trace files on this host.
type TraceFiles interface {
	// Ours reports whether the folder belongs to our OS user. The error is that
	// of looking at it.
	Ours(dir string) (bool, error)
	// Count returns lines and bytes of a trace file; ok is false if it cannot.
	Count(path string) (lines, bytes int64, ok bool)
	// Link puts a symbolic link to the null device at path, which must not be.
	Link(path string) error
	// Unlink removes it, if it still is that link. It never follows it.
	Unlink(path string) error
}

// Oracle is a Bench over a session of an Oracle database.
type Oracle struct {
	cfg  OracleConfig
	work Workload

	DB, HostName, Version string
	FilesystemIO          string
	TraceDir              string
	local                 bool
	n                     int    // of trace file names
	path                  string // of the current one
	linked                string // what Link made and Unlink has not removed
	written               Trace  // of the last execution
}

// OpenOracle asks the session where it is.
func OpenOracle(ctx context.Context, cfg OracleConfig) (*Oracle, error) {
	o := &Oracle{cfg: cfg}
	var err error
	if o.HostName, err = o.one(ctx, "select host_name from v$instance"); err != nil {
		return nil, fmt.Errorf("ask for the instance: %w", err)
	}
	if o.DB, err = o.one(ctx, "select name from v$database"); err != nil {
		return nil, fmt.Errorf("ask for the database: %w", err)
	}
	// What follows is nice to have: privileges may be missing.
	o.Version, _ = o.one(ctx, "select version from v$instance")
	o.FilesystemIO, _ = o.one(ctx, "select value from v$parameter where name = 'filesystemio_options'")
	if p, err := o.one(ctx, "select value from v$diag_info where name = 'Default Trace File'"); err == nil && p != "" {
		o.TraceDir = path.Dir(p)
	}
	o.local = !cfg.NoFiles && o.TraceDir != "" && (cfg.Here || sameHost(cfg.Host, o.HostName))
	if server, err := o.one(ctx, "select server from v$session where sid = sys_context('userenv', 'sid')"); err == nil && server != "" && server != "DEDICATED" {
		return nil, exit.Errorf(exit.Refused, "ask for a process of its own: host:port/service:dedicated, or (SERVER=DEDICATED) in the alias",
			"this session's server is %s: its trace would be spread over the files of several processes", server)
	}
	return o, nil
}

// sameHost compares host names, with or without domain.
func sameHost(a, b string) bool {
	short := func(s string) string { s, _, _ = strings.Cut(strings.ToLower(s), "."); return s }
	return a != "" && short(a) == short(b)
}

// Local reports whether the database runs on this host.
func (o *Oracle) Local() bool { return o.local }

// Counts reports whether trace lines are counted, here or there.
func (o *Oracle) Counts() bool { return o.local || !o.cfg.NoFiles && o.cfg.Remote != nil }

// Resume goes on in another session, to undo what was done when the first one
// is lost.
func (o *Oracle) Resume(s Session) { o.cfg.Session = s }

// Traced is how many trace files were begun.
func (o *Oracle) Traced() int { return o.n }

// Use sets the workload of the next test.
func (o *Oracle) Use(w Workload) { o.work = w }

// one returns the first column of the first row.
func (o *Oracle) one(ctx context.Context, query string) (string, error) {
	rows, err := o.cfg.Session.QueryContext(ctx, query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var v sql.NullString
	if rows.Next() {
		if err := rows.Scan(&v); err != nil {
			return "", err
		}
	}
	return v.String, rows.Err()
}

func (o *Oracle) do(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := o.cfg.Session.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s: %w", s, err)
		}
	}
	return nil
}

// Unavailable implements Bench.
func (o *Oracle) Unavailable(s State) string {
	switch {
	case s != Null:
		return ""
	case !o.cfg.Null:
		return "needs --allow-null, on the database host as the owner of the trace files"
	case !o.local:
		return fmt.Sprintf("the trace files are on %s, not here", o.HostName)
	}
	switch ours, err := o.cfg.Files.Ours(o.TraceDir); {
	case err != nil:
		return "the folder of trace files cannot be looked at: " + err.Error()
	case !ours:
		return fmt.Sprintf("%s belongs to another OS user; run it as that user", o.TraceDir)
	}
	return ""
}

// Before implements Bench. Every state gets a trace file name of its own, so
// that nothing is appended to what was there.
func (o *Oracle) Before(ctx context.Context, s State) error {
	if o.cfg.Flush && o.work.Flush {
		if err := o.do(ctx, "alter system flush buffer_cache"); err != nil {
			return err
		}
	}
	if s == Off || s == OffAgain {
		return nil
	}
	o.n++
	// A limit would cut the trace off, and what is not written costs nothing.
	if err := o.do(ctx, "alter session set max_dump_file_size = unlimited"); err != nil {
		return err
	}
	if err := o.do(ctx, fmt.Sprintf("alter session set tracefile_identifier = '%s_%d'", o.cfg.Identity, o.n)); err != nil {
		return err
	}
	var err error
	if o.path, err = o.one(ctx, "select value from v$diag_info where name = 'Default Trace File'"); err != nil {
		return err
	}
	switch s {
	case Null:
		if err := o.cfg.Files.Link(o.path); err != nil {
			return err
		}
		o.linked = o.path
	case Buffered:
		if err := o.do(ctx, fmt.Sprintf("alter session set events 'immediate trace name trace_buffer_on level %d'", o.cfg.Ring)); err != nil {
			return err
		}
	}
	if err := o.do(ctx, "alter session set events 'sql_trace wait=true, bind=true'"); err != nil {
		return err
	}
	_, err = o.one(ctx, "select dummy from dual") // opens the file and writes its header
	return err
}

// After implements Bench. All of it is tried, whatever fails.
func (o *Oracle) After(ctx context.Context, s State) (Trace, error) {
	if s == Off || s == OffAgain {
		return Trace{}, nil
	}
	err := o.do(ctx, "alter session set events 'sql_trace off'")
	if s == Buffered {
		if e := o.do(ctx, "alter session set events 'immediate trace name trace_buffer_off'"); err == nil {
			err = e
		}
	}
	// Another name closes the file.
	if e := o.do(ctx, fmt.Sprintf("alter session set tracefile_identifier = '%s_0'", o.cfg.Identity)); err == nil {
		err = e
	}
	if o.linked != "" {
		e := o.cfg.Files.Unlink(o.linked)
		if e == nil {
			o.linked = ""
		} else if err == nil {
			err = e
		}
		return Trace{}, err
	}
	return o.written, err
}

// Execute implements Bench. What the trace file gained is counted around the
// workload alone, so that our own questions are not in it. A buffer's file
// holds what was left of it, not what was written.
func (o *Oracle) Execute(ctx context.Context, s State, k int) (Execution, error) {
	o.written = Trace{}
	cpu0, _ := o.dbCPU(ctx)
	count := func() (t Trace) {
		switch {
		case o.local && s == File:
			t.Lines, t.Bytes, t.Known = o.cfg.Files.Count(o.path)
		case !o.local && o.cfg.Remote != nil:
			t.Lines, t.Bytes, t.Known = o.cfg.Remote(o.path)
			t.Known = t.Known && s == File
		}
		return t
	}
	before := count()
	start := o.cfg.Now()
	if err := o.work.run(ctx, o.cfg.Session, k); err != nil {
		return Execution{}, err
	}
	e := Execution{Elapsed: o.cfg.Now().Sub(start)}
	if after := count(); before.Known && after.Known {
		o.written = Trace{after.Lines - before.Lines, after.Bytes - before.Bytes, true}
	}
	if cpu1, ok := o.dbCPU(ctx); ok && cpu1 > cpu0 {
		e.CPU, e.HaveCPU = cpu1-cpu0, true
	}
	return e, nil
}

// run executes a workload k times.
func (w *Workload) run(ctx context.Context, session Session, k int) error {
	if w.Loop {
		_, err := session.ExecContext(ctx, w.SQL, k)
		return err
	}
	for range k {
		if err := w.once(ctx, session); err != nil {
			return err
		}
	}
	return nil
}

func (w *Workload) once(ctx context.Context, session Session) error {
	if w.Block {
		_, err := session.ExecContext(ctx, w.SQL)
		return err
	}
	rows, err := session.QueryContext(ctx, w.SQL)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() { // fetch them all; their values do not matter
	}
	return rows.Err()
}

// dbCPU is the session's CPU time so far.
func (o *Oracle) dbCPU(ctx context.Context) (time.Duration, bool) {
	rows, err := o.cfg.Session.QueryContext(ctx, "select value from v$sess_time_model where sid = sys_context('userenv', 'sid') and stat_name = 'DB CPU'")
	if err != nil {
		return 0, false
	}
	defer rows.Close()
	var us int64
	if !rows.Next() || rows.Scan(&us) != nil {
		return 0, false
	}
	return time.Duration(us) * time.Microsecond, true
}
