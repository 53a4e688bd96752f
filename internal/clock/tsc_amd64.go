package clock

func rdtsc() int64
func rdtscp() int64
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

const haveTSC = true

// hasRDTSCP and invariantTSC ask the processor (AMD64 manual volume 3, CPUID
// leaves 80000001 and 80000007).
func hasRDTSCP() bool {
	if top, _, _, _ := cpuid(0x80000000, 0); top < 0x80000001 {
		return false
	}
	_, _, _, d := cpuid(0x80000001, 0)
	return d&(1<<27) != 0
}

func invariantTSC() bool {
	if top, _, _, _ := cpuid(0x80000000, 0); top < 0x80000007 {
		return false
	}
	_, _, _, d := cpuid(0x80000007, 0)
	return d&(1<<8) != 0
}

// statedTSC is the counter's frequency in kHz as the processor or the
// hypervisor states it (leaves 15 and 40000010), or 0.
func statedTSC() int64 {
	if _, _, c, _ := cpuid(1, 0); c&(1<<31) != 0 { // under a hypervisor
		if top, _, _, _ := cpuid(0x40000000, 0); top >= 0x40000010 && top < 0x40010000 {
			if kHz, _, _, _ := cpuid(0x40000010, 0); kHz > 0 {
				return int64(kHz)
			}
		}
	}
	if top, _, _, _ := cpuid(0, 0); top < 0x15 {
		return 0
	}
	denominator, numerator, hz, _ := cpuid(0x15, 0)
	if denominator == 0 || numerator == 0 || hz == 0 {
		return 0
	}
	return int64(uint64(hz) * uint64(numerator) / uint64(denominator) / 1000)
}
