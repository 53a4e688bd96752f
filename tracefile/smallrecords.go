package tracefile

import "bytes"

// errorLine reads "ERROR #c:err=942 tim=99", facts 9.
func (r *Reader) errorLine(line []byte) {
	rec := &r.rec
	rec.Kind = Error
	p, ok := r.cursorNumber(line, 7)
	if !ok || !hasPrefix(line[p:], ":err=") {
		r.damaged(line)
		return
	}
	v, end, ok := number(line, p+5)
	if !ok || end == len(line) || line[end] != ' ' || v > maxCode {
		r.damaged(line)
		return
	}
	rec.Code, rec.Complete = v, true
	for end < len(line) && line[end] == ' ' {
		end++
	}
	r.tailTim(line, end)
	r.unwrapTim()
}

// unwrapTim mends the time of an ERROR line of which only the low 32 bits were
// printed, as some releases of 10g do (facts 9). It stands directly behind the call
// that failed, so of what would lie far from that nothing is believed.
func (r *Reader) unwrapTim() {
	const bits, soon = 1 << 32, 60 * 1_000_000
	rec := &r.rec
	if !rec.HasTim || rec.Tim >= bits || r.lastTim < bits {
		return
	}
	if d := (rec.Tim - r.lastTim) & (bits - 1); d < soon {
		rec.Tim = r.lastTim + d
		return
	}
	rec.Tim, rec.HasTim = 0, false
}

// maxCode bounds the numbers of errors that are believed: they have five digits.
const maxCode = 99_999

// tailTim reads the "tim=99" that ends a line at p.
func (r *Reader) tailTim(line []byte, p int) {
	if hasPrefix(line[p:], "tim=") {
		if v, end, ok := number(line, p+4); ok {
			switch rest := line[end:]; {
			case onlyBlanks(rest):
				r.setTim(v, r.in.terminated)
				if !r.rec.HasTim && r.rec.Damage == Sound {
					r.rec.Damage = Cut
				}
				return
			case signature(rest) == 0:
				r.setTim(v, true)
				r.rec.Damage = Glued
				r.in.unread(line, end)
				return
			}
		}
	}
	r.damagedTail(line)
}

func (r *Reader) damagedTail(line []byte) {
	r.rec.Damage = Cut
	if _, glued := r.splitGlued(line); glued {
		r.rec.Damage = Glued
	}
}

// xctend reads "XCTEND rlbk=0, rd_only=1, tim=99"; 10.2 prints no tim (facts 9).
// The blanks may be missing.
func (r *Reader) xctend(line []byte) {
	rec := &r.rec
	rec.Kind = Xctend
	if !hasPrefix(line, "XCTEND rlbk=") {
		r.damaged(line)
		return
	}
	rlbk, p, ok := number(line, 12)
	if !ok || p >= len(line) || line[p] != ',' {
		r.damaged(line)
		return
	}
	if p++; p < len(line) && line[p] == ' ' {
		p++
	}
	if !hasPrefix(line[p:], "rd_only=") {
		r.damaged(line)
		return
	}
	ro, p, ok := number(line, p+8)
	if !ok {
		r.damaged(line)
		return
	}
	rec.Rollback, rec.ReadOnly, rec.Complete = rlbk != 0, ro != 0, true
	switch rest := line[p:]; {
	case onlyBlanks(rest):
	case hasPrefix(rest, ", tim="):
		r.tailTim(line, p+2)
	case hasPrefix(rest, ",tim="):
		r.tailTim(line, p+1)
	case signature(rest) == 0:
		rec.Damage = Glued
		r.in.unread(line, p)
	default:
		r.damagedTail(line)
	}
}

// lob reads "LOBWRITE: type=TEMPORARY LOB,bytes=5,c=169,e=169,…,tim=99", facts
// 9. Any name of capital letters is taken, with or without a cursor number.
func (r *Reader) lob(line []byte) bool {
	rec := &r.rec
	p := 3
	for p < len(line) && line[p] >= 'A' && line[p] <= 'Z' {
		p++
	}
	if p == 3 || p >= len(line) {
		return false
	}
	rec.Name = line[:p]
	switch {
	case hasPrefix(line[p:], " #"):
		end, ok := r.cursorNumber(line, p+2)
		if !ok || end >= len(line) || line[end] != ':' {
			return false
		}
		p = end + 1
	case line[p] == ':':
		p++
	default:
		return false
	}
	rec.Kind = Lob
	for p < len(line) && line[p] == ' ' {
		p++
	}
	if hasPrefix(line[p:], "type=") {
		i := bytes.IndexByte(line[p:], ',')
		if i < 0 {
			r.damaged(line)
			return true
		}
		rec.Text = line[p+5 : p+i]
		p += i + 1
	}
	if hasPrefix(line[p:], "bytes=") {
		v, end, ok := number(line, p+6)
		if !ok || end >= len(line) || line[end] != ',' || v < 0 || v > maxFigure {
			r.damaged(line)
			return true
		}
		rec.Bytes = v
		p = end + 1
	}
	r.pairs(line, p)
	return true
}

// rpc reads "RPC CALL:…", "RPC BINDS:…" and "RPC EXEC:c=0,e=9,tim=99" (facts 9,
// reported only). The times of RPC EXEC are kept, not counted.
func (r *Reader) rpc(line []byte) {
	rec := &r.rec
	switch {
	case hasPrefix(line, "RPC EXEC:"):
		rec.Kind, rec.Name = RPC, line[:8]
		r.pairs(line, 9)
		if rec.Damage == Cut && !rec.Complete && rec.Elapsed == 0 {
			return
		}
		if !rec.HasTim {
			rec.Damage = Sound // tim is optional
		}
	case hasPrefix(line, "RPC CALL:"):
		rec.Kind, rec.Name, rec.Text = RPC, line[:8], line[9:]
	case hasPrefix(line, "RPC BINDS:"):
		rec.Kind, rec.Name = RPC, line[:9]
		r.binds, r.values = r.binds[:0], r.values[:0]
		for {
			line, ok := r.in.next()
			if !ok {
				break
			}
			if len(line) == 0 {
				continue
			}
			if line[0] != ' ' {
				r.in.unread(line, 0)
				break
			}
			r.bindLine(bytes.TrimLeft(line, " \t"))
		}
		rec.Binds = r.binds
		rec.Raw, rec.Name = nil, nil // their line has gone
		rec.Name = []byte("RPC BINDS")
	default:
		r.other(line)
	}
}
