package tracefile

import "bytes"

const maxBindValue = 64 << 10

// bindSection reads "BINDS #c:" and its binds, facts 7: the form of 10.2 on,
// with the empty line that 12.2 puts behind the heading, and that of 9i. The
// section ends at the first line that is neither empty nor indented, memory
// dumps of unprintable values apart.
func (r *Reader) bindSection(line []byte) {
	rec := &r.rec
	rec.Kind = Binds
	r.head = append(r.head[:0], line...)
	rec.Raw = r.head
	p, ok := r.cursorNumber(r.head, 7)
	if !ok || p >= len(line) || line[p] != ':' {
		r.damaged(line)
		return
	}
	if rest := line[p+1:]; !onlyBlanks(rest) {
		if i := signature(rest); i >= 0 {
			rec.Damage = Glued
			r.in.unread(line, p+1+i)
			return
		}
		if j := bytes.Index(rest, []byte("Bind#")); j >= 0 {
			r.in.unread(line, p+1+j)
			rec.Damage = Glued
		}
	}
	r.binds, r.values = r.binds[:0], r.values[:0]
	r.bindLines()
}

// moreBinds goes on with a bind section that a time stamp interrupted.
func (r *Reader) moreBinds(line []byte) bool {
	t := bytes.TrimLeft(line, " ")
	if !hasPrefix(t, "Bind#") && !hasPrefix(t, "value=") && !hasPrefix(t, "oac") && !hasPrefix(t, "kxsbbbfp=") {
		return false
	}
	if n := len(r.binds); n > 0 {
		r.binds[0] = r.binds[n-1]
		r.binds = r.binds[:1]
	}
	r.rec.Kind, r.rec.Cursor, r.rec.Continued = Binds, r.bindOf, true
	r.head = append(r.head[:0], line...)
	r.rec.Raw = r.head
	r.bindLine(t)
	r.bindLines()
	return true
}

func (r *Reader) bindLines() {
	rec := &r.rec
	r.bindOf = rec.Cursor
	inMemory := false
	for {
		line, ok := r.in.next()
		if !ok {
			break
		}
		if len(line) == 0 {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			switch {
			case hasPrefix(line, "Bind#"): // the rest of a glued line
			case hasPrefix(line, "Dump of memory") && len(r.binds) > 0:
				inMemory = true
				continue
			case inMemory && isHexLine(line):
				continue
			case hasPrefix(line, "kkscoacd"): // 10.2, facts 7
				continue
			default:
				r.openBinds = hasPrefix(line, "*** ")
				r.in.unread(line, 0)
				rec.Binds = r.binds
				return
			}
		}
		r.bindLine(bytes.TrimLeft(line, " \t"))
	}
	rec.Binds = r.binds
}

// isHexLine reports whether a line is one of a memory dump,
// "00B6F1420 00000008   [....]".
func isHexLine(line []byte) bool {
	i := 0
	for i < len(line) && (isDigit(line[i]) || line[i] >= 'A' && line[i] <= 'F' || line[i] >= 'a' && line[i] <= 'f') {
		i++
	}
	return i >= 8 && (i == len(line) || line[i] == ' ')
}

func (r *Reader) bindLine(b []byte) {
	switch {
	case hasPrefix(b, "Bind#"), hasPrefix(b, "bind "):
		pos, end, ok := number(b, 5)
		if !ok {
			return
		}
		r.binds = append(r.binds, Bind{Position: int(pos), Actual: -1})
		if end < len(b) && b[end] == ':' { // 9i: the attributes stand on this line
			r.bindLine(bytes.TrimLeft(b[end+1:], " ("))
		} else if i := bytes.Index(b[end:], []byte("value=")); i >= 0 {
			r.bindLine(b[end+i:])
		}
		return
	}
	if len(r.binds) == 0 {
		return
	}
	cur := &r.binds[len(r.binds)-1]
	switch {
	case hasPrefix(b, "value="):
		r.bindValue(cur, b[6:])
	case hasPrefix(b, "No oacdef for this bind"):
		r.sameBind(cur)
	default:
		bindAttributes(cur, b)
	}
}

// bindAttributes reads "oacdty=02 mxl=22(22) … csi=00 … avl=03 flg=05", whose
// numbers are decimal but for addresses and flags, which are not used.
func bindAttributes(cur *Bind, b []byte) {
	for len(b) > 0 {
		var pair []byte
		if i := bytes.IndexByte(b, ' '); i >= 0 {
			pair, b = b[:i], bytes.TrimLeft(b[i:], " ")
		} else {
			pair, b = b, nil
		}
		i := bytes.IndexByte(pair, '=')
		if i < 0 {
			continue
		}
		v, _, ok := number(pair, i+1)
		if !ok {
			continue
		}
		switch string(pair[:i]) {
		case "oacdty", "dty":
			cur.Type = int(v)
		case "mxl":
			cur.MaxLen = int(v)
		case "mal":
			cur.Array = int(v)
		case "csi":
			cur.Charset = int(v)
		case "avl":
			cur.Actual = int(v)
		}
	}
}

