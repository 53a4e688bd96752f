package tracefile

import "bytes"

// stat reads "STAT #c id=1 cnt=1 pid=0 pos=1 obj=0 op='SORT AGGREGATE (cr=1 …)'",
// facts 8.
func (r *Reader) stat(line []byte) {
	rec := &r.rec
	rec.Kind = Stat
	p, ok := r.cursorNumber(line, 6)
	if !ok || !hasPrefix(line[p:], " id=") {
		r.damaged(line)
		return
	}
	pl := &rec.Plan
	pl.Starts = -1
	if at := r.usualStat(line, p); at > 0 && !r.careful {
		r.operation(line, at, true)
		return
	}
	have := 0
	for p < len(line) {
		for p < len(line) && line[p] == ' ' {
			p++
		}
		ks := p
		for p < len(line) && line[p] != '=' {
			p++
		}
		if p >= len(line) {
			break
		}
		key := string(line[ks:min(p, ks+4)])
		if key == "op" {
			r.operation(line, p+1, have == 5)
			return
		}
		v, end, ok := number(line, p+1)
		if !ok || end >= len(line) || line[end] != ' ' {
			break
		}
		have++
		switch key {
		case "id":
			pl.ID = clampInt(v)
		case "cnt":
			pl.Rows = v
		case "pid":
			pl.Parent = clampInt(v)
		case "pos":
			pl.Position = clampInt(v)
		case "obj":
			pl.Object = v
		default:
			have--
		}
		p = end
	}
	r.damaged(line)
}

// usualStat reads the five numbers in the order in which they are printed and
// returns where the operation begins, or 0.
func (r *Reader) usualStat(b []byte, p int) int {
	end := len(b)
	if cap(b)-end < room {
		return 0
	}
	b = b[:end+room]
	id, p := oneAt(b, p+4)
	if string(b[p:p+5]) != " cnt=" {
		return 0
	}
	cnt, p := digitsAt(b, p+5)
	if string(b[p:p+5]) != " pid=" {
		return 0
	}
	pid, p := oneAt(b, p+5)
	if string(b[p:p+5]) != " pos=" {
		return 0
	}
	pos, p := oneAt(b, p+5)
	if string(b[p:p+5]) != " obj=" {
		return 0
	}
	obj, p := digitsAt(b, p+5)
	if p+6 > end || string(b[p:p+4]) != " op=" {
		return 0
	}
	pl := &r.rec.Plan
	pl.ID, pl.Rows, pl.Parent, pl.Position, pl.Object = clampInt(id), cnt, clampInt(pid), clampInt(pos), obj
	return p + 4
}

func clampInt(v int64) int {
	if v < 0 || v > 1<<20 {
		return 0
	}
	return int(v)
}

func (r *Reader) operation(line []byte, p int, whole bool) {
	rec := &r.rec
	if !whole || p >= len(line) || line[p] != '\'' {
		r.damaged(line)
		return
	}
	op := trimEnd(line[p+1:])
	if len(op) == 0 || op[len(op)-1] != '\'' {
		// Cut, or another record behind the closing quote.
		head, glued := r.splitGlued(line)
		rec.Damage = Cut
		if !glued {
			return
		}
		rec.Damage = Glued
		if len(head) <= p+1 || head[len(head)-1] != '\'' {
			return
		}
		op = head[p+1:]
	}
	op = op[:len(op)-1]
	if i := bytes.IndexByte(op, '\''); i >= 0 && signature(op[i+1:]) == 0 {
		at := bytes.IndexByte(line, '\'') + 1 + i + 1
		r.in.unread(line, at)
		rec.Damage = Glued
		op = op[:i]
	}
	rec.Complete = true
	pl := &rec.Plan
	pl.Operation = trimEnd(op)
	i := figuresFrom(op)
	if i < 0 || len(op) == 0 || op[len(op)-1] != ')' || bytes.IndexByte(op[i:], '=') < 0 {
		return
	}
	pl.Operation = trimEnd(op[:i])
	pl.HasStats = true
	pl.figures(op[i+1:len(op)-1], r.careful)
}

// trimEnd drops blanks at the end.
func trimEnd(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// figuresFrom returns the last parenthesis that opens, or -1. It mostly stands
// right before the first "cr=".
func figuresFrom(op []byte) int {
	if i := bytes.IndexByte(op, '='); i >= 3 && op[i-3] == '(' && bytes.IndexByte(op[i:], '(') < 0 {
		return i - 3
	}
	return bytes.LastIndexByte(op, '(')
}

// usualFigures reads the figures in the order that 11.1 and later print. It
// returns false, having changed nothing, if they stand otherwise.
func (pl *PlanLine) usualFigures(b []byte) bool {
	if len(b) < 20 || cap(b)-len(b) < room || string(b[:3]) != "cr=" {
		return false
	}
	end := len(b)
	b = b[:end+room]
	cr, p := digitsAt(b, 3)
	if string(b[p:p+4]) != " pr=" {
		return false
	}
	pr, p := oneAt(b, p+4)
	if string(b[p:p+4]) != " pw=" {
		return false
	}
	pw, p := oneAt(b, p+4)
	starts := int64(-1)
	if string(b[p:p+5]) == " str=" {
		starts, p = digitsAt(b, p+5)
	}
	if string(b[p:p+6]) != " time=" {
		return false
	}
	time, p := digitsAt(b, p+6)
	if string(b[p:p+3]) != " us" {
		return false
	}
	p += 3
	var cost, size, card int64
	if p != end {
		if string(b[p:p+6]) != " cost=" {
			return false
		}
		if cost, p = digitsAt(b, p+6); string(b[p:p+6]) != " size=" {
			return false
		}
		if size, p = digitsAt(b, p+6); string(b[p:p+6]) != " card=" {
			return false
		}
		if card, p = digitsAt(b, p+6); p != end {
			return false
		}
	}
	pl.CR, pl.PR, pl.PW, pl.Time, pl.Starts = cr, pr, pw, time, starts
	pl.Cost, pl.Size, pl.Card = cost, size, card
	return true
}

// figures reads "cr=4 pr=0 pw=0 str=1 time=399 us cost=3 size=13 card=1", whose
// order differs between releases.
func (pl *PlanLine) figures(b []byte, careful bool) {
	if !careful && pl.usualFigures(b) {
		return
	}
	for p := 0; p < len(b); {
		start := p
		for p < len(b) && b[p] != '=' && b[p] != ' ' {
			p++
		}
		if p >= len(b) || b[p] == ' ' {
			p++ // the "us" behind time
			continue
		}
		key := b[start:p]
		v, end, ok := number(b, p+1)
		p = end
		for p < len(b) && b[p] != ' ' {
			p++
		}
		p++
		if !ok {
			continue
		}
		switch string(key) {
		case "cr":
			pl.CR = v
		case "pr", "r":
			pl.PR = v
		case "pw", "w":
			pl.PW = v
		case "time":
			pl.Time = v
		case "cost":
			pl.Cost = v
		case "size":
			pl.Size = v
		case "card":
			pl.Card = v
		case "str":
			pl.Starts = v
		}
	}
}
