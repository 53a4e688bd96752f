package sight

import (
	"bytes"
	"regexp"
	"strconv"
	"time"
)

// Dump is an error stack in a trace file: what a fired errorstack event leaves.
type Dump struct {
	Codes []int     // of its ORA lines, outermost first
	At    time.Time // by the database host's clock; zero: no stamp before it
	SID   int       // of the session block before it; 0: none seen
	Ser   int
	// Others are the sessions that the deadlock graph before it names.
	Others []int
	// Offset is where it begins, in bytes as a Mark's.
	Offset int64
}

// Found is what one piece of a trace file held.
type Found struct {
	Dumps    []Dump
	Records  int // SQL trace records, which no header and no marker is
	Failed   []int
	Stamp    time.Time
	Finished int // markers of ORADEBUG commands that were carried out
	Fresh    int // Records behind the last of those markers
	// Marks are those markers, and the lines that say that a ring has wrapped,
	// in the order of the file.
	Marks []Mark
}

// add puts what a further piece held behind what is known.
func (f *Found) add(g *Found) {
	for i := range g.Marks {
		g.Marks[i].Records += f.Records
	}
	if g.Finished > 0 {
		f.Fresh = 0
	}
	f.Dumps, f.Failed, f.Marks = append(f.Dumps, g.Dumps...), append(f.Failed, g.Failed...), append(f.Marks, g.Marks...)
	f.Records, f.Finished, f.Fresh = f.Records+g.Records, f.Finished+g.Finished, f.Fresh+g.Fresh
	f.Stamp = g.Stamp
}

// Scan reads one trace file piece by piece. The zero value starts at the
// beginning of a line.
type Scan struct {
	// Zone is that of stamps without one (before 12.2); nil: UTC.
	Zone *time.Location

	rest     []byte // a line without its end
	offset   int64  // of rest, from where the scan began
	stamp    time.Time
	sid, ser int
	dump     *Dump // whose stack is being read
	headed   bool  // its ORA lines may follow
	graph    []int
}

// maxRest bounds a line that never ends.
const maxRest = 1 << 20

var (
	// facts/trace-format.md 3, 5 to 9, 10 and 11.
	stampLine   = regexp.MustCompile(`^\*\*\* (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d\.\d+)([+-]\d\d:\d\d)?(?: \(.*\))?$`)
	sessionLine = regexp.MustCompile(`^\*\*\* SESSION ID:\((\d+)\.(\d+)\)`)
	recordLine  = regexp.MustCompile(`^(?:(?:PARSE|EXEC|FETCH|CLOSE|WAIT|STAT|BINDS) #\d+|PARSING IN CURSOR #|XCTEND )`)
	failedLine  = regexp.MustCompile(`^(?:ERROR|PARSE ERROR) #\d+:.*?err=(\d+)`)
	dumpLine    = regexp.MustCompile(`^(?:dbkedDefDump\(\): Starting|ksedmp: internal or fatal error|----- Error Stack Dump -----)`)
	oraLine     = regexp.MustCompile(`^ORA-(\d{5})\b`)
	graphLine   = regexp.MustCompile(`^(?:Deadlock graph:|DEADLOCK DETECTED)`)
	partyLine   = regexp.MustCompile(`(?i)^\s*session (\d+): (?:DID|obj)`)
)

// Feed reads the next piece and reports what became complete with it.
func (s *Scan) Feed(data []byte) Found {
	var f Found
	s.rest = append(s.rest, data...)
	for {
		i := bytes.IndexByte(s.rest, '\n')
		if i < 0 {
			break
		}
		s.line(bytes.TrimSuffix(s.rest[:i], []byte("\r")), &f)
		s.rest = s.rest[i+1:]
		s.offset += int64(i + 1)
	}
	if n := len(s.rest); n > maxRest {
		s.rest, s.offset = nil, s.offset+int64(n)
	}
	s.rest = append([]byte(nil), s.rest...) // lets go of the piece
	f.Stamp = s.stamp
	return f
}

