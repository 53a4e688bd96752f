package catalog

import (
	"slices"
	"strings"
)

// Mapped is a numeric event that 11g and later turn into a named one at once
// (facts/oradebug.md 3.3, kernel table ksdUTSEvt).
type Mapped struct {
	Number int
	// On is the text that is stored; for 10046 the level is kept.
	On, Off string
}

// LookupMapped finds a mapped number.
func LookupMapped(n int) (Mapped, bool) {
	for _, m := range mappedTable {
		if m.Number == n {
			return m, true
		}
	}
	return Mapped{}, false
}

// 10298 is done by a callback whose text no source shows; its off form is seen.
var mappedTable = []Mapped{
	{10046, "sql_trace level=", "sql_trace off"},
	{10053, "trace[rdbms.SQL_Optimizer.*]", "trace[rdbms.SQL_Optimizer.*] off"},
	{10298, "trace[OFS.*]", "trace[OFS.*] off"},
	{10299, "trace[MBR] disk=high", "trace[MBR] off"},
	{10730, "trace[rdbms.VPD.*] disk=highest", "trace[rdbms.VPD.*] off"},
}

// Alias is a text that stands for an event number (kernel table ksdtevt).
type Alias struct {
	Name   string // lower case
	Number int
}

// LookupAlias finds an alias in any letter case.
func LookupAlias(name string) (Alias, bool) {
	for _, a := range aliasTable {
		if strings.EqualFold(a.Name, name) {
			return a, true
		}
	}
	return Alias{}, false
}

// Aliases returns the aliases in the order of the fact table.
func Aliases() []Alias { return slices.Clone(aliasTable) }

var aliasTable = []Alias{
	{"logon", 10029},
	{"logoff", 10030},
	{"deadlock", 60},
	{"notifycrs", 39505},
	{"control_file", 10000},
	{"db_files", 10222},
	{"begin", 10010},
	{"end", 10011},
	{"pq_kill_test", 10370},
	{"pq_kill_test_proc", 10372},
	{"pq_kill_test_code", 10373},
	{"kxfx", 10390},
	{"sort_end", 10032},
	{"sort_run", 10033},
	{"parse_sql_statement", 10035},
	{"create_remote_rws", 10036},
	{"alloc_remote_rws", 10037},
	{"query_block_alloc", 10038},
	{"type_check", 10039},
	{"kftrace", 15199},
	{"kfdebug", 15194},
	{"kfsyntax", 15195},
	{"kewa_ash_trace", 13740},
	{"kea_debug_event", 13698},
	{"keh_trace", 13700},
}

// AlterSessionMayRefuse reports an event that ALTER SESSION refuses with
// ORA-01031 on patched releases although ORADEBUG sets it
// (facts/oradebug.md 2.4 and 7 #34).
func AlterSessionMayRefuse(n int) bool { return n == 10079 }
