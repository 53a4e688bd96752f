package clock

// The loops are written out for each way of reading: a call through a function
// value would cost 1 to 2 ns a reading, which is what is measured here.
//
// A backward step moves the start and the end along: the loop then takes as
// long as it was told, whatever the clock was set to.

// run reads the clock for d nanoseconds and returns how long the loop took by
// that clock.
func (s *Source) run(h *Histogram, d int64) int64 {
	switch {
	case s.vdso != 0:
		return loopVDSO(s.vdso, s.id, h, d)
	case s.Method == RDTSC:
		return loopRDTSC(s.tsc, h, d)
	case s.Method == RDTSCP:
		return loopRDTSCP(s.tsc, h, d)
	case s.Method == Nanotime:
		return loopNanotime(h, d)
	}
	return loopFunc(s.read, h, d)
}

func loopVDSO(fn uintptr, id int32, h *Histogram, d int64) int64 {
	cur := readVDSO(fn, id)
	start, end := cur, cur+d
	loops := uint64(0)
	for cur < end {
		prev := cur
		cur = readVDSO(fn, id)
		loops++
		diff := cur - prev
		if diff < 0 {
			h.stepBack(-diff)
			start, end = start+diff, end+diff
			continue
		}
		h.record(diff)
	}
	h.loops += loops
	return cur - start
}

func loopNanotime(h *Histogram, d int64) int64 {
	cur := nanotime()
	start, end := cur, cur+d
	loops := uint64(0)
	for cur < end {
		prev := cur
		cur = nanotime()
		loops++
		diff := cur - prev
		if diff < 0 {
			h.stepBack(-diff)
			start, end = start+diff, end+diff
			continue
		}
		h.record(diff)
	}
	h.loops += loops
	return cur - start
}

func loopFunc(read func() int64, h *Histogram, d int64) int64 {
	cur := read()
	start, end := cur, cur+d
	loops := uint64(0)
	for cur < end {
		prev := cur
		cur = read()
		loops++
		diff := cur - prev
		if diff < 0 {
			h.stepBack(-diff)
			start, end = start+diff, end+diff
			continue
		}
		h.record(diff)
	}
	h.loops += loops
	return cur - start
}

func loopRDTSC(t *tsc, h *Histogram, d int64) int64 {
	cur := rdtsc()
	start, end := cur, cur+t.ticks(d)
	loops := uint64(0)
	for cur < end {
		prev := cur
		cur = rdtsc()
		loops++
		diff := cur - prev
		if diff < 0 {
			h.stepBack(t.ns(-diff))
			start, end = start+diff, end+diff
			continue
		}
		h.record(t.ns(diff))
	}
	h.loops += loops
	return t.ns(cur - start)
}

func loopRDTSCP(t *tsc, h *Histogram, d int64) int64 {
	cur := rdtscp()
	start, end := cur, cur+t.ticks(d)
	loops := uint64(0)
	for cur < end {
		prev := cur
		cur = rdtscp()
		loops++
		diff := cur - prev
		if diff < 0 {
			h.stepBack(t.ns(-diff))
			start, end = start+diff, end+diff
			continue
		}
		h.record(t.ns(diff))
	}
	h.loops += loops
	return t.ns(cur - start)
}

// runMicros is the loop of PostgreSQL 9.2 to 18: each reading is cut to
// microseconds before the subtraction. h then counts microseconds.
func (s *Source) runMicros(h *Histogram, d int64) int64 {
	if s.vdso != 0 {
		return loopVDSOMicros(s.vdso, s.id, h, d/1000)
	}
	read := s.reader()
	return loopFunc(func() int64 { return read() / 1000 }, h, d/1000)
}

func loopVDSOMicros(fn uintptr, id int32, h *Histogram, d int64) int64 {
	cur := readVDSO(fn, id) / 1000
	start, end := cur, cur+d
	loops := uint64(0)
	for cur < end {
		prev := cur
		cur = readVDSO(fn, id) / 1000
		loops++
		diff := cur - prev
		if diff < 0 {
			h.stepBack(-diff)
			start, end = start+diff, end+diff
			continue
		}
		h.record(diff)
	}
	h.loops += loops
	return cur - start
}

// reader returns a function that reads the clock in nanoseconds, for where
// speed does not matter.
func (s *Source) reader() func() int64 {
	switch {
	case s.vdso != 0:
		return func() int64 { return readVDSO(s.vdso, s.id) }
	case s.Method == RDTSC:
		first := rdtsc()
		return func() int64 { return s.signedNS(rdtsc() - first) }
	case s.Method == RDTSCP:
		first := rdtscp()
		return func() int64 { return s.signedNS(rdtscp() - first) }
	}
	return s.read
}

func (s *Source) signedNS(ticks int64) int64 {
	if ticks < 0 {
		return -s.tsc.ns(-ticks)
	}
	return s.tsc.ns(ticks)
}
