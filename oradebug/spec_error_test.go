package oradebug

import (
	"errors"
	"strings"
	"testing"
)

// The triggers are those of facts/oradebug.md 2.4; all but 49108 and 49160 are
// inferred there.
func TestSpecErrors(t *testing.T) {
	cases := []struct {
		text    string
		column  int
		ora     int
		message string // a part
		hint    string // a part
	}{
		{"no_such_table errorstack(1)", 1, 49108, "Event Name [NO_SUCH_TABLE] not found", ""},
		{"10046 level 1 {process: 1}", 1, 49160, "use [sql_trace level=1]", "name"},
		{"10704 level 1 {process: 1}", 15, 49101, "", "before the parameters"},
		{"10046 {process: 1} level 1", 1, 49160, "Scope or Filter cannot be specified for mapped event, use [sql_trace level=1]", "name"},
		{"10046 [sql: g3yc1js3g2689] level 12", 1, 49160, "use [sql_trace level=12]", ""},
		{"10053 [sql: g3yc1js3g2689]", 1, 49160, "Scope or Filter cannot be specified for mapped event, use [trace[rdbms.SQL_Optimizer.*]", ""},
		{"942 errorstck(3)", 5, 49102, "Action definition for [errorstck] not found", "errorstack"},
		{"942 trace name errorstck level 3", 16, 49102, "Action definition for [errorstck] not found", "errorstack"},
		{"sql_trace waits=true", 11, 49104, "[waits] is not a valid argument for event [sql_trace]", "wait"},
		{"sql_trace wait=", 16, 49168, "Missing value for name-value pair", "wait"},
		{"sql_trace plan_stat=always", 21, 49112, "Parameter value [always] is not one of allowed values", "first_execution"},
		{"sql_trace wait=maybe", 16, 49112, "[maybe]", "true"},
		{"sql_trace level=high", 17, 49167, "Invalid value of parameter [level] for event [sql_trace]", "number"},
		{"sql_trace [sql:]", 16, 49114, "Target not specified for scope [SQL]", ""},
		{"trace disk=high", 7, 49115, "Target not specified for event [TRACE]", "component"},
		{"trace name errorstack level 3", 7, 49115, "Target not specified for event [TRACE]", "number"},
		{"trace[foo.bar]", 7, 49109, "Library Name [FOO] not found", ""},
		{"foo.sql_trace", 1, 49109, "Library Name [FOO] not found", ""},
		{"sql_trace [sql: notanid]", 17, 49116, "SQL ID string [notanid] is invalid", "13"},
		{"sql_trace [sqlid: g3yc1js3g2689]", 12, 49162, "[sqlid] is not a valid scope", "sql"},
		{"sql_trace[942]", 11, 49162, "[942] is not a valid scope", ""},
		{"sql_trace {}", 11, 49158, "Empty Filter Specification", ""},
		{"942 {foo: 1} errorstack(3)", 6, 49169, "Event [foo] is not a valid filter", ""},
		{"942 {occurrence:1,1} errorstack(3)", 6, 49169, "Event [occurrence] is not a valid filter", "one r"},
		{"942 {process_pname=DBW} errorstack(3)", 6, 49169, "Event [process_pname]", ""},
		{"942 {process: ospid=123456789012345678901}", 21, 49110, "length is longer", "20"},
		{"942 {occurence: 1, 2, 3}", 23, 49105, "Too many arguments specified for filter [occurence]", ""},
		{"942 errorstack(3, 4)", 19, 49105, "Too many arguments specified for action [errorstack]", ""},
		{"942 errorstack(lvl=3)", 16, 49104, "[lvl] is not a valid argument for action [errorstack]", ""},
		{"942 errorstack(three)", 16, 49167, "Invalid value of parameter [level] for action [errorstack]", ""},
		{"942 incident(\"" + strings.Repeat("x", 33) + "\")", 14, 49110, "length is longer", "32"},
		{"942 trace()", 11, 49103, "Missing Mandatory argument [format] for action [trace]", ""},
		{"942 errorstack(crash())", 16, 49171, "Type of parameter [level] is not compatible with action [crash]", "nothing"},
		{"942 trace(\"%\", add(add(add(add(add(add(add(add(add(1,2),2),2),2),2),2),2),2),2))", 48, 49172, "Depth of action nesting", ""},
		{"sql_trace level=evargn(1)", 17, 49170, "arg=action() construct can not be used in event [sql_trace]", ""},
		{"942 errorstack(3", 17, 49107, "Passed end of string while parsing", "column 15"},
		{"942 incident(\"x", 14, 49107, "Passed end of string", "quote"},
		{"trace[dml", 10, 49107, "Passed end of string", "close the bracket"},
		{"sql_trace {process: 1", 22, 49107, "Passed end of string", ""},
		{"", 1, 49107, "Passed end of string", "942"},
		{"942 errorstack(3):", 19, 49107, "Passed end of string", ""},
		{"immediate", 10, 49107, "Passed end of string", "immediate"},
		{"942 trace", 10, 49107, "Passed end of string", "name"},
		{"942 trace name", 15, 49107, "Passed end of string", "name"},
		{", 942", 1, 49163, "Event string must begin with a valid event name/number", ""},
		{"'942 errorstack(3)'", 1, 49163, "Event string must begin", "without quotes"},
		{"0", 1, 49164, "Event number is invalid", ""},
		{"00942 errorstack(3)", 1, 49164, "Event number is invalid", "942"},
		{"-942 errorstack(3)", 1, 49164, "Event number is invalid", "942"},
		{"99999 errorstack(3)", 1, 49164, "Event number is invalid", ""},
		{"0xZZ off", 1, 49164, "Event number is invalid", ""},
		{"ORA-00942 errorstack(3)", 1, 49108, "Event Name [ORA-00942] not found", "942"},
		{"errorstack(3)", 1, 49108, "Event Name [ERRORSTACK] not found", "action"},
		{"sqltrace wait=true", 1, 49108, "Event Name [SQLTRACE] not found", "sql_trace"},
		{"942 immediate trace name errorstack level 3", 5, 49166, "Keyword IMMEDIATE must be at the beginning", ""},
		{"942 errorstack(3), trace_buffer_off(1)", 18, 49101, "Failed to parse action [, trace_buffer_off(1)]", "blanks"},
		{"942 errorstack(3); 1555 errorstack(3)", 18, 49101, "Failed to parse action", "':'"},
		{"942 trace name errorstack level 3; 1555 trace name errorstack level 3", 36, 49101, "", "':'"},
		{"942 trace name errorstack level 3; trace name trace_buffer_off", 36, 49101, "", "once"},
		{"942 trace name errorstack level", 32, 49168, "Missing value for name-value pair", "level"},
		{"942 trace name errorstack level x", 33, 49167, "Invalid value of parameter [level] for action [errorstack]", ""},
		{"942 trace name errorstack levl 3", 27, 49104, "[levl] is not a valid argument for action [errorstack]", "level N"},
		{"942 trace name errorstack after 3", 34, 49168, "", "times"},
		{"942 trace name errorstack level 3, level 2", 36, 49105, "", "twice"},
		{"942 trace name errorstack level 3,", 35, 49168, "", "qualifier"},
		{"10200 trace name level 4", 18, 49102, "Action definition for [level] not found", "dump name"},
		{"942 name errorstack level 3", 5, 49101, "", "trace"},
		{"942 context forever, level 12", 5, 49102, "Action definition for [context] not found", "trace name"},
		{"10046 12", 7, 49102, "", "level 12"},
		{"sql_trace wait=true, wait=false", 22, 49105, "", "twice"},
		{"sql_trace wait=true,", 21, 49168, "", ""},
		{"sql_trace trace_buffer_on(256000) wait=true", 35, 49102, "Action definition for [wait] not found", ""},
		{"942 off errorstack(3)", 9, 49101, "", "off"},
	}
	for _, c := range cases {
		_, err := ParseSpec(c.text)
		var se *SpecError
		if !errors.As(err, &se) {
			t.Errorf("%s\n was accepted, want ORA-%05d", c.text, c.ora)
			continue
		}
		if se.Column != c.column || se.ORA != c.ora || !strings.Contains(se.Message, c.message) || strings.HasSuffix(se.Message, "]]") || !strings.Contains(se.Hint, c.hint) || se.Hint == "" {
			t.Errorf("%s\n got  column %d ORA-%05d %s (%s)\n want column %d ORA-%05d %s (%s)", c.text, se.Column, se.ORA, se.Message, se.Hint, c.column, c.ora, c.message, c.hint)
		}
	}
}

