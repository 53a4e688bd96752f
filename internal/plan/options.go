package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
)

// Limits of what may be asked for.
const (
	MinRing         = 4096
	MaxRing         = math.MaxInt32 // the level of an event is a ub4; kept to 31 bits
	SmallRing       = 65536         // a warning below: smallest size seen in use (facts/oradebug.md 4)
	DefaultRing     = 256000
	DefaultMaxFires = 3
	// NoErrorstack is the value of Options.Errorstack for --no-errorstack.
	NoErrorstack = -1
	// maxErrorstack: levels above 3 behave like 3 (facts/oradebug.md 4).
	maxErrorstack = 3
)

// PlanStats are the words --plan-stat takes (facts/oradebug.md 3.3).
func PlanStats() []string {
	return []string{"never", "first_execution", "all_executions", "adaptive"}
}

// Options says what to trace in every session.
type Options struct {
	Ora        []int  // error numbers, in the order given
	Ring       int    // bytes of the circular buffer
	NoRing     bool   // plain trace to the file, no buffer
	Waits      bool   // sql_trace wait=
	Binds      bool   // sql_trace bind=
	PlanStat   string // sql_trace plan_stat=; empty: not given
	Errorstack int    // level 0..3, or NoErrorstack
	MaxFires   int    // lifetime of the errorstack spec; 0: unbounded
	Form       string // FormFounding or FormFlush; empty: FormFounding
}

// The forms of the event texts. FormFounding allocates the ring as an action of
// sql_trace and frees it when an error fires; FormFlush allocates it at once and
// lets the errorstack alone write it, so that it is there after a fire. That this
// works is for `drill` to prove, release by release.
const (
	FormFounding = "founding"
	FormFlush    = "flush"
)

// DefaultOptions are the founding case's, bounded.
func DefaultOptions() Options {
	return Options{Ring: DefaultRing, Waits: true, Binds: true, Errorstack: maxErrorstack, MaxFires: DefaultMaxFires}
}

// Validate refuses what would do harm or nothing. The error is an *exit.Error
// with code Usage.
func (o *Options) Validate() error {
	usage := func(hint, format string, args ...any) error { return exit.Errorf(exit.Usage, hint, format, args...) }
	for _, n := range o.Ora {
		if n < 1 || n > 65535 {
			return usage("give ORA numbers such as --ora 1555,ORA-00942", "%d is not an ORA number", n)
		}
	}
	if !o.NoRing && (o.Ring < MinRing || o.Ring > MaxRing) {
		return usage(fmt.Sprintf("give --ring %d to %d bytes, e.g. --ring 256000 or --ring 1m (k = 1024, m = 1024*1024)", MinRing, MaxRing),
			"a ring of %d bytes is out of range", o.Ring)
	}
	if o.Errorstack != NoErrorstack && (o.Errorstack < 0 || o.Errorstack > maxErrorstack) {
		return NoErrorstackLevel(o.Errorstack)
	}
	if o.PlanStat != "" && !slices.Contains(PlanStats(), o.PlanStat) {
		return usage("give --plan-stat "+strings.Join(PlanStats(), ", "), "%q is not a plan_stat word", o.PlanStat)
	}
	if o.MaxFires < 0 || o.MaxFires > MaxRing {
		return usage("give --max-fires 1 or more (default 3)", "--max-fires %d is out of range", o.MaxFires)
	}
	if o.NoRing && o.Errorstack == NoErrorstack && len(o.Ora) > 0 {
		return usage("leave out --no-ring or --no-errorstack, or --ora", "nothing would happen when an error is raised")
	}
	switch {
	case o.Form != "" && o.Form != FormFounding && o.Form != FormFlush:
		return usage("give --form founding, flush or auto", "%q is no form", o.Form)
	case o.Form == FormFlush && o.Errorstack == NoErrorstack && !o.NoRing:
		return usage("leave out --no-errorstack, or give --form founding", "in the form flush the errorstack writes the ring, and --no-errorstack asks for none")
	}
	if len(o.Ora) == 0 && !o.NoRing {
		return usage("give --ora 1555,942, or --no-ring for a plain trace", "no error would ever write the ring: --ora is missing")
	}
	return nil
}

// Warnings says, for that many sessions, what a person should think over.
func (o *Options) Warnings(sessions int) []string {
	var out []string
	if o.NoRing {
		return []string{"--no-ring: every session writes its trace to disk from the moment it is armed"}
	}
	if o.Ring < SmallRing {
		out = append(out, fmt.Sprintf("a ring of %d bytes holds very little: 65536 is the smallest size known in use", o.Ring))
	}
	return append(out, o.MemoryWarnings("", sessions)...)
}

// MemoryWarnings says what the rings of that many sessions take, if it is much;
// bound stands before their number, as in "up to ".
func (o *Options) MemoryWarnings(bound string, sessions int) []string {
	total := int64(o.Ring) * int64(sessions)
	if o.NoRing || total < hugeMemory {
		return nil
	}
	return []string{fmt.Sprintf("%s%s x %d bytes = %d bytes of process memory for rings: mind PGA_AGGREGATE_LIMIT and the host (ORA-04030, ORA-04036)",
		bound, quantity.Count(sessions, "session"), o.Ring, total)}
}

// hugeMemory is where ring memory in total earns a warning, in bytes.
const hugeMemory = 512 << 20

// NoErrorstackLevel refuses a level beyond 0 to 3 (facts/oradebug.md 4).
func NoErrorstackLevel(level int) error {
	return exit.Errorf(exit.Usage, "give --errorstack 0, 1, 2 or 3 (0 error stack only, 1 and the call stack, 2 and the process state, 3 and cursors with binds), or --no-errorstack",
		"errorstack level %d does not exist; levels are 0-3", level)
}
