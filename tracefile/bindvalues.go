package tracefile

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// BindValue is a bind variable with its value, ready to be shown.
type BindValue struct {
	Position int
	Type     int // oacdty
	Null     bool
	Cut      bool // only the beginning was kept or printed
	Quoted   bool
	Same     bool // that of an earlier bind of the same name, which is not known
	Charset  int
	Text     string // as printed, without quotes; national text decoded
}

// maxStoryBind is how much of a bind value the story keeps, in bytes.
const maxStoryBind = 4000

// binds keeps a bind section for the next execution of its cursor (facts 7).
func (a *Analyzer) binds(rec *Record) {
	s := a.s
	if s.skip || rec.Damage == Malformed {
		return
	}
	c := a.find(rec.Cursor)
	list := rec.Binds
	if rec.Continued && len(c.binds) > 0 && len(list) > 0 {
		c.binds = dropBind(c.binds, list[0].Position)
	} else {
		c.binds = c.binds[:0]
	}
	for i := range list {
		c.binds = encodeBind(c.binds, &list[i])
	}
	c.fresh, c.bindAt = true, rec.Line
	s.lastBind = c
	if c.stmt != nil && c.stmt.BindTypes == nil && len(list) > 0 && !rec.Continued {
		for i := range list {
			c.stmt.BindTypes = append(c.stmt.BindTypes, list[i].Type)
		}
	}
}

const bindHead = 13

func encodeBind(to []byte, b *Bind) []byte {
	v := b.Value
	var flags byte
	if !b.HasValue {
		flags |= 1
	}
	if b.Damaged {
		flags |= 2
	}
	if b.Quoted {
		flags |= 4
	}
	if b.Same && b.Type == 0 {
		flags |= 8
	}
	if len(v) > maxStoryBind {
		v = v[:maxStoryBind]
		flags |= 2
	}
	to = binary.LittleEndian.AppendUint32(to, uint32(b.Position))
	to = binary.LittleEndian.AppendUint16(to, uint16(b.Type))
	to = binary.LittleEndian.AppendUint16(to, uint16(b.Charset))
	to = append(to, flags)
	to = binary.LittleEndian.AppendUint32(to, uint32(len(v)))
	return append(to, v...)
}

// dropBind removes the last bind if it has the position.
func dropBind(b []byte, position int) []byte {
	last := -1
	for p := 0; p+bindHead <= len(b); {
		last = p
		p += bindHead + int(binary.LittleEndian.Uint32(b[p+9:]))
	}
	if last >= 0 && int(int32(binary.LittleEndian.Uint32(b[last:]))) == position {
		return b[:last]
	}
	return b
}

func decodeBinds(b []byte) []BindValue {
	var out []BindValue
	for len(b) >= bindHead {
		n := int(binary.LittleEndian.Uint32(b[9:]))
		v := BindValue{
			Position: int(int32(binary.LittleEndian.Uint32(b))),
			Type:     int(binary.LittleEndian.Uint16(b[4:])),
			Charset:  int(binary.LittleEndian.Uint16(b[6:])),
			Null:     b[8]&1 != 0,
			Cut:      b[8]&2 != 0,
			Quoted:   b[8]&4 != 0,
			Same:     b[8]&8 != 0,
		}
		raw := b[bindHead : bindHead+n]
		v.Text = string(raw)
		if v.Charset == nationalUTF16 && !v.Quoted {
			if s, ok := decodeUTF16(raw); ok {
				v.Text, v.Quoted = s, true
			}
		}
		out = append(out, v)
		b = b[bindHead+n:]
	}
	return out
}

// nationalUTF16 is the character set id of AL16UTF16, whose values a trace
// prints as hex pairs, "0 34 0 32" (facts 7).
const nationalUTF16 = 2000

