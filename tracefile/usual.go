package tracefile

import "bytes"

// Scan reads the next record. It returns false at the end of the stream.
//
// A whole call, wait, plan line or statement in the form that 10.2 and later print,
// nine records out of ten, is read here; any other, of which nothing has been taken,
// by the general way.
func (r *Reader) Scan() bool {
	l := &r.in
	if l.back || r.general() {
		return r.scan()
	}
	r.wipe()
	w := (*window)(l.buf[l.pos : l.pos+windowSize])
	n, lines := 0, int64(1)
	switch w[0] {
	case 'W':
		if w.is(0, "WAIT #") && !r.timeless {
			n = r.usualWait(w)
		}
	case 'F':
		if w.is(0, "FETCH #") {
			n = r.usualCall(Fetch, w, 7)
		}
	case 'E':
		if w.is(0, "EXEC #") {
			n = r.usualCall(Exec, w, 6)
		}
	case 'P':
		if w.is(0, "PARSE #") {
			n = r.usualCall(Parse, w, 7)
		} else if w.is(0, "PARSING IN CURSOR #") {
			n, lines = r.usualParsing(w)
		}
	case 'C':
		if w.is(0, "CLOSE #") {
			n = r.usualCall(Close, w, 7)
		}
	case 'S':
		if w.is(0, "STAT #") {
			n = r.usualStat(w)
		}
	case '=':
		n = r.usualSeparator(w)
	}
	if n == 0 {
		r.dirty = true
		return r.scan()
	}
	rec := &r.rec
	rec.Damage = Sound
	if rec.Kind != Parsing { // whose heading is only a part of it
		end := l.pos + n - 1
		if l.buf[end-1] == '\r' {
			end--
		}
		rec.Raw = l.buf[l.pos:end:end]
	}
	if rec.HasTim {
		r.lastTim = rec.Tim
	}
	rec.Line, rec.Lines, rec.Offset = l.number+1, lines, l.base+int64(l.pos)
	l.number += lines
	l.pos += n
	r.inHeader, r.inDump = false, false
	return true
}

// general reports whether the next line must be read by the general way.
func (r *Reader) general() bool { return r.openBinds || r.careful }

// usualSeparator reads the line in front of a statement.
func (r *Reader) usualSeparator(w *window) int {
	const text = "====================="
	if !w.is(0, text) {
		return 0
	}
	n := w.lineEnd(uint(len(text)), r.left())
	if n == 0 {
		return 0
	}
	rec := &r.rec
	rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = Separator, 0, false, false, false
	rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current = 0, 0, 0, 0, 0
	rec.Misses, rec.Rows, rec.Depth, rec.Goal, rec.PlanHash, rec.Type, rec.Tim = 0, 0, 0, 0, 0, 0, 0
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	return n
}

// left returns how much text is in the buffer.
func (r *Reader) left() uint { return uint(r.in.end - r.in.pos) }

// knownCursors is how many cursor numbers are remembered; a power of 2.
const knownCursors = 16

// knownCursor is the number of a cursor as text, most often an address of fifteen
// digits, which the line before had as well.
type knownCursor struct{ high, low, number uint64 }

// cursorAt reads the cursor number at p and returns where it ends; 0 for one that
// is unusual.
func (r *Reader) cursorAt(w *window, p uint) (uint64, uint) {
	high, low := w.eightAt(p), w.eightAt(p+8)<<8 // without what stands behind it
	k := &r.known[low*0x9E3779B97F4A7C15>>60%knownCursors]
	if k.high == high && k.low == low && k.number != 0 { // NULs are none
		return k.number, p + 15
	}
	v, end := w.long(p)
	if end == p+15 {
		*k = knownCursor{high, low, uint64(v)}
	}
	return uint64(v), end
}

// usualWait reads a wait, see Reader.wait, and returns how long its line is; 0 for
// anything unusual.
func (r *Reader) usualWait(w *window) int {
	cursor, p := r.cursorAt(w, 6)
	if p == 0 || !w.is(p, ": nam='") {
		return 0
	}
	l := &r.in
	from := l.pos + int(p) + 7
	if from >= l.end {
		return 0
	}
	b := l.buf[from:l.end]
	n := bytes.IndexByte(b, '\n')
	if n < 30 {
		return 0
	}
	size := from + n + 1 - l.pos
	if b = b[:n]; b[n-1] == '\r' {
		b = b[:n-1]
	}
	q := bytes.IndexByte(b, '\'')
	if q < 0 || len(b)-q < 30 || string(b[q:q+6]) != "' ela=" {
		return 0
	}
	name := b[:q]
	b = b[q:]
	i := 6
	if b[i] == ' ' {
		i++ // up to 19c
	}
	elapsed, i := digitsAt(b, i)
	if i == 0 || i >= len(b) || b[i] != ' ' || elapsed > maxFigure {
		return 0
	}
	b = b[i+1:]
	if len(b) < 24 {
		return 0
	}
	tim, digits := timeBack(b, len(b))
	i = len(b) - digits - 5
	if digits == 0 || i < 8 || string(b[i:i+5]) != " tim=" {
		return 0 // up to 10.1 there is no time
	}
	object, digits := fewDigitsBack(b, i)
	if digits == 0 {
		if object, digits = timeBack(b, i); digits == 0 {
			return 0
		}
	}
	if i -= digits; i > 0 && b[i-1] == '-' {
		object = -object
		i--
	}
	if i < 6 || string(b[i-6:i]) != " obj#=" {
		return 0
	}
	params := b[:i-6]
	if bytes.IndexByte(params, '\'') >= 0 {
		return 0 // another record in between
	}
	rec := &r.rec
	rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = Wait, cursor, p <= 10, true, true
	rec.CPU, rec.Disk, rec.Query, rec.Current, rec.Misses, rec.Rows = 0, 0, 0, 0, 0, 0
	rec.Depth, rec.Goal, rec.PlanHash, rec.Type = 0, 0, 0, 0
	rec.Elapsed, rec.Tim = elapsed, tim
	rec.Name, rec.Params, rec.Object = name, params, object
	return size
}
