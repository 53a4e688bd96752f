package control

import (
	"bufio"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Sight is what a trace file shows of an armed session. Reading it costs the
// target nothing.
type Sight struct {
	Fires   []Seen
	Trace   bool // holds SQL trace: a ring was written, or nothing buffers it
	Markers int  // lines that ORADEBUG left
}

// Seen is one error dump in a trace file.
type Seen struct {
	Ora   int
	At    time.Time // by the server's clock; zero if no stamp stands above it
	Zoned bool      // the stamp names its offset from UTC; else At is local time
}

var (
	// The shapes are those of facts/oradebug.md 2.5 and 4.
	stampLine  = regexp.MustCompile(`^\*\*\* (\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d:\d\d)?)`)
	stackLine  = regexp.MustCompile(`^----- Error Stack Dump -----`)
	oraLine    = regexp.MustCompile(`^ORA-(\d{5}): `)
	traceLine  = regexp.MustCompile(`^(PARSING IN CURSOR #|PARSE #|EXEC #|FETCH #|WAIT #|BINDS #|CLOSE #|STAT #|XCTEND |Trace output buffer of \d+ bytes)`)
	markerLine = regexp.MustCompile(`^(Received|Finished processing) ORADEBUG command `)
)

// Look reads a trace file. A file that holds only a header and markers is no
// fire.
func Look(r io.Reader) (Sight, error) {
	var s Sight
	var at Seen
	stack := false
	br := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := br.ReadSlice('\n')
		for err == bufio.ErrBufferFull { // the beginning of a long line says what it is
			_, err = br.ReadSlice('\n')
		}
		s.line(string(line[:min(len(line), 200)]), &at, &stack)
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return s, err
		}
	}
}

func (s *Sight) line(line string, at *Seen, stack *bool) {
	line = strings.TrimRight(line, "\r\n")
	switch {
	case strings.HasPrefix(line, "*** "):
		if m := stampLine.FindStringSubmatch(line); m != nil {
			*at = stamp(m[1])
		}
	case stackLine.MatchString(line):
		*stack = true
	case *stack:
		if m := oraLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			s.Fires = append(s.Fires, Seen{Ora: n, At: at.At, Zoned: at.Zoned})
			*stack = false
		} else if strings.HasPrefix(line, "-----") {
			*stack = false // an errorstack without an error, as flush makes it
		}
	case traceLine.MatchString(line):
		s.Trace = true
	case markerLine.MatchString(line):
		s.Markers++
	}
}

func stamp(text string) Seen {
	text = strings.Replace(text, "T", " ", 1)
	if t, err := time.Parse("2006-01-02 15:04:05.999999999-07:00", text); err == nil {
		return Seen{At: t, Zoned: true}
	}
	t, err := time.Parse("2006-01-02 15:04:05.999999999", text)
	if err != nil {
		return Seen{}
	}
	return Seen{At: t}
}
