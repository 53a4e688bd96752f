package clock

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// threadCPU returns the CPU time of the calling thread in nanoseconds and how
// often it was preempted. ok is false where the system does not say.
func threadCPU() (ns, preempted int64, ok bool) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return 0, 0, false
	}
	return u.Utime.Nano() + u.Stime.Nano(), u.Nivcsw, true
}

// allowedCPUs lists the CPUs that this process may run on.
func allowedCPUs() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var list []int
	for i := 0; len(list) < set.Count(); i++ {
		if set.IsSet(i) {
			list = append(list, i)
		}
	}
	return list
}

// pin binds the calling thread, which must be locked, to one CPU.
func pin(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(0, &set)
}

// syscallReader reads a clock by a system call, past the vDSO.
func syscallReader(id int32) func() int64 {
	ts := new(unix.Timespec)
	return func() int64 {
		// Raw: the scheduler's bookkeeping around a call is not the clock's cost.
		if _, _, e := unix.RawSyscall(unix.SYS_CLOCK_GETTIME, uintptr(id), uintptr(unsafe.Pointer(ts)), 0); e != 0 {
			return 0
		}
		return ts.Nano()
	}
}

// rusageReader makes the call that Oracle makes for c= and returns a clock, so
// that the loop can time it (facts/clock-and-overhead.md C).
func rusageReader(read func() int64) func() int64 {
	u := new(unix.Rusage)
	return func() int64 {
		_ = unix.Getrusage(unix.RUSAGE_THREAD, u) // only its duration counts
		return read()
	}
}
