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
	t := trimBlanks(line)
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
		if r.usualBinds() && !inMemory {
			break
		}
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
		r.bindLine(trimBlanks(line))
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
			cur.Type = clampInt(v)
		case "csi":
			cur.Charset = clampInt(v)
		case "avl":
			cur.Actual = clampInt(v)
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
// avl, the length in bytes, tells which quote closes it. Where no quote stands
// there (the value was cut by the server, or taken out before the file was
// mailed), the first line that ends in a quote closes it.
func (r *Reader) quoted(cur *Bind, b []byte) {
	index := len(r.binds) - 1
	r.text = append(r.text[:0], b...)
	ends := len(b) > 0 && b[len(b)-1] == '"'
	byLength := cur.Actual > 0 && (cur.Type == 1 || cur.Type == 8 || cur.Type == 96)
	if !ends || byLength && len(b)-1 < cur.Actual {
		if pos, i, ok := gluedBind(b); ok {
			r.setValue(cur, b[:i], true)
			r.binds = append(r.binds, Bind{Position: pos, Actual: -1})
			return
		}
		switch more := 0; {
		case bytes.HasSuffix(b, []byte(`"...`)):
			r.text = r.text[:len(r.text)-3]
			cur.Damaged = true
		default:
			if byLength {
				more = r.linesTo(cur.Actual)
			}
			for range more {
				line, _ := r.in.next()
				r.text = append(append(r.text, '\n'), line...)
			}
			if more > 0 {
				break
			}
			if ends {
				cur.Damaged = true
				break
			}
			r.openValue(cur)
		}
	}
	cur = &r.binds[index]
	v := bytes.TrimSuffix(r.text, []byte{'"'})
	r.setValue(cur, v, true)
}

// gluedBind finds the next bind on the same line, `abc" Bind#1`.
func gluedBind(b []byte) (pos, at int, ok bool) {
	at = bytes.LastIndex(b, []byte(`" Bind#`))
	if at < 0 {
		return 0, 0, false
	}
	v, end, ok := number(b, at+7)
	return clampInt(v), at, ok && end == len(b)
}

// linesTo returns how many more lines a value of size bytes takes whose first
// line is in r.text, or 0 if no quote closes it exactly there.
func (r *Reader) linesTo(size int) int {
	have := len(r.text)
	if size > maxBindValue || have >= size+1 {
		return 0
	}
	rest := r.in.peek(2*(size-have) + 64) // newlines may be CR LF
	for n := 1; ; n++ {
		i := bytes.IndexByte(rest, '\n')
		line := rest
		if i >= 0 {
			line = rest[:i]
		}
		line = bytes.TrimSuffix(line, []byte{'\r'})
		have += 1 + len(line)
		if have == size+1 && len(line) > 0 && line[len(line)-1] == '"' {
			return n
		}
		if have > size+1 || i < 0 {
			return 0
		}
		rest = rest[i+1:]
	}
}

// openValue reads on to a line that ends in a quote, or to one that can only
// stand behind the value.
func (r *Reader) openValue(cur *Bind) {
	for {
		line, ok := r.in.next()
		if !ok {
			cur.Damaged, r.rec.Damage = true, NoEnd
			return
		}
		if endsBind(line) {
			r.in.unread(line, 0)
			cur.Damaged, r.rec.Damage = true, Cut
			return
		}
		if len(r.text) < MaxLine {
			r.text = append(append(r.text, '\n'), line...)
		}
		if len(line) > 0 && line[len(line)-1] == '"' {
			return
		}
	}
}

// trimBlanks drops leading blanks and tabs.
func trimBlanks(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// endsBind reports whether a line can only follow a finished bind value.
func endsBind(line []byte) bool {
	t := trimBlanks(line)
	return hasPrefix(t, "Bind#") && len(t) < len(line) || hasPrefix(line, "Dump of memory") || wholeRecord(line) || hasPrefix(line, "*** ")
}
