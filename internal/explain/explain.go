package explain

import (
	"errors"
	"strconv"
	"strings"

	"ringtrace/oradebug"
)

// Explain explains one event text for a release (the zero Release is the
// newest that the catalogue knows). A whole line such as
// `oradebug session_event …`, or `alter session set events '…'`, is taken
// apart first; columns count in the text as given.
func Explain(input string, rel oradebug.Release) Document {
	doc := Document{Input: input, Events: []Event{}, TurnOff: []string{}, Warnings: []string{}, Errors: []Fault{}}
	text, at := eventText(input)
	spec, err := oradebug.ParseSpecFor(text, rel)
	for i := range spec.Events {
		doc.Events = append(doc.Events, event(&spec.Events[i]))
	}
	var se *oradebug.SpecError
	if errors.As(err, &se) {
		doc.Errors = append(doc.Errors, Fault{Column: at + se.Column, ORA: se.ORA, Message: se.Message, Hint: se.Hint})
		return doc
	}
	canonical := spec.String()
	doc.Canonical = &canonical
	doc.TurnOff = append(doc.TurnOff, spec.TurnOffFor(rel)...)
	doc.Warnings = append(doc.Warnings, warnings(&spec)...)
	return doc
}

// eventText cuts the event text out of a line that people paste, and says
// where it begins.
func eventText(input string) (string, int) {
	lower := strings.ToLower(input)
	i := len(lower) - len(strings.TrimLeft(lower, " \t\r\n"))
	word := func(w string) bool {
		rest, ok := strings.CutPrefix(lower[i:], w)
		if !ok || (rest != "" && strings.TrimLeft(rest, " \t") == rest) {
			return false
		}
		i = len(lower) - len(strings.TrimLeft(rest, " \t"))
		return true
	}
	if word("oradebug") {
		_ = word("session_event") || word("event")
		return input[i:], i
	}
	if word("alter") && (word("session") || word("system")) && word("set") && word("events") {
		open := strings.IndexByte(input[i:], '\'')
		end := strings.LastIndexByte(input, '\'')
		if open == 0 && end > i {
			return strings.ReplaceAll(input[i+1:end], "''", "'"), i + 1
		}
		return input[i:], i
	}
	if word("session_event") || word("event") {
		return input[i:], i
	}
	return input, 0
}

func event(e *oradebug.Event) Event {
	out := Event{
		ID: id(e), Kind: e.ID.Kind.String(), Style: e.Style().String(),
		Immediate: e.Immediate, Off: e.Off, Filters: []string{}, Params: map[string]string{},
		Actions: []Action{}, Meaning: eventMeaning(e), Old: []string{}, New: []string{},
	}
	switch e.ID.Kind {
	case oradebug.KindAlias:
		out.Alias = &e.ID.Alias
	case oradebug.KindVariable:
		out.Kind = oradebug.KindName.String() // the contract knows no variables
	}
	out.Target = joined(e.Target, "")
	if e.Scope != nil {
		out.Scope = joined(e.Scope.Values, e.Scope.Name+": ")
	}
	for _, f := range e.Filters {
		out.Filters = append(out.Filters, filterText(f))
	}
	addParams(out.Params, e.Params)
	for i := range e.Actions {
		a := Action{Name: e.Actions[i].Name, Args: map[string]string{}, Risk: actionRisk(&e.Actions[i]).String(), Meaning: actionMeaning(&e.Actions[i])}
		if lib := e.Actions[i].Library; lib != "" {
			a.Name = lib + "." + a.Name
		}
		addParams(a.Args, e.Actions[i].Args)
		out.Actions = append(out.Actions, a)
	}
	if m, ok := e.Mapped(); ok {
		out.Mapped = &m
	}
	if n, ok := e.NewForm(); ok {
		out.New = append(out.New, n.String())
	}
	if olds, ok := e.OldForm(); ok {
		for i := range olds {
			out.Old = append(out.Old, olds[i].String())
		}
	}
	return out
}

func id(e *oradebug.Event) string {
	switch e.ID.Kind {
	case oradebug.KindNumber, oradebug.KindAlias:
		return strconv.Itoa(e.ID.Number)
	}
	return e.ID.Name
}

func joined(vs []oradebug.Value, prefix string) *string {
	if vs == nil {
		return nil
	}
	var parts []string
	for i := range vs {
		parts = append(parts, vs[i].String())
	}
	s := prefix + strings.Join(parts, " | ")
	return &s
}

func filterText(f oradebug.Filter) string {
	e := oradebug.Event{ID: oradebug.EventID{Kind: oradebug.KindNumber, Number: 1}, Filters: []oradebug.Filter{f}}
	s := strings.TrimPrefix(e.String(), "1 {")
	return strings.TrimSuffix(s, "}")
}

// addParams files parameters by name; one whose name is not known gets its
// position.
func addParams(m map[string]string, ps []oradebug.Param) {
	for i := range ps {
		name := ps[i].Name
		if name == "" {
			name = strconv.Itoa(i + 1)
		}
		if ps[i].Flag {
			m[name] = "true"
			continue
		}
		m[name] = ps[i].Value.String()
	}
}
