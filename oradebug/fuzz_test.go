package oradebug

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzSpec: what is accepted prints to a text that is accepted, equal and
// printed the same; what is refused says where and with which Oracle error.
func FuzzSpec(f *testing.F) {
	for _, c := range canonical {
		f.Add(c.text)
	}
	for _, s := range []string{
		"", ":", ";", "942", "trace[", "a.b.c", "942 trace(\"%\", add(1, 2))", "sql_trace {streq: username(), 'a''b'}",
		"942 errorstack(level 3) off", "60 debugger after 3 times", "&a &b", "wait_event[${X}] off", "\"\"", "942 {eq: 1, evargn(pos=1)}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSpec(text)
		if err != nil {
			var se *SpecError
			if !errors.As(err, &se) {
				t.Fatalf("%q: %T", text, err)
			}
			if se.Column < 1 || se.Column > len(text)+1 || se.ORA < 49101 || se.ORA > 49174 || se.Message == "" || se.Hint == "" {
				t.Fatalf("%q: column %d, ORA-%d, %q", text, se.Column, se.ORA, se.Message)
			}
			return
		}
		if len(s.Events) == 0 {
			t.Fatalf("%q: no events and no error", text)
		}
		printed := s.String()
		again, err := ParseSpec(printed)
		if err != nil {
			t.Fatalf("%q prints as %q, which is refused: %v", text, printed, err)
		}
		if !again.Equal(s) {
			t.Fatalf("%q prints as %q, which differs:\n%s\n%s", text, printed, s.Events[0].Normal(), again.Events[0].Normal())
		}
		if twice := again.String(); twice != printed {
			t.Fatalf("%q prints as %q, then as %q", text, printed, twice)
		}
		for _, off := range s.TurnOff() {
			if _, err := ParseSpec(off); err != nil {
				t.Fatalf("%q is turned off by %q, which is refused: %v", text, off, err)
			}
		}
		_, oldErr := ParseSpecFor(text, Release{10, 2})
		var se *SpecError
		if oldErr != nil && (!errors.As(oldErr, &se) || se.ORA != 2194) {
			t.Fatalf("%q in 10.2: %v", text, oldErr)
		}
	})
}

// FuzzCommand: as FuzzSpec, for whole lines.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{
		"oradebug setmypid", "oradebug setorapid 38 'force'", "oradebug dump errorstack 3;", "oradebug -g all dump systemstate 266",
		"oradebug session_event 942 trace name trace_buffer_off; name errorstack level 3", "oradebug", "oradebug oradebug",
		"ORADEBUG EVENT 10046 trace name context forever, level 12;", "oradebug -r 1,2 -g def -g all help", "oradebug pdump interval=5 ndumps=3 hanganalyze 3",
		"oradebug setinst \"1 2\"", "oradebug eventdump session", "oradebug setorapid &x", "x ;;", "oradebug dump $x 1\xa2;;",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, err := ParseCommand(line)
		if err != nil {
			var ce *CommandError
			if !errors.As(err, &ce) {
				t.Fatalf("%q: %T", line, err)
			}
			if ce.Column < 1 || ce.Column > len(line)+1 || ce.ORA < 70 || ce.Message == "" || ce.Hint == "" {
				t.Fatalf("%q: column %d, ORA-%d, %q", line, ce.Column, ce.ORA, ce.Message)
			}
			return
		}
		printed := c.String()
		again, err := ParseCommand(printed)
		if err != nil {
			t.Fatalf("%q prints as %q, which is refused: %v", line, printed, err)
		}
		if again.Word != c.Word || again.String() != printed {
			t.Fatalf("%q prints as %q, then as %q", line, printed, again.String())
		}
	})
}

// FuzzReply: never success out of nothing, and nothing lost of an error.
func FuzzReply(f *testing.F) {
	for _, s := range []string{
		"Statement processed.\n", "Oracle pid: 2, Unix process pid: 29172, image: oracle@h (PMON)\n", "ORA-00074: no process has been specified",
		"ERROR:\nORA-49100: Failed to process event statement [x]\nORA-49108: Event Name [X] not found\nHelp: https://docs.oracle.com/error-help/db/ora-49108/",
		"sql_trace level=12\n", "/u01/x.trc", "SP2-0640: Not connected", "Oracle pid: 02, Unix process pid: 1, image: x ()", "Function returned 90F42748", "", "SQL> ", "ksedsts()+426<-ksdxfstk()+58",
	} {
		for _, w := range []string{"setorapid", "eventdump", "tracefile_name", "session_event", ""} {
			f.Add(w, s)
		}
	}
	f.Fuzz(func(t *testing.T, word, out string) {
		r := ParseReply(word, out)
		failed := strings.HasPrefix(out, "ORA-00074: ")
		switch r.Kind {
		case ReplyProcessed:
			if !strings.Contains(out, processed) {
				t.Fatalf("%q is no success", out)
			}
		case ReplyAttached:
			a := r.Attach
			for _, part := range []string{strconv.Itoa(a.Orapid) + ",", ": " + a.OSPid + ",", "image: " + a.Image, a.Suffix} {
				if !strings.Contains(out, part) {
					t.Fatalf("%q: attached as %q, without %q", out, a, part)
				}
			}
		case ReplyFailed:
			if len(r.Errors) == 0 {
				t.Fatalf("%q failed without an error", out)
			}
		}
		if failed && r.Kind != ReplyFailed {
			t.Fatalf("%q is %s", out, r.Kind)
		}
		for _, l := range r.Lines {
			if utf8.ValidString(out) && !strings.Contains(out, l) {
				t.Fatalf("line %q is not in %q", l, out)
			}
		}
	})
}
