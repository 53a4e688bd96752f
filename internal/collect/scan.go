package collect

import (
	"bytes"
	"strconv"
	"time"
)

// sessionID names a session as a trace does: sid and serial#.
type sessionID struct{ sid, serial int }

// section is what a trace holds of one session.
type section struct {
	text        int64 // bytes of trace text
	first, last string
	lastAt      time.Time // zero: not understood
	zoned       bool
}

// content is what a look through a trace file found. It is an io.Writer of its
// bytes and keeps no more than the beginning of one line.
type content struct {
	instance, host string
	text           int64 // bytes that are neither header, stamp nor ORADEBUG marker
	sections       map[sessionID]*section
	unowned        int64 // text in a file that names no session
	dumps          int64 // error stacks
	wraps          int64 // ring flushes that lost text
	incidents      []string
	continued      []string // files that this one goes on from, or in
	limited, full  bool
	firstAt        time.Time // the first time stamp; zero: none

	line    []byte // of the line that is being read
	length  int64  // of it so far
	header  bool
	console bool
	current *section // of the session that was named last; nil: none was
	pending int64    // text that waits for the next session to be named
	waiting bool     // text goes to pending
	begun   bool
	stamp   string
	stampAt time.Time
	zoned   bool
}

func newContent() *content { return &content{sections: map[sessionID]*section{}, waiting: true} }

// keep is how much of a line is looked at.
const keep = 2048

// Write takes more bytes of the file.
func (c *content) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			c.grow(p)
			break
		}
		if c.length == 0 {
			l := p[:i]
			if i > 0 && l[0] == 0 {
				l = bytes.TrimLeft(l, "\x00")
			}
			c.take(l[:min(len(l), keep)], int64(i+1))
		} else {
			c.grow(p[:i])
			c.take(c.line, c.length+1)
			c.line, c.length = c.line[:0], 0
		}
		p = p[i+1:]
	}
	return n, nil
}

func (c *content) grow(p []byte) {
	c.length += int64(len(p))
	if len(c.line) == 0 { // a hole, or what stands for it, is before the text
		p = bytes.TrimLeft(p, "\x00")
	}
	if room := keep - len(c.line); room > 0 {
		c.line = append(c.line, p[:min(room, len(p))]...)
	}
}

// finish ends the file.
func (c *content) finish() {
	if c.length > 0 {
		c.take(c.line, c.length)
		c.line, c.length = nil, 0
	}
	if c.pending > 0 { // nobody is named behind it
		if c.current != nil {
			c.current.text += c.pending
		} else {
			c.unowned += c.pending
		}
		c.pending = 0
	}
}

func (c *content) of(id sessionID) *section {
	s := c.sections[id]
	if s == nil {
		s = &section{first: c.stamp}
		c.sections[id] = s
	}
	return s
}

// take classifies a line of n bytes, newline included.
func (c *content) take(line []byte, n int64) {
	if c.begun && !c.header && !c.console && ordinary(line) {
		c.add(n)
		return
	}
	line = bytes.TrimSuffix(line, []byte("\r"))
	if !c.begun && len(line) > 0 {
		c.begun = true
		c.header = bytes.HasSuffix(line, []byte(".trc"))
	}
	if len(bytes.TrimSpace(line)) == 0 {
		c.console = false
		return
	}
	switch {
	case bytes.HasPrefix(line, []byte("*** ")):
		c.header, c.console = false, false
		c.star(line[4:])
		return
	case bytes.HasPrefix(line, []byte("Trace file /")), bytes.HasPrefix(line, []byte("Dump file ")), bytes.HasPrefix(line, []byte("Trace file ")) && bytes.HasSuffix(line, []byte(".trc")):
		c.header = true
		return
	case c.header:
		if c.headerLine(line) {
			return
		}
		c.header = false
	case c.console:
		return
	}
	switch {
	case bytes.HasPrefix(line, []byte("Received ORADEBUG command")), bytes.HasPrefix(line, []byte("Finished processing ORADEBUG command")):
		return
	case bytes.HasPrefix(line, []byte("Oradebug command '")), bytes.HasPrefix(line, []byte("Processing Oradebug command '")):
		c.console = true // its output follows, up to a blank line
		return
	case bytes.HasPrefix(line, []byte("Trace ")) && bytes.Contains(line, []byte("buffer of ")) && bytes.Contains(line, []byte(" wrapped ")):
		c.wraps++
		c.waiting = true
		return
	case bytes.HasPrefix(line, []byte("----- Error Stack Dump")):
		c.dumps++
	case bytes.HasPrefix(line, []byte("Incident ")):
		if _, p, ok := bytes.Cut(line, []byte(", dump file: ")); ok {
			c.incidents = append(c.incidents, string(bytes.TrimSpace(p)))
		}
	case bytes.HasPrefix(line, []byte("Dump continued from file: ")):
		c.continued = append(c.continued, string(bytes.TrimSpace(line[len("Dump continued from file: "):])))
	}
	c.add(n)
}

