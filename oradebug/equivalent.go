package oradebug

import (
	"strconv"

	"ringtrace/oradebug/catalog"
)

// NewForm returns the event in the new style, and false where no equivalent
// is known. `N trace name context forever, level L` is `N level=L` and
// `N trace name X level L` is `N X(L)` (facts/oradebug.md 5, reported).
// A lifetime becomes {occurence: end_after=N}, which bounds all actions of the
// event (assumed).
func (e *Event) NewForm() (Event, bool) {
	if e.Verb == "" {
		return *e, true
	}
	if e.Verb != "trace" {
		return Event{}, false
	}
	out := Event{ID: e.ID, Immediate: e.Immediate, Target: e.Target, Scope: e.Scope, Filters: e.Filters, Off: e.Off}
	if e.Off {
		return out, !e.Immediate
	}
	life := ""
	for i := range e.Actions {
		a := &e.Actions[i]
		level, leveled := a.Arg("level")
		for j := range a.Args {
			switch a.Args[j].Name {
			case "level", "forever":
			case "lifetime":
				if life != "" && life != a.Args[j].Value.Text {
					return Event{}, false
				}
				life = a.Args[j].Value.Text
			default:
				return Event{}, false
			}
		}
		if a.Name == "context" {
			if len(e.Actions) > 1 || e.Immediate || life != "" {
				return Event{}, false
			}
			out.Params = []Param{{Name: "level", Value: Value{Text: e.Level()}}}
			continue
		}
		if !isActionName(a.Name) {
			return Event{}, false
		}
		if !leveled {
			level = "1"
		}
		out.Actions = append(out.Actions, Action{
			Name: a.Name, Parens: true,
			Args: []Param{{Name: "level", Positional: true, Value: Value{Text: level}}},
		})
	}
	if life != "" {
		out.Filters = append(out.Filters, Filter{Alternatives: []FilterTerm{{
			Name: "occurence", Args: []Param{{Name: "end_after", Value: Value{Text: life}}},
		}}})
	}
	return out, true
}

// OldForm returns the event as old-style events, which 10.2 reads too, and
// false where there is none: scopes, filters other than an end_after, and
// names other than sql_trace have no old form.
func (e *Event) OldForm() ([]Event, bool) {
	if e.Verb != "" {
		return []Event{*e}, true
	}
	life, ok := e.oldLifetime()
	if !ok || e.Scope != nil || e.Target != nil {
		return nil, false
	}
	if e.ID.Kind == KindName && e.ID.Name == "sql_trace" {
		return e.oldSQLTrace(life)
	}
	if e.ID.Kind == KindName && !e.Immediate {
		return nil, false
	}
	if e.Off {
		return nil, false // the old off form names what was set, which `off` does not say
	}
	out := Event{ID: e.ID, Immediate: e.Immediate, Verb: "trace"}
	for i := range e.Params {
		if e.Params[i].Name != "level" {
			return nil, false
		}
	}
	if len(e.Actions) == 0 || len(e.Params) > 0 {
		if e.Immediate || len(e.Actions) > 0 {
			return nil, false
		}
		out.Actions = []Action{oldAction("context", flag("forever"), Param{Name: "level", Value: Value{Text: e.Level()}})}
		return []Event{out}, true
	}
	for i := range e.Actions {
		a := &e.Actions[i]
		if _, ok := catalog.LookupDump(a.Name); !ok || len(a.Args) > 1 {
			return nil, false
		}
		o := oldAction(a.Name)
		for j := range a.Args {
			if a.Args[j].Name != "level" || a.Args[j].Value.Call != nil {
				return nil, false
			}
			o.Args = append(o.Args, Param{Name: "level", Value: Value{Text: a.Args[j].Value.Text}})
		}
		if life != "" {
			o.Args = append(o.Args, Param{Name: "lifetime", Value: Value{Text: life}})
		}
		out.Actions = append(out.Actions, o)
	}
	return []Event{out}, true
}

func flag(name string) Param { return Param{Name: name, Flag: true} }

func oldAction(name string, args ...Param) Action { return Action{Name: name, Args: args} }

// oldLifetime returns the N of a lone {occurence: end_after N}.
func (e *Event) oldLifetime() (string, bool) {
	switch len(e.Filters) {
	case 0:
		return "", true
	case 1:
		f := e.Filters[0]
		if len(f.Alternatives) == 1 && f.Alternatives[0].Name == "occurence" && len(f.Alternatives[0].Args) == 1 && f.Alternatives[0].Args[0].Name == "end_after" {
			return f.Alternatives[0].Args[0].Value.Text, true
		}
	}
	return "", false
}

// oldSQLTrace turns sql_trace into event 10046 (facts/oradebug.md 3.8: 1
// basic, 4 binds, 8 waits, 16 plans at every execution, 32 none, 64
// adaptive). Without both wait and bind the defaults would have to be known.
func (e *Event) oldSQLTrace(life string) ([]Event, bool) {
	id := EventID{Kind: KindNumber, Number: 10046}
	if life != "" {
		return nil, false
	}
	if e.Off {
		return []Event{{ID: id, Verb: "trace", Off: true, Actions: []Action{oldAction("context", flag("off"))}}}, true
	}
	level := 1
	if l, ok := e.Param("level"); ok {
		if len(e.Params) > 1 {
			return nil, false
		}
		n, ok := parseUint(l, 32)
		if !ok {
			return nil, false
		}
		level = int(n)
	} else if len(e.Params) > 0 {
		wait, waits := e.Param("wait")
		bind, binds := e.Param("bind")
		if !waits || !binds {
			return nil, false
		}
		level = 0
		if bind == "true" {
			level += 4
		}
		if wait == "true" {
			level += 8
		}
		switch plan, _ := e.Param("plan_stat"); plan {
		case "all_executions":
			level += 16
		case "never":
			level += 32
		case "adaptive":
			level += 64
		}
		level = max(level, 1)
	}
	out := []Event{{ID: id, Verb: "trace", Actions: []Action{
		oldAction("context", flag("forever"), Param{Name: "level", Value: Value{Text: strconv.Itoa(level)}}),
	}}}
	for i := range e.Actions {
		size, ok := e.Actions[i].Arg("level")
		if e.Actions[i].Name != "trace_buffer_on" || !ok {
			return nil, false
		}
		out = append(out, Event{
			ID: EventID{Kind: KindName, Name: "immediate"}, Immediate: true, Verb: "trace",
			Actions: []Action{oldAction("trace_buffer_on", Param{Name: "level", Value: Value{Text: size}})},
		})
	}
	return out, true
}
