package tracefile

import "bytes"

// usualParsing reads "PARSING IN CURSOR #" with the pairs in the order in which
// 11.1 and later print them, and the SQL text behind it where END OF STMT stands
// as far behind it as len says. It returns how long all of it is and how many
// lines it takes; 0 for anything else.
func (r *Reader) usualParsing(w *window) (size int, lines int64) {
	cursor, p := r.cursorAt(w, 19)
	slot := p-19 <= 4
	if p == 0 || !w.is(p, " len=") {
		return 0, 0
	}
	length, p := w.number(p + 5)
	if !w.is(p, " dep=") {
		return 0, 0
	}
	depth, p := w.small(p + 5)
	if !w.is(p, " uid=") {
		return 0, 0
	}
	user, p := w.long(p + 5)
	if !w.is(p, " oct=") {
		return 0, 0
	}
	command, p := w.number(p + 5)
	if !w.is(p, " lid=") {
		return 0, 0
	}
	login, p := w.long(p + 5)
	if !w.is(p, " tim=") {
		return 0, 0
	}
	tim, p := w.long(p + 5)
	if !w.is(p, " hv=") {
		return 0, 0
	}
	hash, p := w.long(p + 4)
	if !w.is(p, " ad='") {
		return 0, 0
	}
	address := p + 5
	for p = address; noQuote(w.at(p)) && p < reach; p++ {
	}
	const idSize = 13
	end, id := p, p+9
	if end == address || !w.is(end, "' sqlid='") || w.at(id+idSize) != '\'' {
		return 0, 0
	}
	for p = id; p < id+idSize; p++ {
		if !noQuote(w.at(p)) {
			return 0, 0
		}
	}
	l := &r.in
	b := l.buf[l.pos:l.end]
	const mark = "\nEND OF STMT\n"
	from := int(id) + idSize + 2 // the text
	at := from + int(length)
	if w.at(id+idSize+1) != '\n' || id+idSize+1 >= reach || at+len(mark) > len(b) || at == from {
		return 0, 0
	}
	// len is the length of the text or one more.
	if string(b[at:at+len(mark)]) != mark {
		if at--; string(b[at:at+len(mark)]) != mark {
			return 0, 0
		}
	}
	text := b[from:at]
	if bytes.IndexByte(text, '\r') >= 0 || bytes.Contains(b[from-1:at], []byte(mark[1:len(mark)-1])) {
		return 0, 0
	}
	rec := &r.rec
	rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = Parsing, cursor, slot, true, false
	rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current = 0, 0, 0, 0, 0
	rec.Misses, rec.Rows, rec.Goal, rec.PlanHash, rec.Type = 0, 0, 0, 0, 0
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	rec.Raw, rec.Text, rec.Address, rec.SQLID = b[:from-1], text, b[address:end], b[id:id+idSize]
	rec.Length, rec.Depth, rec.User, rec.Command, rec.LoginID = length, depth, user, command, login
	rec.Tim, rec.Hash = tim, hash
	return at + len(mark), int64(bytes.Count(text, []byte{'\n'})) + 3
}

// noQuote reports whether a byte stands neither for the end of a quoted value nor
// of a line.
func noQuote(c byte) bool { return c != '\'' && c != '\n' && c != '\r' }
