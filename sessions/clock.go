package sessions

import (
	"context"
	"time"
)

// clockSQL asks for UTC digits, so that neither side's time zone matters.
const clockSQL = "select to_char(sys_extract_utc(systimestamp), 'YYYY-MM-DD HH24:MI:SS') utc from dual"

// Clock returns the time by the database host's clock, to the second. It is
// what the expiry of a script is compared with.
func (f *Finder) Clock(ctx context.Context) (time.Time, error) {
	rows, err := f.q.QueryContext(ctx, clockSQL)
	if err != nil {
		return time.Time{}, f.failed("DUAL", err)
	}
	defer rows.Close()
	var digits string
	for rows.Next() {
		if err := rows.Scan(&digits); err != nil {
			return time.Time{}, f.failed("DUAL", err)
		}
	}
	if err := rows.Err(); err != nil {
		return time.Time{}, f.failed("DUAL", err)
	}
	return time.Parse(time.DateTime, digits)
}
