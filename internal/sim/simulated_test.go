package sim

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/connect"
	"ringtrace/internal/sim/release"
)

// TestItTellsThatItIsSimulated on every release and instance, behind the row
// that the release has: who reads the first row alone finds what he expects.
func TestItTellsThatItIsSimulated(t *testing.T) {
	all, err := release.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		name := r.Name
		d, err := New(Spec{Release: name, Instances: 2, Sessions: 3, Seed: 1}, time.Now, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range d.Instances {
			db, err := Connect(d, in)
			if err != nil {
				t.Fatal(err)
			}
			if !connect.Simulated(t.Context(), db) {
				t.Errorf("%s, instance %d: it is taken for a database", name, in.ID)
			}
			got := texts(t, db, "select banner from v$version")
			if len(got) != 2 || got[0] != r.Banner || !strings.HasPrefix(got[1], connect.SimulatedBanner) {
				t.Errorf("%s, instance %d: V$VERSION has %q", name, in.ID, got)
			}
			if got := texts(t, db, "select banner from gv$version"); len(got) != 4 {
				t.Errorf("%s: GV$VERSION has %q", name, got)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// unreadable is a connection without V$VERSION.
type unreadable struct{}

func (unreadable) QueryContext(context.Context, string, ...any) (*sql.Rows, error) {
	return nil, errors.New("ORA-00942: table or view does not exist")
}

// other asks something else, to be a database whose V$VERSION has no such row.
type other struct {
	*sql.DB
	query string
}

func (o other) QueryContext(ctx context.Context, _ string, _ ...any) (*sql.Rows, error) {
	return o.DB.QueryContext(ctx, o.query)
}

// TestWhatIsNotSimulated: a database is what does not say that it is none.
func TestWhatIsNotSimulated(t *testing.T) {
	d, err := New(Spec{Release: "19c", Instances: 1, Sessions: 3, Seed: 1}, time.Now, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	db, err := Connect(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // in memory
	for name, q := range map[string]connect.Querier{
		"unreadable": unreadable{},
		"no row":     other{db, "select banner from v$version where banner like 'nothing%'"},
	} {
		if connect.Simulated(t.Context(), q) {
			t.Errorf("%s: taken for a simulated instance", name)
		}
	}
	if !connect.Simulated(t.Context(), other{db, "select banner from v$version where rownum = 1"}) {
		t.Error("a row that came is not counted")
	}
}

func texts(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