// sameBind takes over the value of the bind variable that was named before.
// Which one that is the trace does not say; by position it cannot be known when
// there are several, so the value is taken only if there is exactly one.
func (r *Reader) sameBind(cur *Bind) {
	cur.Same = true
	candidates, last := 0, -1
	for i := range r.binds[:len(r.binds)-1] {
		if !r.binds[i].Same {
			candidates++
			last = i
		}
	}
	if candidates == 1 {
		o := r.binds[last]
		cur.Type, cur.Charset, cur.Actual = o.Type, o.Charset, o.Actual
		cur.HasValue, cur.Quoted, cur.Value = o.HasValue, o.Quoted, o.Value
	}
}

func (r *Reader) bindValue(cur *Bind, b []byte) {
	if len(b) > 0 && b[0] == '"' {
		r.quoted(cur, b[1:])
		return
	}
	// Some files put the next bind on the same line: `value= Bind#1`.
	if i := bytes.LastIndex(b, []byte("Bind#")); i >= 0 && (i == 0 || b[i-1] == ' ') {
		if _, end, ok := number(b, i+5); ok && end == len(b) {
			pos, _, _ := number(b, i+5)
			b = bytes.TrimRight(b[:i], " ")
			r.setValue(cur, b, false)
			r.binds = append(r.binds, Bind{Position: int(pos), Actual: -1})
			return
		}
	}
	r.setValue(cur, bytes.TrimRight(b, " "), false)
}

func (r *Reader) setValue(cur *Bind, v []byte, quoted bool) {
	cur.HasValue, cur.Quoted = quoted || len(v) > 0, quoted
	if len(v) > maxBindValue {
		v, cur.Damaged = v[:maxBindValue], true
	}
	if len(r.values)+len(v) > MaxLine {
		v, cur.Damaged = nil, true
	}
	n := len(r.values)
	r.values = append(r.values, v...)
	cur.Value = r.values[n:len(r.values):len(r.values)]
}

// quoted reads a value in double quotes, which may hold quotes and newlines.
// avl, the length in bytes, tells which quote closes it; a value that was cut
// closes before that, so where the two differ the next line decides.
func (r *Reader) quoted(cur *Bind, b []byte) {
	byLength := cur.Actual > 0 && (cur.Type == 1 || cur.Type == 8 || cur.Type == 96)
	index := len(r.binds) - 1
	r.text = r.text[:0]
	for {
		if n := len(r.text) + len(b) - 1; len(b) > 0 && b[len(b)-1] == '"' {
			if !byLength || n >= cur.Actual || r.bindEndsHere() {
				r.text = append(r.text, b[:len(b)-1]...)
				break
			}
		} else if i := bytes.LastIndex(b, []byte(`" Bind#`)); i >= 0 {
			if pos, end, ok := number(b, i+7); ok && end == len(b) {
				r.text = append(r.text, b[:i]...)
				r.setValue(cur, r.text, true)
				r.binds = append(r.binds, Bind{Position: int(pos), Actual: -1})
				return
			}
		} else if i := bytes.LastIndex(b, []byte(`"...`)); i >= 0 && i == len(b)-4 {
			r.text = append(r.text, b[:i]...)
			cur.Damaged = true // the server cut it
			break
		}
		full := len(r.text)+len(b) >= cur.Actual
		if (!byLength || full) && r.bindEndsHere() {
			r.text = append(r.text, b...)
			cur.Damaged, r.rec.Damage = true, Cut
			break
		}
		r.text = append(r.text, b...)
		next, ok := r.in.next()
		if !ok {
			cur.Damaged, r.rec.Damage = true, NoEnd
			break
		}
		r.text = append(r.text, '\n')
		b = next
		if len(r.text) > MaxLine {
			r.text, cur.Damaged = r.text[:MaxLine], true
		}
	}
	r.setValue(&r.binds[index], r.text, true)
}

// bindEndsHere looks at the next line and reports whether it can only follow
// a finished bind value.
func (r *Reader) bindEndsHere() bool {
	line, ok := r.in.next()
	if !ok {
		return true
	}
	r.in.unread(line, 0)
	t := bytes.TrimLeft(line, " ")
	return hasPrefix(t, "Bind#") && len(t) < len(line) || hasPrefix(line, "Dump of memory") || hasPrefix(line, "...") ||
		wholeRecord(line) || hasPrefix(line, "*** ")
}
