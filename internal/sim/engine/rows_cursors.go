package engine

import (
	"maps"
	"slices"

	"ringtrace/internal/sim/instance"
)

// cursor is a statement that a session has open.
type cursor struct {
	s        *instance.Session
	id, text string
}

// cursors lists what the sessions have run, and what they run now.
func (e *Engine) cursors() (out []cursor) {
	for _, x := range e.userSessions() {
		for _, id := range slices.Sorted(maps.Keys(x.Counts.Cursors)) {
			out = append(out, cursor{x, id, x.Counts.Cursors[id].Text})
		}
		if _, known := x.Counts.Cursors[x.SQLID]; !known && x.SQLID != "" && x.SQLText != "" {
			out = append(out, cursor{x, x.SQLID, x.SQLText})
		}
	}
	return out
}

// openCursors are the statements that sessions have open. The columns of
// V$OPEN_CURSOR are from memory, the fact sheets do not hold them.
func (e *Engine) openCursors(base string) ([][]any, []string) {
	return project(e, base, e.cursors(), []column[cursor]{
		{"INST_ID", func(x cursor) any { return x.s.Inst.ID }},
		{"SID", func(x cursor) any { return x.s.SID }},
		{"USER_NAME", func(x cursor) any { return x.s.Username }},
		{"SQL_ID", func(x cursor) any { return x.id }},
		{"SQL_TEXT", func(x cursor) any { return x.text[:min(len(x.text), 60)] }},
		{"CON_ID", func(x cursor) any { return x.s.ConID }},
	})
}

// sharedSQL are the statements behind openCursors, each once an instance.
func (e *Engine) sharedSQL(base string) ([][]any, []string) {
	var items []cursor
	seen := map[string]bool{}
	for _, x := range e.cursors() {
		key := x.s.Inst.Name + " " + x.id
		if !seen[key] {
			seen[key] = true
			items = append(items, x)
		}
	}
	return project(e, base, items, []column[cursor]{
		{"INST_ID", func(x cursor) any { return x.s.Inst.ID }},
		{"SQL_ID", func(x cursor) any { return x.id }},
		{"SQL_TEXT", func(x cursor) any { return x.text[:min(len(x.text), 1000)] }},
		{"SQL_FULLTEXT", func(x cursor) any { return x.text }},
		{"PLAN_HASH_VALUE", func(cursor) any { return 0 }},
		{"CHILD_NUMBER", func(cursor) any { return 0 }},
		{"CON_ID", func(x cursor) any { return x.s.ConID }},
	})
}
