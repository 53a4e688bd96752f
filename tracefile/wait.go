package tracefile

import "bytes"

// wait reads "WAIT #c: nam='event' ela= 2 p1=0 p2=0 p3=0 obj#=-1 tim=99",
// facts 6. tim and obj# are taken from the right-hand end, because parameter
// names hold blanks, `*`, `+`, `|` and `#`; up to 10.1 they are not there.
func (r *Reader) wait(line []byte) {
	rec := &r.rec
	rec.Kind = Wait
	p, ok := r.cursorNumber(line, 6)
	if !ok || !hasPrefix(line[p:], ": nam='") {
		r.damaged(line)
		return
	}
	p += 7
	q := bytes.IndexByte(line[p:], '\'')
	if q < 0 {
		r.damaged(line)
		return
	}
	if !hasPrefix(line[p+q:], "' ela=") {
		if q = bytes.Index(line[p:], []byte("' ela=")); q < 0 || signature(line[p:p+q]) >= 0 {
			r.damaged(line)
			return
		}
	}
	rec.Name = line[p : p+q]
	p += q + 6
	for p < len(line) && line[p] == ' ' {
		p++
	}
	v, end := digitsAt(line, p)
	if end == 0 {
		v, end, ok = number(line, p)
	}
	if !ok || end >= len(line) || line[end] != ' ' || v > maxFigure || v < -maxFigure {
		r.damaged(line)
		return
	}
	rec.Elapsed, rec.Complete = v, true
	if rest := line[end+1:]; !r.waitTail(rest) {
		r.waitSlow(line, end+1)
	}
	r.timeless = !rec.HasTim && rec.Damage == Sound
}

// waitTail reads obj#, tim and the parameters of a sound line.
func (r *Reader) waitTail(b []byte) bool {
	rec := &r.rec
	tim, n := timeBack(b, len(b))
	i, ok := len(b)-n, true
	if n == 0 {
		tim, i, ok = numberBack(b, len(b))
	}
	if !ok || i < 5 || string(b[i-5:i]) != " tim=" {
		return false
	}
	j := i - 5
	obj, k, ok := numberBack(b, j)
	if !ok || k < 5 || string(b[k-5:k]) != "obj#=" {
		return false
	}
	k -= 5
	if k > 0 {
		if b[k-1] != ' ' {
			return false
		}
		k--
	}
	params := b[:k]
	if bytes.IndexByte(params, '\'') >= 0 {
		return false // another record in between
	}
	rec.Params, rec.Object = params, obj
	r.setTim(tim, r.in.terminated)
	if !rec.HasTim && rec.Damage == Sound {
		rec.Damage = Cut
	}
	return true
}

// waitSlow reads a line without obj# and tim (to 10.1), one that was cut, and
// one with another record glued to it.
func (r *Reader) waitSlow(line []byte, from int) {
	rec := &r.rec
	if b := line[from:]; r.in.terminated && bytes.IndexByte(b, '\'') < 0 {
		// The usual line up to 10.1: three parameters and nothing else.
		r.params = DecodeParams(b, r.params[:0])
		if n := len(r.params); n == 3 && string(r.params[2].Name) != "tim" && endsIn(b, r.params[2].Name) {
			rec.Params = b
			return
		}
	}
	whole := line
	line, glued := r.splitGlued(line)
	if glued {
		rec.Damage = Glued
		if len(line) < from {
			return // nothing but the time it took
		}
	}
	b := bytes.TrimRight(line[from:], " ")
	if r.waitTailTerminated(b, glued) {
		if glued {
			rec.Damage = Glued
		}
		return
	}
	rec.Params = b
	if i := bytes.LastIndex(b, []byte("obj#=")); i >= 0 {
		rec.Params = bytes.TrimRight(b[:i], " ")
		if v, end, ok := number(b, i+5); ok && end < len(b) {
			rec.Object = v
		}
		if rec.Damage == Sound {
			rec.Damage = Cut
		}
		return
	}
	// 10.1 and before print p1 p2 p3 and perhaps tim, nothing else.
	if i := bytes.LastIndex(b, []byte(" tim=")); i >= 0 {
		if v, end, ok := number(b, i+5); ok && end == len(b) {
			rec.Params = b[:i]
			r.setTim(v, r.in.terminated || glued)
			return
		}
	}
	if rec.Damage == Sound && len(DecodeParams(b, nil)) < 3 || (!r.in.terminated && len(whole) == len(line)) {
		rec.Damage = Cut
	}
}

func (r *Reader) waitTailTerminated(b []byte, glued bool) bool {
	was := r.in.terminated
	r.in.terminated = was || glued
	ok := r.waitTail(b)
	r.in.terminated = was
	return ok
}

// numberBack reads a decimal integer that ends before b[end] and returns where
// it begins.
func numberBack(b []byte, end int) (v int64, start int, ok bool) {
	v, n := fewDigitsBack(b, end)
	if n == 0 {
		v, n = timeBack(b, end)
	}
	if n > 0 {
		if b[end-n-1] == '-' {
			return -v, end - n - 1, true
		}
		return v, end - n, true
	}
	i := end
	for i > 0 && b[i-1]-'0' <= 9 {
		i--
	}
	if i == end {
		return 0, i, false
	}
	digits := b[i:end]
	if len(digits) > 18 {
		digits = digits[len(digits)-18:]
	}
	var u uint64
	for _, c := range digits {
		u = u*10 + uint64(c-'0')
	}
	v = int64(u)
	if i > 0 && b[i-1] == '-' {
		v = -v
		i--
	}
	return v, i, true
}

// DecodeParams splits the parameters of a wait, "file#=4 block#=1 blocks=1",
// and appends them to into. A value is the integer behind the last "=" before
// the next blank-separated name; names may hold blanks.
func DecodeParams(b []byte, into []Param) []Param {
	for p := 0; p < len(b); {
		for p < len(b) && b[p] == ' ' {
			p++
		}
		start := p
		for {
			i := bytes.IndexByte(b[p:], '=')
			if i < 0 {
				return into
			}
			p += i + 1
			v, end, ok := number(b, p)
			if ok && (end == len(b) || b[end] == ' ') {
				into = append(into, Param{Name: b[start : p-1], Value: v})
				p = end
				break
			}
		}
	}
	return into
}

// endsIn reports whether b ends in "name=digits".
func endsIn(b, name []byte) bool {
	_, i, ok := numberBack(b, len(b))
	return ok && i > len(name) && b[i-1] == '=' && bytes.HasSuffix(b[:i-1], name)
}
