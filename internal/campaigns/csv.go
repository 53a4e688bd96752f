package campaigns

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// WriteListCSV writes `campaigns list` as RFC 4180 CSV with CRLF.
func WriteListCSV(w io.Writer, l *List) error {
	rows := [][]string{{"campaign", "journal", "origin", "created", "expires", "last", "db_unique_name", "dbid", "purpose", "ticket", "open", "closed_at", "dirty", "damaged", "sessions", "to_disarm", "error"}}
	for i := range l.Campaigns {
		r := &l.Campaigns[i]
		rows = append(rows, []string{
			r.Campaign, r.Journal, r.Origin, stamp(r.Created), stamp(r.Expires), stamp(r.Last), deref(r.Database.DBUniqueName), number(r.Database.DBID),
			deref(r.Purpose), deref(r.Ticket), strconv.FormatBool(r.Open), stamp(r.ClosedAt), strconv.Itoa(r.Dirty), strconv.FormatBool(r.Damaged),
			strconv.Itoa(r.Sessions), strconv.Itoa(r.ToDisarm), deref(r.Error),
		})
	}
	return writeCSV(w, rows)
}

// WriteSessionsCSV writes the sessions of `campaigns show`; several events or
// fires stand in one field, a line each.
func WriteSessionsCSV(w io.Writer, list []SessionDoc) error {
	rows := [][]string{{"inst_id", "sid", "serial", "orapid", "process_serial", "ospid", "stid", "logon_time", "username", "state", "outcome", "reason", "ring", "events", "tracefile", "armed_at", "fired", "to_disarm", "detail"}}
	for i := range list {
		s := &list[i]
		var fired []string
		for _, f := range s.Fired {
			fired = append(fired, strings.TrimSpace(fmt.Sprintf("%d %s", f.Ora, stamp(f.At))))
		}
		rows = append(rows, []string{
			strconv.Itoa(s.InstID), strconv.Itoa(s.SID), strconv.Itoa(s.Serial), strconv.Itoa(s.Orapid), number(s.ProcessSerial), deref(s.Ospid), deref(s.Stid),
			stamp(s.LogonTime), deref(s.Username), s.State, deref(s.Outcome), deref(s.Reason), s.Ring, strings.Join(s.Events, "\n"), deref(s.Tracefile),
			stamp(s.ArmedAt), strings.Join(fired, "\n"), strconv.FormatBool(s.ToDisarm), deref(s.Detail),
		})
	}
	return writeCSV(w, rows)
}

// writeCSV ends rows with CRLF and leaves the fields as they are, which
// encoding/csv does not: it rewrites line ends inside fields.
func writeCSV(w io.Writer, rows [][]string) error {
	var b strings.Builder
	for _, row := range rows {
		for i, field := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(field, ",\"\r\n") || strings.HasPrefix(field, " ") {
				field = `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
			}
			b.WriteString(field)
		}
		b.WriteString("\r\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write csv: %w", err)
	}
	return nil
}

func stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func number[T int | int64](n *T) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(int64(*n), 10)
}
