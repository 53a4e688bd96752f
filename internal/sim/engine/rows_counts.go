package engine

import (
	"maps"
	"slices"

	"ringtrace/internal/sim/instance"
)

// statistics are the rows of V$STATNAME that sessions count; the numbers are
// the simulator's own.
func statistics() []struct {
	name string
	of   func(*instance.Counts) int64
} {
	type c = *instance.Counts
	return []struct {
		name string
		of   func(c) int64
	}{
		{"execute count", func(n c) int64 { return n.Executes }},
		{"parse count (total)", func(n c) int64 { return n.Parses }},
		{"parse count (hard)", func(c) int64 { return 0 }},
		{"session cursor cache hits", func(c) int64 { return 0 }},
		{"user calls", func(n c) int64 { return n.UserCalls }},
		{"recursive calls", func(c) int64 { return 0 }},
		{"user commits", func(n c) int64 { return n.Commits }},
		{"user rollbacks", func(c) int64 { return 0 }},
		{"opened cursors cumulative", func(n c) int64 { return n.Opened }},
	}
}

func (e *Engine) statNames() ([][]any, []string) {
	var rows [][]any
	for _, in := range e.model.Instances {
		for i, s := range statistics() {
			rows = append(rows, []any{in.ID, i + 1, s.name})
		}
	}
	return rows, []string{"INST_ID", "STATISTIC#", "NAME"}
}

func (e *Engine) sessionStats() ([][]any, []string) {
	var rows [][]any
	for _, s := range e.allSessions() {
		for i, st := range statistics() {
			rows = append(rows, []any{s.Inst.ID, s.SID, i + 1, st.of(&s.Counts)})
		}
	}
	return rows, []string{"INST_ID", "SID", "STATISTIC#", "VALUE"}
}

// myStats are the caller's own rows of V$SESSTAT.
func (e *Engine) myStats() ([][]any, []string) {
	var rows [][]any
	if c := e.caller; c != nil {
		for i, st := range statistics() {
			rows = append(rows, []any{c.SID, i + 1, st.of(&c.Counts)})
		}
	}
	return rows, []string{"SID", "STATISTIC#", "VALUE"}
}

func (e *Engine) sessionEvents() ([][]any, []string) {
	var rows [][]any
	for _, s := range e.allSessions() {
		for _, event := range slices.Sorted(maps.Keys(s.Counts.Waits)) {
			rows = append(rows, []any{s.Inst.ID, s.SID, event, s.Counts.Waits[event]})
		}
	}
	return rows, []string{"INST_ID", "SID", "EVENT", "TOTAL_WAITS"}
}

// cursorLines lists n(cursor) numbered rows for each statement of an instance:
// its binds or the lines of its plan.
func (e *Engine) cursorLines(number string, from int, n func(instance.Cursor) int) ([][]any, []string) {
	var rows [][]any
	for _, in := range e.model.Instances {
		seen := map[string]bool{}
		for _, s := range in.Sessions() {
			for id, c := range s.Counts.Cursors {
				if seen[id] {
					continue
				}
				seen[id] = true
				for i := range n(c) {
					rows = append(rows, []any{in.ID, id, 0, i + from})
				}
			}
		}
	}
	return rows, []string{"INST_ID", "SQL_ID", "CHILD_NUMBER", number}
}

// counted answers the views of what sessions counted; ok is false for others.
func (e *Engine) counted(base string) (rows [][]any, names []string, ok bool) {
	switch base {
	case "GV$STATNAME":
		rows, names = e.statNames()
	case "GV$SESSTAT":
		rows, names = e.sessionStats()
	case "V$MYSTAT":
		rows, names = e.myStats()
	case "GV$SESSION_EVENT":
		rows, names = e.sessionEvents()
	case "GV$SQL_BIND_CAPTURE":
		rows, names = e.cursorLines("POSITION", 1, func(c instance.Cursor) int { return c.Binds })
	case "GV$SQL_PLAN":
		rows, names = e.cursorLines("ID", 0, func(c instance.Cursor) int { return c.PlanLines })
	default:
		return nil, nil, false
	}
	return rows, names, true
}

// countedViews change with every statement.
func countedViews() []string {
	return []string{"GV$SESSTAT", "V$MYSTAT", "GV$SESSION_EVENT", "GV$SQL_BIND_CAPTURE", "GV$SQL_PLAN", "GV$OPEN_CURSOR", "GV$SQL"}
}
