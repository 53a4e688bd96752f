package tracefile

import (
	"bytes"
	"encoding/binary"
)

// bindShapes is how many pairs of attribute lines are remembered; a power of 2.
const (
	bindShapes   = 256
	maxBindShape = 400
)

// bindShape is what the oacdty and oacflg lines of a bind said last. Every
// execution of a cursor prints the same two again, so comparing them as bytes
// reads them.
type bindShape struct {
	text         []byte // both lines with their line ends
	typ, charset int
}

// usualBinds reads binds of five lines, the form of 10.2 and later, straight from
// the buffer for as long as they are whole there. Where anything is unusual it
// stops before that line, which then is read like any other. It returns true if
// that line is the beginning of another record.
func (r *Reader) usualBinds() bool {
	l := &r.in
	if l.back || r.careful {
		return false
	}
	b := l.buf[:l.end]
	p := l.pos
	if p+1 < len(b) && b[p] == '\r' && b[p+1] == '\n' {
		p++
	}
	if p < len(b) && b[p] == '\n' { // 12.2 on, behind the heading
		p = r.lineRead(p + 1)
	}
	for p+12 <= len(b) && string(b[p:p+6]) == " Bind#" && isDigit(b[p+6]) {
		pos := int(b[p+6] - '0')
		p += 7
		if isDigit(b[p]) {
			pos = 10*pos + int(b[p]-'0')
			p++
		}
		if b[p] == '\r' {
			p++
		}
		if b[p] != '\n' {
			return false
		}
		r.binds = append(r.binds, Bind{Position: pos, Actual: -1})
		cur := &r.binds[len(r.binds)-1]
		p = r.lineRead(p + 1)
		if p = r.bindShapeAt(b, p, cur); p == 0 {
			return false
		}
		if p = r.bindLength(b, p, cur); p == 0 {
			return false
		}
		// A NULL has no value line.
		if p+8 > len(b) || string(b[p:p+8]) != "  value=" {
			continue
		}
		n := bytes.IndexByte(b[p:], '\n')
		if n < 0 || !r.usualValue(cur, b[p+8:p+n]) {
			return false
		}
		p = r.lineRead(p + n + 1)
	}
	if p == len(b) {
		return false
	}
	switch b[p] {
	case 'E', 'W', 'F', 'P', 'C', '=':
		return true
	}
	return false
}

// lineRead counts a line that ended before p.
func (r *Reader) lineRead(p int) int {
	r.in.pos = p
	r.in.number++
	return p
}

// bindShapeAt reads the oacdty and oacflg lines at p and returns where they end,
// or 0.
func (r *Reader) bindShapeAt(b []byte, p int, cur *Bind) int {
	at := (r.rec.Cursor*0x9E3779B97F4A7C15>>40 + uint64(cur.Position)) % bindShapes
	s := &r.shapes[at]
	n := s.at(b[p:])
	if n == 0 {
		// The same two lines may stand in the other place of the pair.
		other := &r.shapes[at^bindShapes/2]
		*s, *other = *other, *s
		if n = s.at(b[p:]); n == 0 {
			if n = s.read(b[p:]); n == 0 {
				return 0
			}
		}
	}
	cur.Type, cur.Charset = s.typ, s.charset
	r.in.pos = p + n
	r.in.number += 2
	return p + n
}

// at returns how long the two lines are if they stand at the beginning of b, or
// 0.
func (s *bindShape) at(b []byte) int {
	n := len(s.text)
	if n > len(b) || string(b[:n]) != string(s.text) {
		return 0
	}
	return n
}

// read takes the two lines at the beginning of b and returns how long they are,
// or 0.
func (s *bindShape) read(b []byte) int {
	s.text = s.text[:0]
	if !hasPrefix(b, "  oacdty=") {
		return 0
	}
	i := bytes.IndexByte(b, '\n') + 1
	if i == 0 || !hasPrefix(b[i:], "  oacflg=") {
		return 0
	}
	j := bytes.IndexByte(b[i:], '\n') + 1
	if j == 0 || i+j > maxBindShape {
		return 0
	}
	is := Bind{Actual: -1}
	bindAttributes(&is, trimBlanks(bytes.TrimSuffix(b[:i-1], []byte{'\r'})))
	bindAttributes(&is, trimBlanks(bytes.TrimSuffix(b[i:i+j-1], []byte{'\r'})))
	if is.Actual != -1 { // the third line is glued to them
		return 0
	}
	s.typ, s.charset = is.Type, is.Charset
	s.text = append(s.text, b[:i+j]...)
	return i + j
}

// bindLength reads "  kxsbbbfp=7fc23b65c748  bln=22  avl=02  flg=05" at p, of
// which only avl counts, and returns where the line ends, or 0.
func (r *Reader) bindLength(b []byte, p int, cur *Bind) int {
	const least, address = 40, 12
	line := b[p:]
	if len(line) < least+room || string(line[:11]) != "  kxsbbbfp=" {
		return 0
	}
	i := 11 + address
	if !noBlank(line[11:19]) || !noBlank(line[15:23]) {
		i = 11
		for i < least && (isDigit(line[i]) || line[i] >= 'a' && line[i] <= 'f') {
			i++
		}
	}
	if string(line[i:i+6]) != "  bln=" {
		return 0
	}
	_, i = digitsAt(line, i+6)
	if string(line[i:i+6]) != "  avl=" {
		return 0
	}
	v, i := digitsAt(line, i+6)
	if string(line[i:i+6]) != "  flg=" {
		return 0
	}
	i += 8
	if line[i-1] <= ' ' || line[i-2] <= ' ' {
		return 0
	}
	if line[i] == '\r' {
		i++
	}
	if line[i] != '\n' {
		return 0
	}
	cur.Actual = clampInt(v)
	return r.lineRead(p + i + 1)
}

// noBlank reports whether eight bytes are of the kind of digits and letters; no
// line end is.
func noBlank(b []byte) bool {
	const bit = 0x10 * eachByte
	w := binary.LittleEndian.Uint64(b)
	return (w|w>>2)&bit == bit
}

// usualValue takes a value that ends on its line, and returns false for any
// other.
func (r *Reader) usualValue(cur *Bind, v []byte) bool {
	if n := len(v); n > 0 && v[n-1] == '\r' {
		v = v[:n-1]
	}
	n := len(v)
	if n > 0 && v[0] == '"' {
		if n < 2 || v[n-1] != '"' || cur.Actual > n-2 && cur.Actual > 0 && (cur.Type == 1 || cur.Type == 8 || cur.Type == 96) {
			return false
		}
		r.setValue(cur, v[1:n-1], true)
		return true
	}
	if n > 0 && v[n-1] == ' ' || bytes.IndexByte(v, '#') >= 0 { // perhaps with the next bind behind
		return false
	}
	r.setValue(cur, v, false)
	return true
}
