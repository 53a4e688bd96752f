package event

import (
	"slices"
	"strconv"
	"strings"

	"ringtrace/internal/sim/assume"
	"ringtrace/oradebug"
)

func lower(s string) string { return strings.ToLower(s) }

// Do is one action to carry out.
type Do struct {
	Name  string // lower case: "errorstack", "trace_buffer_off", "incident"
	Level int    // 1 when not given (facts/oradebug.md 3.4)
	Label string // of incident
	Group string // of eventdump
}

// Action makes a Do of a parsed action.
func Action(a *oradebug.Action) Do {
	d := Do{Name: lower(a.Name), Level: 1}
	if s, ok := a.Arg("level"); ok {
		if n, err := strconv.Atoi(s); err == nil {
			d.Level = n
		}
	}
	d.Label, _ = a.Arg("label")
	d.Group, _ = a.Arg("group")
	return d
}

// Trace is the state of SQL trace in a session.
type Trace struct {
	On           bool
	Waits, Binds bool
	PlanStat     string // "", never, first_execution, all_executions, adaptive
	// Actions run when the event is set or first posted: trace_buffer_on.
	Actions []Do
}

// SQLTrace reads the sql_trace event of the table (facts/oradebug.md 3.8).
func (t *Table) SQLTrace() Trace {
	for _, a := range t.armed {
		if a.Event.ID.Name != "sql_trace" {
			continue
		}
		tr := Trace{On: true}
		e := &a.Event
		if s, ok := e.Param("level"); ok {
			if n, err := strconv.Atoi(s); err == nil {
				tr.Binds, tr.Waits = n&4 != 0, n&8 != 0
			}
		}
		for _, p := range e.Params {
			on := lower(p.Value.Text) == "true"
			switch p.Name {
			case "wait":
				tr.Waits = on
			case "bind":
				tr.Binds = on
			case "plan_stat":
				tr.PlanStat = lower(p.Value.Text)
			}
		}
		for i := range e.Actions {
			tr.Actions = append(tr.Actions, Action(&e.Actions[i]))
		}
		return tr
	}
	return Trace{}
}

// Watches says whether an event of that number is set.
func (t *Table) Watches(number int) bool {
	return slices.ContainsFunc(t.armed, func(a *Armed) bool { return a.is(number) })
}

func (a *Armed) is(number int) bool {
	return a.Event.ID.Kind != oradebug.KindName && a.Event.ID.Number == number
}

// Post is called when error or event number is raised; it counts, applies
// filters and lifetimes, and returns what is to be done, in order.
func (t *Table) Post(number int, sw assume.Set) []Do {
	var out []Do
	for _, a := range slices.Clone(t.armed) {
		if !a.is(number) {
			continue
		}
		a.posted++
		if !a.admits(sw) {
			continue
		}
		var dos []Do
		for i := range a.Event.Actions {
			if a.spend(i, sw) {
				dos = append(dos, Action(&a.Event.Actions[i]))
			}
		}
		if !sw.On(assume.ActionsInOrder) {
			slices.Reverse(dos)
		}
		out = append(out, dos...)
	}
	return out
}

// admits applies {occurence: start_after, end_after}; the filters that look
// at the process admit everything here, because the table is the process's
// own.
func (a *Armed) admits(sw assume.Set) bool {
	if !sw.On(assume.OccurenceCounts) {
		return true
	}
	for _, f := range a.Event.Filters {
		for _, t := range f.Alternatives {
			if t.Name != "occurence" {
				continue
			}
			start, end := 0, 0
			for i, p := range t.Args {
				n, err := strconv.Atoi(p.Value.Text)
				if err != nil {
					continue
				}
				// Positional: start_after, end_after. {occurence:1,1} fires
				// once (facts/oradebug.md 3.4).
				if p.Name == "start_after" || p.Name == "" && i == 0 {
					start = n
				} else {
					end = n
				}
			}
			if start > 0 && a.posted < start {
				return false
			}
			if end > 0 && a.posted > max(start, 1)-1+end {
				return false
			}
		}
	}
	return true
}

// spend applies "after n times" and "lifetime n" of an old-style spec and
// counts the firing.
func (a *Armed) spend(i int, sw assume.Set) bool {
	act := &a.Event.Actions[i]
	if s, ok := act.Arg("after"); ok {
		if n, err := strconv.Atoi(strings.Fields(s + " 0")[0]); err == nil && a.posted <= n {
			return false
		}
	}
	limit, ok := act.Arg("lifetime")
	if !ok {
		limit, ok = act.Arg("life")
	}
	if ok && sw.On(assume.LifetimeCounts) {
		if n, err := strconv.Atoi(limit); err == nil && a.fired[i] >= n {
			return false
		}
	}
	a.fired[i]++
	return true
}
