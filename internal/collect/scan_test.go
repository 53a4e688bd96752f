package collect

import (
	"bytes"
	"testing"
)

// What take looks at closely must never be taken for an ordinary line.
func FuzzOrdinaryLines(f *testing.F) {
	meaning := []string{
		"*** ", "Trace file ", "Dump file ", "Received ORADEBUG command", "Finished processing ORADEBUG command", "Oradebug command '",
		"Processing Oradebug command '", "Trace ", "----- Error Stack Dump", "Incident ", "Dump continued from file: ",
	}
	for _, m := range meaning {
		f.Add([]byte(m + "x"))
	}
	for _, s := range []string{"", " ", "\t\r", "  \t", "\u00a0", "\u2003 ", "EXEC #1:c=0", "  value=3", "FETCH #1", "PARSE #1", "WAIT #1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !ordinary(line) {
			return
		}
		for _, m := range meaning {
			if bytes.HasPrefix(line, []byte(m)) {
				t.Errorf("%q is ordinary, and begins with %q", line, m)
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			t.Errorf("%q is ordinary, and blank", line)
		}
	})
}

// Most lines of a trace take the short way.
func TestMostLinesAreOrdinary(t *testing.T) {
	for _, line := range []string{"EXEC #1:c=0,e=1", "FETCH #1:c=0", "WAIT #1: nam='x'", "BINDS #1:", " Bind#0", "  oacdty=02", "CLOSE #1", "STAT #1 id=1", "PARSE #1:c", "XCTEND rlbk=0", "=====================", "select 1 from dual"} {
		if !ordinary([]byte(line)) {
			t.Errorf("%q is looked at closely", line)
		}
	}
}