// ordinary reports whether a line begins as none does that means anything
// here. Nearly all lines are such; the others are looked at closely.
func ordinary(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	switch line[0] {
	case '*', '-', 'D', 'F', 'I', 'O', 'P', 'R', 'T', '\n', '\r', '\t', '\v', '\f', 0x85, 0xa0, 0xc2, 0xe1, 0xe2, 0xe3:
		// FETCH and PARSE are records as well.
		return len(line) > 2 && (line[0] == 'F' && line[1] == 'E' || line[0] == 'P' && line[1] == 'A')
	case ' ':
		return len(line) > 1 && line[1] > ' ' && line[1] < 0x7f || len(line) > 2 && line[1] == ' ' && line[2] > ' ' && line[2] < 0x7f
	}
	return true
}

// add counts trace text for whom it belongs to.
func (c *content) add(n int64) {
	c.text += n
	s := c.current
	if c.waiting || s == nil {
		c.pending += n
		return
	}
	s.text += n
	s.last, s.lastAt, s.zoned = c.stamp, c.stampAt, c.zoned
}

// headerLine takes a line of a header; false: the header has ended.
func (c *content) headerLine(line []byte) bool {
	for _, p := range []string{"PARSING IN CURSOR #", "PARSE #", "EXEC #", "FETCH #", "WAIT #", "CLOSE #", "BINDS #", "STAT #", "=====", "XCTEND ", "Received ORADEBUG", "Oradebug command", "Trace output buffer", "-----", "dbkedDefDump"} {
		if bytes.HasPrefix(line, []byte(p)) {
			return false
		}
	}
	if v, ok := bytes.CutPrefix(line, []byte("Instance name:")); ok {
		c.instance = string(bytes.TrimSpace(v))
	}
	if v, ok := bytes.CutPrefix(line, []byte("Node name:")); ok {
		c.host = string(bytes.TrimSpace(v))
	}
	return true
}

// star takes what follows "*** ".
func (c *content) star(s []byte) {
	switch {
	case bytes.HasPrefix(s, []byte("SESSION ID:(")):
		id, ok := parseSessionID(s[len("SESSION ID:("):])
		if !ok {
			return
		}
		sec := c.of(id)
		c.current, c.waiting = sec, false
		sec.text += c.pending
		c.pending = 0
		if sec.first == "" {
			sec.first = c.stamp
		}
		sec.last, sec.lastAt, sec.zoned = c.stamp, c.stampAt, c.zoned
	case bytes.HasPrefix(s, []byte("TRACE CONTINUED FROM FILE ")), bytes.HasPrefix(s, []byte("TRACE CONTINUES IN FILE ")), bytes.HasPrefix(s, []byte("TRACE DUMP CONTINUES IN FILE ")):
		_, p, _ := bytes.Cut(s, []byte(" FILE "))
		p = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(p), []byte("***")))
		if len(p) > 0 {
			c.continued = append(c.continued, string(p))
		}
	case bytes.HasPrefix(s, []byte("DUMP FILE SIZE IS LIMITED TO")):
		c.limited = true
	case bytes.HasPrefix(s, []byte("Trace file full")):
		c.full = true
	case len(s) >= 19 && s[0] >= '0' && s[0] <= '9':
		c.stamp, _, _ = cutString(string(s[:min(len(s), 40)]), " (")
		c.stampAt, c.zoned = parseStamp(c.stamp)
		if c.firstAt.IsZero() {
			c.firstAt = c.stampAt
		}
	}
}

func cutString(s, sep string) (string, string, bool) {
	if i := bytes.Index([]byte(s), []byte(sep)); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func parseSessionID(s []byte) (sessionID, bool) {
	end := bytes.IndexByte(s, ')')
	dot := bytes.IndexByte(s, '.')
	if dot < 0 || end < dot {
		return sessionID{}, false
	}
	sid, err1 := strconv.Atoi(string(s[:dot]))
	serial, err2 := strconv.Atoi(string(s[dot+1 : end]))
	return sessionID{sid, serial}, err1 == nil && err2 == nil
}

// parseStamp reads a time stamp of a trace (facts/trace-format.md 3); zoned
// says that it names its offset.
func parseStamp(s string) (at time.Time, zoned bool) {
	if t, err := time.Parse("2006-01-02T15:04:05.999999999Z07:00", s); err == nil {
		return t, true
	}
	for _, layout := range []string{"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, false
		}
	}
	return time.Time{}, false
}

// older reports whether all that is in the section was written well before a
// session was armed: another session that had the same numbers. A stamp
// without zone can be off by a day's offset.
func (s *section) older(armed time.Time) bool {
	if armed.IsZero() || s.lastAt.IsZero() {
		return false
	}
	slack := time.Hour
	if !s.zoned {
		slack = 27 * time.Hour
	}
	return s.lastAt.Before(armed.Add(-slack))
}
