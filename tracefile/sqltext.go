package tracefile

import "bytes"

// parsing reads "PARSING IN CURSOR #c len=… sqlid='…'", the SQL text and
// "END OF STMT", facts 4.
func (r *Reader) parsing(line []byte) {
	rec := &r.rec
	rec.Kind = Parsing
	r.head = append(r.head[:0], line...)
	rec.Raw = r.head
	rec.Length = -1
	p, ok := r.cursorNumber(r.head, 19)
	if !ok {
		r.damaged(line)
		return
	}
	if !r.headPairs(p) && r.joinSQLID() {
		rec.Damage = Cut // broken over two lines, but whole
	} else if len(rec.Address) == 0 || bytes.Count(r.head, []byte("'"))%2 == 1 {
		// The line broke off. A record may be glued to it; else the text follows.
		if _, glued := r.splitGlued(line); glued {
			rec.Damage = Glued
			return
		}
		rec.Damage = Cut
	}
	r.readStatement()
}

// joinSQLID mends a heading whose SQL id was broken over two lines, as seen in
// a trace that had been through a terminal.
func (r *Reader) joinSQLID() bool {
	const size = 13
	i := bytes.LastIndex(r.head, []byte("sqlid='"))
	if i < 0 || len(r.head)-i-7 >= size {
		return false
	}
	have := len(r.head) - i - 7
	line, ok := r.in.next()
	if !ok {
		return false
	}
	if len(line) != size-have+1 || line[len(line)-1] != '\'' {
		r.in.unread(line, 0)
		return false
	}
	r.head = append(r.head, line...)
	r.rec.Raw = r.head
	r.rec.SQLID = r.head[i+7 : i+7+size]
	return true
}

// headPairs reads " len=3 dep=0 … ad='x' sqlid='y'" of r.head. A number counts
// only if the blank behind it was there, or it is the last of a PARSE ERROR.
func (r *Reader) headPairs(p int) bool {
	rec := &r.rec
	b := r.head
	for p < len(b) {
		for p < len(b) && (b[p] == ' ' || b[p] == ':') {
			p++
		}
		ks := p
		for p < len(b) && b[p] != '=' {
			p++
		}
		key := string(b[ks:min(p, ks+6)])
		if p >= len(b) {
			return ks == p
		}
		p++
		if p < len(b) && b[p] == '\'' {
			q := bytes.IndexByte(b[p+1:], '\'')
			if q < 0 {
				return false
			}
			switch v := b[p+1 : p+1+q]; key {
			case "ad":
				rec.Address = v
			case "sqlid":
				rec.SQLID = v
			}
			p += q + 2
			continue
		}
		v, end, ok := number(b, p)
		if !ok || (end < len(b) && b[end] != ' ') {
			return false
		}
		if end == len(b) && key != "err" && key != "hv" {
			return false
		}
		switch key {
		case "len":
			rec.Length = v
		case "dep":
			rec.Depth = v
		case "uid":
			rec.User = v
		case "oct":
			rec.Command = v
		case "lid":
			rec.LoginID = v
		case "tim":
			if v < 0 || v > maxTim {
				rec.Damage = WrongTime
				break
			}
			rec.Tim, rec.HasTim = v, true
		case "hv":
			rec.Hash = v
		case "err":
			if v > maxCode {
				return false
			}
			rec.Code, rec.Complete = v, true
		}
		p = end
	}
	return true
}

// readStatement reads SQL text up to END OF STMT at the start of a line; only
// that ends it, whatever the text looks like. Where the mark is missing, the
// first whole record behind len bytes ends the text (facts 4: len is the length
// or one more), or before that, where the mark does not stand where len says.
func (r *Reader) readStatement() {
	const mark = "END OF STMT"
	rec := &r.rec
	r.text = r.text[:0]
	var size int64
	for n := 0; ; n++ {
		line, ok := r.in.next()
		if !ok {
			rec.Damage = NoEnd
			break
		}
		if hasPrefix(line, mark) {
			rest := line[len(mark):]
			if onlyBlanks(rest) {
				break
			}
			if signature(rest) == 0 {
				rec.Damage = Glued
				r.in.unread(line, len(mark))
				break
			}
		}
		if wholeRecord(line) && r.plausible(line) {
			line = bytes.Clone(line) // looking ahead moves it
			if size+1 >= rec.Length || !r.endsThere(rec.Length-size-int64(len(line))) {
				if rec.Damage == Sound {
					rec.Damage = NoEnd
				}
				r.in.unread(line, 0)
				break
			}
		}
		if i := fullMark(line); i >= 0 && size+int64(i) <= rec.Length {
			line = bytes.Clone(line)
			if !r.endsThere(rec.Length - size - int64(len(line))) {
				r.appendText(line[:i], n > 0)
				rec.Damage = NoEnd
				r.in.unread(line, i)
				break
			}
		}
		if k := int64(len(line) - len(mark)); k > 0 && size+k+2 >= rec.Length && bytes.HasSuffix(line, []byte(mark)) {
			size += r.appendText(line[:k], n > 0)
			rec.Damage = Glued
			break
		}
		size += r.appendText(line, n > 0)
	}
	rec.Text = r.text
}

