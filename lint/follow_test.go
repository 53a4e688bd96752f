package lint

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"ringtrace/oradebug"
)

// block is one session of a guarded script, as the generator writes it: the
// query's value is ORADEBUG's command word.
func block(n int) string {
	return fmt.Sprintf(`
-- %[1]d/9 APP "R&D"
prompt %[1]d/9 inst 1 sid %[1]d
oradebug setmypid
oradebug setorapid %[1]d
define rt=help
select case when count(*) = 1
             and count(case when s.sid = %[1]d and s.serial# = 7 then 1 end) = 1
            then 'session_event' else 'help' end as rt
  from v$process p join v$session s on s.paddr = p.addr
 where p.pid = %[1]d and p.serial# = 3;
oradebug eventdump session
oradebug eventdump process
oradebug ^rt sql_trace wait=true, bind=true trace_buffer_on(256000)
oradebug ^rt 1555 trace name trace_buffer_off; name errorstack level 3, lifetime 3
define rt_outcome=MOVED
select case when '^rt' = 'help' then 'SKIPPED' when count(*) = 1 then 'ARMED' else 'MOVED' end as rt_outcome
  from v$process p where p.pid = %[1]d;
prompt ringtrace: ^rt_outcome %[1]d/9
oradebug tracefile_name
oradebug eventdump session
oradebug setmypid
`, n)
}

const guardedTop = `set define ^
set sqlblanklines off
column rt new_value rt format a20
column rt_outcome new_value rt_outcome format a20
`

const ownOff = `oradebug setmypid
oradebug session_event 1555 off
oradebug session_event sql_trace off
oradebug session_event immediate trace name trace_buffer_off
exit
`

func TestGuardedScriptIsFollowed(t *testing.T) {
	// With a header that names the undo there is nothing to say.
	want(t, "enable_1.sql", "-- undo: disable_1.sql\n"+guardedTop+block(38)+block(39)+ownOff, "")
	// Without one the follower must have seen through ^rt.
	want(t, "enable_1.sql", guardedTop+block(38)+block(39)+ownOff, `
18:14 RT031 warning
18:14 RT032 warning
19:14 RT031 warning`)
	// The off form, guarded as well, takes it back.
	off := strings.NewReplacer(
		"sql_trace wait=true, bind=true trace_buffer_on(256000)", "sql_trace off",
		"1555 trace name trace_buffer_off; name errorstack level 3, lifetime 3", "1555 off\noradebug ^rt immediate trace name trace_buffer_off",
	).Replace(block(38))
	want(t, "x.sql", guardedTop+block(38)+off, "")
}

func TestGuardWithoutCommandWordIsUnknown(t *testing.T) {
	// A query whose literals are no commands: the word is a variable, so the
	// line can be nothing but an unknown command for certain.
	src := "set define ^\ncolumn rt new_value rt\nselect max(x) as rt from t;\noradebug setmypid\noradebug ^rt 1555 errorstack(1)\n"
	for _, f := range found("x.sql", src) {
		if strings.Contains(f, "RT031") {
			t.Errorf("an unknown command is taken for session_event: %s", f)
		}
	}
}

// The word of a closed guard is help: whatever follows sets nothing.
func TestClosedGuardSetsNothing(t *testing.T) {
	want(t, "x.sql", "set define ^\ndefine rt=help\noradebug setmypid\noradebug ^rt 1555 trace name errorstack level 3\n", "")
}

func TestPlacesInLiterals(t *testing.T) {
	want(t, "x.sql", "exec execute immediate 'alter session set events ''60 errorstack(12)'''\n", "1:66 RT024 warning")
	want(t, "x.sql", "begin\n  execute immediate 'alter session set events ''60 {eq: 1, ' ||\n   '2} errorstack(12)''';\nend;\n/\n", "")
}

func TestSubstitutedPlaces(t *testing.T) {
	// Finding in text that comes from a variable, and behind it.
	src := "define ev='1555'\ndefine lv=12\noradebug setmypid\noradebug session_event &ev. errorstack(&lv) bogus\n"
	want(t, "x.sql", src, "4:45 RT020 error")
	src = "define w=session_event\noradebug setmypid\noradebug &w 1555 errorstack(12)\noradebug &w 1555 off\n"
	want(t, "x.sql", src, "3:29 RT024 warning")
}

