package tracefile

// usualCall reads the pairs of a whole line in the order in which every release
// prints them, which is several times faster than looking at each key. It
// returns false for any other line. There must be room behind it, see digitsAt.
//
// A number that is not there makes p 0, and no key stands at the beginning of a
// line.
func (rec *Record) usualCall(kind Kind, b []byte, p int) bool {
	if string(b[p:p+2]) != "c=" {
		return false
	}
	timFrom := len(b)
	tim, n := timeBack(b, len(b))
	if n == 0 {
		v, i, ok := numberBack(b, len(b))
		if tim, n = v, len(b)-i; !ok || v < 0 || n > 18 {
			return false
		}
	}
	timFrom -= n
	b = b[:len(b)+room]
	if string(b[timFrom-5:timFrom]) != ",tim=" {
		return false
	}
	// Most calls take too little CPU to be measured, read no block from disk,
	// change none, and miss nothing.
	var c, disk, current, misses, plan int64
	if string(b[p:p+6]) == "c=0,e=" {
		p += 6
	} else {
		if c, p = digitsAt(b, p+2); string(b[p:p+3]) != ",e=" {
			return false
		}
		p += 3
	}
	e, p := digitsAt(b, p)
	if kind == Close {
		if string(b[p:p+5]) != ",dep=" {
			return false
		}
		dep, typ := int64(b[p+5]-'0'), int64(b[p+12]-'0')
		if dep > 9 || typ > 9 || string(b[p+6:p+12]) != ",type=" || p+13 != timFrom-5 {
			return false // ten levels deep and more: seldom
		}
		rec.CPU, rec.Elapsed, rec.Depth, rec.Type, rec.Tim = c, e, dep, typ, tim
		rec.Disk, rec.Query, rec.Current, rec.Misses, rec.Rows, rec.Goal, rec.PlanHash = 0, 0, 0, 0, 0, 0, 0
		rec.Name, rec.Params, rec.Object = nil, nil, 0
		return true
	}
	if string(b[p:p+8]) == ",p=0,cr=" {
		p += 8
	} else {
		if string(b[p:p+3]) != ",p=" {
			return false
		}
		if disk, p = digitsAt(b, p+3); string(b[p:p+4]) != ",cr=" {
			return false
		}
		p += 4
	}
	query, p := digitsAt(b, p)
	if string(b[p:p+8]) == ",cu=0,mi" && string(b[p+8:p+14]) == "s=0,r=" {
		p += 14
	} else {
		if string(b[p:p+4]) != ",cu=" {
			return false
		}
		if current, p = digitsAt(b, p+4); string(b[p:p+5]) != ",mis=" {
			return false
		}
		if misses, p = digitsAt(b, p+5); string(b[p:p+3]) != ",r=" {
			return false
		}
		p += 3
	}
	rows, p := oneAt(b, p)
	if string(b[p:p+5]) != ",dep=" {
		return false
	}
	dep, goal := int64(b[p+5]-'0'), int64(b[p+10]-'0')
	if dep <= 9 && goal <= 9 && string(b[p+6:p+10]) == ",og=" && string(b[p+11:p+16]) == ",plh=" {
		if p += 16; isDigit(b[p+7]) {
			plan, p = longDigits(b, p)
		} else {
			plan, p = digitsAt(b, p)
		}
	} else {
		if dep, p = digitsAt(b, p+5); string(b[p:p+4]) != ",og=" || dep > maxDepth {
			return false
		}
		if goal, p = digitsAt(b, p+4); string(b[p:p+5]) == ",plh=" { // from 11.1.0.7 on
			plan, p = digitsAt(b, p+5)
		}
	}
	if p != timFrom-5 {
		return false
	}
	rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current = c, e, disk, query, current
	rec.Misses, rec.Rows, rec.Depth, rec.Goal, rec.PlanHash = misses, rows, dep, goal, plan
	rec.Tim, rec.Type = tim, 0
	rec.Name, rec.Params, rec.Object = nil, nil, 0
	return true
}
