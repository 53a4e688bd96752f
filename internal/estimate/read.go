package estimate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

// Reader takes snapshots of a database. It only reads V$ views.
type Reader struct {
	q    sessions.Querier
	sids []any // ask for these alone; empty: for all
}

// NewReader reads the counters of rows through q. Of many sessions it asks for
// all there are, which is one plain read of the views.
func NewReader(q sessions.Querier, rows []sessions.Session) *Reader {
	r := &Reader{q: q}
	if len(rows) > maxBinds {
		return r
	}
	seen := map[int]bool{}
	for i := range rows {
		if sid := rows[i].SID; !seen[sid] {
			seen[sid] = true
			r.sids = append(r.sids, sid)
		}
	}
	return r
}

// only restricts a query to the sessions that are asked about.
func (r *Reader) only(query, column string, args []any) (string, []any) {
	if len(r.sids) == 0 {
		return query, args
	}
	var b strings.Builder
	for i := range r.sids {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, ":%d", len(args)+i+1)
	}
	return query + " and " + column + " in (" + b.String() + ")", append(append([]any{}, args...), r.sids...)
}

const (
	sqlStats  = "select s.inst_id, s.sid, n.name, s.value from gv$sesstat s join v$statname n on n.statistic# = s.statistic# where n.name in (%s)"
	sqlEvents = "select e.inst_id, e.sid, e.event, e.total_waits from gv$session_event e where e.total_waits > 0"
	sqlNow    = "select s.inst_id, s.sid, s.serial# from gv$session s where s.type = 'USER'"
)

// Snapshot reads the counters of all sessions. The caller knows the time.
func (r *Reader) Snapshot(ctx context.Context) (Snapshot, error) {
	snap := Snapshot{Sessions: map[sessions.Key]Counters{}}
	// Slots first, then counters: a session that ends in between leaves counters
	// that belong to nobody, and one that begins has none yet.
	slots := map[[2]int]sessions.Key{}
	query, args := r.only(sqlNow, "s.sid", nil)
	err := r.each(ctx, query, args, func(rows *sql.Rows) error {
		var k sessions.Key
		if err := rows.Scan(&k.InstID, &k.SID, &k.Serial); err != nil {
			return err
		}
		slots[[2]int{k.InstID, k.SID}] = k
		snap.Sessions[k] = Counters{Stats: map[string]float64{}, Waits: map[string]float64{}}
		return nil
	})
	if err != nil {
		return snap, readError("GV$SESSION", err)
	}
	pair := func(into func(Counters) map[string]float64) func(*sql.Rows) error {
		return func(rows *sql.Rows) error {
			var inst, sid int
			var name string
			var value float64
			if err := rows.Scan(&inst, &sid, &name, &value); err != nil {
				return err
			}
			if k, ok := slots[[2]int{inst, sid}]; ok {
				into(snap.Sessions[k])[name] = value
			}
			return nil
		}
	}
	names := Statistics()
	args = make([]any, len(names))
	for i, n := range names {
		args[i] = n
	}
	query, args = r.only(fmt.Sprintf(sqlStats, binds(len(names))), "s.sid", args)
	if err := r.each(ctx, query, args, pair(func(c Counters) map[string]float64 { return c.Stats })); err != nil {
		return snap, readError("GV$SESSTAT", err)
	}
	query, args = r.only(sqlEvents, "e.sid", nil)
	if err := r.each(ctx, query, args, pair(func(c Counters) map[string]float64 { return c.Waits })); err != nil {
		return snap, readError("GV$SESSION_EVENT", err)
	}
	return snap, nil
}

const sqlCursors = "select distinct o.inst_id, o.sid, o.sql_id from gv$open_cursor o where o.sql_id is not null"

// Cursors returns the open cursors of the sessions of a snapshot. They only
// sharpen the estimate: without them statements are taken as typical.
func (r *Reader) Cursors(ctx context.Context, snap Snapshot) (map[sessions.Key][]string, error) {
	slots := map[[2]int]sessions.Key{}
	for k := range snap.Sessions {
		slots[[2]int{k.InstID, k.SID}] = k
	}
	found := map[sessions.Key][]string{}
	query, args := r.only(sqlCursors, "o.sid", nil)
	err := r.each(ctx, query, args, func(rows *sql.Rows) error {
		var inst, sid int
		var id string
		if err := rows.Scan(&inst, &sid, &id); err != nil {
			return err
		}
		if k, ok := slots[[2]int{inst, sid}]; ok {
			found[k] = append(found[k], id)
		}
		return nil
	})
	return found, err
}

func readError(view string, err error) error {
	var known *exit.Error // no answer in time, for one
	if errors.As(err, &known) {
		return fmt.Errorf("read %s: %w", view, err)
	}
	return exit.Errorf(exit.NotAllowed, "grant SELECT_CATALOG_ROLE, or SELECT on SYS."+strings.Replace(view, "V$", "V_$", 1)+" and SYS.V_$STATNAME", "read %s: %w", view, err)
}

// Statements reads length, binds and plan lines of the statements that cursors
// name. What cannot be read is a warning: typical values do.
func (r *Reader) Statements(ctx context.Context, cursors map[sessions.Key][]string) (map[string]Statement, []string) {
	seen := map[string]bool{}
	var ids []any
	for _, list := range cursors {
		for _, id := range list {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	found := map[string]Statement{}
	var warnings []string
	for _, q := range []struct {
		sql string
		set func(*Statement, float64)
	}{
		{"select sql_id, max(length(sql_text)) from gv$sql where sql_id in (%s) group by sql_id", func(s *Statement, v float64) { s.Length = v }},
		{"select sql_id, count(distinct position) from gv$sql_bind_capture where sql_id in (%s) group by sql_id", func(s *Statement, v float64) { s.Binds = v }},
		{"select sql_id, max(id) + 1 from gv$sql_plan where sql_id in (%s) group by sql_id", func(s *Statement, v float64) { s.PlanLines = v }},
	} {
		for from := 0; from < len(ids); from += maxBinds {
			part := ids[from:min(from+maxBinds, len(ids))]
			err := r.each(ctx, fmt.Sprintf(q.sql, binds(len(part))), part, func(rows *sql.Rows) error {
				var id string
				var v float64
				if err := rows.Scan(&id, &v); err != nil {
					return err
				}
				s, known := found[id]
				if !known {
					s = Statement{Length: typical.Length, PlanLines: 0}
				}
				q.set(&s, v)
				found[id] = s
				return nil
			})
			if err != nil {
				warnings = append(warnings, fmt.Sprintf("statements are taken as typical: %v", err))
				return found, warnings
			}
		}
	}
	return found, warnings
}

// maxBinds bounds an IN list.
const maxBinds = 500

func binds(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, ":%d", i+1)
	}
	return b.String()
}

func (r *Reader) each(ctx context.Context, query string, args []any, row func(*sql.Rows) error) error {
	rows, err := r.q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
