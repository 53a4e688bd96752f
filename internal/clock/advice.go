package clock

import (
	"fmt"
	"slices"
	"strings"
)

// sources are the clock sources that Linux has on the machines databases run
// on, and whether the vDSO can read them (facts/clock-and-overhead.md B).
var sources = map[string]bool{
	"tsc": true, "kvm-clock": true, "hyperv_clocksource_tsc_page": true, "arch_sys_counter": true,
	"hpet": false, "acpi_pm": false, "jiffies": false, "xen": false, "refined-jiffies": false, "pit": false,
}

const riskNote = "risk: a kernel that has tsc and does not use it may have a good reason (it was found unstable, or is not the same on all CPUs or hosts); " +
	"dmesg names it. A wrong tsc makes time run backwards under the database. Ask the vendor of the virtual machine, try it on a test host, and know the way back"

// advise says what the numbers mean and which commands look further. It never
// tells to switch without the risk, and ringtrace itself never switches.
func advise(r *Result, cfg Config) []string {
	a := []string{}
	add := func(format string, args ...any) { a = append(a, fmt.Sprintf(format, args...)) }
	if r.Coarse {
		step := "no step was seen at all"
		if r.StepNS > 0 {
			step = fmt.Sprintf("it advances in steps of about %s", nanoseconds(float64(r.StepNS)))
		}
		add("resolution too coarse: %s, so anything shorter shows as 0; that is no low overhead. Use --clock monotonic", step)
	}
	if x := r.Busy(); x > 0 {
		add("host busy: the loop had a CPU for %.0f %% of the time, the average is inflated x%.1f by preemption; use the median", 100**r.CPUWall, x)
	}
	if r.Backwards.Count > 0 {
		if r.Backwards.Steps {
			add("%s went back %d times, by %s at most: NTP or a person set it; programs that time with it saw that too", r.Clock, r.Backwards.Count, nanoseconds(float64(r.Backwards.Largest)))
		} else {
			add("the clock went backwards %d times: nothing that is timed on this host can be trusted; look: dmesg | grep -i clocksource", r.Backwards.Count)
		}
	}
	if c := r.CrossCPU; c != nil && c.Count > 0 && c.FromCPU != nil {
		add("CPUs disagree: %d of %d readings were earlier on another CPU, by %s at most (CPU %d to %d)", c.Count, c.Exchanges, nanoseconds(float64(c.Largest)), *c.FromCPU, *c.ToCPU)
	}
	for _, c := range r.Clocksource.Changes {
		add("the clock source changed from %s to %s after %.1f s: the %d loops from then on are marked and left out; look: dmesg | grep -i clocksource",
			orUnknown(c.From), orUnknown(c.To), c.AfterS, r.MarkedLoops)
	}
	switch p := cfg.Prober.(type) {
	case FreeBSD:
		a = append(a, adviseFreeBSD(r)...)
	case Unknown:
	default:
		_ = p
		a = append(a, adviseLinux(r, cfg.Files)...)
	}
	if t := r.TSC; t != nil && t.StatedKHz != nil {
		if off := float64(t.CalibratedKHz)/float64(*t.StatedKHz) - 1; off > 0.1 || off < -0.1 {
			add("the time stamp counter runs %+.0f %% off its stated frequency (%d kHz measured, %d kHz stated)", 100*off, t.CalibratedKHz, *t.StatedKHz)
		}
	}
	return a
}

func adviseLinux(r *Result, files Linux) []string {
	var a []string
	add := func(format string, args ...any) { a = append(a, fmt.Sprintf(format, args...)) }
	if r.Clocksource.Current == nil {
		add("clock source unknown: no /%scurrent_clocksource here (a container without /sys, or not Linux); the numbers stand", sysfsClock)
		return a
	}
	current := *r.Clocksource.Current
	vdso, known := sources[current]
	switch {
	case !known:
		add("clock source %s is not one that this version knows; the numbers stand", current)
	case !vdso:
		older := ""
		if current == "xen" { // facts/clock-and-overhead.md B
			older = " (on older kernels)"
		}
		add("clock source %s: every reading is a system call%s. Confirm: strace -f -c -e trace=clock_gettime,gettimeofday -p PID (readings that need no system call do not show there)", current, older)
	}
	if current != "tsc" && slices.Contains(r.Clocksource.Available, "tsc") && (known && !vdso || r.Grade == Slow || r.Grade == SyscallGrade || r.Grade == Bad) {
		add("tsc is available; why it is not used: dmesg | grep -i -e clocksource -e tsc")
		if !files.CPUFlag("constant_tsc") || !files.CPUFlag("nonstop_tsc") {
			add("/proc/cpuinfo does not list both constant_tsc and nonstop_tsc: tsc is not safe here")
		}
		add("to try it (ringtrace never does): echo tsc > /%scurrent_clocksource ; back: echo %s > /%scurrent_clocksource. %s", sysfsClock, current, sysfsClock, riskNote)
	}
	if r.Container {
		add("this is a container: the clock source is the host's")
	}
	return a
}

func adviseFreeBSD(r *Result) []string {
	a := []string{"see what there is: sysctl kern.timecounter.hardware kern.timecounter.choice kern.timecounter.fast_gettime ; dmesg | grep Timecounter"}
	if r.Clocksource.Current != nil && !strings.HasPrefix(*r.Clocksource.Current, "TSC") &&
		slices.ContainsFunc(r.Clocksource.Available, func(s string) bool { return strings.HasPrefix(s, "TSC") }) {
		a = append(a, fmt.Sprintf("to try TSC (ringtrace never does): sysctl kern.timecounter.hardware=TSC ; back: sysctl kern.timecounter.hardware=%s. %s", *r.Clocksource.Current, riskNote))
	}
	return a
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// nanoseconds prints a duration with the unit that suits it.
func nanoseconds(ns float64) string {
	switch {
	case ns >= 1e9:
		return fmt.Sprintf("%.2f s", ns/1e9)
	case ns >= 1e6:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	case ns >= 10e3:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	case ns >= 1000:
		return fmt.Sprintf("%.0f ns", ns)
	}
	return fmt.Sprintf("%.1f ns", ns)
}
