package oradebug

import "testing"

// canonical holds event texts seen in facts/oradebug.md 1 to 6 and
// facts/founding.md 1, with the form they print in.
var canonical = []struct{ text, want string }{
	// facts/founding.md 1
	{"sql_trace wait=true, bind=true trace_buffer_on(256000)", ""},
	{"942 trace name trace_buffer_off; name errorstack level 3", ""},
	{"942 trace name trace_buffer_off; name errorstack level 3, lifetime 3", ""},
	{"sql_trace wait=true, bind=true", ""},
	{"sql_trace wait=true, bind=true, plan_stat=all_executions trace_buffer_on(256000)", ""},
	{"942 trace name trace_buffer_off", ""},
	// 3.1, 3.2
	{"10053 level 1", "10053 level=1"},
	{"sql_trace level 12", "sql_trace level=12"},
	{"sql_trace [sql: g3yc1js3g2689 | 7ujay4u33g337]", ""},
	{"sql_trace[sql: sql_id=g3yc1js3g2689 | sql_id=7ujay4u33g337]", "sql_trace [sql: g3yc1js3g2689 | 7ujay4u33g337]"},
	{"trace[dml]:sql_trace wait=true", "trace[DML]:sql_trace wait=true"},
	{"sql_trace bind=true:10704 level 10", "sql_trace bind=true:10704 level=10"},
	{"sql_trace {process : pname = dw | pname =dm} wait=true", "sql_trace {process: pname=dw | process: pname=dm} wait=true"},
	{"sql_trace {process: pname = p000 | process: pname=p005}", "sql_trace {process: pname=p000 | process: pname=p005}"},
	{"942 {process: 14534} incident(\"x\")", ""},
	{"942 errorstack (3)", "942 errorstack(3)"},
	{"942 ERRORSTACK(3)", "942 errorstack(3)"},
	{"SQL_TRACE WAIT = TRUE , BIND=FALSE", "sql_trace wait=true, bind=false"},
	{"trace[rac_enq] disk highest", "trace[RAC_ENQ] disk=highest"},
	{"trace [RDBMS.SQL_Quarantine]", "trace[rdbms.SQL_Quarantine]"},
	{"trace[rdbms.sql_optimizer.*]", "trace[rdbms.SQL_Optimizer.*]"},
	{"trace[SQL_Compiler | PX_Granule] disk high", "trace[SQL_Compiler | PX_Granule] disk=high"},
	{"trace[sql_mon.*] memory=high,get_time=highres", "trace[sql_mon.*] memory=high, get_time=highres"},
	{"trace[RDBMS.SQL_Transform] [SQL: 32cqz71gd8wy3] disk=high RDBMS.query_block_dump(1) processstate(1) callstack(1)", "trace[rdbms.SQL_Transform] [sql: 32cqz71gd8wy3] disk=high rdbms.query_block_dump(1) processstate(1) callstack(1)"},
	{"wait_event[\"log file sync\"] off", ""},
	{"wait_event[all] trace('\\nevent=\"%\", p1=%', evargs(5), evargn(2))", "wait_event[all] trace(\"\\nevent=\"\"%\"\", p1=%\", evargs(5), evargn(2))"},
	{"wait_event[\"PGA memory operation\"] {gt:refn(0x60009E88,8,3728), 0x40000000} {occurence:1,1} trace(\"x\") errorstack(1)", "wait_event[\"PGA memory operation\"] {gt: refn(0x60009E88, 8, 3728), 0x40000000} {occurence: 1, 1} trace(\"x\") errorstack(1)"},
	{"sql_trace[SQL: 32cqz71gd8wy3] {streq:username(),\"TC1\"}", "sql_trace [sql: 32cqz71gd8wy3] {streq: username(), \"TC1\"}"},
	{"sql_trace {occurence:end_after 3}", "sql_trace {occurence: end_after=3}"},
	// 3.3
	{"0x291b level 1", "10523 level=1"},
	{"0x291b off", "10523 off"},
	{"deadlock trace name hanganalyze_global level 3", "60 trace name hanganalyze_global level 3"},
	{"deadlock errorstack(1)", "60 errorstack(1)"},
	{"logon oradebug", "10029 oradebug"},
	{"kg_event[942] errorstack(3)", ""},
	// 3.5
	{"60 trace name hanganalyze_global level 4, forever; name heapdump level 29, forever; name systemstate level 266, lifetime 1; name latches level 5 ,after 3 times; name record_callstack level 1000, life 5; name processstate level 2, forever", "60 trace name hanganalyze_global level 4, forever; name heapdump level 29, forever; name systemstate level 266, lifetime 1; name latches level 5, after 3 times; name record_callstack level 1000, lifetime 5; name processstate level 2, forever"},
	{"10046 trace name context level 12, lifetime 10000, after 5000 occurrences", "10046 trace name context level 12, lifetime 10000, after 5000 times"},
	{"10046 trace name context forever,level 12", "10046 trace name context forever, level 12"},
	{"942 trace name errorstack forever,level 3", "942 trace name errorstack forever, level 3"},
	{"immediate trace name trace_buffer_on level 102400", ""},
	{"immediate trace name trace_buffer_off", ""},
	{"immediate crash", ""},
	{"immediate eventdump(session)", ""},
	{"immediate trace name systemstate level 266", ""},
	// 3.6
	{"10046 trace name context off", ""},
	{"942 off", ""},
	{"sql_trace off", ""},
	{"trace[rdbms.VPD.*] off", ""},
	{"942 trace name errorstack off", ""},
	// 6, as eventdump prints it
	{"1461 trace name CONTEXT level 4, forever", "1461 trace name context level 4, forever"},
	{"sql_trace [sql:av3nyus5dkhb1] bind=false, wait=true", "sql_trace [sql: av3nyus5dkhb1] bind=false, wait=true"},
	{"8103 trace name errorstack level 3", ""},
	// 1.1: a trailing ";"
	{"10046 trace name context forever, level 12;", "10046 trace name context forever, level 12"},
	// substitution variables and shell variables
	{"&ev trace name errorstack level &lvl", ""},
	{"10046 trace name context forever, level ${LEVEL}", ""},
}

func TestCanonicalForm(t *testing.T) {
	for _, c := range canonical {
		want := c.want
		if want == "" {
			want = c.text
		}
		s, err := ParseSpec(c.text)
		if err != nil {
			t.Errorf("%s\n %v", c.text, err)
			continue
		}
		if got := s.String(); got != want {
			t.Errorf("%s\n got  %s\n want %s", c.text, got, want)
		}
		again, err := ParseSpec(s.String())
		if err != nil || !again.Equal(s) || again.String() != s.String() {
			t.Errorf("%s: printed form %q parses to %q, %v", c.text, s.String(), again.String(), err)
		}
	}
}
