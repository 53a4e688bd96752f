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
	if i := figuresFrom(op); i >= 0 && len(op) > 0 && op[len(op)-1] == ')' && bytes.IndexByte(op[i:], '=') >= 0 {
		pl.Operation = trimEnd(op[:i])
		pl.HasStats = true
		pl.figures(op[i+1 : len(op)-1])
	}
	// What the optimizer estimated is never summed, and may be as large as it likes.
	if max(pl.Rows, pl.CR, pl.PR, pl.PW, pl.Time, pl.Starts) > maxFigure || min(pl.Rows, pl.CR, pl.PR, pl.PW, pl.Time, pl.Starts) < -maxFigure {
		rec.Complete, rec.Damage = false, Malformed
	}
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

// figures reads "cr=4 pr=0 pw=0 str=1 time=399 us cost=3 size=13 card=1", whose
// order differs between releases.
func (pl *PlanLine) figures(b []byte) {
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
