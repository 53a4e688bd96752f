package lint

import (
	"strings"
	"testing"
)

func TestFix(t *testing.T) {
	for _, tt := range []struct{ name, in, out string }{
		{"nothing to do", "-- undo: x.sql\noradebug setmypid\n", "-- undo: x.sql\noradebug setmypid\n"},
		{"byte order mark", "\xef\xbb\xbforadebug setmypid\n", "oradebug setmypid\n"},
		{"CR LF", "oradebug setmypid\r\n-- x\r\noradebug unlimit\r\n", "oradebug setmypid\n-- x\noradebug unlimit\n"},
		{"all of it", "\xef\xbb\xbforadebug setmypid;\r\n/\r\noradebug dump errorstack 12;\r\n", "oradebug setmypid\noradebug dump errorstack 3\n"},
		{"filter", attach + "oradebug session_event 1555 {occurrence: 1,1} errorstack(10)\n", attach + "oradebug session_event 1555 {occurence: 1,1} errorstack(3)\n"},
		{"mapped with scope", attach + "oradebug session_event 10046 [sql: g3yc1js3g2689] level 12\n", attach + "oradebug session_event sql_trace [sql: g3yc1js3g2689] level 12\n"},
		{"mapped, second event", attach + "oradebug session_event 60 errorstack(1):10046 {process: 12} level 8\n", attach + "oradebug session_event 60 errorstack(1):sql_trace {process: 12} level 8\n"},
		{"in ALTER SESSION", "alter session set events '60 {occurrence: 1,1} errorstack(12)';\n", "alter session set events '60 {occurence: 1,1} errorstack(3)';\n"},
		{"slash after oradebug", "select 1 from dual;\noradebug setmypid\n/\n", "select 1 from dual;\noradebug setmypid\n"},
		{"slash that runs a statement", "select 1 from dual\n/\n", "select 1 from dual\n/\n"},
		{"slash that runs it twice is not ours to judge", "select 1 from dual;\n/\n", "select 1 from dual;\n/\n"},
		{"a variable stays", attach + "oradebug dump errorstack &lvl;\n", attach + "oradebug dump errorstack &lvl\n"},
		{"last line without line end", "oradebug setmypid;", "oradebug setmypid"},
		{"a semicolon between names stays", attach + "oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3;\n", attach + "oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3\n"},
		{"here-document", "sqlplus / <<-EOF\n\toradebug setmypid;\n\tEOF\n", "sqlplus / <<-EOF\n\toradebug setmypid\n\tEOF\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := "x.sql"
			if strings.HasPrefix(tt.in, "sqlplus") {
				name = "x.sh"
			}
			before := []byte(tt.in)
			got, changes := Fix(name, before, Options{})
			if string(got) != tt.out {
				t.Errorf("got  %q\nwant %q", got, tt.out)
			}
			if string(before) != tt.in {
				t.Error("the input was changed")
			}
			if (tt.in != tt.out) != (len(changes) > 0) {
				t.Errorf("%d changes recorded", len(changes))
			}
			if again, more := Fix(name, got, Options{}); string(again) != tt.out || len(more) != 0 {
				t.Errorf("a second run changes it again: %q %v", again, more)
			}
		})
	}
}

// Thousands of line ends, and a fix that deletes one of those lines.
func TestFixManyLineEnds(t *testing.T) {
	in := "select 1 from dual;\r\n" + strings.Repeat("oradebug setmypid;\r\n/\r\n", 500)
	got, _ := Fix("x.sql", []byte(in), Options{})
	if want := "select 1 from dual;\n" + strings.Repeat("oradebug setmypid\n", 500); string(got) != want {
		t.Errorf("got %d bytes, want %d: %q…", len(got), len(want), clip(string(got)))
	}
}

// A log is a record of what happened.
func TestFixLeavesRecordsAlone(t *testing.T) {
	for name, src := range map[string]string{
		"x.log": "SQL> oradebug setmypid\r\nSQL> oradebug dump errorstack 12;\r\n",
		"x.md":  "```\noradebug setmypid;\noradebug dump errorstack 12\n```\n",
		"x.txt": "Do this:\n\n    oradebug dump errorstack 12\n\nand wait.\n",
	} {
		if got, changes := Fix(name, []byte(src), Options{}); string(got) != src || len(changes) != 0 {
			t.Errorf("%s was changed: %q", name, got)
		}
	}
}

func TestFixTellsEveryChange(t *testing.T) {
	_, changes := Fix("x.sql", []byte(attach+"oradebug session_event 1555 {occurrence: 1,1} errorstack(10);\n/\n"), Options{})
	var got []string
	for _, ch := range changes {
		got = append(got, ch.Rule+" | "+ch.Before+" | "+ch.After)
	}
	want := []string{
		"RT023 | oradebug session_event 1555 {occurrence: 1,1} errorstack(10); | oradebug session_event 1555 {occurence: 1,1} errorstack(10);",
		"RT044 | oradebug session_event 1555 {occurrence: 1,1} errorstack(10); | oradebug session_event 1555 {occurrence: 1,1} errorstack(10)",
		"RT043 | / | ",
		"RT024 | oradebug session_event 1555 {occurence: 1,1} errorstack(10) | oradebug session_event 1555 {occurence: 1,1} errorstack(3)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