func decodeUTF16(b []byte) (string, bool) {
	fields := bytes.Fields(b)
	if len(fields) == 0 || len(fields)%2 != 0 {
		return "", false
	}
	units := make([]uint16, 0, len(fields)/2)
	for i := 0; i < len(fields); i += 2 {
		hi, ok1 := hexByte(fields[i])
		lo, ok2 := hexByte(fields[i+1])
		if !ok1 || !ok2 {
			return "", false
		}
		units = append(units, uint16(hi)<<8|uint16(lo))
	}
	return string(utf16.Decode(units)), true
}

func hexByte(b []byte) (byte, bool) {
	if len(b) == 0 || len(b) > 2 {
		return 0, false
	}
	var n byte
	for _, c := range b {
		switch {
		case isDigit(c):
			n = n<<4 | (c - '0')
		case c >= 'a' && c <= 'f':
			n = n<<4 | (c - 'a' + 10)
		case c >= 'A' && c <= 'F':
			n = n<<4 | (c - 'A' + 10)
		default:
			return 0, false
		}
	}
	return n, true
}

// typeNames are the data types of oacdty (facts 7).
var typeNames = map[int]string{
	1: "VARCHAR2", 2: "NUMBER", 8: "LONG", 11: "ROWID", 12: "DATE", 23: "RAW", 24: "LONG RAW", 69: "ROWID",
	96: "CHAR", 100: "BINARY_FLOAT", 101: "BINARY_DOUBLE", 102: "REF CURSOR", 112: "CLOB", 113: "BLOB",
	121: "OBJECT", 122: "COLLECTION", 123: "REF", 178: "TIME", 179: "TIME WITH TIME ZONE", 180: "TIMESTAMP",
	181: "TIMESTAMP WITH TIME ZONE", 182: "INTERVAL YEAR TO MONTH", 183: "INTERVAL DAY TO SECOND", 208: "UROWID",
	231: "TIMESTAMP WITH LOCAL TIME ZONE", 252: "BOOLEAN",
}

// TypeName returns the SQL name of the bind's data type.
func (v BindValue) TypeName() string {
	n := typeNames[v.Type]
	switch {
	case v.Same:
		return "as an earlier one"
	case n == "":
		return "type " + itoa(v.Type)
	case v.Charset == nationalUTF16 && (v.Type == 1 || v.Type == 96):
		return "N" + n
	}
	return n
}

func itoa(n int) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// Literal returns the value as a SQL literal, for reading and for pasting. What
// cannot be written as one (LOBs, cursors, values that were cut) is a comment.
func (v BindValue) Literal() string {
	if v.Same {
		return "/* value of an earlier bind of that name */ NULL"
	}
	if v.Null {
		return "NULL"
	}
	text := strings.ToValidUTF8(v.Text, string(utf8.RuneError))
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if v.Cut {
		return quoted + " /* cut */"
	}
	switch v.Type {
	case 2, 100, 101:
		if isNumber(text) {
			return text
		}
	case 12:
		return "TO_DATE(" + quoted + ",'MM/DD/YYYY HH24:MI:SS')"
	case 180, 181, 231:
		return "TIMESTAMP " + quoted
	case 23, 24:
		return "HEXTORAW(" + quoted + ")"
	case 102, 112, 113, 121, 122, 123:
		return "/* " + v.TypeName() + " " + strings.NewReplacer("*/", "* /", "\n", " ").Replace(text) + " */ NULL"
	}
	if v.Charset == nationalUTF16 {
		return "N" + quoted
	}
	return quoted
}

func isNumber(s string) bool {
	if s == "" {
		return false
	}
	for _, c := range s {
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'E' && c != 'e' {
			return false
		}
	}
	return true
}

// sameNames gives binds of which the trace says only that their name was used before
// (facts 7) the value of the bind that has the name: a bind's position is that of
// its placeholder in the text.
func sameNames(text string, binds []BindValue) []BindValue {
	if !slices.ContainsFunc(binds, func(b BindValue) bool { return b.Same }) {
		return binds
	}
	spans := placeholders(text)
	first := map[string]int{} // of the binds that have a value, by name
	for i := range binds {
		b := &binds[i]
		if b.Position < 0 || b.Position >= len(spans) {
			continue
		}
		span := spans[b.Position]
		name := bindName(text[span[0]:span[1]])
		if !b.Same {
			if _, ok := first[name]; !ok {
				first[name] = i
			}
		} else if from, ok := first[name]; ok {
			position := b.Position
			*b = binds[from]
			b.Position = position
		}
	}
	return binds
}

