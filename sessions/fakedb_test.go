package sessions

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// fakeDB answers the finder's statements, told apart by the view they read.
type fakeDB struct {
	answers map[string]fakeAnswer
	asked   []string // statement texts, in order
	args    map[string][]any
}

type fakeAnswer struct {
	rows [][]driver.Value
	gen  func(i int) []driver.Value // rows made on demand; nil ends them
	err  error
	late error // after the rows
}

type oraError struct {
	code int
	text string
}

func (e *oraError) Error() string { return fmt.Sprintf("ORA-%05d: %s", e.code, e.text) }
func (e *oraError) Code() int     { return e.code }

// viewOf names the view that a statement reads.
func viewOf(query string) string {
	for _, v := range []string{
		"all_tab_columns", "dba_users", "gv$parameter", "v$parameter", "gv$instance", "v$instance", "v$database",
		"gv$session", "v$session", "dual",
	} {
		if strings.Contains(query, "from "+v) {
			return v
		}
	}
	return query
}

func (f *fakeDB) Connect(context.Context) (driver.Conn, error) { return fakeConn{f}, nil }
func (f *fakeDB) Driver() driver.Driver                        { return nil }

type fakeConn struct{ f *fakeDB }

func (c fakeConn) Prepare(string) (driver.Stmt, error) { return nil, errors.New("not used") }
func (c fakeConn) Close() error                        { return nil }
func (c fakeConn) Begin() (driver.Tx, error)           { return nil, errors.New("not used") }

func (c fakeConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	view := viewOf(query)
	c.f.asked = append(c.f.asked, query)
	if c.f.args == nil {
		c.f.args = map[string][]any{}
	}
	c.f.args[view] = nil
	for _, a := range args {
		c.f.args[view] = append(c.f.args[view], a.Value)
	}
	a, ok := c.f.answers[view]
	if !ok {
		return nil, &oraError{942, "table or view does not exist"}
	}
	if a.err != nil {
		return nil, a.err
	}
	head, _, _ := strings.Cut(query, "\n  from ")
	n := 1
	depth := 0
	for _, r := range head { // columns of the select list
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				n++
			}
		}
	}
	return &fakeRows{a: a, n: n}, nil
}

type fakeRows struct {
	a fakeAnswer
	n int
	i int
}

func (r *fakeRows) Columns() []string {
	names := make([]string, r.n)
	for i := range names {
		names[i] = fmt.Sprintf("C%d", i+1)
	}
	return names
}
func (r *fakeRows) Close() error { return nil }

func (r *fakeRows) Next(dest []driver.Value) error {
	var row []driver.Value
	switch {
	case r.a.gen != nil:
		row = r.a.gen(r.i)
	case r.i < len(r.a.rows):
		row = r.a.rows[r.i]
	}
	if row == nil {
		if r.a.late != nil {
			return r.a.late
		}
		return io.EOF
	}
	r.i++
	if len(row) != len(dest) {
		return fmt.Errorf("fake row has %d values, the statement %d columns", len(row), len(dest))
	}
	copy(dest, row)
	return nil
}

// v is a session as the database would answer it; unset values are those of
// an ordinary session of APP.
type v struct {
	inst, sid, serial, audsid                       int
	username, service, program, module, clientID    string
	status, server, typ                             string
	paddr                                           string
	onProcess, pid                                  int
	spid, stid, pname, background, image, tracefile string
	con                                             string
	notMatched, noProcess                           bool
}

// row is the answer for one session, with or without the instance column.
func (s v) row(rac bool) []driver.Value {
	or := func(text, other string) driver.Value {
		if text == "" {
			text = other
		}
		if text == "NULL" {
			return nil
		}
		return text
	}
	num := func(n, other int) driver.Value {
		if n == 0 {
			n = other
		}
		return int64(n)
	}
	matched := int64(1)
	if s.notMatched {
		matched = 0
	}
	paddr := s.paddr
	if paddr == "" {
		paddr = fmt.Sprintf("%016X", 0x1000+s.inst*0x100000+s.sid)
	}
	row := []driver.Value{
		int64(s.sid), num(s.serial, 100), num(s.audsid, 1000+s.sid), or(s.username, "APP"), or(s.service, "SALES"),
		or(s.program, "JDBC Thin Client"), or(s.module, "shop"), nil, or(s.clientID, "NULL"), nil, "app01", "tomcat",
		or(s.status, "INACTIVE"), or(s.server, "DEDICATED"), or(s.typ, "USER"), "2026-11-30 03:04:05", nil, or(s.con, "NULL"),
		paddr, num(s.onProcess, 1), num(s.pid, 30+s.sid), "7", or(s.spid, fmt.Sprint(5000+s.sid)), or(s.stid, "NULL"),
		or(s.pname, "NULL"), or(s.background, "NULL"), or(s.image, "oracle@db1"), or(s.tracefile, "NULL"), matched,
	}
	if s.noProcess {
		for i := 20; i < 28; i++ {
			row[i] = nil
		}
	}
	if rac {
		row = append([]driver.Value{num(s.inst, 1)}, row...)
	}
	return row
}