// facts/oradebug.md 3.5: no sample mixes the styles inside one event.
func TestMixedStyles(t *testing.T) {
	for _, text := range []string{
		"942 trace name errorstack level 3 trace_buffer_off(1)",
		"942 errorstack(3) trace name trace_buffer_off",
		"942 errorstack(3); name trace_buffer_off",
		"942 trace name errorstack level 3; trace_buffer_off(1)",
		"942 name errorstack level 3",
	} {
		_, err := ParseSpec(text)
		var se *SpecError
		if !errors.As(err, &se) || !se.Mixed || se.ORA != 49101 || se.Hint == "" {
			t.Errorf("%s: %v; want mixed styles", text, err)
		}
	}
	if _, err := ParseSpec("942 trace name errorstack level 3:1555 errorstack(3)"); err != nil {
		t.Errorf("two events of different style joined by ':' are legal: %v", err)
	}
}

func TestScopeTakesEightStatements(t *testing.T) {
	eight := strings.Repeat("g3yc1js3g2689 | ", 7) + "g3yc1js3g2689"
	if _, err := ParseSpec("sql_trace [sql: " + eight + "]"); err != nil {
		t.Errorf("eight: %v", err)
	}
	_, err := ParseSpec("sql_trace [sql: " + eight + " | g3yc1js3g2689]")
	var se *SpecError
	if !errors.As(err, &se) || se.ORA != 49165 || se.Message != "Too many arguments for event [sql_trace]" {
		t.Errorf("nine: %v", err)
	}
}

