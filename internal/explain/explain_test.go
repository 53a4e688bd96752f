package explain

import (
	"encoding/json"
	"reflect"
	"sort"
	"strings"
	"testing"

	"ringtrace/oradebug"
)

func warningsOf(t *testing.T, spec string) string {
	t.Helper()
	d := Explain(spec, oradebug.Release{})
	if d.Refused() {
		t.Fatalf("%s: %+v", spec, d.Errors)
	}
	return strings.Join(d.Warnings, "\n")
}

// facts/oradebug.md 7 and 1.4.
func TestWarnings(t *testing.T) {
	cases := []struct{ spec, want string }{
		{"10046 trace name context forever, level 12", "mapped event"},
		{"10046 trace name context level 12", "`forever` is missing"},
		{"10704 trace name context level 12", "`forever` is missing"},
		{"immediate trace name trace_buffer_on", "ring of 1 byte"},
		{"sql_trace trace_buffer_on", "ring of 1 byte"},
		{"sql_trace trace_buffer_on(4096)", "65536"},
		{"600 trace name errorstack level 3", "incident by itself"},
		{"3114 trace name errorstack level 3, lifetime 1", "client or the listener"},
		{"6512 errorstack(3)", "follows another error"},
		{"10704 errorstack(1)", "debugging event and no error"},
		{"1722 trace name context forever, level 3", "dumps nothing"},
		{"1722", "no action"},
		{"1722 level 3", "no action"},
		{"sql_trace {pgadep: exactdepth 0} wait=true", "pgadep is gone"},
		{"942 crash()", "crash is dangerous"},
		{"immediate crash", "crash is dangerous"},
		{"1722 {occurence:1,1} incident(\"x\")", "heavy"},
		{"immediate trace name adjust_scn level 1", "dangerous"},
		{"immediate trace name systemstate level 266", "heavy"},
		{"1722 trace name errorstack level 3 lifetime 3", "parted by ','"},
		{"trace[no_such_component] disk=high", "not in the list of 19c"},
		{"1722 errorstack(1);", "';' at the end"},
		{"1722 errorstack(1):1722 errorstack(2)", "set twice"},
		{"&ev errorstack(1)", "variable"},
		{"fault level=1", "faults"},
		{"60 trace(\"%\", refn(0x0))", "raw memory"},
	}
	for _, c := range cases {
		if got := warningsOf(t, c.spec); !strings.Contains(got, c.want) {
			t.Errorf("%s\n got  %q\n want %q in it", c.spec, got, c.want)
		}
	}
	for _, quiet := range []string{
		"sql_trace wait=true, bind=true trace_buffer_on(256000)",
		"1555 trace name trace_buffer_off; name errorstack level 3",
		"942 trace name trace_buffer_off; name errorstack level 3, lifetime 3",
		"60 errorstack(3)",
		"942 off", "sql_trace off", "10046 off",
		"immediate trace name trace_buffer_off",
		"trace[SQL_Optimizer.*] disk=high",
		"10704 trace name context forever, level 10",
		"10632 errorstack(1)",
	} {
		if got := warningsOf(t, quiet); got != "" {
			t.Errorf("%s warns: %s", quiet, got)
		}
	}
}

func TestProblemO07_ErrorstackLevelsAreZeroToThree(t *testing.T) {
	for _, level := range []string{"4", "10", "12"} {
		for _, spec := range []string{"1722 trace name errorstack level " + level, "1722 errorstack(" + level + ")", "immediate trace name errorstack level " + level} {
			if got := warningsOf(t, spec); !strings.Contains(got, "errorstack level "+level+" does not exist") || !strings.Contains(got, "0-3") {
				t.Errorf("%s: %q", spec, got)
			}
		}
	}
	for _, level := range []string{"0", "1", "2", "3"} {
		if got := warningsOf(t, "1722 trace name errorstack level "+level); got != "" {
			t.Errorf("level %s warns: %s", level, got)
		}
	}
}

func TestProblemO14_AlterSessionRefusesTheEvent(t *testing.T) {
	got := warningsOf(t, "10079 trace name context forever, level 2")
	if !strings.Contains(got, "ALTER SESSION refuses event 10079") || !strings.Contains(got, "only ORADEBUG") {
		t.Errorf("10079: %q", got)
	}
	if got := warningsOf(t, "10704 trace name context forever, level 2"); strings.Contains(got, "ALTER SESSION") {
		t.Errorf("10704: %q", got)
	}
}

