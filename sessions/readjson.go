package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// readJSON reads an array of sessions, or the document that
// "sessions -o json" prints.
func (b *builder) readJSON(data []byte) *Problem {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	j := &jsonReader{builder: b, dec: dec, data: data, line: 1}
	err := j.document()
	if err == nil {
		err = j.end()
	}
	var p *Problem
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		return p
	}
	offset := dec.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	message := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the document ends in the middle"
		offset = int64(len(data))
	}
	line, col := j.place(offset)
	return &Problem{File: b.file, Line: line, Column: col, Message: "not JSON: " + message, Hint: jsonHint}
}

const jsonHint = `give an array of sessions or what "ringtrace sessions -o json" prints; at least sid, serial and orapid each`

type jsonReader struct {
	*builder
	dec  *json.Decoder
	data []byte
	// place counts lines from the last place on, since offsets only grow.
	from, line int
	lineStart  int
}

// place returns line and column (from 1) of a byte offset.
func (j *jsonReader) place(offset int64) (line, column int) {
	to := min(int(offset), len(j.data))
	if to < j.from {
		j.from, j.line, j.lineStart = 0, 1, 0
	}
	for i := j.from; i < to; i++ {
		if j.data[i] == '\n' {
			j.line++
			j.lineStart = i + 1
		}
	}
	j.from = to
	return j.line, to - j.lineStart + 1
}

// valuePlace is the place of the next value: behind blanks, comma and colon.
func (j *jsonReader) valuePlace() (line, column int) {
	i := int(j.dec.InputOffset())
	for i < len(j.data) && strings.IndexByte(" \t\r\n,:", j.data[i]) >= 0 {
		i++
	}
	return j.place(int64(i))
}

func (j *jsonReader) refuse(line, column int, format string, args ...any) error {
	return &Problem{File: j.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Hint: jsonHint}
}

func (j *jsonReader) document() error {
	tok, err := j.dec.Token()
	if err != nil {
		return err
	}
	if tok == json.Delim('[') {
		return j.array()
	}
	found := false
	for j.dec.More() {
		key, err := j.dec.Token()
		if err != nil {
			return err
		}
		line, col := j.valuePlace()
		switch key {
		case "sessions":
			if found {
				return j.refuse(line, col, "two members \"sessions\"")
			}
			found = true
			tok, err := j.dec.Token()
			if err != nil {
				return err
			}
			if tok != json.Delim('[') {
				return j.refuse(line, col, "\"sessions\" is not an array")
			}
			if err := j.array(); err != nil {
				return err
			}
		case "instances":
			if err := j.instances(line, col); err != nil {
				return err
			}
		default:
			if err := j.skip(); err != nil {
				return err
			}
		}
	}
	if !found {
		line, col := j.place(j.dec.InputOffset())
		return j.refuse(line, col, "the document has no \"sessions\"")
	}
	_, err = j.dec.Token()
	return err
}

// end refuses text behind the document.
func (j *jsonReader) end() error {
	line, col := j.valuePlace()
	if _, err := j.dec.Token(); !errors.Is(err, io.EOF) {
		return j.refuse(line, col, "text behind the document")
	}
	return nil
}

func (j *jsonReader) skip() error {
	var raw json.RawMessage
	return j.dec.Decode(&raw)
}

// array reads the sessions up to and with the closing bracket.
func (j *jsonReader) array() error {
	for j.dec.More() {
		line, col := j.valuePlace()
		tok, err := j.dec.Token()
		if err != nil {
			return err
		}
		if tok == json.Delim('{') {
			if err := j.session(line); err != nil {
				return err
			}
			continue
		}
		j.problem(line, col, "not a session but "+kindOfToken(tok), jsonHint)
		if tok == json.Delim('[') {
			if err := j.rest(1); err != nil {
				return err
			}
		}
	}
	_, err := j.dec.Token()
	return err
}

// rest skips to the end of depth open brackets.
func (j *jsonReader) rest(depth int) error {
	for depth > 0 {
		tok, err := j.dec.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
	}
	return nil
}

