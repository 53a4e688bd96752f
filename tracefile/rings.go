package tracefile

import "bytes"

// startRing takes the marker of a circular buffer that lost text (facts 10):
// what follows is what the buffer held, the oldest byte first, so its first
// line is usually cut.
func (a *Analyzer) startRing(rec *Record) {
	a.endDump()
	a.endRing(rec.Line)
	a.dups.arm()
	a.calm = false
	a.ring = &Ring{File: a.file, Line: rec.Line, Bytes: rec.Bytes, Wrapped: rec.Count, Skipped: -1}
	a.ring.first = rec.Offset + int64(len(rec.Raw)) + 1
	a.p.Rings = append(a.p.Rings, a.ring)
	a.grp.clock.spend(false) // the stamp before it is that of the flush
}

// ringRecord passes the records of a ring. It returns false for what stands
// before the first whole one: those bytes are counted as skipped.
func (a *Analyzer) ringRecord(rec *Record) bool {
	r := a.ring
	if r.FirstRecord == 0 {
		if r.Skipped < 0 {
			r.first, r.Skipped = rec.Offset, 0
		}
		if rec.Kind == Separator {
			r.separator = rec.Offset
			return false
		}
		if !rec.Kind.IsTrace() || rec.Damage != Sound && rec.Damage != Glued {
			r.Skipped = rec.Offset + int64(len(rec.Raw)) + 1 - r.first // unless a whole one follows
			return false
		}
		r.Skipped = rec.Offset - r.first
		if rec.Kind == Parsing && r.separator > 0 {
			r.Skipped = r.separator - r.first
		}
		r.FirstRecord = rec.Line
	}
	if rec.Kind.IsTrace() {
		r.Records++
	}
	if rec.HasTim {
		if !r.hasTim {
			r.hasTim, r.first = true, rec.Tim
			if rec.Kind != Parsing && rec.Kind != ParseError {
				r.first -= rec.Elapsed
			}
		}
		r.last = max(r.last, rec.Tim)
	}
	return true
}

// endRing ends the present ring before a line.
func (a *Analyzer) endRing(line int64) {
	r := a.ring
	if r == nil {
		return
	}
	r.EndLine = line
	r.Skipped = max(r.Skipped, 0)
	if r.hasTim {
		r.Span = r.last - r.first
	}
	a.ring = nil
}

// fileMarker takes the lines by which the server says that text is missing or
// stands elsewhere.
func (a *Analyzer) fileMarker(rec *Record) {
	switch rec.Kind {
	case FileFull:
		if a.ring != nil {
			a.ring.Full = true
		}
		a.endRing(rec.Line)
		a.problemf("file_full", rec.Line, "the trace file was full here (max_dump_file_size): the rest is lost")
	case SizeLimit:
		a.endRing(rec.Line)
		a.problemf("size_limit", rec.Line, "the dump file was limited to %d bytes: the rest is lost", rec.Bytes)
	case ContinuedFrom:
		a.notef("continued_from", rec.Line, "text before this line is in %s", rec.Text)
	case ContinuesIn:
		a.notef("continues_in", rec.Line, "text behind this line is in %s", rec.Text)
	case Recreated:
		a.notef("recreated", rec.Line, "the trace file was removed and made anew: text before this line is gone")
	}
}

func (a *Analyzer) marker(rec *Record) {
	a.endDump()
	if a.ring != nil && string(rec.Name) == "finished" && (bytes.Contains(rec.Text, []byte("trace_buffer_off")) || bytes.Contains(rec.Text, []byte("flush"))) {
		a.endRing(rec.Line) // other commands wrote their lines into the ring
	}
	a.dups.arm()
	defer a.grp.clock.spend(false)
	if a.unwanted(Clock{}) {
		return
	}
	m := Marker{a.file, rec.Line, rec.Code, string(rec.Text), string(rec.Name)}
	if len(a.p.Markers) < 10000 {
		a.p.Markers = append(a.p.Markers, m)
	}
	if m.State == "received" {
		r := a.s.story.push(RowMarker)
		r.File, r.Line, r.LastLine, r.Text = m.File, m.Line, m.Line, m.Command
		r.Start, r.End = a.grp.lastTim, a.grp.lastTim
		r.Stamp = a.grp.clock.stamp
	}
}

func (a *Analyzer) incident(rec *Record) {
	p := a.p
	if a.unwanted(Clock{}) {
		return
	}
	if rec.Kind == Incident {
		p.Incidents = append(p.Incidents, IncidentLink{File: a.file, Line: rec.Line, Number: rec.Code, Path: string(rec.Text)})
		return
	}
	// The error of an incident stands on the line behind it.
	if n := len(p.Incidents); n > 0 && p.Incidents[n-1].ORA == 0 && p.Incidents[n-1].File == a.file && rec.Line-p.Incidents[n-1].Line <= 2 {
		p.Incidents[n-1].ORA, p.Incidents[n-1].Text = rec.Code, string(rec.Text)
		a.addError(&ErrorInfo{ORA: rec.Code, Line: rec.Line, Message: string(rec.Text), Source: "incident"})
		return
	}
	a.lastOra = OraLine{rec.Code, string(rec.Text), rec.Line}
	a.notef("ora_message", rec.Line, "ORA-%05d: %s", rec.Code, rec.Text)
}