// oneInstance is a 19c database with these sessions; the caller is sid 99.
func oneInstance(list ...v) *fakeDB {
	f := &fakeDB{answers: map[string]fakeAnswer{
		"v$instance":      {rows: [][]driver.Value{{int64(1), "ORCL", "db1", "19.0.0.0.0", "2026-11-01 00:00:00", "NO"}}},
		"dual":            {rows: [][]driver.Value{{"99", "4294967295", "+01:00", "2026-11-30 02:04:05", "CDB$ROOT", "1"}}},
		"all_tab_columns": {err: &oraError{942, "table or view does not exist"}},
		"v$database":      {rows: [][]driver.Value{{int64(12345), "ORCL_A", "YES"}}},
		"v$parameter":     {rows: [][]driver.Value{{int64(1), "FALSE"}}},
		"dba_users":       {rows: [][]driver.Value{{"SYS"}, {"SYSTEM"}}},
	}}
	f.sessions(false, list...)
	// V$INSTANCE is read twice with different columns; the second time it fails
	// harmlessly unless a test says otherwise.
	return f
}

func (f *fakeDB) sessions(rac bool, list ...v) {
	view := "v$session"
	if rac {
		view = "gv$session"
	}
	rows := make([][]driver.Value, len(list))
	for i := range list {
		rows[i] = list[i].row(rac)
	}
	f.answers[view] = fakeAnswer{rows: rows}
}

// cluster is a two-instance 19c database; we are connected to instance 1.
func cluster(list ...v) *fakeDB {
	f := oneInstance()
	f.answers["v$instance"] = fakeAnswer{rows: [][]driver.Value{{int64(1), "ORCL1", "db1", "19.0.0.0.0", "2026-11-01 00:00:00", "YES"}}}
	f.answers["gv$instance"] = fakeAnswer{rows: [][]driver.Value{
		{int64(1), "ORCL1", "db1", "19.3.0.0.0", "2026-11-01 00:00:00"},
		{int64(2), "ORCL2", "db2", "19.3.0.0.0", "2026-11-02 00:00:00"},
	}}
	f.answers["gv$parameter"] = fakeAnswer{rows: [][]driver.Value{{int64(1), "FALSE"}, {int64(2), "TRUE"}}}
	f.sessions(true, list...)
	return f
}

// find opens the database and lists its sessions.
func (f *fakeDB) find(t *testing.T, sel *Selector) *Inventory {
	t.Helper()
	inv, err := f.tryFind(sel)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func (f *fakeDB) tryFind(sel *Selector) (*Inventory, error) {
	db := sql.OpenDB(f)
	defer db.Close()
	finder, err := Open(context.Background(), db)
	if err != nil {
		return nil, err
	}
	return finder.Inventory(context.Background(), sel)
}

// selector builds a selector from flag=value words.
func selector(t *testing.T, words ...string) *Selector {
	t.Helper()
	s := &Selector{}
	for _, w := range words {
		flag, value, _ := strings.Cut(w, "=")
		var err error
		switch flag {
		case "like":
			s.Like = true
		case "ignore-case":
			s.IgnoreCase = true
		case "inst":
			err = s.AddInst(value)
		case "sid":
			err = s.AddSID(value)
		default:
			err = fmt.Errorf("no flag %s", flag)
			for _, f := range Fields() {
				if f.Flag() == flag {
					err = s.Add(f, value)
				}
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Normalize(); err != nil {
		t.Fatal(err)
	}
	return s
}

// verdicts prints sid=reason for every row.
func verdicts(inv *Inventory) string {
	var b []string
	for i := range inv.Rows {
		b = append(b, fmt.Sprintf("%d=%s", inv.Rows[i].SID, inv.Rows[i].Reason))
	}
	return strings.Join(b, " ")
}

func warningsOf(t *testing.T, f *fakeDB, words ...string) []string {
	t.Helper()
	return f.find(t, selector(t, words...)).Warnings
}

func readCSV(t *testing.T, text string) *Inventory {
	t.Helper()
	inv, err := ReadInventory("list.csv", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func hasWarning(list []string, parts ...string) bool {
	for _, w := range list {
		all := true
		for _, p := range parts {
			all = all && strings.Contains(w, p)
		}
		if all {
			return true
		}
	}
	return false
}
