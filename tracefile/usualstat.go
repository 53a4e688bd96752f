package tracefile

import "bytes"

// usualStat reads a plan line with figures, in the order in which 11.1 and later
// print them. It returns how long the line is with its end; 0 for any other line.
func (r *Reader) usualStat(w *window) int {
	cursor, p := r.cursorAt(w, 6)
	slot := p <= 10
	if p == 0 || !w.is(p, " id=") {
		return 0
	}
	id, p := w.small(p + 4)
	if !w.is(p, " cnt=") {
		return 0
	}
	rows, p := w.long(p + 5)
	if !w.is(p, " pid=") {
		return 0
	}
	parent, p := w.small(p + 5)
	if !w.is(p, " pos=") {
		return 0
	}
	position, p := w.small(p + 5)
	if !w.is(p, " obj=") {
		return 0
	}
	object, p := w.number(p + 5)
	if !w.is(p, " op='") || p >= reach {
		return 0
	}
	from := p + 5
	i := bytes.IndexByte(w[from:], '(')
	for i > 0 && !w.is(from+uint(i), "(cr=") { // "CONNECT BY WITH FILTERING (UNIQUE) (cr="
		k := bytes.IndexByte(w[from+uint(i)+1:], '(')
		if k < 0 {
			return 0
		}
		i += k + 1
	}
	if i < 1 || from+uint(i) >= reach {
		return 0
	}
	if op := w[from : from+uint(i)]; bytes.IndexByte(op, '\'') >= 0 || bytes.IndexByte(op, '\n') >= 0 {
		return 0
	}
	cr, p := w.number(from + uint(i) + 4)
	if !w.is(p, " pr=") {
		return 0
	}
	var pr, pw int64
	if w.is(p, " pr=0 pw=0 ") {
		p += 10
	} else {
		if pr, p = w.number(p + 4); !w.is(p, " pw=") {
			return 0
		}
		pw, p = w.number(p + 4)
	}
	starts := int64(-1)
	if w.is(p, " str=") {
		starts, p = w.small(p + 5)
	}
	if !w.is(p, " time=") {
		return 0
	}
	time, p := w.long(p + 6)
	if !w.is(p, " us") {
		return 0
	}
	p += 3
	var cost, size, card int64
	if w.is(p, " cost=") {
		if cost, p = w.number(p + 6); !w.is(p, " size=") {
			return 0
		}
		if size, p = w.long(p + 6); !w.is(p, " card=") {
			return 0
		}
		card, p = w.long(p + 6)
	}
	if !w.is(p, ")'") {
		return 0
	}
	n := r.lineEnd(w, p+2)
	if n == 0 {
		return 0
	}
	rec := &r.rec
	rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = Stat, cursor, slot, false, true
	rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current = 0, 0, 0, 0, 0
	rec.Misses, rec.Rows, rec.Depth, rec.Goal, rec.PlanHash, rec.Type, rec.Tim = 0, 0, 0, 0, 0, 0, 0
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	pl := &rec.Plan
	pl.ID, pl.Rows, pl.Parent, pl.Position, pl.Object = clampInt(id), rows, clampInt(parent), clampInt(position), object
	pl.CR, pl.PR, pl.PW, pl.Time, pl.Starts = cr, pr, pw, time, starts
	pl.Cost, pl.Size, pl.Card, pl.HasStats = cost, size, card, true
	begin := r.in.pos + int(from)
	pl.Operation = trimEnd(r.in.buf[begin : begin+i])
	return n
}
