package lint

import (
	"strings"
	"testing"
)

// rulesOf returns the rules that a script breaks, each once, in order.
func rulesOf(src string) string {
	var out []string
	seen := map[string]bool{}
	for _, f := range Check("x.sql", []byte(src), Options{}).Findings {
		if !seen[f.Rule] {
			seen[f.Rule] = true
			out = append(out, f.Rule)
		}
	}
	return strings.Join(out, " ")
}

// The same number for setospid and setorapid: the OS process id is no orapid.
func TestProblemO01_SameNumberForBothCommands(t *testing.T) {
	want(t, "x.sql", "oradebug setospid 34275448\noradebug setorapid 34275448\n", "2:20 RT004 error")
	want(t, "x.sql", "oradebug setorapid 34275448\n", "1:20 RT004 warning") // the sanity warning
	want(t, "x.sql", "oradebug setospid 34275448\noradebug setorapid 37\n", "")
}

// Errorstack levels that do not exist.
func TestProblemO07_ErrorstackLevels(t *testing.T) {
	for _, level := range []string{"4", "10", "12"} {
		src := attach + "oradebug session_event 1555 trace name errorstack level " + level + "\noradebug session_event 1555 off\n"
		r := Check("x.sql", []byte(src), Options{})
		if len(r.Findings) != 1 || r.Findings[0].Rule != "RT024" || !strings.Contains(r.Findings[0].Message, "3 is the highest") {
			t.Errorf("level %s: %+v", level, r.Findings)
		}
	}
	for _, level := range []string{"0", "1", "2", "3"} {
		if got := rulesOf(attach + "oradebug session_event 1555 errorstack(" + level + ")\noradebug session_event 1555 off\n"); got != "" {
			t.Errorf("level %s: %s", level, got)
		}
	}
}

// crash() is a legal action in Oracle's own list.
func TestProblemO13_CrashAction(t *testing.T) {
	for _, action := range []string{"crash()", "crash", "debugger(1)", "kill_instance", "controlc_signal", "crash(1)"} {
		want(t, "x.sql", attach+"oradebug session_event 1555 "+action+"\noradebug session_event 1555 off\n", "2:29 RT010 error")
	}
	for _, action := range []string{"crash", "crash level 1", "debugger", "kill_instance"} {
		want(t, "x.sql", attach+"oradebug session_event 1555 trace name "+action+"\noradebug session_event 1555 off\n", "2:40 RT010 error")
	}
	want(t, "x.sql", attach+"oradebug session_event immediate trace name crash\n", "2:45 RT010 error")
	want(t, "x.sql", attach+"oradebug session_event 1555 trace name errorstack level 3; name crash\noradebug session_event 1555 off\n", "2:65 RT010 error")
}

// ALTER SESSION refuses 10079; only ORADEBUG sets it.
func TestProblemO14_RefusedByAlterSession(t *testing.T) {
	r := Check("x.sql", []byte("ALTER SESSION SET EVENTS '10079 trace name context forever, level 2';\n"), Options{})
	for _, f := range r.Findings {
		if f.Rule == "RT051" {
			if !strings.Contains(f.Message, "ORA-01031") || !strings.Contains(f.Fix, "oradebug session_event 10079") {
				t.Errorf("the finding does not say what to type: %+v", f)
			}
			return
		}
	}
	t.Errorf("not reported: %+v", r.Findings)
}

// An ampersand in a comment asks for a value and eats the rest.
func TestProblemP01_AmpersandInText(t *testing.T) {
	want(t, "x.sql", "-- program R&D\noradebug setmypid\n", "1:13 RT045 warning")
	want(t, "x.sql", "set define off\n-- program R&D\noradebug setmypid\n", "")
	want(t, "x.sql", "set define ^\n-- program R&D\noradebug setmypid\n", "")
	want(t, "x.sql", "-- program R & D\noradebug setmypid\n", "")
}