func (s *Scan) line(l []byte, f *Found) {
	if s.dump != nil && s.inStack(l, f) {
		return
	}
	switch {
	case bytes.HasPrefix(l, []byte("*** ")):
		s.star(l)
	case dumpLine.Match(l):
		s.dump, s.headed = &Dump{At: s.stamp, SID: s.sid, Ser: s.ser, Offset: s.offset}, false
	case recordLine.Match(l):
		f.Records++
		f.Fresh++
	case s.mark(l, f):
	case graphLine.Match(l):
		s.graph = nil
	default:
		if m := failedLine.FindSubmatch(l); m != nil {
			f.Records++
			f.Fresh++
			f.Failed = append(f.Failed, number(m[1]))
		} else if m := partyLine.FindSubmatch(l); m != nil {
			s.party(number(m[1]))
		}
	}
}

func (s *Scan) party(sid int) {
	for _, x := range s.graph {
		if x == sid {
			return
		}
	}
	s.graph = append(s.graph, sid)
}

// maxStack bounds the lines of a stack.
const maxStack = 200

// inStack reads a line of the error stack at hand; false when it stands behind
// the stack.
func (s *Scan) inStack(l []byte, f *Found) bool {
	m := oraLine.FindSubmatch(l)
	switch {
	case m != nil && len(s.dump.Codes) < maxStack:
		s.dump.Codes = append(s.dump.Codes, number(m[1]))
		return true
	case dumpLine.Match(l) && len(s.dump.Codes) == 0, len(bytes.TrimSpace(l)) == 0, bytes.HasPrefix(l, []byte("<error barrier>")):
		return true
	case len(s.dump.Codes) > 0 && !ends(l):
		return true // an error text may have several lines
	case len(s.dump.Codes) == 0 && !ends(l) && !s.headed:
		s.headed = true // one line of something else may stand before it
		return true
	}
	d := *s.dump
	s.dump = nil
	for _, c := range d.Codes {
		if c == 60 {
			d.Others, s.graph = s.graph, nil
			break
		}
	}
	f.Dumps = append(f.Dumps, d)
	return false
}

// ends reports whether a line ends an error stack: the next section, or any
// record.
func ends(l []byte) bool {
	return bytes.HasPrefix(l, []byte("-----")) || bytes.HasPrefix(l, []byte("*** ")) || bytes.HasPrefix(l, []byte("Current SQL")) ||
		bytes.HasPrefix(l, []byte("=====")) || recordLine.Match(l) || failedLine.Match(l)
}

func (s *Scan) star(l []byte) {
	if m := sessionLine.FindSubmatch(l); m != nil {
		s.sid, s.ser = number(m[1]), number(m[2])
		return
	}
	if t, ok := s.parse(l); ok {
		s.stamp = t
	}
}

func (s *Scan) parse(l []byte) (time.Time, bool) {
	m := stampLine.FindSubmatch(l)
	if m == nil {
		return time.Time{}, false
	}
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	text := string(m[1]) + " " + string(m[2])
	t, err := time.ParseInLocation("2006-01-02 15:04:05.999999999", text, zone)
	if len(m[3]) > 0 {
		t, err = time.Parse("2006-01-02 15:04:05.999999999-07:00", text+string(m[3]))
	}
	return t, err == nil
}

func number(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return 0
	}
	return n
}

// Trigger picks the code that a dump is counted under: the first of its stack
// that is asked for, else the first that is no mere wrapper. ORA-06512 says
// where, not what (facts/problem-cases.md T16).
func (d *Dump) Trigger(wanted func(ora int) bool) (ora int, ok bool) {
	for _, c := range d.Codes {
		if wanted(c) {
			return c, true
		}
	}
	for _, c := range d.Codes {
		if c != 6512 {
			return c, false
		}
	}
	return 0, false
}
