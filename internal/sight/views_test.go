package sight_test

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sight"
	"ringtrace/internal/sim"
)

// TestViewsReadAllAndForEverybody: a file larger than one piece is read to its
// end, and who comes later with another offset gets what it has not seen, though
// nothing was written since.
func TestViewsReadAllAndForEverybody(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	d, err := sim.New(sim.Spec{Sessions: 5, Seed: 1}, func() time.Time { return now }, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sim.Connect(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	path := d.ADRHome(d.Instances[0]) + "/trace/ORCL_ora_4711.trc"
	line := "WAIT #1: nam='x' ela= 1 tim=1 " + strings.Repeat("y", 900) + "\n"
	text := []byte(strings.Repeat(line, 2*sight.MaxPiece/len(line)+100))
	if err := d.Store.Append(path, text, now); err != nil {
		t.Fatal(err)
	}
	v := &sight.Views{Q: db, InstID: 1}
	if err := v.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	f := sight.File{InstID: 1, Path: path}
	for who := range 3 {
		found, seen, err := sight.Whole(context.Background(), v, f, 0, nil)
		if err != nil || !seen || found.Records != bytes.Count(text, []byte("\n")) {
			t.Fatalf("reader %d: %d records, want %d; seen %v, %v", who, found.Records, bytes.Count(text, []byte("\n")), seen, err)
		}
	}
	if n, ok := sight.Size(context.Background(), v, f); !ok || n != int64(len(text)) {
		t.Errorf("size %d, %v; want %d", n, ok, len(text))
	}
	if p, err := v.Look(context.Background(), f, int64(len(text))); err != nil || len(p.Data) != 0 || p.Next != int64(len(text)) {
		t.Errorf("nothing new: %d bytes, next %d, %v", len(p.Data), p.Next, err)
	}
}

// TestViewsLongName: a name that the view's column cannot hold is not seen, and
// so no proof that nothing was written (facts/views-and-sqlplus.md 1.4).
func TestViewsLongName(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	d, err := sim.New(sim.Spec{Sessions: 5, Seed: 1}, func() time.Time { return now }, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sim.Connect(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	v := &sight.Views{Q: db, InstID: 1}
	if err := v.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	for name, seen := range map[string]bool{"ORCL_ora_1.trc": true, "ORCL_ora_1_" + strings.Repeat("x", 60) + ".trc": false} {
		p, err := v.Look(context.Background(), sight.File{InstID: 1, Path: d.ADRHome(d.Instances[0]) + "/trace/" + name}, 0)
		if err != nil || p.Seen != seen {
			t.Errorf("%s: seen %v, want %v; %v", name, p.Seen, seen, err)
		}
	}
}

// TestViewsOfTwoHomes: the files of two ADR homes may have one name.
func TestViewsOfTwoHomes(t *testing.T) {
	q := asked(func(query string, args []driver.NamedValue) [][]driver.Value {
		if strings.Contains(query, "contents") {
			return [][]driver.Value{{"of " + args[1].Value.(string)}}
		}
		return [][]driver.Value{{"a.trc", "/x/ORCL", "2026-03-14 15:00:00.000"}, {"a.trc", "/x/ORCL1", "2026-03-14 15:00:00.000"}}
	})
	db := sql.OpenDB(q)
	defer db.Close()
	v := &sight.Views{Q: db, InstID: 1}
	if err := v.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{"/x/ORCL", "/x/ORCL1"} {
		p, err := v.Look(context.Background(), sight.File{InstID: 1, Path: home + "/trace/a.trc"}, 0)
		if err != nil || string(p.Data) != "of "+home+"\n" {
			t.Errorf("%s: %q, %v", home, p.Data, err)
		}
	}
}

// asked is a database that answers from a function.
type asked func(query string, args []driver.NamedValue) [][]driver.Value

func (a asked) Connect(context.Context) (driver.Conn, error) { return askedConn{a}, nil }
func (a asked) Driver() driver.Driver                        { return nil }

type askedConn struct{ answer asked }

func (askedConn) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }
func (askedConn) Close() error                        { return nil }
func (askedConn) Begin() (driver.Tx, error)           { return nil, errors.ErrUnsupported }

func (c askedConn) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return &askedRows{rows: c.answer(query, args)}, nil
}

type askedRows struct{ rows [][]driver.Value }

func (r *askedRows) Columns() []string { return make([]string, len(r.rows[0])) }
func (r *askedRows) Close() error      { return nil }

func (r *askedRows) Next(to []driver.Value) error {
	if len(r.rows) == 1 && r.rows[0] == nil {
		return io.EOF
	}
	copy(to, r.rows[0])
	if r.rows = r.rows[1:]; len(r.rows) == 0 {
		r.rows = [][]driver.Value{nil}
	}
	return nil
}
