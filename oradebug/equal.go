package oradebug

import (
	"sort"
	"strconv"
	"strings"

	"ringtrace/oradebug/catalog"
)

// Equal compares two specs as eventdump must be compared (facts/oradebug.md
// 6): letter case, blanks and the order of parameters and qualifiers do not
// matter; aliases, hexadecimal numbers, mapped numbers (10046 level 12 is
// sql_trace level=12) and default levels are resolved. The order of events
// and of actions does.
func (s Spec) Equal(t Spec) bool {
	if len(s.Events) != len(t.Events) {
		return false
	}
	for i := range s.Events {
		if !s.Events[i].Equal(&t.Events[i]) {
			return false
		}
	}
	return true
}

// Equal compares two events; see Spec.Equal.
func (e *Event) Equal(f *Event) bool { return e.Normal() == f.Normal() }

// Normal returns the text that Equal compares. It is for comparing and for
// map keys, not for sending.
func (e *Event) Normal() string {
	if text, ok := e.Mapped(); ok {
		if s, err := ParseSpec(text); err == nil && len(s.Events) == 1 {
			return s.Events[0].Normal()
		}
		return text
	}
	var b strings.Builder
	b.WriteString(e.Key())
	for _, f := range e.Filters {
		var alts []string
		for _, t := range f.Alternatives {
			alts = append(alts, t.Name+":"+normalParams(t.Args, nil))
		}
		b.WriteString("{" + strings.Join(alts, "|") + "}")
	}
	b.WriteString(" " + normalParams(e.Params, nil))
	b.WriteString(" " + e.Verb)
	for i := range e.Actions {
		b.WriteString(" " + e.Actions[i].normal(e.Verb != ""))
	}
	if e.Off {
		b.WriteString(" off")
	}
	return b.String()
}

// Key identifies what is switched on and off together: the event with its
// target and scope, without filters, parameters and actions. 10046 has the
// key of sql_trace, DEADLOCK that of 60.
func (e *Event) Key() string {
	if m, ok := e.mapping(); ok {
		name, _, _ := strings.Cut(m.Off, " off")
		if s, err := ParseSpec(name); err == nil && len(s.Events) == 1 {
			return s.Events[0].Key()
		}
	}
	var b strings.Builder
	switch {
	case e.ID.Kind == KindNumber || e.ID.Kind == KindAlias:
		b.WriteString(strconv.Itoa(e.ID.Number))
	case e.ID.Name == "kg_event" && len(e.Target) == 1:
		b.WriteString(canonicalNumber(e.Target[0].Text))
		return b.String() + normalScope(e.Scope)
	default:
		b.WriteString(strings.ToLower(e.ID.Name))
	}
	if e.Target != nil {
		b.WriteString("[" + normalAlternatives(e.Target, e.ID.Name == "trace") + "]")
	}
	return b.String() + normalScope(e.Scope)
}

func normalScope(s *Scope) string {
	if s == nil {
		return ""
	}
	return "[" + s.Name + ":" + normalAlternatives(s.Values, false) + "]"
}

// normalAlternatives sorts; a component's library is dropped when the
// catalogue knows the component, so that SQL_Optimizer.* and
// rdbms.SQL_Optimizer.* are one.
func normalAlternatives(vs []Value, components bool) string {
	var out []string
	for i := range vs {
		s := strings.ToLower(vs[i].String())
		if components {
			s = withoutLibrary(s)
		}
		out = append(out, s)
	}
	sort.Strings(out)
	return strings.Join(out, "|")
}

func withoutLibrary(s string) string {
	lib, rest, ok := strings.Cut(s, ".")
	if !ok || rest == "*" || !catalog.IsLibrary(lib) {
		return s
	}
	if c, known := catalog.LookupComponent(strings.TrimSuffix(rest, ".*")); known && c.Library == lib {
		return rest
	}
	return s
}

func (a *Action) normal(old bool) string {
	var defaults []catalog.Param
	name := strings.ToLower(a.Name)
	if c, ok := catalog.LookupAction(name); ok {
		defaults = c.Params
	}
	if old && name == "context" {
		defaults = []catalog.Param{{Name: "level", Default: "1"}}
	}
	args := a.Args
	if _, off := a.Arg("off"); off {
		defaults = nil // `trace name errorstack off` has no level
	}
	return name + "(" + normalParams(args, defaults) + ")"
}

func normalParams(ps []Param, defaults []catalog.Param) string {
	var out []string
	have := map[string]bool{}
	for i := range ps {
		q := &ps[i]
		have[q.Name] = true
		switch {
		case q.Flag:
			out = append(out, q.Name)
		case q.Value.Call != nil:
			out = append(out, q.Name+"="+q.Value.Call.normal(false))
		case q.Value.Quoted:
			out = append(out, q.Name+"="+canonicalQuoted(q.Value.Text))
		default:
			out = append(out, q.Name+"="+canonicalNumber(strings.ToLower(q.Value.Text)))
		}
	}
	for _, d := range defaults {
		if d.Default != "" && !have[d.Name] {
			out = append(out, d.Name+"="+d.Default)
		}
	}
	sort.Strings(out)
	return strings.Join(out, ",")
}

// canonicalQuoted keeps the letter case that quotes protect, and drops the
// quotes where they protect nothing.
func canonicalQuoted(s string) string {
	if s == strings.ToLower(s) && s != "" && !strings.ContainsAny(s, punctuation+" \t\n\"'") {
		return canonicalNumber(s)
	}
	return strconv.Quote(s)
}
