package explain

import (
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/oraerr"
	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// smallRing is the smallest ring size seen in use, in bytes
// (facts/oradebug.md 4, 7 #16).
const smallRing = 65536

// warnings lists what a person should think over before sending the text.
func warnings(s *oradebug.Spec) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if s.Semicolon {
		add("the ';' at the end is not part of the event; drop it")
	}
	keys := map[string]bool{}
	for i := range s.Events {
		e := &s.Events[i]
		if k := e.Key(); !e.Immediate && !e.Off {
			if keys[k] {
				add("%s is set twice in one text: Oracle keeps one setting an event, the last one wins (inferred)", k)
			}
			keys[k] = true
		}
		eventWarnings(e, add)
	}
	return out
}

type adder func(format string, args ...any)

func eventWarnings(e *oradebug.Event, add adder) {
	mappedWarning(e, add)
	oldWarnings(e, add)
	ringWarnings(e, add)
	for i := range e.Actions {
		actionWarnings(e, &e.Actions[i], add)
	}
	filterWarnings(e, add)
	componentWarnings(e, add)
	if c, ok := catalog.LookupEvent(e.ID.Name); ok && e.ID.Kind == oradebug.KindName && c.Risk == catalog.Dangerous {
		add("%s simulates or injects faults: never on a production system", e.ID.Name)
	}
	if n, ok := number(e); ok && !e.Off {
		numberWarnings(e, n, add)
	}
	if e.ID.Kind == oradebug.KindVariable {
		add("%s is a variable: replace it to have the event checked", e.ID.Name)
	}
}

func number(e *oradebug.Event) (int, bool) {
	switch {
	case e.ID.Kind == oradebug.KindNumber || e.ID.Kind == oradebug.KindAlias:
		return e.ID.Number, true
	case e.ID.Name == "kg_event" && len(e.Target) == 1:
		n, err := strconv.Atoi(e.Target[0].Text)
		return n, err == nil
	}
	return 0, false
}

func mappedWarning(e *oradebug.Event, add adder) {
	if m, ok := e.Mapped(); ok && !e.Off {
		n, _ := number(e)
		add("%d is a mapped event: 11g and later store it as `%s`, and eventdump shows that; a scope or filter on the number is ORA-49160", n, m)
	}
}

func oldWarnings(e *oradebug.Event, add adder) {
	if e.NoComma {
		add("qualifiers are parted by ',': no sample without it is known to be accepted")
	}
	if e.Verb == "" || e.Immediate || e.Off {
		return
	}
	for i := range e.Actions {
		a := &e.Actions[i]
		if a.Name != "context" {
			continue
		}
		_, forever := a.Arg("forever")
		_, life := a.Arg("lifetime")
		_, off := a.Arg("off")
		if !forever && !life && !off {
			add("`forever` is missing: a context event without it is disarmed after it was met once")
		}
	}
}

func ringWarnings(e *oradebug.Event, add adder) {
	n, given, ok := e.RingBytes()
	switch {
	case !ok:
	case !given:
		add("trace_buffer_on without a size asks for a ring of 1 byte; give bytes, as in trace_buffer_on(256000)")
	case n > 0 && n < smallRing:
		add("a ring of %d bytes holds next to nothing; %d is the smallest size known in use", n, smallRing)
	case n > 1<<31-1:
		add("a ring of %d bytes is more than a process should take", n)
	}
}

func actionWarnings(e *oradebug.Event, a *oradebug.Action, add adder) {
	if l, ok := a.Arg("level"); ok && a.Name == "errorstack" {
		if n, err := strconv.Atoi(l); err == nil && n > 3 {
			add("errorstack level %d does not exist: levels are 0-3, and higher ones behave like 3", n)
		}
	}
	c, known := catalog.LookupAction(a.Name)
	d, isDump := catalog.LookupDump(a.Name)
	switch {
	case known && c.Risk == catalog.Dangerous:
		add("%s is dangerous: %s", a.Name, c.Caution)
	case isDump && d.Class == catalog.DumpDangerous:
		add("%s is dangerous: it changes state, corrupts data or simulates faults", a.Name)
	case known && c.Risk == catalog.Risky:
		add("%s is heavy: %s", a.Name, c.Caution)
	case isDump && d.Class == catalog.DumpHeavy:
		add("%s is heavy: it can be slow and large", a.Name)
	}
	if known && c.DDE {
		add("%s is run by the diagnostic framework later, not when the event is met", a.Name)
	}
	for i := range a.Args {
		if call := a.Args[i].Value.Call; call != nil {
			actionWarnings(e, call, add)
		}
	}
}

func filterWarnings(e *oradebug.Event, add adder) {
	for _, f := range e.Filters {
		for i := range f.Alternatives {
			if c, ok := catalog.LookupFilter(f.Alternatives[i].Name); ok && c.Gone {
				add("the filter %s is gone: 11g has it, the list of 19c has not", c.Name)
			}
		}
	}
}

func componentWarnings(e *oradebug.Event, add adder) {
	if e.ID.Name != "trace" {
		return
	}
	for i := range e.Target {
		name := strings.TrimSuffix(e.Target[i].Text, ".*")
		if lib, rest, ok := strings.Cut(name, "."); ok && catalog.IsLibrary(lib) {
			name = rest
		}
		if _, ok := catalog.LookupComponent(name); !ok && !catalog.IsLibrary(name) {
			add("component %s is not in the list of 19c", name)
		}
	}
}

// numberWarnings judge what an event number is used for.
func numberWarnings(e *oradebug.Event, n int, add adder) {
	c := oraerr.Describe(n)
	dumps := hasDump(e)
	switch {
	case c.IsEvent && !c.Mapped && dumps:
		add("%d is a debugging event and no error: the dump comes when the event is posted", n)
	case !c.IsEvent && isContext(e):
		add("ORA-%05d is an error: `context` dumps nothing for it, `errorstack` does", n)
	case !c.IsEvent && len(e.Actions) == 0:
		add("no action: nothing is done when ORA-%05d is raised; add one, as in `%d errorstack(3)`", n, n)
	}
	if c.Noisy && !e.Bounded() {
		add("ORA-%05d is noisy: %s; bound it with `lifetime 3` or {occurence: end_after 3}", n, c.Note)
	}
	if c.Incident && dumps {
		add("ORA-%05d writes an incident by itself", n)
	}
	if c.Client {
		add("ORA-%05d is raised by the client or the listener: the server's event never sees it", n)
	}
	if c.NeverFirst && !c.Noisy {
		add("ORA-%05d only ever follows another error", n)
	}
	if c.Application {
		add("ORA-%05d is the application's own: what it means only the application knows", n)
	}
	if catalog.AlterSessionMayRefuse(n) {
		add("ALTER SESSION refuses event %d with ORA-01031 on patched releases; only ORADEBUG sets it, and the trace then holds network payload, passwords included", n)
	}
}

func hasDump(e *oradebug.Event) bool {
	for i := range e.Actions {
		switch e.Actions[i].Name {
		case "context", "trace_buffer_on", "trace_buffer_off":
		default:
			return true
		}
	}
	return false
}

func isContext(e *oradebug.Event) bool {
	return len(e.Actions) == 1 && e.Actions[0].Name == "context"
}
