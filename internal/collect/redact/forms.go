package redact

import (
	"bytes"
	"regexp"
)

// starForms are the lines with three stars that hold nothing of the
// application (facts/trace-format.md 3). DBMS_SYSTEM.KSDWRT can write any other.
var (
	starForms = regexp.MustCompile(`^\*\*\* (\d{4}-\d\d-\d\d[ T][0-9:.]+([+-][0-9:]+|Z)?( \([^()]*\(\d+\)\))? *` +
		`|\[ (Unix process pid|Windows thread id): \d+ \]` +
		`|DUMP FILE SIZE IS LIMITED TO \d+ BYTES ?(\*\*\*)?|Trace file full ?(\*\*\*)?|TRACE FILE RECREATED AFTER BEING REMOVED ?(\*\*\*)?)$`)
	starPaths = regexp.MustCompile(`^\*\*\* TRACE (DUMP )?(CONTINUED FROM|CONTINUES IN) FILE (/\S*)? ?(\*\*\*)?$`)
	starTime  = regexp.MustCompile(`^\d{4}-\d\d-\d\d[ T][0-9:.]+([+-][0-9:]+|Z)?( \([^()]*\(\d+\)\))? *$`)
)

// behindHead is what follows the number of a cursor (facts/trace-format.md 4 to
// 9). A text that only begins like a record does not have it.
var behindHead = map[string]string{
	"WAIT #": ": nam='", "EXEC #": ":c=", "FETCH #": ":c=", "PARSE #": ":c=", "CLOSE #": ":c=", "UNMAP #": ":c=", "SORT UNMAP #": ":c=",
	"ERROR #": ":err=", "PARSING IN CURSOR #": " len=", "PARSE ERROR #": ":len=", "BINDS #": ":", "STAT #": " id=",
}

// isWhole reports whether a line that begins with the head of a record goes on
// like one.
func isWhole(t []byte) bool {
	for _, h := range recordHeads {
		if !has(t, h) {
			continue
		}
		rest := t[len(h):]
		switch {
		case h[len(h)-1] == '#':
			return has(bytes.TrimLeft(rest, "0123456789"), behindHead[h])
		case h[len(h)-1] == ':':
			return has(rest, " type=") || has(rest, " c=") || has(rest, " bytes=")
		case h[len(h)-1] == '=' && h[0] == 'X':
			return len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9'
		}
		return len(bytes.Trim(rest, "= ")) == 0 // a line of = signs, END OF STMT
	}
	return false
}
