package lint

import (
	"fmt"
	"strings"
	"testing"
)

// found lists what Check says as "line:column RULE severity".
func found(name, src string) []string {
	var out []string
	for _, f := range Check(name, []byte(src), Options{}).Findings {
		out = append(out, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Rule, f.Severity))
	}
	return out
}

// want compares Check's findings, in order, with lines of "line:column RULE
// severity"; rules in ignore are left out.
func want(t *testing.T, name, src, wanted string, ignore ...string) {
	t.Helper()
	var got []string
	for _, f := range found(name, src) {
		if skip := func() bool {
			for _, r := range ignore {
				if strings.Contains(f, r) {
					return true
				}
			}
			return false
		}(); !skip {
			got = append(got, f)
		}
	}
	w := strings.Fields(strings.ReplaceAll(strings.TrimSpace(wanted), " ", "\x00"))
	for i := range w {
		w[i] = strings.ReplaceAll(w[i], "\x00", " ")
		w[i] = strings.TrimSpace(w[i])
	}
	if strings.Join(got, "\n") != strings.Join(w, "\n") {
		t.Errorf("%s\n%s\ngot:\n  %s\nwant:\n  %s", name, src, strings.Join(got, "\n  "), strings.Join(w, "\n  "))
	}
}

// attach selects a process so that a fragment has a target.
const attach = "oradebug setorapid 38\n"