func TestDocument(t *testing.T) {
	d := Explain("trace[SQL_Optimizer.* | dml] [sql: g3yc1js3g2689] {process: pname=p000 | process: pname=p005} {occurence:1,1} disk=high RDBMS.query_block_dump(1) trace(\"%\", sqlid())", oradebug.Release{})
	if d.Refused() {
		t.Fatalf("%+v", d.Errors)
	}
	e := d.Events[0]
	if e.ID != "trace" || *e.Target != "SQL_Optimizer.* | DML" || *e.Scope != "sql: g3yc1js3g2689" {
		t.Errorf("id %s target %s scope %s", e.ID, *e.Target, *e.Scope)
	}
	if want := []string{"process: pname=p000 | process: pname=p005", "occurence: 1, 1"}; !reflect.DeepEqual(e.Filters, want) {
		t.Errorf("filters %q", e.Filters)
	}
	if !reflect.DeepEqual(e.Params, map[string]string{"disk": "high"}) {
		t.Errorf("params %v", e.Params)
	}
	if e.Actions[0].Name != "rdbms.query_block_dump" || e.Actions[1].Args["format"] != "%" || e.Actions[1].Args["str1"] != "sqlid()" {
		t.Errorf("actions %+v", e.Actions)
	}
	d = Explain("10046 trace name context forever, level 12:immediate trace name errorstack level 3", oradebug.Release{})
	if len(d.Events) != 2 || *d.Events[0].Mapped != "sql_trace level=12" || d.Events[0].Actions[0].Args["forever"] != "true" || !d.Events[1].Immediate || d.Events[1].ID != "immediate" {
		t.Errorf("%+v", d.Events)
	}
	if want := []string{"10046 off", "10046 trace name context off"}; !reflect.DeepEqual(d.TurnOff, want) {
		t.Errorf("turn off %q", d.TurnOff)
	}
}

// Every list is a list and every object an object, also in a refused text:
// the contract's field names, no null where a list is promised.
func TestJSONShape(t *testing.T) {
	for _, in := range []string{"942 errorstack(3)", "no_such", ""} {
		raw, err := json.Marshal(Explain(in, oradebug.Release{}))
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		var keys []string
		for k := range doc {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		if want := []string{"canonical", "errors", "events", "input", "turn_off", "warnings"}; !reflect.DeepEqual(keys, want) {
			t.Errorf("%q: keys %q", in, keys)
		}
		for _, k := range []string{"errors", "events", "turn_off", "warnings"} {
			if _, ok := doc[k].([]any); !ok {
				t.Errorf("%q: %s is %T", in, k, doc[k])
			}
		}
	}
}

func TestPastedLines(t *testing.T) {
	cases := []struct {
		in     string
		want   string // canonical, or
		column int    // the column of the fault in the input
	}{
		{"oradebug session_event 942 errorstack(3)", "942 errorstack(3)", 0},
		{"ORADEBUG EVENT 10046 trace name context off;", "10046 trace name context off", 0},
		{"alter session set events '942 trace name errorstack level 3'", "942 trace name errorstack level 3", 0},
		{"ALTER SYSTEM SET EVENTS 'wait_event[\"x\"] trace(''a'')';", "wait_event[\"x\"] trace(\"a\")", 0},
		{"session_event 942 errorstck(3)", "", 19},
		{"oradebug session_event 942 errorstck(3)", "", 28},
		{"alter session set events '942 errorstck(3)'", "", 31},
		{"  942 errorstck(3)", "", 7},
	}
	for _, c := range cases {
		d := Explain(c.in, oradebug.Release{})
		switch {
		case c.want != "" && (d.Canonical == nil || *d.Canonical != c.want):
			t.Errorf("%s: %+v", c.in, d.Errors)
		case c.want == "" && (len(d.Errors) != 1 || d.Errors[0].Column != c.column):
			t.Errorf("%s: %+v, want column %d", c.in, d.Errors, c.column)
		}
	}
}

func TestTreeStaysATree(t *testing.T) {
	d := Explain("942 incident(\"a\nb\")", oradebug.Release{})
	lines := strings.Split(strings.TrimRight(d.Text(oradebug.Release{}), "\n"), "\n")
	if len(lines) < 3 {
		t.Fatalf("no tree: %q", lines)
	}
	for _, l := range lines[1:] {
		if !strings.HasPrefix(l, "|") && !strings.HasPrefix(l, "`") && !strings.HasPrefix(l, " ") {
			t.Errorf("line %q left the tree", l)
		}
	}
}
