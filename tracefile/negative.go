package tracefile

// Durations below zero are printed when the clock is set back during a call or a
// wait (to 11.2, whose clock is that of the wall), by some releases without their
// sign: 4294967284 is -12 (facts 5). That only those of less than a second are
// meant so is assumed.
const (
	unsigned32      = 1 << 32
	leastUnsigned32 = unsigned32 - 1_000_000 // a second; longer ones are times of 71 minutes
	lessThanNothing = 1 << 31                // from which on an unsigned figure is looked at
)

// negative counts durations below zero as zero, which is the least that they can
// have been, and tells of them.
func (a *Analyzer) negative(rec *Record) {
	for _, d := range []struct {
		us   *int64
		name string
	}{{&rec.CPU, "CPU time"}, {&rec.Elapsed, "elapsed time"}} {
		v := *d.us
		if v >= leastUnsigned32 && v < unsigned32 {
			v -= unsigned32
		}
		if v < 0 {
			*d.us = 0
			a.problemf("negative_time", rec.Line, "%s: %s of %.6f s, because the clock was set back meanwhile; it is counted as 0", rec.Kind, d.name, float64(v)/1e6)
		}
	}
}
