package sight

import (
	"bytes"
	"regexp"
)

// MarkKind says what a Mark is.
type MarkKind uint8

// The kinds of marks: the two lines that ORADEBUG leaves around a command
// (facts/oradebug.md 2.5, seen), and the line in front of a ring's text that has
// lost its beginning (reported, 4).
const (
	Received MarkKind = iota
	Finished
	Wrapped
)

// Mark is one such line.
type Mark struct {
	Kind    MarkKind
	Command []byte // without the word oradebug; nil for Wrapped
	Number  int    // of the command, as its process counts them
	Offset  int64  // of its line, in bytes from where the scan began
	Records int    // SQL trace records before it
}

var (
	wrappedLine = regexp.MustCompile(`^Trace (?:output )?buffer of \d+ bytes wrapped \d+ times`)
	commandLine = regexp.MustCompile(`^(?:Received ORADEBUG command \(#(\d+)\) '(.*)' from process .*|Finished processing ORADEBUG command \(#(\d+)\) '(.*)')$`)
)

// mark notes a line that is a mark; false if it is none.
func (s *Scan) mark(l []byte, f *Found) bool {
	m := Mark{Offset: s.offset, Records: f.Records}
	switch c := commandLine.FindSubmatch(l); {
	case c != nil:
		m.Number, m.Command = number(c[1]), bytes.Clone(c[2])
		if c[1] == nil {
			m.Kind, m.Number, m.Command = Finished, number(c[3]), bytes.Clone(c[4])
			f.Finished++
			f.Fresh = 0
		}
	case wrappedLine.Match(l):
		m.Kind = Wrapped
	default:
		return false
	}
	f.Marks = append(f.Marks, m)
	return true
}