// siblings serves other files of the folder.
func siblings(files map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if s, ok := files[name]; ok {
			return []byte(s), nil
		}
		return nil, fs.ErrNotExist
	}
}

func TestUndoIsCompared(t *testing.T) {
	enable := "-- undo: disable_1.sql\n" + attach + "oradebug session_event 1555 errorstack(1)\noradebug session_event sql_trace wait=true trace_buffer_on(256000)\n"
	for _, tt := range []struct {
		label, undo string
		want        []string
	}{
		{"complete", attach + "oradebug session_event 1555 off\noradebug session_event 10046 off\noradebug dump trace_buffer_off 0\n", nil},
		{"event forgotten", attach + "oradebug session_event sql_trace off\noradebug dump trace_buffer_off 0\n", []string{"3:24 RT050 error event 1555 stays on"}},
		{"ring forgotten", attach + "oradebug session_event 1555 off\noradebug session_event sql_trace off\n", []string{"4:24 RT050 error the trace buffer stays on"}},
		{"another event", attach + "oradebug session_event 1556 off\noradebug session_event sql_trace off\noradebug dump trace_buffer_off 0\n", []string{"3:24 RT050 error event 1555 stays on"}},
	} {
		t.Run(tt.label, func(t *testing.T) {
			r := Check("enable_1.sql", []byte(enable), Options{Sibling: siblings(map[string]string{"disable_1.sql": tt.undo})})
			compareMessages(t, r, tt.want)
		})
	}
	t.Run("no such file", func(t *testing.T) {
		compareMessages(t, Check("enable_1.sql", []byte(enable), Options{Sibling: siblings(nil)}), nil)
	})
}

func compareMessages(t *testing.T, r Result, want []string) {
	t.Helper()
	if len(r.Findings) != len(want) {
		t.Fatalf("findings %+v, want %q", r.Findings, want)
	}
	for i, f := range r.Findings {
		got := fmt.Sprintf("%d:%d %s %s %s", f.Line, f.Column, f.Rule, f.Severity, f.Message)
		if !strings.HasPrefix(got, want[i]) {
			t.Errorf("got %q, want it to begin with %q", got, want[i])
		}
	}
}

// The pair whose off script turns off another event and never the buffer.
func TestOffScriptIsComparedWithItsOnScript(t *testing.T) {
	on := ":\nsvrmgrl <<!\nconnect internal\noradebug setospid $p \noradebug event immediate trace name trace_buffer_on level 102400\noradebug event 10998 trace name context forever, level 255\n!\n"
	off := ":\nsvrmgrl <<!\nconnect internal\noradebug setospid $p \noradebug event 10235 trace name context off\n!\n"
	want(t, "evon.sh", on, "5:16 RT032 warning\n6:16 RT031 warning")
	compareMessages(t, Check("evoff.sh", []byte(off), Options{Sibling: siblings(map[string]string{"evon.sh": on})}), []string{
		"5:10 RT050 warning event 10998 stays on: evon.sh turns it on in line 6",
		"5:10 RT050 warning the trace buffer stays on",
	})
	compareMessages(t, Check("evoff.sh", []byte(off), Options{Sibling: siblings(nil)}), nil)
}

// 10.2 knows neither names nor actions, and has another error for everything.
func TestRelease(t *testing.T) {
	src := attach + "oradebug session_event 1555 errorstack(3)\noradebug session_event 1555 trace name errorstack off\n"
	r := Check("x.sql", []byte(src), Options{Release: oradebug.Release{Major: 10, Minor: 2}})
	compareMessages(t, r, []string{"2:29 RT020 error ORA-02194"})
	r = Check("x.sql", []byte("alter session set events 'sql_trace wait=true';\n"), Options{Release: oradebug.Release{Major: 10, Minor: 2}})
	compareMessages(t, r, []string{"1:27 RT020 error ORA-02194"})
	want(t, "x.sql", src, "")
}

