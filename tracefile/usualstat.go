package tracefile

import "bytes"

// usualStat reads a plan line with figures, in the order in which 11.1 and later
// print them. It returns how long the line is with its end; 0 for any other line, of
// which the record then holds a part.
func (r *Reader) usualStat(w *window) int {
	rec := &r.rec
	cursor, p := r.cursorAt(w, 6)
	rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = Stat, cursor, p <= 10, false, true
	rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current = 0, 0, 0, 0, 0
	rec.Misses, rec.Rows, rec.Depth, rec.Goal, rec.PlanHash, rec.Type, rec.Tim = 0, 0, 0, 0, 0, 0, 0
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	if p == 0 || !w.is(p, " id=") {
		return 0
	}
	pl := &rec.Plan
	id, p := w.small(p + 4)
	if !w.is(p, " cnt=") {
		return 0
	}
	if pl.Rows, p = w.long(p + 5); !w.is(p, " pid=") {
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
	pl.ID, pl.Parent, pl.Position = clampInt(id), clampInt(parent), clampInt(position)
	if pl.Object, p = w.number(p + 5); !w.is(p, " op='") || p >= reach {
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
	begin := r.in.pos + int(from)
	pl.Operation = trimEnd(r.in.buf[begin : begin+i])
	if pl.CR, p = w.number(from + uint(i) + 4); !w.is(p, " pr=") {
		return 0
	}
	if w.is(p, " pr=0 pw=0 ") {
		pl.PR, pl.PW = 0, 0
		p += 10
	} else {
		if pl.PR, p = w.number(p + 4); !w.is(p, " pw=") {
			return 0
		}
		pl.PW, p = w.number(p + 4)
	}
	pl.Starts = -1
	if w.is(p, " str=") {
		pl.Starts, p = w.small(p + 5)
	}
	if !w.is(p, " time=") {
		return 0
	}
	if pl.Time, p = w.long(p + 6); !w.is(p, " us") {
		return 0
	}
	p += 3
	pl.Cost, pl.Size, pl.Card, pl.HasStats = 0, 0, 0, true
	if w.is(p, " cost=") {
		if pl.Cost, p = w.number(p + 6); !w.is(p, " size=") {
			return 0
		}
		if pl.Size, p = w.long(p + 6); !w.is(p, " card=") {
			return 0
		}
		pl.Card, p = w.long(p + 6)
	}
	if !w.is(p, ")'") || max(pl.Rows, pl.Time) > maxFigure {
		return 0
	}
	return w.lineEnd(p+2, r.left())
}