// ruleCases has for every rule scripts that break it and scripts that come
// close and do not. The lines count from the attach line.
var ruleCases = []struct {
	rule string
	name string // file name, x.sql if empty
	bad  []string
	good []string
}{
	{
		rule: "RT001",
		bad: []string{
			"oradebug setmypid\noradebug tracelfile_name\n",
			"oradebug setmypid\noradebug systemstate 266\n", // without DUMP
			"oradebug setmypid\noradebug errorstack 3\n",
			"oradebug oraospid 12\n",
			"oradebug setmypid\noradebug oradebug unlimit\n",
			"oradebgu setmypid\n",
			"ORADEBUGG SETMYPID\n",
			"oradebug\n",
		},
		good: []string{
			"ORADEBUG  \tSetMyPid\n   oradebug   TRACEFILE_NAME\n",
			"oradebug help\noradebug doc event name sql_trace\noradebug dumplist\n",
			"orange juice\nradebug is no word\n",
		},
	},
	{
		rule: "RT002",
		bad: []string{
			"oradebug setorapid\n", "oradebug setorapid 0\n", "oradebug setospid lgwr\n",
			attach + "oradebug dump errorstack\n", attach + "oradebug dump errorstak 3\n",
			attach + "oradebug eventdump everything\n", "oradebug setmypid now\n",
		},
		good: []string{"oradebug setorapid 38 force\n", "oradebug setospid $pid\n", attach + "oradebug dump errorstack 3\n"},
	},
	{
		rule: "RT003",
		bad: []string{
			"oradebug session_event 1555 trace name errorstack level 3\n",
			"oradebug dump systemstate 10\n",
			"oradebug tracefile_name\noradebug setmypid\n",
			"connect / as sysdba\noradebug unlimit\n",
			"oradebug setmypid\nconnect / as sysdba\noradebug unlimit\n",
		},
		good: []string{"oradebug setmypid\noradebug unlimit\n", "oradebug hanganalyze 3\n", "@attach\noradebug unlimit\n"},
	},
	{
		rule: "RT004",
		bad:  []string{"oradebug setorapid 34275448\n", "oradebug setospid 37\noradebug setorapid 37\n", "oradebug setorapid 37\noradebug setospid 0037\n"},
		good: []string{"oradebug setorapid 37\noradebug setospid 34275448\n", "oradebug setorapid 9999\n", "oradebug setorapid &p\n"},
	},
	{
		rule: "RT005",
		bad:  []string{attach + "oradebug settracefileid abc\n"},
		good: []string{"oradebug setmypid\noradebug settracefileid abc\n"},
	},
	{
		rule: "RT006",
		bad: []string{
			"oradebug setorapname lgwr\noradebug session_event 10046 level 12\n",
			"oradebug setorapname DBW0\noradebug suspend\n",
			"oradebug setorapname smon\n", "oradebug setospid $(pgrep -f ora_lgwr_$SID)\n",
		},
		good: []string{attach + "oradebug tracefile_name\n", "oradebug setorapname &name\n"},
	},
	{
		rule: "RT010",
		bad: []string{
			attach + "oradebug suspend\n", "oradebug setmypid\noradebug suspend\n", attach + "oradebug poke 0x1 4 0\n",
			attach + "oradebug call kslwt_end\n", "oradebug ffbegin\n", attach + "oradebug event immediate crash\n",
			attach + "oradebug session_event 942 crash()\n", attach + "oradebug session_event 942 kill_instance\n",
			attach + "oradebug event 942 trace name errorstack level 1 : 60 crash after 2 times\n",
			attach + "oradebug short_stack\n", "oradebug setinst all\noradebug -g all ffbegin\n",
			"select 'oradebug setorapid '||pid||chr(10)||'oradebug suspend' from v$process;\n",
		},
		good: []string{
			attach + "oradebug tracefile_name\noradebug eventdump session\noradebug flush\noradebug close_trace\n",
			"select 'oradebug setorapid '||pid||chr(10)||'oradebug unlimit' from v$process;\n",
			"prompt do not use oradebug suspend\n-- oradebug suspend\n",
		},
	},
	{
		rule: "RT011",
		bad: []string{
			attach + "oradebug dump adjust_scn 1\n", attach + "oradebug dump tr_corrupt_one_side 1\n",
			attach + "oradebug session_event immediate trace name flush_cache level 1\n",
			"oradebug setinst all\noradebug -g all dump ioerremul 1\n",
		},
		good: []string{attach + "oradebug dump processstate 10\n"},
	},
	{
		rule: "RT012",
		bad: []string{
			"oradebug setmypid\noradebug dump systemstate 266\n", "oradebug hanganalyze 3\n",
			attach + "oradebug dump heapdump 2\n", "alter session set events 'immediate trace name systemstate level 258';\n",
		},
		good: []string{attach + "oradebug dump processstate 10\n", attach + "oradebug dump heapdump 5\n"},
	},
	{
		rule: "RT020",
		bad: []string{
			attach + "oradebug session_event 942 errorstck(3)\n", attach + "oradebug session_event no_such_event errorstack(3)\n",
			attach + "oradebug session_event sql_trace waits=true\n", attach + "oradebug session_event 942 {process: }\n",
			"alter session set events 'sql_trace plan_stat=always';\n",
			"alter system set events '942 trace name errorstak level 3';\n",
			"begin\n  execute immediate 'alter session set events ''942 trace errorstack''';\nend;\n/\n",
			"exec execute immediate 'alter session set events ''trace wait=true''';\n",
		},
		good: []string{
			attach + "oradebug session_event 942 errorstack (3)\n", attach + "oradebug event &ev\n",
			attach + "oradebug event &ev trace name context forever, level &lvl\n",
			"alter session set events '10046 trace name context forever, level 12';\n",
			"alter session set events=\"x\";\nalter session set nls_language=french;\n",
			"begin\n  execute immediate 'alter session set events ''942 trace name errorstack level '||n||'''';\nend;\n/\n",
			"alter session set events '&ev trace name context forever, level 4';\n",
			"alter session set events -\n  'wait_event[\"PGA memory operation\"] -\n  {occurence:1,1} -\n  errorstack(1)';\n",
		},
	},
	{
		rule: "RT021",
		bad: []string{
			attach + "oradebug session_event 942 trace name errorstack level 3 trace_buffer_off(1)\n",
			attach + "oradebug session_event 942 trace_buffer_off(1); name errorstack level 3\n",
			attach + "oradebug session_event 942 trace name trace_buffer_off; errorstack(3)\n",
		},
		good: []string{
			attach + "oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3, lifetime 1\n",
			attach + "oradebug session_event 60 errorstack(1):1555 trace name errorstack level 1\n",
		},
	},
	{
		rule: "RT022",
		bad: []string{
			attach + "oradebug session_event 10046 [sql: g3yc1js3g2689] level 12\n",
			attach + "oradebug session_event 10053 {process: 12} level 1\n",
			"alter system set events '10046 {process: pname = p000} level 12';\n",
		},
		good: []string{attach + "oradebug session_event sql_trace [sql: g3yc1js3g2689] wait=true\n"},
	},
	{
		rule: "RT023",
		bad:  []string{attach + "oradebug session_event 1555 {occurrence: 1,1} errorstack(3)\n", "alter session set events '60 {occurrences:end_after 3} errorstack(1)';\n"},
		good: []string{attach + "oradebug session_event 1555 {occurence: 1,1} errorstack(3)\n", attach + "oradebug event 10046 trace name context level 12, after 50 occurrences\n"},
	},
	{
		rule: "RT024",
		bad: []string{
			attach + "oradebug dump errorstack 12\n", attach + "oradebug session_event 1555 trace name errorstack level 10\n",
			attach + "oradebug session_event 1555 errorstack(4)\n", "alter session set events '1555 trace name errorstack level 4';\n",
		},
		good: []string{attach + "oradebug dump errorstack 3\n", attach + "oradebug dump processstate 10\n", attach + "oradebug dump errorstack &l\n"},
	},
	{
		rule: "RT025",
		bad: []string{
			attach + "oradebug session_event immediate trace name trace_buffer_on\n", attach + "oradebug session_event sql_trace wait=true trace_buffer_on\n",
			attach + "oradebug session_event sql_trace wait=true trace_buffer_on()\n", attach + "oradebug dump trace_buffer_on 1\n",
			attach + "oradebug session_event immediate trace name trace_buffer_on level 256\n", attach + "oradebug dump trace_buffer_on 8192\n",
			attach + "oradebug dump trace_buffer_on 4294967296\n", attach + "oradebug dump trace_buffer_on 99999999999999999999\n",
		},
		good: []string{attach + "oradebug dump trace_buffer_on 65536\n", attach + "oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)\n", attach + "oradebug dump trace_buffer_on &n\n"},
	},
	{
		rule: "RT026",
		bad: []string{
			attach + "oradebug session_event 942 trace name errorstack level 3\n", attach + "oradebug session_event 1403 errorstack(1)\n",
			"alter system set events '1 trace name errorstack level 3';\n",
			attach + "oradebug session_event 942 trace name errorstack level 3, lifetime 1; name processstate level 1\n",
		},
		good: []string{
			attach + "oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3, lifetime 3\n",
			attach + "oradebug session_event 1403 {occurence:1,1} errorstack(1)\n", attach + "oradebug session_event 942 off\n",
			attach + "oradebug session_event 1555 trace name errorstack level 3\n", attach + "oradebug session_event 942 trace name trace_buffer_off\n",
			"-- undo: off.sql\n" + attach + "oradebug session_event 942 trace name errorstack level 3\n",
		},
	},
	{
		rule: "RT027",
		bad:  []string{attach + "oradebug session_event 10200 trace name errorstack level 3\n", attach + "oradebug session_event 10979 errorstack(1)\n"},
		good: []string{attach + "oradebug session_event 10200 trace name context forever, level 1\n", attach + "oradebug session_event 10632 trace name errorstack level 3\n", attach + "oradebug session_event 8103 errorstack(3)\n"},
	},
	{
		rule: "RT028",
		bad:  []string{attach + "oradebug event 10046 trace name context level 12\n", "alter session set events '10200 trace name context level 1';\n"},
		good: []string{
			attach + "oradebug event 10046 trace name context forever, level 12\n", attach + "oradebug event 10046 level 12\n",
			attach + "oradebug event 10046 trace name context off\n", attach + "oradebug event 10046 trace name context level 12, lifetime 10000, after 5000 occurrences\n",
		},
	},
	{
		rule: "RT030",
		bad: []string{
			attach + "oradebug event 10046 level 12\noradebug session_event 10046 off\n",
			attach + "oradebug session_event 1555 trace name errorstack level 3\noradebug session_event 1555 trace name context off\n",
			attach + "oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3\noradebug session_event 1555 trace name errorstack off\n",
			attach + "oradebug session_event sql_trace [sql: g3yc1js3g2689] wait=true\noradebug session_event sql_trace off\n",
			attach + "oradebug event 10998 trace name context forever, level 255\noradebug event 10235 trace name context off\n",
		},
		good: []string{
			attach + "oradebug session_event 10046 trace name context forever, level 12\noradebug session_event sql_trace off\n",
			attach + "oradebug session_event sql_trace wait=true\noradebug session_event 10046 trace name context off\n",
			attach + "oradebug session_event 1555 trace name errorstack level 3\noradebug session_event 1555 off\n",
			attach + "oradebug session_event deadlock errorstack(1)\noradebug session_event 60 off\n",
			attach + "oradebug event 10235 trace name context off\n",
			"alter session set events '60 trace name errorstack level 1';\noradebug setmypid\noradebug session_event 60 off\n",
		},
	},
	{
		rule: "RT031",
		bad: []string{
			attach + "oradebug session_event 1555 trace name errorstack level 3\n",
			"alter session set events '10046 trace name context forever, level 12';\n",
			attach + "oradebug session_event 1555 errorstack(1)\noradebug setorapid 39\noradebug session_event 1555 off\n",
			attach + "oradebug session_event 60 errorstack(1)\noradebug event 60 off\n",
			"alter session set events '10046 level 12';\ncreate or replace procedure p is\nbegin\n  execute immediate 'alter session set events ''10046 off''';\nend;\n/\n",
		},
		good: []string{
			attach + "oradebug session_event 1555 trace name errorstack level 3\noradebug session_event 1555 trace name errorstack off\n",
			"alter session set events '10046 trace name context forever, level 12';\nselect 1 from dual;\nalter session set events '10046 trace name context off';\n",
			"alter session set events '10046 level 12';\nselect 1 from dual;\nexit\n",
			"alter session set events '10046 level 12';\nbegin\n  execute immediate 'alter session set events ''10046 off''';\nend;\n/\n",
			"begin\n  execute immediate 'alter session set events ''10046 level 12''';\nend;\n/\n",
			attach + "oradebug session_event immediate trace name errorstack level 3\n",
			"-- undo: disable_1.sql\n" + attach + "oradebug session_event 1555 errorstack(1)\n",
			"/* ringtrace undo: ./off/disable_1.sql */\n" + attach + "oradebug session_event 1555 errorstack(1)\n",
			"REM UNDO : off.sql\n" + attach + "oradebug session_event 1555 errorstack(1)\n",
		},
	},
	{
		rule: "RT032",
		bad: []string{
			attach + "oradebug session_event sql_trace wait=true trace_buffer_on(256000)\noradebug session_event sql_trace off\n",
			attach + "oradebug dump trace_buffer_on 65536\n",
			"alter session set events 'immediate trace name trace_buffer_on level 1048576';\n",
			// an off that waits for an error is no release
			attach + "oradebug dump trace_buffer_on 65536\noradebug session_event 1555 trace name trace_buffer_off\noradebug session_event 1555 off\n",
		},
		good: []string{
			attach + "oradebug dump trace_buffer_on 65536\noradebug dump trace_buffer_off 0\n",
			attach + "oradebug dump trace_buffer_on 65536\noradebug event immediate trace name trace_buffer_off\n",
			"alter session set events 'immediate trace name trace_buffer_on level 1048576';\nalter session set events 'immediate trace name trace_buffer_off';\n",
			"--ringtrace undo: disable_1.sql\n" + attach + "oradebug dump trace_buffer_on 65536\n",
		},
	},
	{
		rule: "RT040",
		bad:  []string{"\xef\xbb\xbf-- hello\noradebug setmypid\n", "oradebug setmypid\r\n", "\xff\xfeo\x00r\x00"},
		good: []string{"oradebug setmypid\n", "prompt a\rb\n"},
	},
	{
		rule: "RT041",
		bad:  []string{"select '" + strings.Repeat("x", 2600) + "' from dual;\n", attach + "oradebug session_event sql_trace" + strings.Repeat(" ", 5100) + "wait=true\n"},
		good: []string{"select '" + strings.Repeat("x", 2400) + "' from dual;\n"},
	},
	{
		rule: "RT042",
		bad:  []string{"oradebug setospid 12345 -- OS PID\n", "oradebug setmypid /* own */\n", "oradebug setmypid; -- own\n"},
		good: []string{"-- own\noradebug setmypid\n", attach + "oradebug session_event 60 {streq:username(),\"-- x\"} errorstack(1)\n"},
	},
	{
		rule: "RT043",
		bad:  []string{"oradebug setmypid\n/\n", "select 1 from dual;\n/\n", "/\n", "select 1 from dual\n/\noradebug setmypid\n\n  /  \n"},
		good: []string{"select 1 from dual\n/\n", "begin null; end;\n/\n", "select 1\nfrom dual\n\n/\n", "select 1 from dual\n.\n/\n", "create or replace procedure p is\nbegin null; end;\n/\n", "-- /\nprompt /\n"},
	},
	{
		rule: "RT044",
		bad:  []string{attach + "oradebug session_event 1555 trace name errorstack level 3;\n", "oradebug setmypid;\n", "alter session set events '60 trace name trace_buffer_off;\n name errorstack level 3';\n"},
		good: []string{attach + "oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3\n", "alter session set events '60 trace name trace_buffer_off; name errorstack level 3';\n"},
	},
	{
		rule: "RT045",
		bad: []string{
			"-- program R&D on host\n", "select 'R&D' from dual;\n", "oradebug setospid &spid\n", "oradebug setorapid &1\n", "prompt a&&b\n",
			"set define off\nset define on\nprompt R&D\n", "set define ^\nprompt R^D\n", "define x=1\nundefine x\nprompt &x\n",
			"col pid new_value p\nselect pid from v$process;\noradebug setorapid &p\n",
		},
		good: []string{
			"set define off\n-- program R&D on host\n", "set def off\nprompt R&D\n", "set scan off\nprompt R&D\n", "SET ECHO OFF DEFINE OFF\nprompt R&D\n",
			"define spid=12\noradebug setospid &spid\n", "accept spid prompt 'which?'\noradebug setospid &spid\n", "prompt A & B && C\n",
			"set define ^\nprompt R&D\n", "set escape \\\nprompt R\\&D\n", "prompt &_user at &_CONNECT_IDENTIFIER.\n",
			"define p=1\ncol pid new_value p\nselect max(pid) pid from v$process;\n",
		},
	},
	{
		rule: "RT046",
		bad:  []string{"prompt -----\noradebug setmypid\n", "oradebug setmypid -\noradebug unlimit\n", "oradebug setmypid -\nexit\n", "rem ---\noradebug setmypid\n", "oradebug setmypid -\n"},
		good: []string{"-- -----\noradebug setmypid\n", "prompt ----\nprompt x\n", "prompt a-b\noradebug setmypid\n"},
	},
	{
		rule: "RT047",
		bad:  []string{"set cmdsep on\n" + attach + "oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3\n", "set cmdsep |\n" + attach + "oradebug session_event trace[a|b] disk=high\n"},
		good: []string{attach + "oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3\n", "set cmdsep on\nset cmdsep off\n" + attach + "oradebug session_event 1555 trace name trace_buffer_off; name errorstack level 3\n"},
	},
	{
		rule: "RT048",
		bad:  []string{"select 1\noradebug setmypid\nfrom dual;\n", "begin\n  null;\noradebug setmypid\nend;\n/\n", "select 1 from dual; -- done\noradebug setmypid\n"},
		good: []string{"select 'x\noradebug setmypid\n' from dual;\n", "select 1 /*\noradebug setmypid\n*/ from dual;\n", "select 1 from dual\n\noradebug setmypid\n", "select q'[\noradebug setmypid\n]' from dual;\n"},
	},
	{
		rule: "RT049",
		bad:  []string{"alter system set events '1555 trace name errorstack level 3';\n", "alter system set events '60 errorstack(1)';\nalter session set events '60 off';\n"},
		good: []string{"alter system set events '1555 trace name errorstack level 3';\nalter system set events '1555 trace name errorstack off';\n", "-- undo: x.sql\nalter system set events '1555 errorstack(1)';\n"},
	},
	{
		rule: "RT051",
		bad:  []string{"alter session set events '10079 trace name context forever, level 2';\n"},
		good: []string{"alter session set events '10079 off';\n", attach + "oradebug session_event 10079 trace name context forever, level 2\n"},
	},
	{
		rule: "RT052",
		bad:  []string{attach + "oradebug session_event 10079 trace name context forever, level 2\n", attach + "oradebug dump sqlnet_server_trace 16\n"},
		good: []string{attach + "oradebug session_event 10079 off\n"},
	},
	{
		rule: "RT054",
		bad:  []string{attach + "oradebug session_event sql_trace {pgadep: exactdepth 0} wait=true\n"},
		good: []string{attach + "oradebug session_event sql_trace {process: 12} wait=true\n", attach + "oradebug doc event filter pgadep\n"},
	},
	{
		rule: "RT053",
		bad:  []string{"alter system set events '1555 {process: 12} errorstack(1)';\nalter system set events '1555 {process: 13} errorstack(1)';\n"},
		good: []string{"alter system set events '1555 {process: 12} errorstack(1)';\nalter system set events '1555 {process: 12} errorstack(2)';\n"},
	},
}

func TestRules(t *testing.T) {
	covered := map[string]bool{"RT050": true} // TestUndoIsCompared
	for _, rc := range ruleCases {
		covered[rc.rule] = true
		name := rc.name
		if name == "" {
			name = "x.sql"
		}
		has := func(src string) bool {
			for _, f := range found(name, src) {
				if strings.Contains(f, rc.rule) {
					return true
				}
			}
			return false
		}
		for i, src := range rc.bad {
			if !has(src) {
				t.Errorf("%s bad %d is not reported:\n%s\n%s", rc.rule, i, clip(src), strings.Join(found(name, src), "\n"))
			}
		}
		for i, src := range rc.good {
			if has(src) {
				t.Errorf("%s good %d is reported:\n%s\n%s", rc.rule, i, clip(src), strings.Join(found(name, src), "\n"))
			}
		}
	}
	for _, r := range Rules() {
		if !covered[r.ID] {
			t.Errorf("%s has no test", r.ID)
		}
	}
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
