package connect

import (
	"context"
	"database/sql"
)

// SimulatedBanner begins the last BANNER of V$VERSION of a simulated instance;
// no release of Oracle has such a row. It tells a simulated instance from a
// database where both are reached the same way, through sqlplus or the driver.
const SimulatedBanner = "ringtrace simulated instance"

// Querier is what Simulated asks; *sql.DB, *sql.Conn and *sql.Tx have it.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Simulated asks an open connection whether a simulated instance is behind it;
// if V$VERSION cannot be read, the answer is no. Use it for keeping records
// apart and for what is printed, never to leave out a question: whoever
// controls the database can forge the row.
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
