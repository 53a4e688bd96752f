package oradebug

import (
	"reflect"
	"strings"
	"testing"
)

// The lines are facts/oradebug.md 2.1 to 2.4 and 6.
func TestParseReply(t *testing.T) {
	cases := []struct {
		word, out string
		kind      ReplyKind
	}{
		{"setmypid", "Statement processed.\n", ReplyProcessed},
		{"SESSION_EVENT", "SQL> Statement processed.\r\n", ReplyProcessed},
		{"setmypid", "SQL> oradebug setmypid\nStatement processed.\nSQL> ", ReplyProcessed},
		{"setmypid", "oradebug setmypid\nStatement processed.\n", ReplyUnknown},
		{"session_event", "", ReplyEmpty},
		{"session_event", "명령문이 처리되었습니다.\n", ReplyUnknown},
		{"eventdump", "Sentencia procesada.\n", ReplyUnknown},
		{"setmypid", "Statement processed. \nStatement processed.", ReplyProcessed},
		{"setmypid", "statement processed.", ReplyUnknown},
		{"setorapid", "Oracle pid: 120, Unix process pid: 32263, image: oracle@ora192rac02.jks.com\n", ReplyAttached},
		{"setorapid", "Statement processed.\n", ReplyProcessed},
		{"setorapid", "Oracle pid: x, Unix process pid: 32263, image: o\n", ReplyUnknown},
		{"tracefile_name", "/u01/app/oracle/diag/rdbms/linora/linora/trace/linora_ora_2293.trc\n", ReplyTracefile},
		{"tracefile_name", "/orahome/admin/orcl/bdump/orcl_lgwr_14883.trc", ReplyTracefile},
		{"tracefile_name", `C:\app\oracle\diag\rdbms\orcl\orcl\trace\orcl_ora_5864.trc`, ReplyTracefile},
		{"tracefile_name", "no trace file", ReplyUnknown},
		{"eventdump", "Statement processed.\n", ReplyProcessed},
		{"eventdump", "sql_trace level=12\n", ReplyEvents},
		{"short_stack", "ksedsts()+426<-ksdxfstk()+58<-ksdxcb()+872<-sspuser()+223<-__sighandler()<-semtimedop()+10<-skgpwwait()+187", ReplyStack},
		{"call", "Function returned 686120CC\n", ReplyFunction},
		{"dumpvar", "struct kqftv* kqftvrt_ [0600A7408, 0600A7410) = 8F8127C0 00000000", ReplyVariable},
		{"hanganalyze", "Hang Analysis in /u01/x/orcl_ora_1.trc", ReplyHang},
		{"hanganalyze", "Statement processed.", ReplyProcessed},
		{"dump", "ORA-00074: no process has been specified\n", ReplyFailed},
		{"setorapid", "ORA-00072: process \"Unix process pid: 5, image: <none>\" is not active", ReplyFailed},
		{"setmypid", "SP2-0640: Not connected\n", ReplyFailed},
		{"eventdump", "ORA-32519: insufficient privileges to execute ORADEBUG command: OS debugger privileges required for client", ReplyFailed},
		{"help", "HELP           [command]                 Describe one or all commands", ReplyText},
		{"frobnicate", "whatever", ReplyUnknown},
	}
	for _, c := range cases {
		if got := ParseReply(c.word, c.out).Kind; got != c.kind {
			t.Errorf("%s: %q is %s, want %s", c.word, c.out, got, c.kind)
		}
	}
}

func TestParseReplyErrorLines(t *testing.T) {
	// The pair of 11g and later, folded at 80 columns, as ALTER SESSION shows it.
	out := "ERROR:\n" +
		"ORA-49100: Failed to process event statement [sql_trace wait=true, bind=true a_n\n" +
		"ame_that_nobody_knows(1)]\n" +
		"ORA-49102: Action definition for [a_name_that_nobody_knows] not found\n" +
		"Help: https://docs.oracle.com/error-help/db/ora-49100/\n"
	r := ParseReply("session_event", out)
	want := []ErrorLine{
		{"ORA", 49100, "Failed to process event statement [sql_trace wait=true, bind=true a_name_that_nobody_knows(1)]"},
		{"ORA", 49102, "Action definition for [a_name_that_nobody_knows] not found"},
	}
	if !reflect.DeepEqual(r.Errors, want) {
		t.Errorf("got  %q\nwant %q", r.Errors, want)
	}
	for _, l := range r.Lines {
		if strings.HasPrefix(l, "Help:") {
			t.Errorf("the Help line was kept")
		}
	}
	if got := r.Errors[1].String(); got != "ORA-49102: Action definition for [a_name_that_nobody_knows] not found" {
		t.Errorf("printed as %q", got)
	}
	// The real fold of facts/oradebug.md 2.4: between words.
	r = ParseReply("", "ERROR:\nORA-49100: Failed to process event statement [10046 [sql: 1111111111111 |\n2222222222222]]\n"+
		"ORA-49160: Scope or Filter cannot be specified for mapped event, use [sql_trace\nlevel=1]\n")
	if len(r.Errors) != 2 || r.Errors[0].Text != "Failed to process event statement [10046 [sql: 1111111111111 | 2222222222222]]" ||
		r.Errors[1].Text != "Scope or Filter cannot be specified for mapped event, use [sql_trace level=1]" {
		t.Errorf("folded between words: %q", r.Errors)
	}
	r = ParseReply("settracefileid", "ORA-32522: restricted heap violation while executing ORADEBUG command: [kghalo bad heap ds] [0x0133BED74] [0x060172100]")
	if !r.Tolerated("SETTRACEFILEID") || r.Tolerated("EVENT") || !r.HasError(32522) || r.HasError(32519) {
		t.Errorf("ORA-32522 of settracefileid: %+v", r)
	}
}

