package collect

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/journal"
)

// Database is what a database tells about where its trace files are. What
// could not be asked is in Notes.
type Database struct {
	Traces  map[processKey]string // V$PROCESS.TRACEFILE of live processes
	Homes   map[int]string        // ADR home by inst_id
	Alerts  []AlertGroup
	Managed string // "Amazon RDS", "Autonomous Database"; empty: neither
	Notes   []string
}

// processKey is one incarnation of a process.
type processKey struct {
	inst, orapid, serial int
	ospid                string
}

func keyOf(inst int, p journal.Process) processKey {
	return processKey{inst, p.Orapid, p.ProcessSerial, p.Ospid}
}

// queryAlerts asks for what an incident leaves in the alert log. The view parses
// the whole log (facts/views-and-sqlplus.md 1.4, 1.5): what was there before is
// neither ours nor carried over. A group may be one row, or its line of details
// a row of its own (5, inferred).
const queryAlerts = "select message_text from v$diag_alert_ext where (message_text like '%Errors in file%' or message_text like '%Incident details in:%')" +
	" and sys_extract_utc(originating_timestamp) >= to_timestamp(:1, 'YYYY-MM-DD HH24:MI:SS')"

// alertView needs a grant of its own (facts/views-and-sqlplus.md 1.5, 3.1).
const alertView = "V$DIAG_ALERT_EXT"

// clockSlack is how far the database's clock may be from ours.
const clockSlack = 24 * time.Hour

// AskDatabase reads what is there without changing anything: V$PROCESS,
// V$DIAG_INFO, V$DIAG_ALERT_EXT, the last from the campaign's begin on.
func AskDatabase(ctx context.Context, q Querier, begun time.Time) (*Database, error) {
	d := &Database{Traces: map[processKey]string{}, Homes: map[int]string{}}
	d.each(ctx, q, "V$PROCESS", "select inst_id, pid, serial# serial, spid, tracefile from gv$process where tracefile is not null", 5, func(v []string) {
		d.Traces[processKey{number(v[0]), number(v[1]), number(v[2]), v[3]}] = v[4]
	})
	d.each(ctx, q, "V$DIAG_INFO", "select inst_id, value from gv$diag_info where name = 'ADR Home'", 2, func(v []string) { d.Homes[number(v[0])] = v[1] })
	var texts []string
	d.each(ctx, q, alertView, queryAlerts, 1, func(v []string) { texts = append(texts, v[0]) }, begun.Add(-clockSlack).UTC().Format(time.DateTime))
	d.Alerts = alertRows(texts)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.Managed = managed(ctx, q)
	return d, nil
}

// managed recognizes services that give no SYSDBA: users that only they have
// (facts/views-and-sqlplus.md 4.4; the Autonomous user is inferred).
func managed(ctx context.Context, q Querier) string {
	name := ""
	d := &Database{}
	d.each(ctx, q, "ALL_USERS", "select username from all_users where username in ('RDSADMIN', 'C##CLOUD$SERVICE')", 1, func(v []string) {
		name = map[string]string{"RDSADMIN": "Amazon RDS", "C##CLOUD$SERVICE": "an Autonomous Database"}[v[0]]
	})
	return name
}

// ManagedAdvice says what is possible on a managed service (empty: it is none).
func (d *Database) ManagedAdvice() string {
	if d.Managed == "" {
		return ""
	}
	how := "trace with DBMS_USERDIAG or SQL_TRACE into your bucket and download it"
	if d.Managed == "Amazon RDS" {
		how = "trace with DBMS_MONITOR, list the files with rdsadmin.rds_file_util.listdir('BDUMP') and download them (they are kept 7 days unless `tracefile retention` says otherwise)"
	}
	return "this is " + d.Managed + ", which has no SYSDBA and so no ORADEBUG: sessions cannot be armed there. " + strings.ToUpper(how[:1]) + how[1:] +
		"; `ringtrace report FILE` analyses them, and `ringtrace collect --from DIR` packs them"
}

func (d *Database) each(ctx context.Context, q Querier, view, query string, columns int, row func([]string), args ...any) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		note := view + " could not be read: " + firstLine(err.Error())
		if view == alertView && strings.Contains(note, "ORA-00942") {
			note += "; incidents are found if you grant select on sys.v_$diag_alert_ext"
		}
		d.Notes = append(d.Notes, note)
		return
	}
	defer rows.Close()
	vals, ptrs := make([]sql.NullString, columns), make([]any, columns)
	for i := range vals {
		ptrs[i] = &vals[i]
	}
	for rows.Next() {
		if err := rows.Scan(ptrs...); err != nil {
			d.Notes = append(d.Notes, view+" could not be read: "+firstLine(err.Error()))
			return
		}
		text := make([]string, columns)
		for i, v := range vals {
			text[i] = v.String
		}
		row(text)
	}
	if err := rows.Err(); err != nil {
		d.Notes = append(d.Notes, view+" could not be read to its end: "+firstLine(err.Error()))
	}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func number(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return n
}
