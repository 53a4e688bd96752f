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
	if at := r.usualStat(line, p); at > 0 {
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
func (r *Reader) usualStat(line []byte, p int) int {
	pl := &r.rec.Plan
	id, rest := statID.field(line[p:])
	cnt, rest := statCnt.field(rest)
	pid, rest := statPid.field(rest)
	pos, rest := statPos.field(rest)
	obj, rest := statObj.field(rest)
	if len(rest) < 6 || string(rest[:4]) != " op=" {
		return 0
	}
	pl.ID, pl.Rows, pl.Parent, pl.Position, pl.Object = clampInt(id), cnt, clampInt(pid), clampInt(pos), obj
	return len(line) - len(rest) + 4
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
	op := bytes.TrimRight(line[p+1:], " ")
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
	pl.Operation = bytes.TrimRight(op, " ")
	i := bytes.LastIndexByte(op, '(')
	if i < 0 || len(op) == 0 || op[len(op)-1] != ')' || bytes.IndexByte(op[i:], '=') < 0 {
		return
	}
	pl.Operation = bytes.TrimRight(op[:i], " ")
	pl.HasStats = true
	pl.figures(op[i+1 : len(op)-1])
}

// usualFigures reads the figures in the order that 11.1 and later print. It
// returns false, having changed nothing, if they stand otherwise.
func (pl *PlanLine) usualFigures(b []byte) bool {
	cr, b := statCR.field(b)
	pr, b := statPR.field(b)
	pw, b := statPW.field(b)
	starts := int64(-1)
	if statStr.at(b) {
		starts, b = statStr.field(b)
	}
	time, b := statTime.field(b)
	if !hasPrefix(b, " us") {
		return false
	}
	b = b[3:]
	var cost, size, card int64
	if len(b) > 0 {
		cost, b = statCost.field(b)
		size, b = statSize.field(b)
		if card, b = statCard.field(b); b == nil {
			return false
		}
	}
	if len(b) > 0 {
		return false
	}
	pl.CR, pl.PR, pl.PW, pl.Time, pl.Starts = cr, pr, pw, time, starts
	pl.Cost, pl.Size, pl.Card = cost, size, card
	return true
}

// figures reads "cr=4 pr=0 pw=0 str=1 time=399 us cost=3 size=13 card=1", whose
// order differs between releases.
func (pl *PlanLine) figures(b []byte) {
	if pl.usualFigures(b) {
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
