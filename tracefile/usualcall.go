package tracefile

// usualCall reads a call whose cursor number stands at p and whose pairs stand in
// the order in which every release prints them, which is several times faster than
// looking for the line's end and then at each key. It returns how long the line is
// with its end; 0 for any other line.
//
// A number that is not there ends at 0, and no key stands at the beginning of a
// line.
func (r *Reader) usualCall(kind Kind, w *window, p uint) int {
	cursor, q := r.cursorAt(w, p)
	slot := q-p <= 4
	// Most calls take too little CPU to be measured, read no block from disk,
	// change none, and miss nothing.
	var c, disk, current, misses, plan int64
	if w.is(q, ":c=0,e=") {
		p = q + 7
	} else {
		if q == 0 || !w.is(q, ":c=") {
			return 0
		}
		if c, p = w.number(q + 3); !w.is(p, ",e=") {
			return 0
		}
		p += 3
	}
	e, p := w.number(p)
	rec := &r.rec
	if kind == Close {
		dep, typ := w.digit(p+5), w.digit(p+12)
		if dep > 9 || typ > 9 || !w.is(p, ",dep=") || !w.is(p+6, ",type=") || !w.is(p+13, ",tim=") {
			return 0 // ten levels deep and more: seldom
		}
		tim, p := w.long(p + 18)
		n := r.lineEnd(w, p)
		if n == 0 {
			return 0
		}
		rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = Close, cursor, slot, true, true
		rec.CPU, rec.Elapsed, rec.Depth, rec.Type, rec.Tim = c, e, dep, typ, tim
		rec.Disk, rec.Query, rec.Current, rec.Misses, rec.Rows, rec.Goal, rec.PlanHash = 0, 0, 0, 0, 0, 0, 0
		rec.Name, rec.Params, rec.Object = nil, nil, 0
		r.lastTim = tim
		return n
	}
	if w.is(p, ",p=0,cr=") {
		p += 8
	} else {
		if !w.is(p, ",p=") {
			return 0
		}
		if disk, p = w.number(p + 3); !w.is(p, ",cr=") {
			return 0
		}
		p += 4
	}
	query, p := w.number(p)
	if w.is(p, ",cu=0,mi") && w.is(p+8, "s=0,r=") {
		p += 14
	} else {
		if !w.is(p, ",cu=") {
			return 0
		}
		if current, p = w.number(p + 4); !w.is(p, ",mis=") {
			return 0
		}
		if misses, p = w.number(p + 5); !w.is(p, ",r=") {
			return 0
		}
		p += 3
	}
	rows, p := w.small(p)
	dep, goal := w.digit(p+5), w.digit(p+10)
	if dep > 9 || goal > 9 || !w.is(p, ",dep=") || !w.is(p+6, ",og=") {
		return 0 // ten levels deep and more: seldom
	}
	if p += 11; w.is(p, ",plh=") { // from 11.1.0.7 on
		plan, p = w.long(p + 5)
	}
	if !w.is(p, ",tim=") {
		return 0
	}
	tim, p := w.long(p + 5)
	n := r.lineEnd(w, p)
	if n == 0 {
		return 0
	}
	rec.Kind, rec.Cursor, rec.Slot, rec.HasTim, rec.Complete = kind, cursor, slot, true, true
	rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current = c, e, disk, query, current
	rec.Misses, rec.Rows, rec.Depth, rec.Goal, rec.PlanHash = misses, rows, dep, goal, plan
	rec.Tim, rec.Type = tim, 0
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	r.lastTim = tim
	return n
}