func kindOfToken(tok json.Token) string {
	switch tok.(type) {
	case json.Delim:
		return "an array"
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}

// session reads one object; its opening brace was read.
func (j *jsonReader) session(line int) error {
	row := Row{}
	row.Line = line
	var facts Instance
	at := map[column]int{}
	bad := false
	for j.dec.More() {
		key, err := j.dec.Token()
		if err != nil {
			return err
		}
		vline, vcol := j.valuePlace()
		var raw json.RawMessage
		if err := j.dec.Decode(&raw); err != nil {
			return err
		}
		if bad {
			continue // the first problem of a row is enough
		}
		name, _ := key.(string)
		c, known := columnOf(name)
		if !known {
			j.noteMember(name)
			continue
		}
		if _, twice := at[c]; twice {
			j.problem(vline, vcol, "two members for "+c.String(), "remove one of them"+pidHint(c))
			bad = true
			continue
		}
		at[c] = vcol
		j.has[c] = true
		text, perr := scalarText(c, raw)
		if perr == nil {
			j.noteTime(c, text)
			perr = row.set(c, text)
		}
		if perr == nil {
			perr = facts.set(c, text)
		}
		if perr != nil {
			j.problem(vline, vcol, perr.message, perr.hint)
			bad = true
		}
		if c == colReason {
			row.Reason = Reason(text)
		}
	}
	if _, err := j.dec.Token(); err != nil {
		return err
	}
	if bad {
		return nil
	}
	facts.InstID = max(row.InstID, 1)
	if err := j.clash(&facts); err != nil {
		j.problem(line, 0, err.message, err.hint)
		return nil
	}
	if j.add(&row, func(c column) int { return at[c] }) {
		j.remember(&facts, line)
	}
	return nil
}

func (j *jsonReader) noteMember(name string) {
	if isClientPID(name) {
		j.clientID = name
		return
	}
	quoted := quoteShort(name)
	for _, n := range j.ignored {
		if n == quoted {
			return
		}
	}
	if len(j.ignored) < 100 {
		j.ignored = append(j.ignored, quoted)
	}
}

// scalarText turns a JSON value into the text that a CSV field would hold.
// Numbers may be written as text and texts of digits as numbers, because
// people's own exports differ in that; null is "not known".
func scalarText(c column, raw json.RawMessage) (string, *cellError) {
	v := strings.TrimSpace(string(raw))
	switch {
	case v == "null":
		return "", nil
	case v == "true" || v == "false":
		if c == colSelected {
			return v, nil
		}
	case strings.HasPrefix(v, `"`):
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return "", &cellError{c.String() + " is not text: " + err.Error(), jsonHint}
		}
		return text, nil
	case !strings.HasPrefix(v, "{") && !strings.HasPrefix(v, "["):
		if c.isNumber() || c == colOspid || c == colStid || c == colSQLID || c == colDBID {
			return v, nil
		}
	}
	want := "a text"
	if c.isNumber() {
		want = "a number"
	}
	return "", &cellError{fmt.Sprintf("%s is not %s", c, want), jsonHint}
}

// instances reads the facts that "sessions -o json" prints.
func (j *jsonReader) instances(line, col int) error {
	var list []struct {
		InstID       json.Number `json:"inst_id"`
		InstanceName *string     `json:"instance_name"`
		HostName     *string     `json:"host_name"`
		Version      *string     `json:"version"`
		CDB          *bool       `json:"cdb"`
		Threaded     *bool       `json:"threaded"`
		StartupTime  *string     `json:"startup_time"`
		DBUniqueName *string     `json:"db_unique_name"`
		DBID         json.Number `json:"dbid"`
	}
	if err := j.dec.Decode(&list); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			return j.refuse(line, col, "\"instances\": %s is not a %s", typ.Field, typ.Type)
		}
		return err
	}
	for _, e := range list {
		id, err := strconv.Atoi(e.InstID.String())
		if err != nil || id < 1 {
			return j.refuse(line, col, "\"instances\": inst_id %s is not an instance number", quoteShort(e.InstID.String()))
		}
		in := Instance{
			InstID: id, InstanceName: deref(e.InstanceName), HostName: deref(e.HostName), Version: deref(e.Version),
			CDB: e.CDB != nil && *e.CDB, Threaded: e.Threaded != nil && *e.Threaded, DBUniqueName: deref(e.DBUniqueName),
			cdbKnown: e.CDB != nil, threadedKnown: e.Threaded != nil,
		}
		if n, err := e.DBID.Int64(); err == nil {
			in.DBID = n
		}
		if t := deref(e.StartupTime); t != "" {
			if in.StartupTime, err = time.Parse(time.RFC3339, t); err != nil {
				return j.refuse(line, col, "\"instances\": startup_time %s is not an RFC 3339 time", quoteShort(t))
			}
		}
		j.inv.Instances = append(j.inv.Instances, in)
	}
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
