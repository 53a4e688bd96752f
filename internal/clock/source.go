package clock

import (
	"slices"
	"strings"
	"time"

	"ringtrace/internal/exit"
)

// Method is how a clock is read.
type Method string

// The methods. RDTSC and RDTSCP read the processor's counter and nothing else.
const (
	VDSO     Method = "vdso"
	Nanotime Method = "nanotime"
	GoTime   Method = "time.Now"
	Syscall  Method = "syscall"
	RDTSC    Method = "rdtsc"
	RDTSCP   Method = "rdtscp"
	Injected Method = "injected"
)

// Source is a clock and the way it is read.
type Source struct {
	Clock  string // as the C library names it: CLOCK_MONOTONIC; or TSC
	Method Method

	id   int32        // of a clock_gettime
	vdso uintptr      // entry of __vdso_clock_gettime
	read func() int64 // nanoseconds, for all methods without a loop of their own
	tsc  *tsc
}

// Names lists the clocks of --clock.
func Names() []string {
	return []string{"monotonic", "realtime", "monotonic-raw", "boottime", "monotonic-coarse", "realtime-coarse", "rdtsc", "rdtscp"}
}

// Linux's clock ids, uapi/linux/time.h.
var clockIDs = map[string]int32{
	"realtime": 0, "monotonic": 1, "monotonic-raw": 4, "realtime-coarse": 5, "monotonic-coarse": 6, "boottime": 7,
}

// FromFunc is a Source that reads any clock, in nanoseconds.
func FromFunc(name string, read func() int64) *Source {
	return &Source{Clock: name, Method: Injected, read: read}
}

// Open finds a clock by its --clock name and --method (auto or a Method). The
// error is an *exit.Error that says what there is here.
func Open(name, method string) (*Source, error) {
	if name == "rdtsc" || name == "rdtscp" {
		if method != "auto" && method != name {
			return nil, exit.Errorf(exit.Usage, "leave out --method", "%s is read by its own instruction, not by %s", name, method)
		}
		return openTSC(Method(name))
	}
	id, ok := clockIDs[name]
	if !ok {
		return nil, exit.Errorf(exit.Usage, "choose from "+strings.Join(Names(), ", "), "there is no clock %q", name)
	}
	s := &Source{Clock: "CLOCK_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")), id: id}
	open := map[Method]func() bool{
		VDSO:     func() bool { s.vdso = vdsoEntry(); return s.vdso != 0 },
		Nanotime: func() bool { s.read = nanotime; return name == "monotonic" },
		GoTime:   func() bool { s.read = goTime; return name == "realtime" },
		Syscall:  func() bool { s.read = syscallReader(id); return s.read != nil },
	}
	order := []Method{VDSO, Nanotime, GoTime, Syscall}
	if method != "auto" {
		if _, ok := open[Method(method)]; !ok {
			return nil, exit.Errorf(exit.Usage, "choose from auto, vdso, nanotime, syscall", "there is no method %q", method)
		}
		order = []Method{Method(method)}
	}
	for _, m := range order {
		if open[m]() {
			s.Method = m
			return s, nil
		}
	}
	return nil, exit.Errorf(exit.Usage, "leave out --method, or give --clock monotonic", "%s cannot be read by %s on this system", s.Clock, method)
}

// goTime reads CLOCK_REALTIME where nothing better is known. The wall clock is
// what is measured here, so it is not injected.
func goTime() int64 { return time.Now().UnixNano() }

// steppable reports whether NTP or a person may set the clock back: then a
// backward step is no fault.
func (s *Source) steppable() bool {
	return slices.Contains([]string{"CLOCK_REALTIME", "CLOCK_REALTIME_COARSE"}, s.Clock)
}

// Title names clock and method for a heading.
func (s *Source) Title() string {
	switch s.Method {
	case VDSO:
		return s.Clock + " via vDSO"
	case Nanotime:
		return s.Clock + " via the Go runtime"
	case RDTSC, RDTSCP:
		return strings.ToUpper(string(s.Method))
	}
	return s.Clock + " via " + string(s.Method)
}

// bias is what is known of a method's extra cost against a C program.
func (s *Source) bias() string {
	switch s.Method {
	case Nanotime:
		return "readings go through the Go runtime: about 7 % (1.6 ns where it was measured) above a C program"
	case GoTime:
		return "readings go through time.Now, which reads two clocks: about twice a C program"
	}
	return ""
}