// A file that sets every number there is must not take for ever.
func TestManyEventsAreLinear(t *testing.T) {
	var b strings.Builder
	b.WriteString(attach)
	for n := 1; n < 20_000; n++ {
		fmt.Fprintf(&b, "oradebug session_event %d trace name context forever, level 1\n", n)
	}
	start := time.Now()
	r := Check("x.sql", []byte(b.String()), Options{})
	if r.Commands != 20_000 {
		t.Errorf("%d commands", r.Commands)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestSeverities(t *testing.T) {
	for _, tt := range []struct {
		src, rule string
		want      Severity
	}{
		{"oradebug short_stack\n", "RT003", Warning}, // a fragment that another script calls
		{"oradebug short_stack\noradebug setmypid\n", "RT003", Error},
		{"oradebug session_event 60 off\n", "RT003", Error},
		{"oradebug setorapid 34275448\n", "RT004", Warning},
		{"oradebug setorapid 12345\n", "RT004", Info},
		{"oradebug setorapid 65536\n", "RT004", Warning},
		{"oradebug setospid 34275448\noradebug setorapid 34275448\n", "RT004", Error},
		{"oradebug setorapname diag\n", "RT006", Info},
		{"oradebug setorapname lgwr\n", "RT006", Warning},
		{"oradebug lkdebug -a hashcount\n", "RT010", Warning},
		{"oradebug lkdebug -m pkey 7\n", "RT010", Error},
		{"oradebug LKDEBUG -m Reconfig\n", "RT010", Error},
		{attach + "oradebug session_event 604 asm_dump_kstss\n", "RT010", Error},
		{attach + "oradebug session_event 604 flush_dbreplay_capture_buffer\n", "RT010", Error},
		{attach + "oradebug session_event 604 kxfpclearstats\n", "RT011", Error},
		{attach + "oradebug short_stack\n", "RT010", Warning},
		{attach + "oradebug suspend\n", "RT010", Error},
		{"oradebug hanganalyze 3\n", "RT012", Info},
		{"oradebug hanganalyze 5\n", "RT012", Warning},
		{attach + "oradebug dump trace_buffer_on 8192\n", "RT025", Warning},
		{attach + "oradebug dump trace_buffer_on 1\n", "RT025", Error},
		{"\xef\xbb\xbf-- x\n", "RT040", Warning},
		{"\xef\xbb\xbforadebug setmypid\n", "RT040", Error},
		{"select '" + strings.Repeat("x", 3000) + "' from dual;\n", "RT041", Warning},
		{"select '" + strings.Repeat("x", 6000) + "' from dual;\n", "RT041", Error},
		{"oradebug setmypid;\n", "RT044", Info},
		{attach + "oradebug session_event 60 off;\n", "RT044", Warning},
		{"alter session set events '60 trace name x;\n", "RT044", Error},
		{"oradebug setospid &1\n", "RT045", Info},
		{"oradebug setospid &p\n", "RT045", Warning},
		{"oradebug event 60 -\n errorstack(1)\n", "RT046", Info},
		{"prompt -\noradebug setmypid\n", "RT046", Error},
	} {
		ok := false
		for _, f := range Check("x.sql", []byte(tt.src), Options{}).Findings {
			if f.Rule == tt.rule {
				ok = true
				if f.Severity != tt.want {
					t.Errorf("%s in %q is %v, want %v", tt.rule, clip(tt.src), f.Severity, tt.want)
				}
				break
			}
		}
		if !ok {
			t.Errorf("%s is missing in %q", tt.rule, clip(tt.src))
		}
	}
}

// TestRiskyOnBackground: the risky class may not meet a background process
// either (facts/oradebug.md 1.3); what only looks is a warning where it selects.
func TestRiskyOnBackground(t *testing.T) {
	for command, want := range map[string]bool{
		"core": true, "pdump interval=5 ndumps=3 errorstack 1": true, "settracefileid x": true, "suspend": true,
		"short_stack": false, "current_sql": false, "resume": false,
	} {
		found := false
		for _, f := range Check("x.sql", []byte("oradebug setorapname lgwr\noradebug "+command+"\n"), Options{}).Findings {
			found = found || f.Rule == "RT006" && f.Line == 2 && f.Severity == Error
		}
		if found != want {
			t.Errorf("RT006 at %s on LGWR: %v, want %v", command, found, want)
		}
	}
}
