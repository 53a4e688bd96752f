package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"ringtrace/internal/sim/fault"
)

// faultCase is a fault as `sim fault` takes it, and the codes that enable may end
// with under it.
type faultCase struct {
	text  string
	codes []int
}

// faultCases are all faults. counted says at which answers of SQL*Plus the faults
// happen that are about one.
func (l *crashLab) faultCases(counted []int) (out []faultCase) {
	codes := map[fault.Kind][]int{
		fault.SqlplusDelay: {0}, fault.SqlplusSplit: {0}, fault.SqlplusHelpLine: {0}, fault.SqlplusLanguage: {1}, // nothing is done on an answer that nobody understands
		// While it logs on it is a tool that does not work; later, what was asked may still run.
		fault.SqlplusHang: {0, 3, 5, 8}, fault.SqlplusDie: {0, 3, 5, 8},
		fault.SqlplusMissing: {8}, fault.SqlplusNoStart: {5, 8}, fault.NoPrivilege: {6}, fault.OradebugDisabled: {6},
		fault.NotOpen:     {0}, // SYSDBA may connect
		fault.LostContact: {3, 5},
		fault.HangTarget:  {3},
		// Gone before the listing, or gone at the attach: skipped.
		fault.KillSession: {0}, fault.EndProcess: {0}, fault.ReuseProcess: {0}, fault.SwitchUser: {0}, fault.DelayedGone: {0}, fault.DelayedReuse: {0},
		fault.HeapViolation: {0}, fault.DiskFull: {0}, fault.ClockStep: {0}, fault.TraceLimit: {0},
		// A file that may be written and not read, or is not there, is no reason not to arm.
		fault.TraceUnreadable: {0}, fault.TraceVanished: {0}, fault.TraceRenamed: {0}, fault.TraceSegmented: {0},
	}
	for _, k := range fault.Sorted() {
		values := []string{""}
		switch fault.Kinds()[k] {
		case "session":
			values = nil
			for name := range l.targets() {
				values = append(values, "="+name)
			}
			slices.Sort(values)
			values = values[:1]
		case "count":
			values = nil
			for _, n := range counted {
				values = append(values, fmt.Sprintf("=%d", n))
			}
		case "duration":
			values = []string{"=1ms"}
			if k == fault.ClockStep {
				values = []string{"=-1h"}
			}
		case "size":
			values = []string{"=64k"}
		}
		for _, v := range values {
			out = append(out, faultCase{string(k) + v, codes[k]})
		}
	}
	return out
}

// underFault arms under a fault, takes the fault back and disarms, and says what
// is wrong.
func (l *crashLab) underFault(c faultCase) (code int, wrong []string) {
	l.t.Helper()
	note := func(format string, a ...any) { wrong = append(wrong, fmt.Sprintf(format, a...)) }
	l.forget()
	planned := l.targets()
	files := map[string]bool{}
	for _, f := range planned {
		files[f] = true
	}
	args := []string{"enable", "--username", "APP", "--ora", "1555,60", "--yes", "--pace", "0", "--command-timeout", "1s", "-o", "json"}
	if strings.HasPrefix(c.text, "trace-") { // it is about a file that is there
		l.run(args...)
		l.here("sim", "run", "--dir", l.dir, l.work+"/file.toml")
		l.disable()
	}
	if strings.HasPrefix(c.text, string(fault.SqlplusHang)) {
		args = append(args, "--connect-timeout", "2s")
	}
	l.here("sim", "fault", "--dir", l.dir, c.text)
	out, talk, code := l.run(args...)
	if !slices.Contains(c.codes, code) {
		note("enable ends with %d, want %v: %s", code, c.codes, talk)
	}
	var doc crashRun
	if out != "" {
		must(l.t, json.Unmarshal([]byte(out), &doc))
	}
	on := false
	for _, s := range l.truth() {
		ours := l.ours(&s)
		on = on || len(ours) > 0 || s.Ring != nil
		if len(ours) > 0 && planned[sessionName(&s)] == "" {
			note("session %s was not in the plan and has %s", sessionName(&s), ours[0])
		}
		if s.Ring != nil && !files[*s.Tracefile] {
			note("the process of session %s was not in the plan and has a ring", sessionName(&s))
		}
	}
	if on && doc.Undo == nil {
		note("something is on, and there is no undo line: %s", out)
	}
	if code != 0 && doc.Undo != nil && !strings.Contains(talk, "undo with: "+*doc.Undo) {
		note("the undo line is not told: %s", talk)
	}
	if code != 0 && !strings.Contains(talk, `"hint"`) {
		note("no hint what to do: %s", talk)
	}
	name, _, _ := strings.Cut(c.text, "=")
	if !strings.HasPrefix(name, "trace-") || name == string(fault.TraceLimit) {
		l.run("sim", "fault", "--dir", l.dir, name+"=off") // some have happened, and cannot be taken back
	}
	if l.newest() != "" {
		if _, dcode := l.disable(); dcode != 0 {
			note("disable ends with %d", dcode)
		}
	}
	return code, append(wrong, l.left()...)
}

// TestEveryFaultEndsWell: under every fault of the simulator enable ends with the
// code that says so, names the way back if anything is on, touches no session but
// the planned ones, and disable leaves nothing. SQL*Plus hangs and dies before
// some of its answers; RINGTRACE_CRASH=one or all: before each from
// the end of the log on to the end of the run.
func TestEveryFaultEndsWell(t *testing.T) {
	counted := []int{1, 110, 140, 170, 200, 230} // the log on takes about 90
	if os.Getenv("RINGTRACE_CRASH") != "" {
		counted = []int{1, 30, 60}
		for n := 90; n < 270; n++ {
			counted = append(counted, n)
		}
	}
	first := newCrashLab(t)
	first.alone = true
	cases := first.faultCases(counted)
	y := newCrashTally(t, len(cases), "faults")
	codes := map[int]int{}
	inLabs(t, len(cases), func(t *testing.T, next func() (int, bool)) {
		l := newCrashLab(t)
		l.alone = true
		for i, ok := next(); ok; i, ok = next() {
			c := cases[i]
			if kind, _, _ := strings.Cut(c.text, "="); fault.Kinds()[fault.Kind(kind)] == "session" { // this lab's
				for _, own := range l.faultCases(nil) {
					if strings.HasPrefix(own.text, kind+"=") {
						c = own
					}
				}
			}
			code, wrong := l.underFault(c)
			y.add(l, c.text, wrong)
			y.mu.Lock()
			codes[code]++
			y.mu.Unlock()
			y.finished()
		}
	})
	y.end(fmt.Sprintf("%d kinds, exit codes %v", len(fault.Kinds()), codes))
}
