package tracefile

// duplicates recognises the text of one circular buffer that was written out
// twice, as when an error fires while the buffer is still held: the second copy
// would count every call again. It is looked for only behind a dump, an
// ORADEBUG command or a wrap marker, and only when time runs back.
type duplicates struct {
	ring  *[maxDuplicates]uint64 // of the latest
	n     uint
	max   int64 // latest tim
	armed bool
	set   map[uint64]struct{}
	last  bool // the last timed record was one
}

const maxDuplicates = 1 << 15

// fingerprint mixes what tells one timed record from another.
func fingerprint(rec *Record) uint64 {
	rest := rec.Cursor<<8 ^ uint64(rec.Kind) ^ uint64(rec.Elapsed)<<20 ^ uint64(rec.CPU)<<10 ^ uint64(rec.Code) ^ uint64(len(rec.Raw))<<50
	return uint64(rec.Tim)*0x9E3779B97F4A7C15 ^ rest
}

// quiet reports that no copy of a record can have come before it: keep is enough.
func (d *duplicates) quiet(rec *Record) bool { return !d.armed && rec.HasTim && d.ring != nil }

// keep remembers a record.
func (d *duplicates) keep(rec *Record) {
	if rec.Tim > d.max {
		d.max = rec.Tim
	}
	d.ring[d.n%maxDuplicates] = fingerprint(rec)
	d.n++
}

// seen reports whether a record is a second copy. Records without a time share
// the fate of the one before.
func (d *duplicates) seen(rec *Record) bool {
	if !rec.HasTim {
		return d.last && (rec.Kind == Stat || rec.Kind == Lob || rec.Kind == Xctend)
	}
	// Of a coarse clock, records of one moment may be alike: only where time has
	// run back can they be copies.
	copying := d.last
	d.last = false
	fp := fingerprint(rec)
	if d.armed && (rec.Tim < d.max || copying && rec.Tim == d.max) {
		if d.set == nil {
			var have []uint64
			if d.ring != nil {
				have = d.ring[:min(d.n, maxDuplicates)]
			}
			d.set = make(map[uint64]struct{}, len(have))
			for _, h := range have {
				d.set[h] = struct{}{}
			}
		}
		if _, ok := d.set[fp]; ok {
			d.last = true
			return true
		}
	}
	if d.ring == nil {
		d.ring = new([maxDuplicates]uint64)
	}
	d.keep(rec)
	if d.set != nil {
		d.set[fp] = struct{}{}
		if len(d.set) > 2*maxDuplicates {
			d.set = nil
		}
	}
	return false
}

// arm begins to look for copies.
func (d *duplicates) arm() { d.armed = true }

// reset forgets everything: another file, or another header.
func (d *duplicates) reset() {
	d.n, d.max, d.armed, d.set, d.last = 0, 0, false, nil, false
}
