package collect

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringtrace/internal/bundle"
	"ringtrace/internal/journal"
)

// cursorBatch is how many sessions, or statements, one query asks for.
const cursorBatch = 50

// maxCursors bounds how many statements are asked for: OPEN_CURSORS can be
// 65535 a session.
const maxCursors = 5000

const (
	// V$OPEN_CURSOR does not know serial#, and a sid is soon another session's.
	queryOpenCursors = "select c.inst_id, c.sid, s.serial# serial, c.sql_id, c.sql_text from gv$open_cursor c" +
		" join gv$session s on s.inst_id = c.inst_id and s.sid = c.sid where c.sql_id is not null and c.inst_id = :1 and c.sid in "
	// By sql_id: V$SQL as a whole can hold a hundred thousand texts.
	querySharedSQL = "select sql_id, plan_hash_value, sql_fulltext from gv$sql where sql_id in "
)

// Cursors lists the open cursors of the campaign's sessions, as far as these
// are the same sessions still, with plan and text (V$OPEN_CURSOR, V$SQL). note
// says what could not be had.
func Cursors(ctx context.Context, q Querier, list []*journal.SessionState) (out []bundle.Cursor, note string) {
	d := &Database{}
	type id struct{ inst, sid, serial int }
	ours := map[id]bool{}
	sids := map[int][]any{}
	for _, s := range list {
		x := id{s.Session.InstID, s.Session.SID, s.Session.Serial}
		if !ours[x] {
			ours[x] = true
			sids[x.inst] = append(sids[x.inst], x.sid)
		}
	}
	seen := map[string][]bundle.Sighting{} // by sql_id
	begun := map[string]string{}           // its text as V$OPEN_CURSOR has it
	for _, inst := range slices.Sorted(maps.Keys(sids)) {
		for batch := range slices.Chunk(sids[inst], cursorBatch) {
			d.each(ctx, q, "V$OPEN_CURSOR", queryOpenCursors+placeholders(2, len(batch)), 5, func(v []string) {
				x := id{number(v[0]), number(v[1]), number(v[2])}
				if ours[x] {
					seen[v[3]] = append(seen[v[3]], bundle.Sighting{InstID: x.inst, SID: x.sid, Serial: x.serial})
					begun[v[3]] = max(begun[v[3]], v[4])
				}
			}, append([]any{inst}, batch...)...)
			if len(d.Notes) > 0 {
				return nil, strings.Join(d.Notes, "; ")
			}
		}
	}
	ids := slices.Sorted(maps.Keys(seen))
	if len(ids) > maxCursors {
		d.Notes = append(d.Notes, fmt.Sprintf("%d statements are open, the texts of %d were asked for", len(ids), maxCursors))
		ids = ids[:maxCursors]
	}
	found := map[string]bool{}
	for batch := range slices.Chunk(ids, cursorBatch) {
		args := make([]any, len(batch))
		for i, id := range batch {
			args[i] = id
		}
		failed := len(d.Notes)
		d.each(ctx, q, "V$SQL", querySharedSQL+placeholders(1, len(batch)), 3, func(v []string) {
			if plan, err := strconv.ParseInt(strings.TrimSpace(v[1]), 10, 64); err == nil {
				found[v[0]] = true
				out = append(out, bundle.Cursor{SQLID: v[0], PlanHash: plan, Text: v[2], Seen: seen[v[0]]})
			}
		}, args...)
		if len(d.Notes) > failed {
			break
		}
	}
	for _, id := range ids { // aged out of the shared pool: its beginning is known
		if !found[id] {
			out = append(out, bundle.Cursor{SQLID: id, Text: begun[id], Seen: seen[id]})
		}
	}
	return bundle.MergeCursors(out), strings.Join(d.Notes, "; ")
}

// placeholders is "(:from, :from+1, …)" of n binds.
func placeholders(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", :%d", from+i)
	}
	return "(" + strings.TrimPrefix(b.String(), ", ") + ")"
}
