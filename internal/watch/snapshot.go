package watch

import (
	"context"
	"database/sql"
	"fmt"

	"ringtrace/sessions"
)

// cursorsQuery joins what a session has open with its text and plan. It is
// asked when an error has fired, never in the round.
const cursorsQuery = `select c.sql_id, q.plan_hash_value, q.sql_text, c.sql_text from gv$open_cursor c` +
	` left join gv$sql q on q.inst_id = c.inst_id and q.sql_id = c.sql_id where c.inst_id = :1 and c.sid = :2`

// maxCursors bounds a snapshot (OPEN_CURSORS is 50 by default, and goes up to
// 65535).
const maxCursors = 1000

// Cursors reads the open cursors of a session.
func Cursors(ctx context.Context, q sessions.Querier, inst, sid int) ([]Cursor, error) {
	rows, err := q.QueryContext(ctx, cursorsQuery, inst, sid)
	if err != nil {
		return nil, fmt.Errorf("ask V$OPEN_CURSOR: %w", err)
	}
	defer rows.Close() //nolint:errcheck // Err tells
	var out []Cursor
	type id struct {
		sqlID string
		plan  int64
	}
	seen := map[id]bool{}
	for rows.Next() && len(out) < maxCursors {
		var sqlID, full, short sql.NullString
		var plan sql.NullInt64
		if err := rows.Scan(&sqlID, &plan, &full, &short); err != nil {
			return nil, fmt.Errorf("ask V$OPEN_CURSOR: %w", err)
		}
		k := id{sqlID.String, plan.Int64}
		if sqlID.String == "" || seen[k] {
			continue
		}
		seen[k] = true
		c := Cursor{SQLID: sqlID.String, PlanHash: plan.Int64, Text: full.String}
		if c.Text == "" {
			c.Text = short.String
		}
		out = append(out, c)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("ask V$OPEN_CURSOR: %w", err)
	}
	return out, nil
}
