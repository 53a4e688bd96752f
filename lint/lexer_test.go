package lint

import (
	"fmt"
	"strings"
	"testing"
)

// items lists what the lexer makes of a script: kind, class, place, text.
func items(src string) []string {
	x := lexer{src: &rawLines{src: []byte(src)}, contiguous: []byte(src), set: newSettings()}
	var out []string
	var it item
	for x.next(&it) {
		p := it.text.at(0)
		kind := [...]string{"comment", "command", "sql", "block", "slash", "session", "unknown"}[it.kind]
		how := ""
		if it.kind == itemSQL || it.kind == itemBlock {
			how = " " + [...]string{";", "/", "blank", ".", "cut"}[it.end]
		}
		out = append(out, fmt.Sprintf("%d %s%s %q", p.line, kind, how, strings.ReplaceAll(string(it.text.b), "\n", "|")))
	}
	return out
}

func TestLexer(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"commands and comments", "-- a\nREM b\n/* c\nd */\noradebug setmypid\n\n  ORADEBUG unlimit;", []string{
			`1 comment "-- a"`, `2 comment "REM b"`, `3 comment "/* c|d */"`, `5 command "oradebug setmypid"`, `7 command "  ORADEBUG unlimit;"`,
		}},
		{"SQL ends at ; at a line end", "select ';' from dual; \nprompt x\n", []string{`1 sql ; "select ';' from dual; "`, `2 command "prompt x"`}},
		{"SQL ends at / and .", "select 1\n/\nselect 2\n.\nselect 3\n\nprompt x", []string{
			`1 sql / "select 1|/"`, `3 sql . "select 2|."`, `5 sql blank "select 3|"`, `7 command "prompt x"`,
		}},
		{"SQLBLANKLINES ON", "set sqlblanklines on\nselect 1\n\nfrom dual;\n", []string{`1 command "set sqlblanklines on"`, `2 sql ; "select 1||from dual;"`}},
		{"a block ends at / only", "begin\n  x;\n\n  -- /\nend;\n/\nexit\n", []string{`1 block / "begin|  x;||  -- /|end;|/"`, `7 command "exit"`}},
		{"CREATE of code is a block", "create or replace /* c */ trigger t\nbefore logon on database\nbegin x; end;\n/\ncreate table t (a int);\n", []string{
			`1 block / "create or replace /* c */ trigger t|before logon on database|begin x; end;|/"`, `5 sql ; "create table t (a int);"`,
		}},
		{"WITH FUNCTION is a block", "with function f return int is begin return 1; end;\nselect f from dual\n/\nwith a as (select 1 from dual)\nselect * from a;\n", []string{
			`1 block / "with function f return int is begin return 1; end;|select f from dual|/"`, `4 sql ; "with a as (select 1 from dual)|select * from a;"`,
		}},
		{"; within a comment of a statement", "select 1 /* a;\nb; */\nfrom dual;\n", []string{`1 sql ; "select 1 /* a;|b; */|from dual;"`}},
		{"continuation", "oradebug session_event -\n  60 errorstack(1) -\n: 1555 off\nexit\n", []string{`1 command "oradebug session_event   60 errorstack(1) : 1555 off"`, `4 command "exit"`}},
		{"no continuation of --", "-- x -\nexit\n", []string{`1 comment "-- x -"`, `2 command "exit"`}},
		{"DOCUMENT", "doc\noradebug suspend\n#\nexit\n", []string{`1 comment "doc|oradebug suspend|#"`, `4 command "exit"`}},
		{"abbreviations", "pro x\nrema y\nacc z\ncol a new_val b\ndef c=1\nundef c\nconn /\nsta f\n", []string{
			`1 command "pro x"`, `2 comment "rema y"`, `3 command "acc z"`, `4 command "col a new_val b"`, `5 command "def c=1"`, `6 command "undef c"`, `7 command "conn /"`, `8 command "sta f"`,
		}},
		{"ORADEBUG is not shortened", "oradeb setmypid\n", []string{`1 unknown "oradeb setmypid"`}},
		{"terminator off", "set sqlterminator off\nselect 1;\n/\n", []string{`1 command "set sqlterminator off"`, `2 sql / "select 1;|/"`}},
		{"end of input", "select 1", []string{`1 sql cut "select 1"`}},
		{"CR LF", "select 1\r\n/\r\noradebug setmypid\r\n", []string{`1 sql / "select 1\r|/"`, `3 command "oradebug setmypid"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := items(tt.src); strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// A line within a statement is no command, whatever it looks like.
func TestStatementsAreNotCommands(t *testing.T) {
	for _, src := range []string{
		"select 1\noradebug setmypid\nfrom dual;\n",
		"begin\noradebug setmypid\nend;\n/\n",
		"create or replace procedure p is\n-- oradebug setmypid\noradebug suspend;\nbegin null; end;\n/\n",
		"/*\noradebug setmypid\n*/\n",
		"rem oradebug setmypid\n-- oradebug setmypid\nprompt oradebug setmypid\n",
		"prompt -\noradebug setmypid\n",
		"doc\noradebug setmypid\n#\n",
		"select 'oradebug setmypid' from dual;\n",
		"host echo oradebug setmypid\n!oradebug setmypid\n",
	} {
		if r := Check("x.sql", []byte(src), Options{}); r.Commands != 0 {
			t.Errorf("%d commands in\n%s", r.Commands, src)
		}
	}
}

func TestPlacesInJoinedText(t *testing.T) {
	// The level stands in line 3, column 14 of the file.
	src := "oradebug setmypid\noradebug session_event -\n  errorstack(12)\n"
	src = strings.Replace(src, "  errorstack", "  1555 errorstack", 1)
	want(t, "x.sql", src, "2:24 RT046 info\n3:3 RT031 warning\n3:19 RT024 warning")
}

func TestColumnsCountCharacters(t *testing.T) {
	want(t, "x.sql", "oradebug setmypid\noradebug session_event 60 {streq:username(),\"ÄÖ\"} errorstack(12)\noradebug session_event 60 off\n", "2:62 RT024 warning")
}
