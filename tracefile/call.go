package tracefile

// number reads a decimal integer at b[p:], with an optional sign, and returns
// where it ends. ok is false if there is no digit. Numbers beyond 64 bits
// saturate at 19 digits: nothing in a trace is that large, it must only not
// wrap into something plausible.
func number(b []byte, p int) (v int64, end int, ok bool) {
	neg := false
	if p < len(b) && b[p] == '-' {
		neg = true
		p++
	}
	start := p
	var u uint64
	for p < len(b) {
		c := b[p] - '0'
		if c > 9 {
			break
		}
		u = u*10 + uint64(c)
		p++
	}
	if p-start > 18 && (p-start > 19 || u > 1<<63-1) {
		u = 1<<63 - 1
	}
	v = int64(u)
	if neg {
		v = -v
	}
	return v, p, p > start
}

// cursorNumber reads the digits behind "#". Address cursors (11.2+) have nine
// digits or more, slots up to three (facts 12).
func (r *Reader) cursorNumber(line []byte, p int) (int, bool) {
	if p+16 <= cap(line) && !r.careful {
		if v, end := digitsAt(line, p); end > 0 && end <= len(line) {
			r.rec.Cursor, r.rec.Slot = uint64(v), end-p <= 4
			return end, true
		}
	}
	start := p
	var u uint64
	for p < len(line) {
		c := line[p] - '0'
		if c > 9 {
			break
		}
		u = u*10 + uint64(c)
		p++
	}
	r.rec.Cursor, r.rec.Slot = u, p-start <= 4
	return p, p > start && p-start <= 20
}

// The values that a call must have for it to be counted.
const (
	haveC = 1 << iota
	haveE
	haveP
	haveCR
	haveCU
	haveMis
	haveR
	haveDep
	haveAll = haveC | haveE | haveP | haveCR | haveCU | haveMis | haveR | haveDep
	// CLOSE and LOB calls print fewer.
	haveClose = haveC | haveE | haveDep
	haveLob   = haveC | haveE
)

// call reads "EXEC #c:c=0,e=34,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=1",
// facts 5. The order of the pairs does not matter, blanks behind commas are
// skipped. A value counts only if the comma behind it, or the line end behind
// tim, was there: half numbers are never used.
func (r *Reader) call(kind Kind, line []byte, p int) {
	rec := &r.rec
	rec.Kind = kind
	p, ok := r.cursorNumber(line, p)
	if !ok || p >= len(line) || line[p] != ':' {
		r.damaged(line)
		return
	}
	r.pairs(line, p+1)
}

// pairs reads the key=value pairs of a call line from p on.
func (r *Reader) pairs(line []byte, p int) {
	rec := &r.rec
	have := 0
	for p < len(line) {
		for p < len(line) && line[p] == ' ' {
			p++
		}
		ks := p
		for p < len(line) && line[p] != '=' {
			p++
		}
		key := line[ks:p]
		if p >= len(line) || len(key) == 0 || len(key) > 4 {
			r.damagedPairs(line, have)
			return
		}
		v, end, ok := number(line, p+1)
		if !ok {
			r.damagedPairs(line, have)
			return
		}
		last := end == len(line)
		if !last && line[end] != ',' {
			if key[0] == 't' && string(key) == "tim" && signature(line[end:]) == 0 {
				r.setTim(v, true)
				r.finishCall(have)
				rec.Damage = Glued
				r.in.unread(line, end)
				return
			}
			if !onlyBlanks(line[end:]) {
				r.damagedPairs(line, have)
				return
			}
			last = true
		}
		switch len(key) {
		case 1:
			if last {
				break // cut inside or just behind the number
			}
			switch key[0] {
			case 'c':
				rec.CPU = v
				have |= haveC
			case 'e':
				rec.Elapsed = v
				have |= haveE
			case 'p':
				rec.Disk = v
				have |= haveP
			case 'r':
				rec.Rows = v
				have |= haveR
			}
		case 2:
			if last {
				break
			}
			switch string(key) {
			case "cr":
				rec.Query = v
				have |= haveCR
			case "cu":
				rec.Current = v
				have |= haveCU
			case "og":
				rec.Goal = v
			}
		case 3:
			if string(key) == "tim" {
				r.setTim(v, r.in.terminated)
				break
			}
			if last {
				break
			}
			switch string(key) {
			case "mis":
				rec.Misses = v
				have |= haveMis
			case "dep":
				rec.Depth = v
				have |= haveDep
			case "plh":
				rec.PlanHash = v
			}
		case 4:
			if !last && string(key) == "type" {
				rec.Type = v
			}
		}
		p = end + 1
	}
	r.finishCall(have)
	if !rec.HasTim && rec.Damage == Sound {
		rec.Damage = Cut
	}
}

// setTim takes the time unless the line was cut within its digits: then it is
// only believed if it follows the last one closely.
func (r *Reader) setTim(v int64, terminated bool) {
	const week = 7 * 86400 * 1000000
	if v < 0 || v > maxTim {
		if r.rec.Damage == Sound {
			r.rec.Damage = WrongTime
		}
		return
	}
	if terminated || r.lastTim == 0 || (v >= r.lastTim && v-r.lastTim < week) {
		r.rec.Tim, r.rec.HasTim = v, true
	}
}

// maxTim bounds the times that are believed: 2,283 years, as us.
const maxTim = 1 << 56

func (r *Reader) finishCall(have int) {
	rec := &r.rec
	want := haveAll
	switch rec.Kind {
	case Close:
		want = haveClose
	case Lob, RPC:
		want = haveLob
	}
	rec.Complete = have&want == want
	if rec.Depth < 0 || rec.Depth > maxDepth || max(rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current, rec.Rows, rec.Misses) > maxFigure ||
		min(rec.CPU, rec.Elapsed, rec.Disk, rec.Query, rec.Current, rec.Rows, rec.Misses) < -maxFigure {
		rec.Complete, rec.Damage = false, Malformed
	}
}

// maxFigure bounds what is believed of a call or a wait: as us, 285 years. Sums of
// larger figures would overflow.
const maxFigure = 1 << 53

// maxDepth bounds the recursion depth that is believed. Real ones stay below
// 50 (the server's limit on recursive SQL levels, ORA-00036).
const maxDepth = 1000

// damagedPairs ends a call line that broke off; what was whole before stays.
func (r *Reader) damagedPairs(line []byte, have int) {
	r.finishCall(have)
	r.rec.Damage = Cut
	if _, glued := r.splitGlued(line); glued {
		r.rec.Damage = Glued
	}
}

// damaged marks a line that has the beginning of its kind and nothing else of
// use.
func (r *Reader) damaged(line []byte) {
	r.rec.Damage = Malformed
	if _, glued := r.splitGlued(line); glued {
		r.rec.Damage = Glued
	}
}

func onlyBlanks(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
