package catalog

import (
	"strings"
	"sync"
)

// Filter is one event filter.
type Filter struct {
	Name    string // as Oracle spells it ("occurence")
	Library string
	Params  []Param
	// Open says that further parameters exist whose names were not recorded.
	Open bool
	// Gone says that the 19c list no longer has it.
	Gone bool
}

// Scope limits an event to SQL statements or queues.
type Scope struct {
	Name  string
	Param Param
}

var filterTable = sync.OnceValue(func() []Filter {
	letters := func(from, to byte) []Param {
		var out []Param
		for c := from; c <= to; c++ {
			out = append(out, ub8(string(c)))
		}
		return out
	}
	out := []Filter{
		{Name: "process", Library: "rdbms", Params: []Param{str("ospid", 20), num("orapid"), str("pname", 20), ub8("con_id")}},
		{Name: "occurence", Library: "diag", Params: []Param{num("start_after"), num("end_after")}},
		{Name: "callstack", Library: "diag", Params: []Param{str("fname", 64), str("fprefix", 64), num("maxdepth"), str("nofname", 64)}},
		{Name: "errarg", Library: "generic", Params: numbered("arg", 1, 8, func(n string) Param { return str(n, 50) })},
		{Name: "tag", Library: "diag", Params: []Param{str("tname", 64)}},
		{Name: "wait", Library: "rdbms", Params: []Param{ub8("minwait"), ub8("p1"), ub8("p2"), ub8("p3")}, Open: true},
		{Name: "px", Library: "rdbms", Params: []Param{
			num("slave_set"), num("slave_num"), num("local_slave_num"), num("instance_id"),
			num("dfo_number"), num("oct"), num("pxid"),
		}},
		{Name: "pgadep", Library: "rdbms", Params: []Param{num("exactdepth")}, Open: true, Gone: true},
	}
	for _, n := range []string{"eq", "ne", "gt", "ge", "lt", "le", "allbit", "anybit", "nobit"} {
		out = append(out, Filter{Name: n, Library: "diag", Params: letters('a', 'b')})
	}
	for _, n := range []string{"bet", "nbet"} {
		out = append(out, Filter{Name: n, Library: "diag", Params: letters('a', 'c')})
	}
	for _, n := range []string{"in", "nin"} {
		out = append(out, Filter{Name: n, Library: "diag", Params: letters('a', 'p')})
	}
	for _, n := range []string{"streq", "strne"} {
		out = append(out, Filter{Name: n, Library: "diag", Params: []Param{str("s1", 256), str("s2", 256), num("len")}})
	}
	return out
})

// LookupFilter finds a filter in any letter case.
func LookupFilter(name string) (Filter, bool) {
	for _, f := range filterTable() {
		if strings.EqualFold(f.Name, name) {
			return f, true
		}
	}
	return Filter{}, false
}

// LookupScope finds a scope in any letter case.
func LookupScope(name string) (Scope, bool) {
	switch key(name) {
	case "SQL":
		return Scope{Name: "sql", Param: str("sql_id", 20)}, true
	case "QUEUE":
		return Scope{Name: "queue", Param: str("queue_name", 0)}, true
	}
	return Scope{}, false
}
