package catalog

import "fmt"

type signature struct {
	params  []Param
	returns string
}

var level1 = Param{Name: "level", Type: "ub4", Default: "1"}

func str(name string, n int) Param     { return Param{Name: name, Type: "string", Max: n} }
func ub8(name string) Param            { return Param{Name: name, Type: "ub8"} }
func ptr(name string) Param            { return Param{Name: name, Type: "pointer"} }
func def(p Param, d string) Param      { p.Default = d; return p }
func needed(p Param) Param             { p.Needed = true; return p }
func returning(t string) signature     { return signature{returns: t} }
func taking(params ...Param) signature { return signature{params: params} }

func numbered(prefix string, from, to int, make func(string) Param) []Param {
	var out []Param
	for i := from; i <= to; i++ {
		out = append(out, make(fmt.Sprintf("%s%d", prefix, i)))
	}
	return out
}

// signatures holds what facts/oradebug.md 3.4 and appendix A print; an RDBMS
// action that is not here takes (level <ub4> default 1). Which arguments are
// mandatory is not published: "needed" is assumed where the action is empty
// without them.
var signatures = map[string]signature{
	"crash":    taking(def(num("level"), "1"), num("lifetime"), num("armcount"), num("traceinc")),
	"debugger": taking(def(num("level"), "1"), num("lifetime"), num("armcount"), num("traceinc")),
	"debug":    taking(def(num("level"), "1"), num("lifetime"), num("armcount"), num("traceinc")),
	"oradebug": taking(def(num("level"), "1"), num("lifetime"), num("armcount"), num("traceinc")),

	"incident":  taking(str("label", 32)),
	"eventdump": taking(enum("group", "system", "process", "session")),

	"cursortrace":      taking(level1, ptr("addr"), ptr("address")),
	"heapdump_addr":    taking(level1, ptr("addr"), ptr("address")),
	"rulesetdump_addr": taking(level1, ptr("addr"), ptr("address")),
	"poke_address":     taking(level1, ptr("addr"), ptr("address")),

	"flashfreeze": taking(str("proc", 50), str("err_arg", 100)),
	"sqlmon_dump": taking(str("label", 32), level1),
	"varaddr":     {params: []Param{needed(str("varname", 32))}, returns: "pointer"},

	"refn": {params: []Param{
		needed(ptr("ptr")),
		{Name: "numsize", Type: "enum", Values: []string{"1", "2", "4", "8"}, Default: "4"},
		def(ub8("offset"), "0"),
	}, returns: "ub8"},
	"refs":  {params: []Param{needed(ptr("ptr")), ub8("offset"), ub8("length")}, returns: "string"},
	"refp":  {params: []Param{needed(ptr("ptr")), ub8("offset")}, returns: "pointer"},
	"refsl": {params: []Param{needed(ptr("ptr")), ub8("offset"), ub8("lenoffset"), def(ub8("lensize"), "2")}, returns: "string"},
	"incr":  taking(needed(ptr("ptr")), ub8("offset")),
	"decr":  taking(needed(ptr("ptr")), ub8("offset")),
	"add":   {params: []Param{ub8("a"), ub8("b")}, returns: "ub8"},
	"sub":   {params: []Param{ub8("a"), ub8("b")}, returns: "ub8"},
	"mul":   {params: []Param{ub8("a"), ub8("b")}, returns: "ub8"},
	"div":   {params: []Param{ub8("a"), ub8("b")}, returns: "ub8"},
	"mod":   {params: []Param{ub8("a"), ub8("b")}, returns: "ub8"},
	"sum":   {params: numbered("a", 1, 16, ub8), returns: "ub8"},

	"trace": taking(append([]Param{needed(str("format", 256))}, numbered("str", 1, 15, func(n string) Param {
		return Param{Name: n, Type: "any"}
	})...)...),
	"shortstack": {params: []Param{
		def(ub8("skipframes"), "0"),
		{Name: "showoffsets", Type: "enum", Values: []string{"false", "true"}, Default: "false"},
	}, returns: "string"},

	"evargs": {params: []Param{ub8("pos")}, returns: "string"},
	"evargn": {params: []Param{ub8("pos")}, returns: "ub8"},
	"evargp": {params: []Param{ub8("pos")}, returns: "pointer"},
	"evargc": returning("ub8"),

	"errargs": {params: []Param{ub8("pos"), def(ub8("errpos"), "0")}, returns: "string"},
	"errargn": {params: []Param{ub8("pos"), def(ub8("errpos"), "0")}, returns: "ub8"},
	"errargp": {params: []Param{ub8("pos"), def(ub8("errpos"), "0")}, returns: "pointer"},
	"errargc": {params: []Param{def(ub8("errpos"), "0")}, returns: "ub8"},

	"evfunc": returning("string"), "evfile": returning("string"),
	"evline": returning("ub8"), "evfmt": returning("string"),
	"sqlid": returning("string"), "username": returning("string"), "con_id": returning("ub8"),

	"kill_instance": {}, "controlc_signal": {}, "alert_swap": {}, "dump_patch": {}, "dump_swap": {},
	"ora_4030_dump": {}, "ora_4036_dump": {}, "ora_12751_dump": {}, "sql_testcase_rec": {},
	"ksi_get_trace": {}, "dumpasmstate": {}, "dumpadvmstate": {}, "dumpkstbuffers": {},
	"dumpksipcstate": {}, "dumpkerneldiagstate": {}, "dumpbucketsrdbms": {},
	"exadata_dump_modvers": {}, "rfrdm_dump_state": {}, "sqladv_dump_dumpctx": {},
	"flush_dbreplay_capture_buffer": {}, "asm_dump_kstss": {},
}
