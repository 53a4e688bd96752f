package tracefile

import "bytes"

// usual reads the next line if it is a whole call or wait in the form that 10.2
// and later print: nine lines out of ten. For any other it returns false, and the
// line, of which nothing has been taken, is read by the general way.
func (r *Reader) usual() bool {
	l := &r.in
	if l.back || r.openBinds || r.careful || l.number == 0 {
		return false
	}
	b := l.buf[:l.end]
	p := l.pos
	if len(b)-p < 64 {
		return false
	}
	kind, at := Unknown, 0
	switch b[p] {
	case 'W':
		if !r.timeless && string(b[p:p+6]) == "WAIT #" {
			kind, at = Wait, 6
		}
	case 'F':
		if string(b[p:p+7]) == "FETCH #" {
			kind, at = Fetch, 7
		}
	case 'E':
		if string(b[p:p+6]) == "EXEC #" {
			kind, at = Exec, 6
		}
	case 'P':
		if string(b[p:p+7]) == "PARSE #" {
			kind, at = Parse, 7
		}
	case 'C':
		if string(b[p:p+7]) == "CLOSE #" {
			kind, at = Close, 7
		}
	}
	if kind == Unknown {
		return false
	}
	n := bytes.IndexByte(b[p:], '\n')
	if n < 40 {
		return false
	}
	line := b[p : p+n]
	if line[n-1] == '\r' {
		line = line[:n-1]
	}
	var no int64
	q := at
	if isDigit(line[at+7]) { // an address
		no, q = longDigits(line, q)
	} else {
		no, q = digitsAt(line, q)
	}
	if q == 0 || q >= len(line) || line[q] != ':' {
		return false
	}
	rec := &r.rec
	r.wipe()
	if kind == Wait {
		if !rec.usualWait(line, q+1) {
			return false
		}
	} else if !rec.usualCall(kind, line, q+1) {
		return false
	}
	rec.Kind, rec.Damage = kind, Sound
	rec.Cursor, rec.Slot = uint64(no), q-at <= 4
	rec.Complete, rec.HasTim = true, true
	l.number++
	rec.Line, rec.Lines, rec.Offset, rec.Raw = l.number, 1, l.base+int64(p), line
	l.pos = p + n + 1
	r.inHeader, r.inDump = false, false
	r.lastTim = rec.Tim
	return true
}

// usualWait reads a wait behind the colon, see Reader.wait. It returns false
// for anything unusual.
func (rec *Record) usualWait(b []byte, p int) bool {
	tim, digits := timeBack(b, len(b))
	if digits == 0 || string(b[p:p+6]) != " nam='" {
		return false // up to 10.1 there is no time
	}
	p += 6
	n := bytes.IndexByte(b[p:], '\'')
	if n < 0 || string(b[p+n:p+n+6]) != "' ela=" {
		return false
	}
	name := b[p : p+n]
	if p += n + 6; p < len(b) && b[p] == ' ' {
		p++ // up to 19c
	}
	elapsed, p := digitsAt(b, p)
	if p >= len(b) || b[p] != ' ' {
		return false
	}
	b = b[p+1:]
	i := len(b) - digits - 5
	if i < 8 || string(b[i:i+5]) != " tim=" {
		return false
	}
	object, n := fewDigitsBack(b, i)
	if n == 0 {
		if object, n = timeBack(b, i); n == 0 {
			return false
		}
	}
	if i -= n; i > 0 && b[i-1] == '-' {
		object = -object
		i--
	}
	if i < 6 || string(b[i-6:i]) != " obj#=" {
		return false
	}
	params := b[:i-6]
	if bytes.IndexByte(params, '\'') >= 0 {
		return false // another record in between
	}
	rec.CPU, rec.Disk, rec.Query, rec.Current, rec.Misses, rec.Rows = 0, 0, 0, 0, 0, 0
	rec.Depth, rec.Goal, rec.PlanHash, rec.Type = 0, 0, 0, 0
	rec.Elapsed, rec.Tim = elapsed, tim
	rec.Name, rec.Params, rec.Object = name, params, object
	return true
}
