package clock

// Grade is the verdict on a clock in one word.
type Grade string

// The grades; limits are in facts/clock-and-overhead.md B.
const (
	Good         Grade = "good"    // a reading takes up to 50 ns
	Fine         Grade = "fine"    // up to 100 ns
	Slow         Grade = "slow"    // above that, without a system call
	SyscallGrade Grade = "syscall" // every reading is a system call
	Bad          Grade = "bad"     // 500 ns and more, or too coarse to time with
	NoGrade      Grade = "unknown"
)

// gradeOf judges a reading's cost against that of a system call (0: unknown).
func gradeOf(readNS, syscallNS float64) Grade {
	switch {
	case !(readNS > 0):
		return NoGrade
	case readNS <= 50:
		return Good
	case readNS <= 100:
		return Fine
	case readNS >= 500:
		return Bad
	case syscallNS > 0 && readNS >= 0.7*syscallNS:
		return SyscallGrade
	}
	return Slow
}

// Verdict is the grade in a sentence.
func (g Grade) Verdict() string {
	switch g {
	case Good:
		return "good: timing every call costs little here"
	case Fine:
		return "fine: within what a good system needs (below 100 ns)"
	case Slow:
		return "slow: a reading needs no system call, yet costs more than 100 ns (a paravirtual or emulated clock)"
	case SyscallGrade:
		return "slow: the clock source falls back to system calls"
	case Bad:
		return "bad: too slow, or too coarse, to time short operations with"
	}
	return "unknown"
}