// bindName is the name of a placeholder, ":b1" or `:"b 1"`, which letter case does
// not tell from others unless it is quoted.
func bindName(placeholder string) string {
	if n := len(placeholder); n > 3 && placeholder[1] == '"' {
		return placeholder[2 : n-1]
	}
	return strings.ToUpper(placeholder[1:])
}

// Substitute puts bind values into a statement. The position of a bind is that
// of its placeholder in the text, not its name; in PL/SQL blocks a name that is
// used again has no bind of its own, so there the number of binds decides.
func Substitute(text string, binds []BindValue) string {
	spans := placeholders(text)
	if len(spans) == 0 || len(binds) == 0 {
		return text
	}
	byName := map[string]int{}
	var names []string
	for _, s := range spans {
		n := bindName(text[s[0]:s[1]])
		if _, ok := byName[n]; !ok {
			byName[n] = len(names)
			names = append(names, n)
		}
	}
	values := map[int]BindValue{}
	for _, b := range binds {
		values[b.Position] = b
	}
	distinct := len(binds) < len(spans) && len(binds) == len(names)
	var out strings.Builder
	from := 0
	for i, s := range spans {
		at := i
		if distinct {
			at = byName[bindName(text[s[0]:s[1]])]
		}
		v, ok := values[at]
		if !ok {
			continue
		}
		out.WriteString(text[from:s[0]])
		out.WriteString(v.Literal())
		from = s[1]
	}
	out.WriteString(text[from:])
	return out.String()
}

// placeholders finds the bind variables of a SQL text, outside of strings,
// quoted names and comments.
func placeholders(text string) [][2]int {
	var out [][2]int
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case (c == 'q' || c == 'Q') && i+2 < len(text) && text[i+1] == '\'' && wordBegins(text, i):
			open, size := utf8.DecodeRuneInString(text[i+2:])
			end := string(closing(open)) + "'"
			j := strings.Index(text[i+2+size:], end)
			if j < 0 {
				return out
			}
			i += 2 + size + j + len(end) - 1
		case c == '\'' || c == '"':
			j := strings.IndexByte(text[i+1:], c)
			if j < 0 {
				return out
			}
			i += j + 1
		case c == '-' && strings.HasPrefix(text[i:], "--"):
			j := strings.IndexByte(text[i:], '\n')
			if j < 0 {
				return out
			}
			i += j
		case c == '/' && strings.HasPrefix(text[i:], "/*"):
			j := strings.Index(text[i+2:], "*/")
			if j < 0 {
				return out
			}
			i += j + 3
		case c == ':' && i+1 < len(text) && nameByte(text[i+1]):
			j := i + 1
			for j < len(text) && nameByte(text[j]) {
				j++
			}
			out = append(out, [2]int{i, j})
			i = j - 1
		case c == ':' && i+1 < len(text) && text[i+1] == '"':
			j := strings.IndexByte(text[i+2:], '"')
			if j < 0 {
				return out
			}
			out = append(out, [2]int{i, i + 3 + j})
			i += 2 + j
		}
	}
	return out
}

// wordBegins reports whether the q at i, perhaps behind an n, begins a word: that of
// a literal such as q'[it's :x]' or nq'!…!'.
func wordBegins(text string, i int) bool {
	if i > 0 && (text[i-1] == 'n' || text[i-1] == 'N') {
		i--
	}
	return i == 0 || !nameByte(text[i-1])
}

// closing is what ends a literal that an opening character begins.
func closing(open rune) rune {
	switch open {
	case '[':
		return ']'
	case '(':
		return ')'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return open
}

func nameByte(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
