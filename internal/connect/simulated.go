package connect

import (
	"context"
	"database/sql"
)

// SimulatedBanner begins the last BANNER of V$VERSION of a simulated instance;
// no release of Oracle has such a row. It is how an instance that is reached as
// a database is reached, through sqlplus or the driver, tells that it is none.
const SimulatedBanner = "ringtrace simulated instance"

// Querier is what Simulated asks; *sql.DB, *sql.Conn and *sql.Tx have it.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Simulated asks an open connection whether a simulated instance is behind it.
// A V$VERSION that cannot be read is a database's. It is for keeping records
// apart and for what is printed: no question may be left out because of it, for
// it is the database's own word.
func Simulated(ctx context.Context, q Querier) bool {
	rows, err := q.QueryContext(ctx, "select banner from v$version where banner like '"+SimulatedBanner+"%'")
	if err != nil {
		return false
	}
	defer rows.Close() //nolint:errcheck // Err tells
	found := false
	for rows.Next() {
		found = true
	}
	return found && rows.Err() == nil
}
