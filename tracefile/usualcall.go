package tracefile

// usualCall reads a call whose cursor number stands at p and whose pairs stand in
// the order in which every release prints them, which is several times faster than
// looking for the line's end and then at each key. It returns how long the line is
// with its end; 0 for any other line, of which the record then holds a part.
//
// A number that is not there ends at 0, and no key stands at the beginning of a
// line.
func (r *Reader) usualCall(kind Kind, w *window, p uint) int {
	rec := &r.rec
	cursor, q := r.cursorAt(w, p)
	rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = kind, cursor, q-p <= 4, true, true
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	// Most calls take too little CPU to be measured, read no block from disk,
	// change none, and miss nothing.
	if w.is(q, ":c=0,e=") {
		rec.CPU = 0
		p = q + 7
	} else {
		if q == 0 || !w.is(q, ":c=") {
			return 0
		}
		if rec.CPU, p = w.number(q + 3); !w.is(p, ",e=") {
			return 0
		}
		p += 3
	}
	rec.Elapsed, p = w.number(p)
	if kind == Close {
		dep, typ := w.digit(p+5), w.digit(p+12)
		if dep > 9 || typ > 9 || !w.is(p, ",dep=") || !w.is(p+6, ",type=") || !w.is(p+13, ",tim=") {
			return 0 // ten levels deep and more: seldom
		}
		rec.Depth, rec.Type = dep, typ
		rec.Disk, rec.Query, rec.Current, rec.Misses, rec.Rows, rec.Goal, rec.PlanHash = 0, 0, 0, 0, 0, 0, 0
		rec.Tim, p = w.long(p + 18)
		return w.lineEnd(p, r.left())
	}
	if w.is(p, ",p=0,cr=") {
		rec.Disk = 0
		p += 8
	} else {
		if !w.is(p, ",p=") {
			return 0
		}
		if rec.Disk, p = w.number(p + 3); !w.is(p, ",cr=") {
			return 0
		}
		p += 4
	}
	rec.Query, p = w.number(p)
	if w.is(p, ",cu=0,mi") && w.is(p+8, "s=0,r=") {
		rec.Current, rec.Misses = 0, 0
		p += 14
	} else {
		if !w.is(p, ",cu=") {
			return 0
		}
		if rec.Current, p = w.number(p + 4); !w.is(p, ",mis=") {
			return 0
		}
		if rec.Misses, p = w.number(p + 5); !w.is(p, ",r=") {
			return 0
		}
		p += 3
	}
	rec.Rows, p = w.small(p)
	dep, goal := w.digit(p+5), w.digit(p+10)
	if dep > 9 || goal > 9 || !w.is(p, ",dep=") || !w.is(p+6, ",og=") {
		return 0 // ten levels deep and more: seldom
	}
	rec.Depth, rec.Goal, rec.PlanHash, rec.Type = dep, goal, 0, 0
	if p += 11; w.is(p, ",plh=") { // from 11.1.0.7 on
		rec.PlanHash, p = w.long(p + 5)
	}
	if !w.is(p, ",tim=") {
		return 0
	}
	rec.Tim, p = w.long(p + 5)
	return w.lineEnd(p, r.left())
}
