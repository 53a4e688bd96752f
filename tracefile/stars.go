package tracefile

import "bytes"

// stars reads the lines that begin with "*** ", facts 3. It returns false for
// those that it does not know.
func (r *Reader) stars(line []byte) bool {
	rec := &r.rec
	b := line[4:]
	if len(b) == 0 {
		return false
	}
	switch {
	case isDigit(b[0]):
		c, rest, ok := parseClock(b)
		if !ok {
			return false
		}
		rest = bytes.TrimRight(rest, " ")
		if len(rest) > 0 && !parseContainer(&c, rest) {
			i := signature(rest)
			if i < 0 {
				return false
			}
			rec.Damage = Glued
			r.in.unread(line, len(line)-len(rest)+i)
			parseContainer(&c, bytes.TrimRight(rest[:i], " "))
		}
		rec.Kind, rec.Stamp = Stamp, c
		r.inHeader = false
		return true
	case b[0] == '[':
		return r.process(b)
	case hasPrefix(b, "TRACE CONTINUED FROM FILE "), hasPrefix(b, "TRACE DUMP CONTINUED FROM FILE "):
		rec.Kind, rec.Text = ContinuedFrom, starPath(b)
		return true
	case hasPrefix(b, "TRACE CONTINUES IN FILE "), hasPrefix(b, "TRACE DUMP CONTINUES IN FILE "):
		rec.Kind, rec.Text = ContinuesIn, starPath(b)
		return true
	case hasPrefix(b, "DUMP FILE SIZE IS LIMITED TO "):
		rec.Kind = SizeLimit
		rec.Bytes, _, _ = number(b, len("DUMP FILE SIZE IS LIMITED TO "))
		return true
	case hasPrefix(b, "Trace file full"):
		rec.Kind = FileFull
		return true
	case hasPrefix(b, "TRACE FILE RECREATED"):
		rec.Kind = Recreated
		return true
	}
	return r.attribute(b)
}

// attribute reads "SESSION ID:(12.34) 2018-…". Values may hold parentheses, so
// the value ends at the last ") " before a time stamp.
func (r *Reader) attribute(b []byte) bool {
	rec := &r.rec
	i := bytes.Index(b, []byte(":("))
	if i <= 0 || i > 30 {
		return false
	}
	for _, c := range b[:i] {
		if (c < 'A' || c > 'Z') && c != ' ' {
			return false
		}
	}
	value, j := b[i+2:], bytes.LastIndex(b, []byte(") "))
	if j >= i+2 {
		if c, rest, ok := parseClock(b[j+2:]); ok && (onlyBlanks(rest) || parseContainer(&c, bytes.TrimRight(rest, " "))) {
			rec.Kind, rec.Name, rec.Text, rec.Stamp = Attribute, b[:i], b[i+2:j], c
			r.inHeader = false
			return true
		}
	}
	value = bytes.TrimRight(value, " ")
	if n := len(value); n > 0 && value[n-1] == ')' {
		rec.Kind, rec.Name, rec.Text = Attribute, b[:i], value[:n-1]
		r.inHeader = false
		return true
	}
	// Cut inside the stamp: the value is still whole if its parenthesis closed.
	if j >= i+2 {
		rec.Kind, rec.Name, rec.Text, rec.Damage = Attribute, b[:i], b[i+2:j], Cut
		if _, glued := r.splitGlued(rec.Raw); glued {
			rec.Damage = Glued
		}
		r.inHeader = false
		return true
	}
	return false
}

// process reads "[ Unix process pid: 9850 ]", the slice mark of trcsess.
func (r *Reader) process(b []byte) bool {
	i := bytes.Index(b, []byte(" pid: "))
	if i < 0 {
		if i = bytes.Index(b, []byte(" id: ")); i < 0 {
			return false
		}
		i--
	}
	v, _, ok := number(b, i+6)
	if !ok {
		return false
	}
	r.rec.Kind, r.rec.Code = Process, v
	return true
}

func starPath(b []byte) []byte {
	i := bytes.Index(b, []byte(" FILE "))
	return bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(b[i+6:]), []byte("***")))
}
