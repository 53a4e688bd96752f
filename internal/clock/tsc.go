package clock

import (
	"math/bits"

	"ringtrace/internal/exit"
)

// tsc turns ticks of the processor's counter into nanoseconds.
type tsc struct {
	kHz    int64  // calibrated
	stated int64  // by processor or hypervisor; 0 if they say nothing
	mult   uint64 // nanoseconds a tick, times 2^32
}

// calibrationNS is how long calibration takes, in nanoseconds.
const calibrationNS = 50_000_000

func openTSC(m Method) (*Source, error) {
	if !haveTSC || m == RDTSCP && !hasRDTSCP() {
		return nil, exit.Errorf(exit.Usage, "give --clock monotonic", "this processor has no %s", m)
	}
	t := &tsc{stated: statedTSC()}
	if !t.calibrate() {
		return nil, exit.Errorf(exit.Failed, "give --clock monotonic", "the time stamp counter does not advance with the monotonic clock")
	}
	return &Source{Clock: "TSC", Method: m, tsc: t}, nil
}

// calibrate compares the counter with the monotonic clock. A pair of readings
// is taken between two others, and the tightest of a few counts, so that a
// preemption in between does no harm.
func (t *tsc) calibrate() bool {
	ticks0, ns0 := pair()
	for nanotime()-ns0 < calibrationNS {
	}
	ticks1, ns1 := pair()
	ticks, ns := ticks1-ticks0, ns1-ns0
	if ticks <= 0 || ns <= 0 {
		return false
	}
	t.kHz = int64(float64(ticks) / float64(ns) * 1e6)
	t.mult = uint64(float64(ns) / float64(ticks) * (1 << 32))
	return t.mult > 0
}

func pair() (ticks, ns int64) {
	best := int64(-1)
	for range 20 {
		a := rdtsc()
		at := nanotime()
		b := rdtsc()
		if best < 0 || b-a < best {
			best, ticks, ns = b-a, a+(b-a)/2, at
		}
	}
	return ticks, ns
}

// ns converts a difference of ticks. Differences are converted, not readings:
// a reading times the factor does not fit 64 bits.
func (t *tsc) ns(ticks int64) int64 {
	hi, lo := bits.Mul64(uint64(ticks), t.mult)
	return int64(hi<<32 | lo>>32)
}

// ticks is the inverse of ns, roughly.
func (t *tsc) ticks(ns int64) int64 {
	return int64(float64(ns) / float64(t.mult) * (1 << 32))
}
