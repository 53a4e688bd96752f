package sessions

import "bytes"

// csvScanner cuts CSV text into records with the position of every field.
// encoding/csv is not used: it turns CRLF inside quotes into LF (so writing
// and reading again would lose data), and one open quote swallows the file.
type csvScanner struct {
	data []byte
	sep  byte
	pos  int
	line int // line of pos, from 1
	// max bounds the fields of a record; surplus is about how many more the
	// last one had, which are not kept.
	max, surplus int
}

// csvField is one field: its text, and where it starts.
type csvField struct {
	text   string
	quoted bool
	line   int
	column int // in bytes, from 1
}

// csvFault is text that is not CSV; the scanner stands behind the faulty line
// afterwards.
type csvFault struct {
	line, column int
	message      string
	hint         string
}

// maxQuoted bounds a quoted field in bytes. V$SESSION and V$PROCESS hold
// nothing longer than 4,000; what is longer is a quote that was never closed.
const maxQuoted = 8 << 10

// next returns the next record; no fields and no fault means the end.
// Empty lines are skipped.
func (s *csvScanner) next() ([]csvField, *csvFault) {
	for s.pos < len(s.data) && (s.data[s.pos] == '\n' || s.data[s.pos] == '\r') {
		if s.data[s.pos] == '\n' {
			s.line++
		}
		s.pos++
	}
	if s.pos >= len(s.data) {
		return nil, nil
	}
	start, startLine := s.pos, s.line
	lineStart := s.pos
	var fields []csvField
	s.surplus = 0
	for {
		if s.max > 0 && len(fields) == s.max {
			rest := s.pos
			s.skipLine()
			s.surplus = 1 + bytes.Count(s.data[rest:s.pos], []byte{s.sep})
			return fields, nil
		}
		f := csvField{line: s.line, column: s.pos - lineStart + 1}
		if s.pos < len(s.data) && s.data[s.pos] == '"' {
			fault := s.quotedField(&f, &lineStart)
			if fault != nil {
				s.pos, s.line = start, startLine
				s.skipLine()
				return nil, fault
			}
		} else {
			start := s.pos
			for s.pos < len(s.data) && s.data[s.pos] != s.sep && s.data[s.pos] != '\n' {
				s.pos++
			}
			raw := s.data[start:s.pos]
			if s.pos >= len(s.data) || s.data[s.pos] == '\n' {
				raw = bytes.TrimSuffix(raw, []byte{'\r'})
			}
			// SET COLSEP pads its columns; a value with real outer blanks is quoted.
			f.text = string(bytes.Trim(raw, " "))
		}
		fields = append(fields, f)
		if s.pos >= len(s.data) {
			return fields, nil
		}
		if s.data[s.pos] == s.sep {
			s.pos++
			continue
		}
		s.skipLine() // at the line's end
		return fields, nil
	}
}

// quotedField reads a quoted field and stops at the separator or line end
// behind it.
func (s *csvScanner) quotedField(f *csvField, lineStart *int) *csvFault {
	f.quoted = true
	fault := func(message, hint string) *csvFault {
		return &csvFault{line: f.line, column: f.column, message: message, hint: hint}
	}
	var text []byte
	i := s.pos + 1
	for {
		if i >= len(s.data) || i-s.pos > maxQuoted {
			return fault("the quote is never closed", `close the quote; a quote inside a quoted value is written twice ("")`)
		}
		c := s.data[i]
		if c != '"' {
			if c == '\n' {
				s.line++
				*lineStart = i + 1
			}
			text = append(text, c)
			i++
			continue
		}
		if i+1 < len(s.data) && s.data[i+1] == '"' {
			text = append(text, '"')
			i += 2
			continue
		}
		i++
		break
	}
	f.text = string(text)
	for i < len(s.data) && (s.data[i] == ' ' || s.data[i] == '\r') {
		i++
	}
	if i < len(s.data) && s.data[i] != s.sep && s.data[i] != '\n' {
		return &csvFault{
			line: s.line, column: i - *lineStart + 1, message: "text behind a closing quote",
			hint: `a quote inside a quoted value is written twice ("")`,
		}
	}
	s.pos = i
	return nil
}

// skipLine moves behind the end of the current line.
func (s *csvScanner) skipLine() {
	if i := bytes.IndexByte(s.data[s.pos:], '\n'); i >= 0 {
		s.pos += i + 1
		s.line++
		return
	}
	s.pos = len(s.data)
}