// facts/oradebug.md 0.4: a pair from 11g on, one line with two internal
// numbers before; the real line is from 10.2.0.5.
func TestErrorLinesByRelease(t *testing.T) {
	_, err := ParseSpec("no_such_table errorstack(1)")
	var se *SpecError
	if !errors.As(err, &se) {
		t.Fatal("accepted")
	}
	want := []string{
		"ORA-49100: Failed to process event statement [no_such_table errorstack(1)]",
		"ORA-49108: Event Name [NO_SUCH_TABLE] not found",
	}
	if got := se.Lines(); len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %q", got)
	}
	old := Release{10, 2}
	for _, text := range []string{"0 trace name errorstack level 3", "sql_trace wait=true", "942 errorstack(3)", "942 {occurence:1,1} errorstack(3)", "10046 level 12"} {
		_, err := ParseSpecFor(text, old)
		if !errors.As(err, &se) || se.ORA != 2194 || len(se.Lines()) != 1 {
			t.Errorf("%s in 10.2: %v", text, err)
		}
	}
	_, err = ParseSpecFor("0 trace name errorstack level 3", old)
	if errors.As(err, &se); se.Lines()[0] != "ORA-02194: event specification syntax error 231 (minor error 283) near '0'" {
		t.Errorf("got %s", se.Lines()[0])
	}
	for _, text := range []string{"10046 trace name context forever, level 12", "942 trace name errorstack level 3", "942 trace name trace_buffer_off; name errorstack level 3", "immediate trace name trace_buffer_on level 65536"} {
		if _, err := ParseSpecFor(text, old); err != nil {
			t.Errorf("%s in 10.2: %v", text, err)
		}
	}
}

func TestParseRelease(t *testing.T) {
	for in, want := range map[string]string{"10.2": "10.2", "11.2.0.4": "11.2", "12c": "12.0", "19c": "19.0", "23ai": "23.0", "26ai": "26.0", "8i": "8.0", "19.27": "19.27"} {
		got, err := ParseRelease(in)
		if err != nil || got.String() != want {
			t.Errorf("%s: %s, %v", in, got, err)
		}
	}
	for _, bad := range []string{"", "x", "1", "19c.1", "-1", "100"} {
		if r, err := ParseRelease(bad); err == nil {
			t.Errorf("%q was read as %s", bad, r)
		}
	}
}
