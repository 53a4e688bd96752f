package sessions

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
)

// MaxInventory is the largest inventory file that is read, in bytes: about a
// million sessions.
const MaxInventory = 512 << 20

// ReadInventory reads a session inventory, CSV or JSON (told apart by its
// first character). name is used in messages only.
//
// A refused row goes to Problems and the rest counts; the error is for a file
// that is refused as a whole (exit 1). The rows are not classified yet.
func ReadInventory(name string, r io.Reader) (*Inventory, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxInventory+1))
	if err != nil {
		return nil, exit.Errorf(exit.Failed, "check that the file is a readable plain file", "read %s: %w", name, err)
	}
	if len(data) > MaxInventory {
		return nil, exit.Errorf(exit.Failed, "split the list, for example by instance", "%s is larger than %d bytes", name, MaxInventory)
	}
	data, p := textOfFile(name, data)
	if p != nil {
		return nil, fileError(p)
	}
	b := &builder{inv: &Inventory{Source: name}, file: name, seen: map[Key]int{}, serialOf: map[Key]int{}, facts: map[int]*Instance{}, factLine: map[int]int{}}
	if first := bytes.TrimLeft(data, " \t\r\n"); first[0] == '[' || first[0] == '{' {
		p = b.readJSON(data)
	} else {
		p = b.readCSV(data)
	}
	if p != nil {
		return nil, fileError(p)
	}
	b.finish()
	return b.inv, nil
}

func fileError(p *Problem) error {
	return exit.Errorf(exit.Failed, p.Hint, "%w", p)
}

// builder collects rows and what is to be said about them.
type builder struct {
	inv      *Inventory
	file     string
	has      [colMax]bool
	seen     map[Key]int // line of the first row with that key
	serialOf map[Key]int // serial by (inst, sid): Key.Serial is 0
	sanity   sanity
	ignored  []string          // headings that are not used
	clientID string            // a heading that holds the client's pid
	facts    map[int]*Instance // by inst_id, from the columns of a list
	factLine map[int]int
	dayOnly  int
	noZone   bool
	last     csvField // of the row before, if that was taken
}

func (b *builder) problem(line, column int, message, hint string) {
	b.inv.Problems = append(b.inv.Problems, Problem{File: b.file, Line: line, Column: column, Message: message, Hint: hint})
}

func (b *builder) readCSV(data []byte) *Problem {
	s := &csvScanner{data: data, line: 1}
	h, p := readHeader(b.file, s)
	if p != nil {
		return p
	}
	b.has = h.has
	b.noteColumns(h.names, h.columns)
	records := 0
	for {
		fields, fault := s.next()
		switch {
		case fault != nil:
			b.problem(fault.line, fault.column, fault.message, fault.hint)
		case fields == nil:
			return nil
		case len(fields) == 1 && rowsSelected.MatchString(fields[0].text):
			b.footer(fields[0].text, records)
		default:
			records++
			b.record(h, fields, s.surplus)
		}
	}
}

// footer compares SQL*Plus's "42 rows selected." with what was read.
func (b *builder) footer(text string, records int) {
	said, _ := strconv.Atoi(strings.Fields(text)[0])
	if said != records {
		b.inv.Warnings = append(b.inv.Warnings, fmt.Sprintf("the file says %q, but %d rows were read", text, records))
	}
}

