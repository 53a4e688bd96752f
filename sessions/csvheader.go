package sessions

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// exportHint is the statement that makes an inventory ringtrace can read.
const exportHint = `let ringtrace write it (ringtrace sessions -c CONNECT -o csv), or in sqlplus 12.2+ type: set markup csv on, then ` +
	`select s.inst_id, s.sid, s.serial#, p.pid, p.serial# p_serial, p.spid, s.username, s.service_name, s.program, s.module, s.action, ` +
	`s.client_identifier, s.client_info, s.machine, s.osuser, s.status, s.server, s.type, to_char(s.logon_time,'YYYY-MM-DD HH24:MI:SS') logon_time ` +
	`from gv$session s join gv$process p on p.inst_id = s.inst_id and p.addr = s.paddr;`

// dashes is the line that SQL*Plus draws under its headings.
var dashes = regexp.MustCompile(`^[\s,;|]*-{2,}([\s,;|]+-+)*[\s,;|]*$`)

// rowsSelected is SQL*Plus's feedback line.
var rowsSelected = regexp.MustCompile(`^(no|\d+) rows? selected\.?$`)

// textOfFile checks what can be said of the file as a whole and returns its
// text without a byte order mark.
func textOfFile(name string, data []byte) ([]byte, *Problem) {
	refuse := func(line int, message, hint string) *Problem {
		return &Problem{File: name, Line: line, Message: message, Hint: hint}
	}
	utf16 := "save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 FILE > FILE.utf8"
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return nil, refuse(0, "the file is UTF-16", utf16)
	case len(data) > 3 && (data[0] == 0 || data[1] == 0) && bytes.Count(data[:min(len(data), 200)], []byte{0}) > min(len(data), 200)/3:
		return nil, refuse(0, "the file looks like UTF-16 without a byte order mark", utf16)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")), bytes.HasPrefix(data, []byte{0xd0, 0xcf, 0x11, 0xe0}):
		return nil, refuse(0, "the file is a spreadsheet, not CSV", "save it as \"CSV UTF-8\" in the spreadsheet program")
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, refuse(0, "the file is empty", exportHint)
	}
	return data, nil
}

// maxColumns is more than any view of Oracle has (1,000).
const maxColumns = 4096

// header is what the first line of a CSV inventory says.
type header struct {
	columns []column // -1: a column that is not used
	names   []string
	has     [colMax]bool
}

// readHeader finds the separator and the columns.
func readHeader(name string, s *csvScanner) (*header, *Problem) {
	first := firstLine(s)
	if sep, ok := bytes.CutPrefix(bytes.ToLower(bytes.TrimSpace(first)), []byte("sep=")); ok && len(sep) == 1 {
		s.skipLine() // spreadsheet programs name their separator like this
		first = firstLine(s)
	}
	line := s.line
	if p := refuseSpool(name, s, first); p != nil {
		return nil, p
	}
	s.sep, s.max = separatorOf(first), maxColumns
	fields, fault := s.next()
	if fault != nil {
		return nil, &Problem{File: name, Line: fault.line, Column: fault.column, Message: "heading: " + fault.message, Hint: fault.hint}
	}
	if s.surplus > 0 {
		return nil, &Problem{File: name, Line: line, Column: 1, Message: fmt.Sprintf("the heading has more than %d columns", maxColumns), Hint: exportHint}
	}
	h := &header{}
	at := map[column]csvField{}
	for _, f := range fields {
		if !utf8.ValidString(f.text) || strings.ContainsRune(f.text, 0) {
			return nil, &Problem{File: name, Line: f.line, Column: f.column, Message: "the heading is not text", Hint: exportHint}
		}
		c, ok := columnOf(f.text)
		if !ok {
			c = -1
		} else if prev, twice := at[c]; twice {
			return nil, &Problem{
				File: name, Line: f.line, Column: f.column,
				Message: fmt.Sprintf("two columns for %s: %s and %s", c, quoteShort(prev.text), quoteShort(f.text)),
				Hint:    "remove one of them" + pidHint(c),
			}
		} else {
			at[c] = f
			h.has[c] = true
		}
		h.columns = append(h.columns, c)
		h.names = append(h.names, f.text)
	}
	if p := h.missing(name, line); p != nil {
		return nil, p
	}
	s.max = len(h.columns) + 1
	return h, nil
}

func pidHint(c column) string {
	if c == colSerial || c == colProcessSerial {
		return "; V$SESSION.SERIAL# is serial, V$PROCESS.SERIAL# is process_serial"
	}
	return ""
}

// missing refuses a list without what a target needs.
func (h *header) missing(name string, line int) *Problem {
	var lack []string
	for _, c := range []column{colSID, colSerial, colOrapid} {
		if !h.has[c] {
			lack = append(lack, c.String())
		}
	}
	if len(lack) == 0 {
		return nil
	}
	msg := "the heading has no column " + strings.Join(lack, ", ")
	if !h.has[colOrapid] {
		for _, n := range h.names {
			if isClientPID(n) {
				msg += "; " + strings.TrimSpace(n) + " is the client's process, not Oracle's"
				break
			}
		}
	}
	return &Problem{File: name, Line: line, Column: 1, Message: msg, Hint: exportHint}
}

func isClientPID(name string) bool {
	name = strings.TrimSpace(name)
	return strings.EqualFold(name, "process") || strings.EqualFold(name, "client_pid")
}

// firstLine moves to the first line with text and returns it.
func firstLine(s *csvScanner) []byte {
	for s.pos < len(s.data) {
		line, _, _ := bytes.Cut(s.data[s.pos:], []byte{'\n'})
		if len(bytes.TrimSpace(line)) > 0 {
			return bytes.TrimRight(line, "\r")
		}
		s.skipLine()
	}
	return nil
}

// refuseSpool recognises a SQL*Plus report: columns padded with blanks, with
// dashes under the heading, wrapped at LINESIZE.
func refuseSpool(name string, s *csvScanner, first []byte) *Problem {
	if bytes.HasPrefix(first, []byte("SQL> ")) {
		return &Problem{File: name, Line: s.line, Message: "a SQL*Plus prompt, not a heading", Hint: exportHint}
	}
	rest := s.data[s.pos:]
	for n := 0; n < 4 && len(rest) > 0; n++ { // a heading may itself be wrapped
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if dashes.Match(bytes.TrimRight(line, "\r")) {
			return &Problem{
				File: name, Line: s.line + n,
				Message: "dashes under the heading: a SQL*Plus report, which pads, wraps and cuts its columns",
				Hint:    exportHint,
			}
		}
	}
	if !bytes.ContainsAny(first, ",;\t") && len(bytes.Fields(first)) > 1 {
		return &Problem{File: name, Line: s.line, Message: "the heading has no separator (comma, semicolon or tab)", Hint: exportHint}
	}
	return nil
}

// separatorOf picks the most frequent of the separators outside quotes.
func separatorOf(line []byte) byte {
	count := map[byte]int{}
	quoted := false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			count[c]++
		}
	}
	best := byte(',')
	for _, c := range []byte{';', '\t'} {
		if count[c] > count[best] {
			best = c
		}
	}
	return best
}
