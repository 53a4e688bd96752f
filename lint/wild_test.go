package lint

import (
	"sort"
	"strings"
	"testing"
)

// wild holds one small script for each kind that the public corpus has
// (facts/oradebug-corpus.tsv), written for this test. Good ones have no error;
// what is wrong with the others is named.
var wild = []struct {
	kind, name, src string
	commands        int
	rules           string // the rules expected at warning and above, sorted
	noError         bool
}{
	{
		"script: own process", "od.sql",
		"prompt about to dump\noradebug setmypid\noradebug unlimit\noradebug dump modified_parameters 1\noradebug tracefile_name\n",
		4, "", true,
	},
	{
		"script: process looked up by sid", "by_sid.sql",
		"set termout off\ncol spid new_value the_spid\nselect p.spid from v$process p, v$session s where s.paddr = p.addr and s.sid = &1;\ncol spid clear\nset termout on\noradebug setospid &the_spid\n",
		1, "", true,
	},
	{
		"script: fragment that another one calls", "stack.sql",
		"pause really?\noradebug short_stack\noradebug short_stack\n",
		2, "RT003 RT010", true,
	},
	{
		"script: documentation, spooled", "doc.sql",
		"spool doc.txt\noradebug help\noradebug doc event name\noradebug doc event filter pgadep\noradebug doc component sql_optimizer\nspool off\nhost grep x doc.txt\n",
		4, "", true,
	},
	{
		"script: leading tabs, trailing blanks, no final line end", "tabs.sql",
		"\toradebug setmypid\n\toradebug setinst all\n\toradebug -g all hanganalyze 3 \n  oradebug tracefile_name",
		4, "", true,
	},
	{
		"script: on and off with semicolons", "pair.sql",
		"oradebug setospid 7853;  \n-- the OS process id\noradebug unlimit;\noradebug event 10046 trace name context forever, level 8;\n-- wait\noradebug event 10046 trace name context off;\n",
		4, "RT044", true,
	},
	{
		"script: variables inside event texts", "byid.sql",
		"undefine scope;\nundefine ids;\nalter &&scope set events\n    'sql_trace[SQL: &&ids ] wait=true, bind=true,plan_stat=first_execution';\noradebug setmypid\noradebug eventdump &&scope;\npause go on?\nalter &&scope set events 'sql_trace[SQL: &&ids ] off';\n",
		2, "RT045", true,
	},
	{
		"generator", "gen.sql",
		"define id = 'X'\nspool _run.sql\nprompt set echo on\nselect 'oradebug SETORAPID ' || p.pid || chr(10) || 'oradebug SETTRACEFILEID &id'\n\t--, s.sid\nfrom v$session s, v$process p\nwhere s.paddr = p.addr\norder by s.sid\n/\nspool off\n@ _run.sql\n",
		0, "", true,
	},
	{
		"generator, dangerous", "halt.sql",
		"select 'REM '||s.sid||chr(10)||\n  'oradebug setorapid '||p.pid||chr(10)||\n  'oradebug suspend'||chr(10)||\n  'REM'\nfrom v$session s, v$process p where s.paddr = p.addr;\n",
		0, "RT010", false,
	},
	{
		"shell here-document", "trace.sh",
		"#!/usr/bin/env bash\n\n: << 'COMMENT'\nselect a pid and\noradebug things happen\nCOMMENT\n\npid=${1:?'Please'}; shift\nsqlplus -S /nolog  <<-EOF\n\n\tconnect / as sysdba\n\twhenever sqlerror exit 12\n\tcol pid new_value u_pid noprint\n\n\tselect p.pid from v\\$session s, v\\$process p\n\twhere p.addr = s.paddr\n\t\tand s.process = '$pid';\n\n\tprompt pid: &u_pid\n\toradebug setorapid &u_pid\n\toradebug unlimit\n\t-- it may raise an error\n\toradebug setmypid\n\texec dbms_lock.sleep($seconds)\n\texit\nEOF\ncase $? in\n 11) echo \"oradebug failed\";;\nesac\n",
		3, "", true,
	},
	{
		"shell here-document, preliminary connection", "sys.sh",
		"sqlplus -prelim / as sysdba<<EOF\noradebug setmypid;\noradebug  hanganalyze 4;\n\noradebug -g all dump systemstate 266;\nexit\nEOF\n",
		3, "RT012", true,
	},
	{
		"spool log", "session.log",
		"SQL> oradebug setmypid\nStatement processed.\nSQL> alter session set events '10046 trace name context forever, level 12';\n\nSession altered.\n\nSQL> oradebug eventdump session\nsql_trace level=12\nSQL> alter session set events 'sql_trace off';\n\nSession altered.\n\nSQL> oradebug eventdump session\nStatement processed.\n",
		3, "", true,
	},
	{
		"spool log, a background process, a kernel function", "lgwr.sql",
		"orcl> oradebug setospid 14883\nOracle pid: 5, Unix process pid: 14883, image: oracle@h1 (LGWR)\norcl> oradebug call kcrfw_x\nFunction returned 90F42748\norcl> oradebug tracefile_name\n/u01/x.trc\norcl> select value from v$parameter;\nVALUE\n-----\n5242880\n",
		3, "RT006 RT010", false,
	},
	{
		"trace file", "js_ora_1.trc",
		"Trace file /u01/js_ora_1.trc\n*** 2014-10-28 12:28:09.772\nReceived ORADEBUG command (#1) 'dump sqlnet_server_trace 16' from process 'Unix process pid: 1, image: <none>'\noradebug suspend\n",
		0, "", true,
	},
	{
		"examples in another language", "help.lua",
		"local t={\n  [[oradebug setmypid\n    oradebug unlimit\n    oradebug session_event wait_event[\"log file sync\"|\"log file parallel write\"] trace(\"stack: %s\\n\", shortstack())\n    oradebug event sql_trace {process_pname=DBW} wait=true]]\n}\n",
		2, "", true,
	},
	{
		"prose", "change log.txt",
		"2019: oradebug now shows help\noradebug commands are listed with their arguments\n* new: oradebug suspend is refused\n",
		0, "", true,
	},
	{
		"comment only", "binds.sql",
		"-- for more: oradebug dump errorstack 3\nselect * from v$sql_bind_capture where sql_id = '&1';\n",
		0, "", true,
	},
	{
		"events only", "loop.sql",
		"ALTER SESSION SET EVENTS 'immediate trace name trace_buffer_on level 1048576';\n\nDECLARE\n  j NUMBER;\nBEGIN\n  NULL; -- oradebug\nEND;\n/\n\nALTER SESSION SET EVENTS 'immediate trace name trace_buffer_off';\n",
		0, "", true,
	},
	{
		"events only, never undone", "recipe.sql",
		"alter session set events 'immediate trace name trace_buffer_on level 1048576';\nalter session set events '10200 trace name context forever, level 1';\nalter session set events '8103 trace name errorstack level 3';\noradebug setmypid;\noradebug tracefile_name;\n",
		2, "RT031 RT032", true,
	},
	{
		"faulty script: a typing error", "rac.sql",
		"oradebug setmypid\noradebug setinst all\noradebug -g all dump systemstate 266\nexec dbms_lock.sleep(50);\noradebug tracelfile_name\n",
		4, "RT001 RT012", false,
	},
	{
		"faulty script: level 12", "stack12.sql",
		"oradebug setospid &ospid\noradebug unlimit\noradebug dump errorstack 12\n",
		3, "RT024 RT045", true,
	},
	{
		"faulty script: number of an OS process", "wrongid.sql",
		"oradebug setorapid 34275448 -- OS PID\noradebug dump processstate 10\n",
		2, "RT004 RT042", true,
	},
	{
		"dangerous script", "crash.sql",
		"oradebug setospid &ospid\noradebug event immediate crash\n",
		2, "RT010 RT045", false,
	},
	{
		"page with commands", "post.md",
		"Run this:\n\n```sql hl_lines=\"2\"\nSQL> alter session set events -\n>   'wait_event[\"PGA memory operation\"] {gt:refn(0x75558A80, 8, 3728), 0x40000000}{occurence:1,1} trace(\"x=%\\n\", refn(0x75558A80, 8, 3728)) errorstack(1)';\n\nSession altered.\n```\n\n- `oradebug suspend` is something else\n",
		0, "", true,
	},
}

func TestWildScripts(t *testing.T) {
	for _, w := range wild {
		t.Run(w.kind, func(t *testing.T) {
			r := Check(w.name, []byte(w.src), Options{})
			if r.Commands != w.commands {
				t.Errorf("%d commands, want %d", r.Commands, w.commands)
			}
			seen := map[string]bool{}
			var got []string
			for _, f := range r.Findings {
				if f.Severity == Error && w.noError {
					t.Errorf("an error in a script that is known good: %d:%d %s %s", f.Line, f.Column, f.Rule, f.Message)
				}
				if f.Severity >= Warning && !seen[f.Rule] {
					seen[f.Rule] = true
					got = append(got, f.Rule)
				}
			}
			sort.Strings(got)
			if strings.Join(got, " ") != w.rules {
				t.Errorf("rules %q, want %q\n%+v", strings.Join(got, " "), w.rules, r.Findings)
			}
		})
	}
}
