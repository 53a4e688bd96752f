package engine

import "ringtrace/internal/sim/instance"

// openCursors are the statements that sessions have open: the model keeps the
// current one of each. The columns of V$OPEN_CURSOR are from memory, the fact
// sheets do not hold them.
func (e *Engine) openCursors(base string) ([][]any, []string) {
	type s = *instance.Session
	var items []s
	for _, x := range e.userSessions() {
		if x.SQLID != "" && x.SQLText != "" {
			items = append(items, x)
		}
	}
	return project(e, base, items, []column[s]{
		{"INST_ID", func(x s) any { return x.Inst.ID }},
		{"SID", func(x s) any { return x.SID }},
		{"USER_NAME", func(x s) any { return x.Username }},
		{"SQL_ID", func(x s) any { return x.SQLID }},
		{"SQL_TEXT", func(x s) any { return x.SQLText[:min(len(x.SQLText), 60)] }},
		{"CON_ID", func(x s) any { return x.ConID }},
	})
}

// sharedSQL are the statements behind openCursors, each once an instance.
func (e *Engine) sharedSQL(base string) ([][]any, []string) {
	type s = *instance.Session
	var items []s
	seen := map[string]bool{}
	for _, x := range e.userSessions() {
		key := x.Inst.Name + " " + x.SQLID
		if x.SQLID != "" && x.SQLText != "" && !seen[key] {
			seen[key] = true
			items = append(items, x)
		}
	}
	return project(e, base, items, []column[s]{
		{"INST_ID", func(x s) any { return x.Inst.ID }},
		{"SQL_ID", func(x s) any { return x.SQLID }},
		{"SQL_TEXT", func(x s) any { return x.SQLText[:min(len(x.SQLText), 1000)] }},
		{"SQL_FULLTEXT", func(x s) any { return x.SQLText }},
		{"PLAN_HASH_VALUE", func(s) any { return 0 }},
		{"CHILD_NUMBER", func(s) any { return 0 }},
		{"CON_ID", func(x s) any { return x.ConID }},
	})
}
