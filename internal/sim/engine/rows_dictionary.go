package engine

import (
	"sort"
	"strings"

	"ringtrace/internal/sim/instance"
)

// dictionary answers the views that are not fixed views.
func (e *Engine) dictionary(base string) ([][]any, []string) {
	d := e.model
	if rows, names, ok := e.counted(base); ok {
		return rows, names
	}
	switch base {
	case "DBA_USERS", "ALL_USERS":
		type u = instance.User
		return project(e, base, d.Users, []column[u]{
			{"USERNAME", func(x u) any { return x.Name }},
			{"USER_ID", func(x u) any { return x.ID }},
			{"ACCOUNT_STATUS", func(u) any { return "OPEN" }},
			{"CREATED", func(u) any { return date(d.Created) }},
			{"PROFILE", func(u) any { return "DEFAULT" }},
			{"DEFAULT_TABLESPACE", func(x u) any { return yes(x.Maintained, "SYSTEM", "USERS") }},
			{"COMMON", func(x u) any { return yes(x.Maintained, "YES", "NO") }},
			{"ORACLE_MAINTAINED", func(x u) any { return yes(x.Maintained, "Y", "N") }},
		})
	case "ALL_TAB_COLUMNS", "DBA_TAB_COLUMNS":
		return e.tabColumns(base)
	case "SESSION_ROLES":
		return [][]any{{"SELECT_CATALOG_ROLE"}}, []string{"ROLE"}
	case "V$PWFILE_USERS":
		return [][]any{{"SYS", "TRUE", "TRUE"}}, []string{"USERNAME", "SYSDBA", "SYSOPER"}
	case "V$NLS_PARAMETERS", "NLS_SESSION_PARAMETERS", "NLS_DATABASE_PARAMETERS":
		return [][]any{
			{"NLS_LANGUAGE", "AMERICAN"},
			{"NLS_TERRITORY", "AMERICA"},
			{"NLS_CHARACTERSET", "AL32UTF8"},
			{"NLS_DATE_FORMAT", "DD-MON-RR"},
			{"NLS_NUMERIC_CHARACTERS", ".,"},
			{"NLS_NCHAR_CHARACTERSET", "AL16UTF16"},
		}, []string{"PARAMETER", "VALUE"}
	case "PRODUCT_COMPONENT_VERSION":
		return [][]any{{d.Release.Banner, d.Release.Version, "Production"}}, []string{"PRODUCT", "VERSION", "STATUS"}
	case "GV$SERVICES", "GV$ACTIVE_SERVICES":
		return e.services(base)
	case "GV$OPEN_CURSOR":
		return e.openCursors(base)
	case "GV$SQL":
		return e.sharedSQL(base)
	case "GV$SQLCOMMAND":
		var rows [][]any
		for _, in := range d.Instances { // facts/trace-format.md 4
			for _, c := range [][2]any{{3, "SELECT"}, {2, "INSERT"}, {6, "UPDATE"}, {7, "DELETE"}, {189, "UPSERT"}, {47, "PL/SQL EXECUTE"}, {42, "ALTER SESSION"}, {44, "COMMIT"}, {45, "ROLLBACK"}} {
				rows = append(rows, []any{in.ID, c[0], c[1]})
			}
		}
		return rows, []string{"INST_ID", "COMMAND_TYPE", "COMMAND_NAME"}
	}
	return nil, nil
}

// tabColumns lists the views' columns under their SYS names, V_$SESSION for
// V$SESSION (facts/views-and-sqlplus.md 1.1, rule for the tool).
func (e *Engine) tabColumns(base string) ([][]any, []string) {
	var rows [][]any
	names := make([]string, 0, len(e.views))
	for n := range e.views {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		table := strings.Replace(n, "V$", "V_$", 1)
		for i, c := range e.views[n].Columns {
			typ, _, _ := strings.Cut(c.Type, "(")
			rows = append(rows, []any{"SYS", table, c.Name, typ, i + 1})
		}
	}
	return rows, []string{"OWNER", "TABLE_NAME", "COLUMN_NAME", "DATA_TYPE", "COLUMN_ID"}
}

func (e *Engine) services(base string) ([][]any, []string) {
	type svc struct {
		inst int
		name string
		con  int
	}
	var items []svc
	for _, in := range e.model.Instances {
		seen := map[string]bool{}
		for _, s := range in.Sessions() {
			if s.Service != "" && !seen[s.Service] {
				seen[s.Service] = true
				items = append(items, svc{in.ID, s.Service, s.ConID})
			}
		}
	}
	return project(e, base, items, []column[svc]{
		{"INST_ID", func(s svc) any { return s.inst }},
		{"NAME", func(s svc) any { return s.name }},
		{"NETWORK_NAME", func(s svc) any { return s.name }},
		{"CON_ID", func(s svc) any { return s.con }},
	})
}