// record turns one CSV record into a row, or into a problem. surplus fields
// behind fields were not kept.
func (b *builder) record(h *header, fields []csvField, surplus int) {
	line := fields[0].line
	before := b.last
	b.last = csvField{}
	if sameAsHeading(h, fields) {
		b.problem(line, 1, "the heading again", "set pagesize 50000 in sqlplus, or remove the line")
		return
	}
	if len(fields) != len(h.columns) {
		if len(fields) == 1 && before.line == line-1 && !before.quoted && fields[0].text != "" && !sqlplusTalk.MatchString(fields[0].text) {
			b.cutOff(before, line)
		}
		hint := "a row must not be wrapped: set linesize 32767 in sqlplus, and quote values that hold the separator"
		// Where a row is too long, the first field too many; else its last one.
		at := fields[min(len(fields)-1, len(h.columns))]
		b.problem(at.line, at.column, fmt.Sprintf("%d fields, but the heading has %d", len(fields)+surplus, len(h.columns)), hint)
		return
	}
	var row Row
	row.Line = line
	var at [colMax]int
	var facts Instance
	for i, f := range fields {
		c := h.columns[i]
		if strings.ContainsRune(f.text, 0) && !f.quoted {
			b.problem(f.line, f.column, "a NUL character outside quotes", "the file is damaged or not UTF-8; export it again")
			return
		}
		if c < 0 {
			continue
		}
		at[c] = f.column
		b.noteTime(c, f.text)
		err := row.set(c, f.text)
		if err == nil {
			err = facts.set(c, f.text)
		}
		if err != nil {
			b.problem(f.line, f.column, err.message, err.hint)
			return
		}
		if c == colReason && f.text != "" {
			row.Reason = Reason(f.text)
		}
	}
	facts.InstID = max(row.InstID, 1)
	if err := b.clash(&facts); err != nil {
		b.problem(line, 0, err.message, err.hint)
		return
	}
	if b.add(&row, func(c column) int { return at[c] }) {
		b.remember(&facts, line)
		b.last = fields[len(fields)-1]
	}
}

// sqlplusTalk is what may stand behind the last row and is no part of it.
var sqlplusTalk = regexp.MustCompile(`(?i)^(\S*>|elapsed:|disconnected|no rows|[0-9]+ rows?\b)`)

// cutOff takes the last row back: its last value goes on in the line below, so
// what was read of it is another value.
func (b *builder) cutOff(value csvField, next int) {
	n := len(b.inv.Rows) - 1
	delete(b.seen, b.inv.Rows[n].Key())
	b.inv.Rows = b.inv.Rows[:n]
	b.problem(value.line, value.column, fmt.Sprintf("%s: the value seems to go on in line %d", quoteShort(value.text), next),
		"a row must not be wrapped: set linesize 32767 in sqlplus, and quote values that hold a line end")
}

func sameAsHeading(h *header, fields []csvField) bool {
	if len(fields) != len(h.names) {
		return false
	}
	for i, f := range fields {
		if f.text != h.names[i] {
			return false
		}
	}
	return true
}

// add takes a row whose values were read, unless a required one is missing or
// the session was listed before, and tells whether it did. columnAt gives a column's place in the line.
func (b *builder) add(row *Row, columnAt func(column) int) bool {
	// Our own listing with reasons has rows without a process, and says so.
	noProcess := row.Status == "KILLED" || row.Reason == NoProcess || row.Reason == Killed ||
		(row.Reason != "" && row.Reason != Matched && row.Reason != NotMatched)
	for _, c := range []column{colSID, colSerial, colOrapid} {
		if *row.numberOf(c) == 0 && (c != colOrapid || !noProcess) {
			b.problem(row.Line, columnAt(c), c.String()+" is empty", numberHint(c))
			return false
		}
	}
	row.Reason = ""
	if row.InstID == 0 {
		row.InstID = 1
	}
	key := row.Key()
	if first, twice := b.seen[key]; twice {
		b.problem(row.Line, columnAt(colSID),
			fmt.Sprintf("session %d,%d,@%d was listed in line %d already", key.SID, key.Serial, key.InstID, first),
			"remove one of the two rows; a join with V$PROCESS needs p.addr = s.paddr and, on RAC, p.inst_id = s.inst_id")
		return false
	}
	b.seen[key] = row.Line
	b.sanity.row(row)
	slot := Key{InstID: key.InstID, SID: key.SID}
	if _, reused := b.serialOf[slot]; reused {
		b.sanity.sameSID++
	}
	b.serialOf[slot] = key.Serial
	b.inv.Rows = append(b.inv.Rows, *row)
	return true
}

// noteTime remembers how logon times were written.
func (b *builder) noteTime(c column, v string) {
	if c != colLogonTime || v == "" {
		return
	}
	t, dayOnly, err := parseTime(v)
	if dayOnly {
		b.dayOnly++
	} else if err == nil && !b.noZone && !hasZone(v) && !t.IsZero() {
		b.noZone = true
	}
}
