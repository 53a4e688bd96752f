// Package event keeps the event tables of simulated sessions and processes:
// what is set, what `eventdump` prints of it, what a posted event does, and
// what turns it off (facts/oradebug.md 3 and 6).
package event

import (
	"slices"
	"strconv"

	"ringtrace/internal/sim/assume"
	"ringtrace/oradebug"
)

// Armed is one event that is set.
type Armed struct {
	Event oradebug.Event
	// Optimizer says that the event is the component tree behind 10053;
	// Reverse that it was set by name, which eventdump lists the other way.
	Optimizer, Reverse bool
	mapped             bool // set by its number, 10046

	posted int
	fired  []int // by action
}

// Table holds what is set in one session or process, newest first. The zero
// value is empty.
type Table struct{ armed []*Armed }

// Lines is what eventdump prints, newest first; empty for nothing set.
func (t *Table) Lines() []string {
	var out []string
	for _, a := range t.armed {
		out = append(out, a.lines()...)
	}
	return out
}

// Empty says that nothing is set.
func (t *Table) Empty() bool { return len(t.armed) == 0 }

// Clear drops everything.
func (t *Table) Clear() { t.armed = nil }

// Apply sets or unsets one event that is not immediate.
func (t *Table) Apply(e oradebug.Event, sw assume.Set) {
	mapped := e.ID.Kind == oradebug.KindNumber
	e, optimizer, reverse := morph(e)
	if isOff(&e) {
		t.off(&e, optimizer, mapped, sw)
		return
	}
	a := &Armed{mapped: mapped, Event: e, Optimizer: optimizer, Reverse: reverse, fired: make([]int, len(e.Actions))}
	if i := t.find(a, sw); i >= 0 {
		t.armed = slices.Delete(t.armed, i, i+1)
	}
	t.armed = slices.Insert(t.armed, 0, a)
}

// morph replaces mapped numeric events by what they are mapped to
// (facts/oradebug.md 3.3): 10046 becomes sql_trace level=N.
func morph(e oradebug.Event) (out oradebug.Event, optimizer, reverse bool) {
	if e.ID.Kind != oradebug.KindNumber {
		if e.ID.Name == "trace" && len(e.Target) == 1 && isOptimizer(e.Target[0].Text) {
			return e, true, true
		}
		return e, false, false
	}
	switch e.ID.Number {
	case 10046:
		level, off := levelOf(&e), isOff(&e)
		e.ID = oradebug.EventID{Kind: oradebug.KindName, Name: "sql_trace"}
		e.Verb, e.Actions = "", keepActions(&e)
		e.Off = off
		e.Params = nil
		if !off {
			e.Params = []oradebug.Param{{Name: "level", Value: oradebug.Value{Text: strconv.Itoa(level)}}}
		}
	case 10053:
		return e, true, false
	}
	return e, false, false
}

func isOptimizer(target string) bool {
	switch lower(target) {
	case "sql_optimizer.*", "rdbms.sql_optimizer.*":
		return true
	}
	return false
}

// keepActions keeps the actions of a new-style event: an old-style 10046 has
// only its context.
func keepActions(e *oradebug.Event) []oradebug.Action {
	if e.Style() == oradebug.StyleOld {
		return nil
	}
	return e.Actions
}

// levelOf is the event's level, 1 when not given (facts/oradebug.md 3.1).
func levelOf(e *oradebug.Event) int {
	if s, ok := e.Param("level"); ok {
		if n, err := strconv.Atoi(s); err == nil {
			return n
		}
	}
	for i := range e.Actions {
		if s, ok := e.Actions[i].Arg("level"); ok && e.Style() == oradebug.StyleOld {
			if n, err := strconv.Atoi(s); err == nil {
				return n
			}
		}
	}
	return 1
}

func isOff(e *oradebug.Event) bool {
	if e.Off {
		return true
	}
	for i := range e.Actions {
		if actionOff(&e.Actions[i]) {
			return true
		}
	}
	return false
}

func actionOff(a *oradebug.Action) bool {
	for _, p := range a.Args {
		if p.Flag && p.Name == "off" {
			return true
		}
	}
	return false
}

// sameEvent compares what an event is set for: number or name, target and
// scope; "the same event may be set at once for several scopes or targets,
// not for different filters" (facts/oradebug.md 3.1).
func sameEvent(a, b *oradebug.Event) bool {
	if key(a.ID) != key(b.ID) || !sameValues(a.Target, b.Target) {
		return false
	}
	if (a.Scope == nil) != (b.Scope == nil) {
		return false
	}
	return a.Scope == nil || a.Scope.Name == b.Scope.Name && sameValues(a.Scope.Values, b.Scope.Values)
}

// key folds an alias with the number it stands for.
func key(id oradebug.EventID) string {
	if id.Kind == oradebug.KindName {
		return id.Name
	}
	return strconv.Itoa(id.Number)
}

func sameValues(a, b []oradebug.Value) bool {
	return slices.EqualFunc(a, b, func(x, y oradebug.Value) bool { return lower(x.Text) == lower(y.Text) })
}

func (t *Table) find(a *Armed, sw assume.Set) int {
	return slices.IndexFunc(t.armed, func(b *Armed) bool {
		if a.Optimizer || b.Optimizer {
			return a.Optimizer && b.Optimizer
		}
		if !sameEvent(&a.Event, &b.Event) {
			return false
		}
		return sw.On(assume.LastFilterWins) || len(a.Event.Filters) == 0 && len(b.Event.Filters) == 0
	})
}

func (t *Table) off(e *oradebug.Event, optimizer, mapped bool, sw assume.Set) {
	t.armed = slices.DeleteFunc(t.armed, func(b *Armed) bool {
		if optimizer || b.Optimizer {
			return optimizer && b.Optimizer
		}
		if !sameEvent(e, &b.Event) {
			return false
		}
		if e.ID.Name == "sql_trace" {
			return b.mapped == mapped || sw.On(assume.OffCrosswise)
		}
		if e.Style() == oradebug.StyleNew {
			return sw.On(assume.OffRemovesNumber) || len(b.Event.Actions) < 2
		}
		return b.dropSpecs(e, sw)
	})
}

// dropSpecs removes the specs that an old-style off names, and says whether
// none is left.
func (a *Armed) dropSpecs(off *oradebug.Event, sw assume.Set) bool {
	for i := range off.Actions {
		if !actionOff(&off.Actions[i]) {
			continue
		}
		name := off.Actions[i].Name
		if name == "all" || name == "context" && sw.On(assume.ContextOffRemovesAll) {
			return true
		}
		for j := 0; j < len(a.Event.Actions); {
			if a.Event.Actions[j].Name == name {
				// A copy: the parsed event may be shared with its sender.
				a.Event.Actions = slices.Delete(slices.Clone(a.Event.Actions), j, j+1)
				a.fired = slices.Delete(a.fired, j, j+1)
				continue
			}
			j++
		}
	}
	return len(a.Event.Actions) == 0
}

// Clone copies the table with its counters.
func (t *Table) Clone() Table {
	var n Table
	for _, a := range t.armed {
		b := *a
		b.fired = slices.Clone(a.fired)
		n.armed = append(n.armed, &b)
	}
	return n
}
