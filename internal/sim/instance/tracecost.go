package instance

import (
	"strings"
	"time"
)

// What a line of SQL trace costs its session in CPU time. A line that goes to the
// file: 19c in a virtual machine, 3,000,405 lines in 47 s (facts/clock-and-overhead.md
// C, seen). One that goes into a ring is assumed to save what the writes are of a
// line: formatted and copied it took 311 ns, formatted and written 1,168
// (facts/clock-and-overhead.md C, measured, without Oracle).
const (
	lineToFile = 15_700 * time.Nanosecond
	lineToRing = lineToFile * 311 / 1168
)

// charge lets a session pay for the trace that it writes.
func (s *Session) charge(text string, line time.Duration) {
	s.TraceCPU += time.Duration(strings.Count(text, "\n")) * line
}