func TestParseAttach(t *testing.T) {
	cases := []struct {
		line string
		want Attach
	}{
		{"Oracle pid: 120, Unix process pid: 32263, image: oracle@ora192rac02.jks.com", Attach{Orapid: 120, OSPid: "32263", Image: "oracle@ora192rac02.jks.com"}},
		{"Oracle pid: 2, Unix process pid: 29172, image: oracle@localhost.localdomain (PMON)", Attach{Orapid: 2, OSPid: "29172", Image: "oracle@localhost.localdomain", Suffix: "PMON", Class: ClassBackground}},
		{"Oracle pid: 30, Unix process pid: 3192, image: oracle@databasevm.localdomain (TNS V1-V3)", Attach{Orapid: 30, OSPid: "3192", Image: "oracle@databasevm.localdomain", Suffix: "TNS V1-V3"}},
		{"Oracle pid: 13, Windows thread id: 5864, image: ORACLE.EXE (SHAD)", Attach{Orapid: 13, OSPid: "5864", Windows: true, Image: "ORACLE.EXE", Suffix: "SHAD"}},
		{"Oracle pid: 9, Unix process pid: 5455, NID: 4026531836, image: oracle@db-21.localdomain", Attach{Orapid: 9, OSPid: "5455", NID: "4026531836", Image: "oracle@db-21.localdomain"}},
		{"Oracle pid: 19, Unix process pid: 77, image: oracle@h (S000)", Attach{Orapid: 19, OSPid: "77", Image: "oracle@h", Suffix: "S000", Class: ClassSharedSrv}},
		{"Oracle pid: 18, Unix process pid: 76, image: oracle@h (D000)", Attach{Orapid: 18, OSPid: "76", Image: "oracle@h", Suffix: "D000", Class: ClassDispatcher}},
		{"Oracle pid: 40, Unix process pid: 76, image: oracle@h (P00A)", Attach{Orapid: 40, OSPid: "76", Image: "oracle@h", Suffix: "P00A", Class: ClassOther}},
		{"Oracle pid: 40, Unix process pid: 76, image: oracle@h (P007)", Attach{Orapid: 40, OSPid: "76", Image: "oracle@h", Suffix: "P007", Class: ClassPX}},
		{"Oracle pid: 41, Unix process pid: 76, image: oracle@h (J009)", Attach{Orapid: 41, OSPid: "76", Image: "oracle@h", Suffix: "J009", Class: ClassJob}},
		{"Oracle pid: 41, Unix process pid: 76, image: oracle@h (PSP0)", Attach{Orapid: 41, OSPid: "76", Image: "oracle@h", Suffix: "PSP0", Class: ClassBackground}},
		{"Oracle pid: 41, Unix process pid: 76, image: oracle@h (XYZ9Q)", Attach{Orapid: 41, OSPid: "76", Image: "oracle@h", Suffix: "XYZ9Q", Class: ClassOther}},
	}
	for _, c := range cases {
		got, ok := ParseAttach(c.line)
		if !ok || got != c.want {
			t.Errorf("%s\n got  %+v, %v\n want %+v", c.line, got, ok, c.want)
		}
		if got.String() != c.line {
			t.Errorf("printed as %q", got.String())
		}
	}
	for _, bad := range []string{
		"", "Oracle pid: 0, Unix process pid: 5, image: x", "Oracle pid: 99999999999, Unix process pid: 5, image: x",
		"oracle pid: 5, Unix process pid: 5, image: x", "Oracle pid: 5, Unix process pid: , image: x", "x Oracle pid: 5, Unix process pid: 5, image: x",
	} {
		if a, ok := ParseAttach(bad); ok {
			t.Errorf("%q was read as %+v", bad, a)
		}
	}
}

func TestEventdumpLines(t *testing.T) {
	out := "cannot_insert_null incident(\"NULL_INSERTION\")\nno_such_table errorstack(1)\n"
	r := ParseReply("eventdump", out)
	// These two aliases exist only in a patched kernel (3.3): no catalogue has
	// them, the bodies show that they are events.
	if r.Kind != ReplyEvents || len(r.Events) != 2 {
		t.Errorf("got %s %q", r.Kind, r.Events)
	}
	out = "942 trace name trace_buffer_off; name errorstack level 3\nsql_trace wait=true, bind=true trace_buffer_on(256000)\ntrace [RDBMS.SQL_OPTIMIZER]\n"
	r = ParseReply("EVENTDUMP", out)
	if r.Kind != ReplyEvents || len(r.Events) != 3 || r.Events[2] != "trace [RDBMS.SQL_OPTIMIZER]" {
		t.Errorf("got %s %q", r.Kind, r.Events)
	}
}
