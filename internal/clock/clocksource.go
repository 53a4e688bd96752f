package clock

import (
	"io/fs"
	"strings"
)

// Clocksource is what the system derives time from.
type Clocksource struct {
	Current   *string  `json:"current"` // nil: the system does not say
	Available []string `json:"available"`
	Changes   []Change `json:"changes"` // seen during the measurement
}

// Change is a clock source that became another while we measured.
type Change struct {
	AfterS float64 `json:"after_s"`
	From   string  `json:"from"`
	To     string  `json:"to"`
}

// Prober tells the clock source, again and again during a measurement.
type Prober interface {
	// Clocksource returns the current source ("" if unknown) and all.
	Clocksource() (current string, available []string)
}

// Linux reads the clock source from sysfs below Root (os.DirFS("/")). Files that
// are not there (a container, another kernel) make it unknown, no failure.
type Linux struct{ Root fs.FS }

const sysfsClock = "sys/devices/system/clocksource/clocksource0/"

// Clocksource implements Prober.
func (l Linux) Clocksource() (string, []string) {
	return strings.TrimSpace(l.text(sysfsClock + "current_clocksource")), strings.Fields(l.text(sysfsClock + "available_clocksource"))
}

// text reads a small file; empty if it cannot.
func (l Linux) text(name string) string {
	b, err := fs.ReadFile(l.Root, name)
	if err != nil {
		return ""
	}
	return string(b)
}

// Kernel returns the kernel's release, or "".
func (l Linux) Kernel() string { return strings.TrimSpace(l.text("proc/sys/kernel/osrelease")) }

// Container reports whether we run in one, as far as files tell.
func (l Linux) Container() bool {
	for _, name := range []string{".dockerenv", "run/.containerenv"} {
		if _, err := fs.Stat(l.Root, name); err == nil {
			return true
		}
	}
	for _, word := range []string{"docker", "kubepods", "lxc", "libpod"} {
		if strings.Contains(l.text("proc/1/cgroup"), word) {
			return true
		}
	}
	return false
}

// CPUFlag reports whether /proc/cpuinfo lists a flag of the processor.
func (l Linux) CPUFlag(flag string) bool {
	for line := range strings.Lines(l.text("proc/cpuinfo")) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "flags" {
			for _, f := range strings.Fields(value) {
				if f == flag {
					return true
				}
			}
			return false
		}
	}
	return false
}

// FreeBSD asks sysctl.
type FreeBSD struct {
	Sysctl func(name string) (string, error)
}

// Clocksource implements Prober. kern.timecounter.choice is written like
// "TSC-low(1000) ACPI-fast(900) i8254(0) dummy(-1000000)".
func (f FreeBSD) Clocksource() (string, []string) {
	current, err := f.Sysctl("kern.timecounter.hardware")
	if err != nil {
		return "", nil
	}
	choice, err := f.Sysctl("kern.timecounter.choice")
	if err != nil {
		return current, nil
	}
	var names []string
	for _, word := range strings.Fields(choice) {
		name, _, _ := strings.Cut(word, "(")
		names = append(names, name)
	}
	return current, names
}

// Unknown is the Prober of systems that have no such notion.
type Unknown struct{}

// Clocksource implements Prober.
func (Unknown) Clocksource() (string, []string) { return "", nil }
