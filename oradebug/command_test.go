package oradebug

import (
	"errors"
	"strings"
	"testing"

	"ringtrace/oradebug/catalog"
)

// Lines seen in facts/oradebug.md 1, 2.5, 4 and 9, and facts/founding.md 1.
func TestParseCommand(t *testing.T) {
	cases := []struct{ line, want string }{
		{"oradebug setmypid", ""},
		{"ORADEBUG SETOSPID 12345;", "oradebug setospid 12345"},
		{"oradebug setospid 7853 7861", ""},
		{"  oradebug   setorapid\t38 ", "oradebug setorapid 38"},
		{"oradebug setorapid 38 force", ""},
		{"oradebug setorapid &u_orapid", ""},
		{"oradebug setorapname lgwr", ""},
		{"setmypid", "oradebug setmypid"},
		{"oradebug session_event sql_trace wait=true, bind=true trace_buffer_on(256000)", ""},
		{"oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3", ""},
		{"ORADEBUG EVENT 10046 TRACE NAME CONTEXT FOREVER, LEVEL 12;", "oradebug event 10046 trace name context forever, level 12"},
		{"oradebug event immediate trace name trace_buffer_on level 102400", ""},
		{"oradebug dump errorstack 3", ""},
		{"oradebug dump ERRORSTACK 3 ;", "oradebug dump errorstack 3"},
		{"oradebug dump cursortrace 612 address 1745700775", ""},
		{"oradebug dump trace_buffer_off 0", ""},
		{"oradebug dump processstate 10 ;", "oradebug dump processstate 10"},
		{"oradebug pdump interval=5 ndumps=3 hanganalyze 3", ""},
		{"oradebug pdump ndumps=5 orapids=1,2 errorstack 2", ""},
		{"oradebug dump krb_options 1", ""},
		{"oradebug tracefile_name;", "oradebug tracefile_name"},
		{"oradebug eventdump session", ""},
		{"oradebug hanganalyze 3", ""},
		{"oradebug -g all hanganalyze 3", ""},
		{"oradebug -g def dump systemstate 266", ""},
		{"oradebug -G 1,2 dump systemstate 266", "oradebug -g 1,2 dump systemstate 266"},
		{"oradebug setinst \"1 2\"", ""},
		{"oradebug setinst all", ""},
		{"oradebug direct_access SELECT * FROM x$ksdhng_chains", ""},
		{"oradebug lkdebug -m pkey 492984", ""},
		{"oradebug doc event action errorstack", ""},
		{"oradebug call ksmc_physmem_pga_target 0x7a4661000", ""},
		{"oradebug help", ""},
		{"oradebug unlimit", ""},
		{"oradebug flush", ""},
		{"oradebug close_trace", ""},
	}
	for _, c := range cases {
		want := c.want
		if want == "" {
			want = c.line
		}
		cmd, err := ParseCommand(c.line)
		if err != nil {
			t.Errorf("%s\n %v", c.line, err)
			continue
		}
		if got := cmd.String(); got != want {
			t.Errorf("%s\n got  %s\n want %s", c.line, got, want)
		}
		if cmd.Semicolon != strings.Contains(strings.TrimRight(c.line, " ")[len(c.line)-3:], ";") {
			t.Errorf("%s: semicolon %v", c.line, cmd.Semicolon)
		}
	}
}

func TestCommandParts(t *testing.T) {
	cmd, err := ParseCommand("  oradebug Dump ErrorStack 3")
	if err != nil || cmd.Word != "DUMP" || cmd.Typed != "Dump" || cmd.Dump.Name != "ERRORSTACK" || cmd.Dump.Level != "3" ||
		cmd.Dump.Info.Class != catalog.DumpProcess || cmd.Column != 12 || cmd.RestColumn != 17 || !cmd.Info.Target {
		t.Errorf("%+v, %v", cmd, err)
	}
	cmd, err = ParseCommand("oradebug -g all dump systemstate 266")
	if err != nil || cmd.Instances != "all" || cmd.Inner == nil || cmd.Inner.Word != "DUMP" || cmd.Inner.Dump.Info.Class != catalog.DumpHeavy || cmd.Inner.Column != 17 {
		t.Errorf("%+v, %v", cmd, err)
	}
	cmd, err = ParseCommand("oradebug session_event 942 errorstack(3);")
	if err != nil || cmd.Spec == nil || !cmd.Spec.Semicolon || cmd.Rest != "942 errorstack(3)" {
		t.Errorf("%+v, %v", cmd, err)
	}
	cmd, err = ParseCommand("oradebug pdump interval=10 ndumps=2 orapnames=dbw0,smon errorstack 2")
	if err != nil || cmd.Dump.Interval != "10" || cmd.Dump.Count != "2" || cmd.Dump.Name != "ERRORSTACK" || cmd.Dump.Level != "2" {
		t.Errorf("%+v, %v", cmd.Dump, err)
	}
}