// endsThere reports whether a text goes on for so many bytes more, less or more a
// few and the carriage returns: whether END OF STMT stands there. Otherwise the text
// was cut, and what looks like a record is one. It does not look far ahead.
func (r *Reader) endsThere(left int64) bool {
	const mark, far, few = "\nEND OF STMT", 64 << 10, 3
	if left > far {
		return true
	}
	b := r.in.peek(int(max(left, 0))*2 + len(mark) + few + 1)
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte(mark))
		if i < 0 {
			return false
		}
		at := int64(from + i)
		if at -= int64(bytes.Count(b[:at], []byte{'\r'})); at >= left-few {
			return at <= left+few
		}
		from += i + 1
	}
}

func (r *Reader) appendText(line []byte, newline bool) int64 {
	size := int64(len(line))
	if newline {
		size++
		if len(r.text) < MaxLine {
			r.text = append(r.text, '\n')
		}
	}
	if room := MaxLine - len(r.text); len(line) > room || r.in.long {
		line = line[:min(room, len(line))]
		r.rec.Damage = LineTooLong
	}
	r.text = append(r.text, line...)
	return size
}

// parseError reads "PARSE ERROR #c:len=… tim=N err=N" and the SQL text behind
// it, which has no end mark: len tells how long it is, but a text that held a
// password is cut, so a later whole record ends it as well (facts 9).
func (r *Reader) parseError(line []byte) {
	rec := &r.rec
	rec.Kind = ParseError
	r.head = append(r.head[:0], line...)
	rec.Raw = r.head
	rec.Length = -1
	p, ok := r.cursorNumber(r.head, 13)
	if !ok {
		r.damaged(line)
		return
	}
	if !r.headPairs(p) || !rec.Complete {
		if _, glued := r.splitGlued(line); glued {
			rec.Damage = Glued
			return
		}
		rec.Damage = Cut
	}
	r.text = r.text[:0]
	var size int64
	for n := 0; rec.Length < 0 || size+1 < rec.Length; n++ {
		line, ok := r.in.next()
		if !ok {
			if rec.Length < 0 || size+1 < rec.Length {
				rec.Damage = NoEnd
			}
			break
		}
		if wholeRecord(line) && r.plausible(line) {
			r.in.unread(line, 0)
			break
		}
		if rec.Length < 0 && len(line) == 0 && n > 0 {
			break
		}
		if room := rec.Length - size; rec.Length >= 0 && room > 0 && int64(len(line)) > room {
			if i := int(room); signature(line[i:]) == 0 {
				r.appendText(line[:i], n > 0)
				r.in.unread(line, i)
				rec.Damage = Glued
				break
			}
		}
		size += r.appendText(line, n > 0)
	}
	rec.Text = bytes.TrimRight(r.text, "\n")
}

// wholeRecord reports whether a line is beyond doubt a trace record, for ending
// texts whose end mark is missing.
func wholeRecord(line []byte) bool {
	if len(line) < 8 {
		return false
	}
	switch line[0] {
	case '=':
		return separator(line) == len(line)
	case '*':
		if !hasPrefix(line, "*** 2") {
			return fullMark(line) == 0
		}
		_, rest, ok := parseClock(line[4:])
		var c Clock
		return ok && (onlyBlanks(rest) || parseContainer(&c, rest))
	case 'P', 'E', 'F', 'C', 'W', 'S', 'U', 'B', 'X':
		if signature(line) != 0 {
			return false
		}
		switch {
		case hasPrefix(line, "STAT #"):
			return bytes.Contains(line, []byte(" op='"))
		case hasPrefix(line, "BINDS #"):
			return line[len(line)-1] == ':'
		}
		return timOf(line) >= 0
	}
	return false
}

// timOf returns the time that a record line ends with, or -1.
func timOf(line []byte) int64 {
	i := bytes.LastIndex(line, []byte("tim="))
	if i < 0 {
		return -1
	}
	v, end, ok := number(line, i+4)
	if !ok || (end < len(line) && line[end] != ' ') {
		return -1
	}
	return v
}

// plausible reports whether a whole record can follow the one being read: its
// time must not lie before it.
func (r *Reader) plausible(line []byte) bool {
	tim := timOf(line)
	return tim < 0 || !r.rec.HasTim || tim >= r.rec.Tim
}

// endOfStmt reads an end mark without its beginning: the text began before the
// oldest byte of a circular buffer (facts 10).
func (r *Reader) endOfStmt(line []byte) {
	r.rec.Kind = EndOfStmt
	if rest := line[len("END OF STMT"):]; !onlyBlanks(rest) {
		if signature(rest) == 0 {
			r.rec.Damage = Glued
			r.in.unread(line, len("END OF STMT"))
			return
		}
		r.rec.Kind = Unknown
	}
}
