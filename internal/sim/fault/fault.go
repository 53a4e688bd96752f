// Package fault names what can be made to go wrong in a simulated instance.
package fault

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Kind names a fault, as `sim fault` takes it.
type Kind string

// The faults. Values: a duration, a SID[,SERIAL#[,@INST]], a count, a size in
// bytes, or none.
const (
	SqlplusDelay     Kind = "sqlplus-delay"     // duration before every answer
	SqlplusHang      Kind = "sqlplus-hang"      // n: hangs before its n-th answer (default 1)
	SqlplusDie       Kind = "sqlplus-die"       // n: dies before its n-th answer (default 1)
	SqlplusMissing   Kind = "sqlplus-missing"   // no such program in the simulated ORACLE_HOME
	SqlplusNoStart   Kind = "sqlplus-no-start"  // Error 6 initializing SQL*Plus
	SqlplusLanguage  Kind = "sqlplus-language"  // answers in another language
	SqlplusSplit     Kind = "sqlplus-split"     // writes its output in pieces
	SqlplusHelpLine  Kind = "sqlplus-help-line" // 23ai client's Help: line after ORA- lines
	HangTarget       Kind = "hang-target"       // SID: its process takes no signal
	KillSession      Kind = "kill-session"      // SID: ORA-00028 at its next call
	EndProcess       Kind = "end-process"       // SID: the process dies, both slots are free
	ReuseProcess     Kind = "reuse-process"     // SID: as end-process, and another session takes the slots at once
	SwitchUser       Kind = "switch-user"       // SID: another session in the same process
	OradebugDisabled Kind = "oradebug-disabled" // ORA-32519 for every ORADEBUG command
	HeapViolation    Kind = "heap-violation"    // ORA-32522 for settracefileid on another process
	NotOpen          Kind = "not-open"          // ORA-01033 at connect
	NoPrivilege      Kind = "no-privilege"      // ORA-01031 at connect as SYSDBA
	LostContact      Kind = "lost-contact"      // ORA-03113 at the next call
	DiskFull         Kind = "disk-full"         // trace writes are dropped silently
	ClockStep        Kind = "clock-step"        // duration, may be negative
	DelayedGone      Kind = "gone-after-list"   // SID: ends when ORADEBUG attaches to it
	DelayedReuse     Kind = "reused-after-list" // SID: reused when ORADEBUG attaches to it
	TraceUnreadable  Kind = "trace-unreadable"  // SID: its trace file may be written, not read
	TraceVanished    Kind = "trace-vanished"    // SID: its trace file is removed
	TraceRenamed     Kind = "trace-renamed"     // SID: its trace file is renamed to NAME.trc.old
	TraceSegmented   Kind = "trace-segmented"   // SID: its trace file becomes the next segment, a new one starts
	TraceLimit       Kind = "trace-limit"       // size: MAX_DUMP_FILE_SIZE of every process
)

// Kinds returns every fault with what its value is, sorted by name.
func Kinds() map[Kind]string {
	return map[Kind]string{
		SqlplusDelay: "duration", SqlplusHang: "count", SqlplusDie: "count", SqlplusNoStart: "", SqlplusLanguage: "",
		SqlplusSplit: "", SqlplusHelpLine: "", HangTarget: "session", KillSession: "session", EndProcess: "session",
		ReuseProcess: "session", SwitchUser: "session", OradebugDisabled: "", HeapViolation: "", NotOpen: "",
		NoPrivilege: "", LostContact: "", DiskFull: "", ClockStep: "duration", DelayedGone: "session", DelayedReuse: "session",
		SqlplusMissing: "", TraceUnreadable: "session", TraceVanished: "session", TraceRenamed: "session", TraceSegmented: "session",
		TraceLimit: "size",
	}
}

// Fault is one fault on order.
type Fault struct {
	Kind  Kind
	Value string
	Off   bool // KIND=off takes it back
}

// Parse reads KIND or KIND=VALUE; KIND=off takes the fault back.
func Parse(s string) (Fault, error) {
	name, value, has := strings.Cut(strings.TrimSpace(s), "=")
	f := Fault{Kind: Kind(name), Value: value, Off: value == "off"}
	takes, ok := Kinds()[f.Kind]
	if !ok {
		return f, fmt.Errorf("there is no fault %q; the faults are %s", name, list())
	}
	if f.Off {
		return f, nil
	}
	switch takes {
	case "":
		if has {
			return f, fmt.Errorf("fault %s takes no value; write %s or %s=off", name, name, name)
		}
	case "duration":
		if _, err := Duration(value); err != nil {
			return f, fmt.Errorf("fault %s: %w", name, err)
		}
	case "count":
		if n, err := strconv.Atoi(value); has && (err != nil || n < 1) {
			return f, fmt.Errorf("fault %s: %q is no count; write %s=3", name, value, name)
		}
	case "size":
		if _, err := Size(value); err != nil {
			return f, fmt.Errorf("fault %s: %w", name, err)
		}
	case "session":
		if _, _, _, err := Session(value); err != nil {
			return f, fmt.Errorf("fault %s: %w", name, err)
		}
	}
	return f, nil
}

// Sorted lists the faults by name.
func Sorted() []Kind {
	return slices.Sorted(maps.Keys(Kinds()))
}

func list() string {
	var names []string
	for _, k := range Sorted() {
		names = append(names, string(k))
	}
	return strings.Join(names, " ")
}

// Duration reads "200ms" or a bare number of seconds.
func Duration(s string) (time.Duration, error) {
	if n, err := strconv.Atoi(s); err == nil {
		return time.Duration(n) * time.Second, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration; write 200ms or 3s", s)
	}
	return d, nil
}

// Size reads bytes: "4096", "64k" or "30M", in units of 1024.
func Size(s string) (int64, error) {
	digits, unit := strings.TrimRight(s, "kKmM"), int64(1)
	switch strings.ToLower(s[len(digits):]) {
	case "k":
		unit = 1 << 10
	case "m":
		unit = 1 << 20
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > 1<<40/unit || len(s)-len(digits) > 1 {
		return 0, fmt.Errorf("%q is no size; write 4096, 64k or 30M", s)
	}
	return n * unit, nil
}

// Session reads SID[,SERIAL#[,@INST]]; a missing part is 0, a missing
// instance 1.
func Session(s string) (sid, serial, inst int, err error) {
	inst = 1
	for i, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		n, e := strconv.Atoi(strings.TrimPrefix(part, "@"))
		switch {
		case e != nil || n < 1 || i > 2 || i == 0 && part[0] == '@':
			return 0, 0, 0, fmt.Errorf("%q is no session; write SID, SID,SERIAL# or SID,SERIAL#,@INST", s)
		case part[0] == '@':
			inst = n
		case i == 0:
			sid = n
		default:
			serial = n
		}
	}
	return sid, serial, inst, nil
}

// Set holds the faults that are on. The zero value has none; all methods may
// be called from several goroutines.
type Set struct {
	mu sync.Mutex
	on map[Kind]string
}

// Put turns a fault on, or off.
func (s *Set) Put(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Off {
		delete(s.on, f.Kind)
		return
	}
	if s.on == nil {
		s.on = map[Kind]string{}
	}
	s.on[f.Kind] = f.Value
}

// Get returns the value of a fault that is on.
func (s *Set) Get(k Kind) (value string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.on[k]
	return v, ok
}

// Take is Get, and turns the fault off: it happens once.
func (s *Set) Take(k Kind) (value string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.on[k]
	delete(s.on, k)
	return v, ok
}