// facts/oradebug.md 1.2 (not commands, yet found in scripts) and 2.2.
func TestCommandErrors(t *testing.T) {
	cases := []struct {
		line        string
		column, ora int
		message     string
		hint        string
	}{
		{"oradebug oradebug help", 10, 70, "command oradebug is not valid", ""},
		{"oradebug tracelfile_name", 10, 70, "command tracelfile_name is not valid", "tracefile_name"},
		{"oradebug oraospid 5", 10, 70, "command oraospid is not valid", ""},
		{"oradebug systemstate 266", 10, 70, "command systemstate is not valid", "dump systemstate"},
		{"oradebug errorstack 3", 10, 70, "command errorstack is not valid", "dump errorstack"},
		{"oradebug", 9, 70, "command  is not valid", "help"},
		{"oradebug SETORAPID 12345 -- OS PID", 20, 73, "command SETORAPID takes between 1 and 2 argument(s)", "setorapid <orapid>"},
		{"oradebug setorapid", 19, 73, "command setorapid takes between 1 and 2 argument(s)", ""},
		{"oradebug setmypid 5", 19, 73, "command setmypid takes between 0 and 0 argument(s)", "no argument"},
		{"oradebug dump errorstack", 15, 73, "command dump takes between 2 and 3 argument(s)", ""},
		{"oradebug setorapid 0", 20, 71, "process number must be between 1 and", "V$PROCESS.PID"},
		{"oradebug setorapid abc", 20, 71, "process number must be between 1 and", ""},
		{"oradebug setospid abc", 19, 75, "process \"abc\" not found in this instance", ""},
		{"oradebug dump erorstack 3", 15, 76, "dump erorstack not found", "errorstack"},
		{"oradebug eventdump sesion", 20, 32521, "", "session"},
		{"oradebug session_event 942 errorstck(3)", 28, 49102, "Action definition for [errorstck] not found", "errorstack"},
		{"oradebug -g all oradebug", 17, 70, "", ""},
		{"oradebug -g all", 13, 73, "", ""},
	}
	for _, c := range cases {
		_, err := ParseCommand(c.line)
		var ce *CommandError
		if !errors.As(err, &ce) {
			t.Errorf("%s was accepted", c.line)
			continue
		}
		if ce.Column != c.column || ce.ORA != c.ora || !strings.Contains(ce.Message, c.message) || !strings.Contains(ce.Hint, c.hint) || ce.Hint == "" {
			t.Errorf("%s\n got  column %d ORA-%05d %s (%s)\n want column %d ORA-%05d %s (%s)", c.line, ce.Column, ce.ORA, ce.Message, ce.Hint, c.column, c.ora, c.message, c.hint)
		}
		var se *SpecError
		if got, want := errors.As(err, &se), c.ora > 49000; got != want {
			t.Errorf("%s: SpecError inside: %v", c.line, got)
		}
	}
}

// facts/oradebug.md 1.2 and 9: doc and eventdump are 11g.
func TestCommandByRelease(t *testing.T) {
	cases := []struct {
		line string
		rel  Release
		ora  int
	}{
		{"oradebug eventdump session", Release{10, 2}, 70},
		{"oradebug eventdump session", Release{11, 2}, 0},
		{"oradebug eventdump session", Release{}, 0},
		{"oradebug settracefileid x", Release{9, 2}, 70},
		{"oradebug ipc_trace a b c", Release{12, 1}, 70},
		{"oradebug session_event sql_trace wait=true", Release{10, 2}, 2194},
		{"oradebug session_event sql_trace wait=true", Release{11, 1}, 0},
		{"oradebug session_event 10046 trace name context forever, level 12", Release{10, 2}, 0},
	}
	for _, c := range cases {
		_, err := ParseCommandFor(c.line, c.rel)
		var ce *CommandError
		got := 0
		if errors.As(err, &ce) {
			got = ce.ORA
		}
		if got != c.ora {
			t.Errorf("%s in %s: ORA-%d, want %d", c.line, c.rel, got, c.ora)
		}
	}
}
