package sight

import (
	"bytes"
	"regexp"
)

// globalDeadlock is how a cluster tells of a deadlock in the alert log: there
// is no ORA-00060 line in it (facts/problem-cases.md O12; the words are assumed,
// docs/watching.md). A single instance writes ORA-00060.
var globalDeadlock = regexp.MustCompile(`(?i)global enqueue services deadlock detected|^ORA-00060: deadlock detected`)

// Alert reads an alert log piece by piece.
type Alert struct{ rest []byte }

// Feed returns the lines that tell of a deadlock.
func (a *Alert) Feed(data []byte) []string {
	var out []string
	a.rest = append(a.rest, data...)
	for {
		i := bytes.IndexByte(a.rest, '\n')
		if i < 0 {
			break
		}
		if l := bytes.TrimRight(a.rest[:i], "\r"); globalDeadlock.Match(l) {
			out = append(out, string(l))
		}
		a.rest = a.rest[i+1:]
	}
	if len(a.rest) > maxRest {
		a.rest = nil
	}
	a.rest = append([]byte(nil), a.rest...)
	return out
}
