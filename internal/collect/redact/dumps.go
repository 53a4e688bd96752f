package redact

import (
	"bytes"
	"regexp"
)

// What is kept of dumps and other text: the lines that say what happened and
// where, by their exact form (facts/trace-format.md 9 to 11).
var (
	keptLines = []*regexp.Regexp{
		regexp.MustCompile(`^(Received|Finished processing) ORADEBUG command \(#\d+\) '`),
		regexp.MustCompile(`^Oradebug command '[^']*' console output:( <none>)?$`),
		regexp.MustCompile(`^Trace (output )?buffer of \d+ bytes wrapped \d+ times$`),
		regexp.MustCompile(`^dbkedDefDump\(\): Starting [a-z -]+ \(flags=0x[0-9a-f]+, level=\d+, mask=0x[0-9a-f]+\)$`),
		regexp.MustCompile(`^ksedmp: internal or fatal error$`),
		regexp.MustCompile(`^-----+ ?(Error Stack Dump|Current SQL Statement for this session \(sql_id=[0-9a-z]*\)|SQL Statement \(None\)|Parser State|PL/SQL Stack|PL/SQL Call Stack|Call Stack Trace|End of [A-Za-z/ ]+|Incident Context Dump|Process Map Dump|Binary Stack Dump) ?-----+$`),
		regexp.MustCompile(`^Current SQL information unavailable - no cursor\.$`),
		regexp.MustCompile(`^<error barrier> at 0x[0-9a-f]+ placed \w+\.c@\d+$`),
		regexp.MustCompile(`^  (object      line  object|handle    number  name)$`),
		regexp.MustCompile(`^\*+ Session Cursor Dump \*+$`),
		regexp.MustCompile(`^\[TOC\d+(-END)?\]$`),
		regexp.MustCompile(`^PROCESS STATE$`),
		regexp.MustCompile(`^[-=]{5,}$`),
		regexp.MustCompile(`^(DEADLOCK DETECTED \( ORA-00060 \)|\[Transaction Deadlock\]|Deadlock graph:|Rows waited on:)$`),
		regexp.MustCompile(`^Current SQL statement for this session:$`),
	}
	keptSearched = []*regexp.Regexp{
		regexp.MustCompile(`^Incident \d+ created, dump file: /\S+$`),
		regexp.MustCompile(`^Dump continued from file: /\S+$`),
		regexp.MustCompile(`^0x[0-9a-f]+ +\d+  [A-Za-z][\w.$#" ]*$`),
		regexp.MustCompile(`^(T[XM]|UL)-[0-9A-F]{8}-[0-9A-F]{8}[-0-9A-F]* +[0-9SX ]+$`),
	}
	oraMessage  = regexp.MustCompile(`^ORA-(\d{5}): `)
	memoryLine  = regexp.MustCompile(`^[0-9A-Fa-f]{8,} `)
	memoryTitle = regexp.MustCompile(`^Dump of memory from 0x[0-9a-fA-F]+ to 0x[0-9a-fA-F]+$`)
	sqlFollows  = regexp.MustCompile(`^(-----+ ?Current SQL Statement for this session|Current SQL statement for this session:|current SQL)`)
	dumpBegins  = regexp.MustCompile(`^(dbkedDefDump|ksedmp:|-----+ ?Error Stack Dump|DEADLOCK DETECTED|PROCESS STATE|Dump of memory)`)
)

// other takes a line that is no record and no header.
func (p *parser) other(l, t []byte) {
	if dumpBegins.Match(t) {
		p.dump = true
	}
	if sqlFollows.Match(t) {
		p.keep(l)
		p.statement(func(t []byte, have int) bool {
			return have > longestValue || has(t, "-----") || has(t, "*** ") || has(t, "=====") || isRecord(t)
		})
		return
	}
	if m := oraMessage.FindSubmatch(t); m != nil {
		p.message(l, len(m[0]), string(m[1]))
		return
	}
	for _, re := range keptLines {
		if re.Match(t) {
			p.keep(l)
			return
		}
	}
	for _, re := range keptSearched {
		if re.Match(t) {
			p.free(l)
			return
		}
	}
	if memoryTitle.Match(t) {
		p.keep(l)
		return
	}
	if memoryLine.Match(t) {
		p.memory(l)
		return
	}
	p.drop(l)
}

// message keeps what Oracle says and takes out what it quotes. What an
// application says (ORA-20000 to 20999), and the messages that list column
// values, are blanked.
func (p *parser) message(l []byte, from int, code string) {
	if !p.values() {
		p.free(l)
		return
	}
	if p.learning {
		return
	}
	l = bytes.Clone(l)
	rest := l[from:]
	if code >= "20000" && code <= "20999" || code == "03301" {
		p.r.count(0, blank(rest))
		p.out.Write(l)
		return
	}
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		if c != '\'' && c != '"' && c != '[' && c != '(' {
			continue
		}
		find := bytes.IndexByte
		if c == '\'' {
			find = bytes.LastIndexByte // what is quoted can hold quotes
		}
		end := find(rest[i+1:], closing(c))
		if end < 0 { // what is quoted goes on on the next line, which is blanked
			p.r.count(0, blank(rest[i+1:]))
			break
		}
		copy(rest[i+1:i+1+end], p.r.token(rest[i+1:i+1+end]))
		i += end + 1
	}
	p.free(l)
}

func closing(c byte) byte {
	switch c {
	case '[':
		return ']'
	case '(':
		return ')'
	}
	return c
}

// memory blanks a line of a memory dump so that it still is one.
func (p *parser) memory(l []byte) {
	if !p.values() {
		p.free(l)
		return
	}
	if p.learning {
		return
	}
	l = bytes.Clone(l)
	text := bytes.IndexByte(l, '[')
	n := int64(0)
	for i, c := range l {
		switch {
		case c == '\n' || c == '\r' || c == ' ' || c == '[' && i == text || c == ']':
			continue
		case text >= 0 && i > text:
			l[i] = '.'
		default:
			l[i] = '0'
		}
		n++
	}
	p.r.count(0, n)
	p.out.Write(l)
}
