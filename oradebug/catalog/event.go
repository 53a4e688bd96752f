package catalog

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Event is one event name that takes the place of a number.
type Event struct {
	Name    string // as Oracle lists it, without the brackets
	Library string // lower case
	Target  bool   // declares a target: name[…]
	Params  []Param
	// Open says that the parameters of the event are not published, so that
	// none can be called wrong.
	Open bool
	Risk Risk
}

//go:embed events.txt
var eventText string

// faultEvents simulate or inject faults (facts/oradebug.md 3.3).
const faultEvents = " fault krbabrstat_fault kbc_fault kxdrs_sim asm_corruption_trace gcr_systest sql_monitor_test emx_test_control test_gvtf ifc_sim_version_mismatch key_vector_test vector_groupby_test diskmon_sim_ops "

var eventIndex = sync.OnceValue(func() map[string]Event {
	m := map[string]Event{}
	for lib, names := range sections(eventText) {
		for _, n := range names {
			name, target := strings.CutSuffix(n, "[]")
			e := Event{Name: name, Library: lib, Target: target}
			if p, ok := eventParams[name]; ok {
				e.Params = p
			} else {
				e.Open = true
			}
			if strings.Contains(faultEvents, " "+name+" ") {
				e.Risk = Dangerous
			}
			m[key(name)] = e
		}
	}
	return m
})

// LookupEvent finds an event name in any letter case, without library.
func LookupEvent(name string) (Event, bool) {
	e, ok := eventIndex()[key(name)]
	return e, ok
}

// Events returns every event name, by name.
func Events() []Event {
	idx := eventIndex()
	out := make([]Event, 0, len(idx))
	for _, e := range idx {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Event) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// NumberParams are the parameters of a plain number: `942 …` is
// `kg_event[942] …` (facts/oradebug.md 3.3).
func NumberParams() []Param { return eventParams["kg_event"] }

func num(name string) Param { return Param{Name: name, Type: "ub4"} }

func enum(name string, values ...string) Param {
	return Param{Name: name, Type: "enum", Values: values}
}

// eventParams is facts/oradebug.md 3.3. Events that are not here have no
// published parameter list.
var eventParams = map[string][]Param{
	"sql_trace": {
		enum("wait", "false", "true"), enum("bind", "false", "true"),
		enum("plan_stat", "never", "first_execution", "all_executions", "adaptive"), num("level"),
	},
	"trace": {
		enum("disk", "default", "lowest", "low", "medium", "high", "highest", "disable"),
		enum("memory", "default", "lowest", "low", "medium", "high", "highest", "disable"),
		enum("get_time", "disable", "default", "seq", "highres", "seq_highres"),
		enum("get_stack", "disable", "default", "force"),
		{Name: "operation", Type: "string", Max: 32},
		{Name: "function", Type: "string", Max: 32},
		{Name: "file", Type: "string", Max: 32},
		num("line"), num("conuid"),
	},
	"kg_event":                {num("level"), num("lifetime"), num("armcount"), num("traceinc"), num("forever")},
	"plsql_event":             {},
	"wait_event":              {},
	"periodic_dump":           {num("level"), num("seconds"), num("lifetime")},
	"alert_text":              {enum("ksd_fixed_table", "disable", "enable")},
	"sql_monitor":             {enum("recursive", "false", "true"), enum("force", "false", "true")},
	"trace_recursive":         {},
	"clean_plsql_error_stack": {},
}