// A byte order mark turns the first command into an unknown one.
func TestProblemP02_ByteOrderMark(t *testing.T) {
	src := "\xef\xbb\xbforadebug setmypid\r\noradebug unlimit\r\n"
	want(t, "x.sql", src, "1:1 RT040 error\n1:19 RT040 warning")
	if got, _ := Fix("x.sql", []byte(src), Options{}); string(got) != "oradebug setmypid\noradebug unlimit\n" {
		t.Errorf("fixed to %q", got)
	}
}

// Files joined one behind the other have their marks in the middle; other
// characters that no editor shows do the same harm.
func TestProblemP02_HiddenCharacters(t *testing.T) {
	for hidden, name := range map[string]string{
		"\xef\xbb\xbf": "byte order mark", "\u00a0": "(U+00A0)", "\u200b": "(U+200B)", " \xef\xbb\xbf": "byte order mark", "\u200b\u200b ": "(U+200B)", "\x1a": "(U+001A)",
	} {
		src := "oradebug setmypid\n" + hidden + "oradebug session_event 942 off\n"
		r := Check("x.sql", []byte(src), Options{})
		if len(r.Findings) != 1 || r.Findings[0].Rule != "RT040" || r.Findings[0].Severity != Error || r.Findings[0].Line != 2 ||
			!strings.Contains(r.Findings[0].Message, name) || !strings.Contains(r.Findings[0].Message, "SP2-0734") {
			t.Errorf("%q: %+v", hidden, r.Findings)
			continue
		}
		if got, _ := Fix("x.sql", []byte(src), Options{}); string(got) != "oradebug setmypid\n"+strings.Repeat(" ", strings.Count(hidden[:1], " "))+"oradebug session_event 942 off\n" {
			t.Errorf("%q fixed to %q", hidden, got)
		}
	}
	want(t, "x.sql", "oradebug setmypid\n\xef\xbb\xbf-- note\noradebug session_event 942 off\n", "2:1 RT040 warning")
	want(t, "x.sql", "\u200bhello\noradebug setmypid\n", "")
}

// A line with only a slash runs the buffer again.
func TestProblemP09_LoneSlash(t *testing.T) {
	want(t, "x.sql", "select 1 from dual;\noradebug setmypid\n/\n", "3:1 RT043 warning")
	want(t, "x.sql", "/*\n/\n*/\n-- /\noradebug setmypid\n", "")
	want(t, "x.sql", "select 1 from dual\n/\noradebug setmypid\n", "")
}

// ";" and "/" run a statement twice; ORADEBUG lines need neither.
func TestProblemP10_SemicolonAndSlash(t *testing.T) {
	want(t, "x.sql", "alter session set events '60 errorstack(1)';\n/\nalter session set events '60 off';\n", "2:1 RT043 warning")
	want(t, "x.sql", "oradebug setmypid;\n/\n", "1:18 RT044 info\n2:1 RT043 warning")
	want(t, "x.sql", "begin null; end;\n/\n", "")
}

// Spooled rows come wrapped, with tabs put in and feedback at the end.
func TestProblemP11_SpooledRows(t *testing.T) {
	// Tabs are blanks for SQL*Plus.
	want(t, "x.sql", "oradebug\tsetorapid\t38\noradebug\tsession_event\t60\terrorstack(1)\noradebug session_event 60 off\n", "")
	// A row wrapped at 40 columns: the rest of it is another line.
	want(t, "x.lst", "oradebug setorapid 38\noradebug session_event sql_trace wait=tr\nue, bind=true\n\n2 rows selected.\n", "2:39 RT020 error")
	// A wrapped command word.
	want(t, "x.lst", "oradebug setorapid 38\noradebug session_ev\nent 60 off\n", "2:10 RT001 error")
}

// A script for others to run asks for no parameters.
func TestProblemP18_ScriptParameters(t *testing.T) {
	want(t, "x.sql", "oradebug setorapid &1\n", "1:20 RT045 info")
	want(t, "x.sql", "oradebug setorapid 38\n", "")
}
