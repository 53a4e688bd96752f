package oradebug

import "strconv"

// String prints the spec in canonical form: lower-case keywords, hexadecimal
// event numbers and aliases resolved, ", " between parameters, ":" between
// events. Parsing it again gives an equal Spec.
func (s Spec) String() string { return string(s.AppendText(nil)) }

// AppendText appends the canonical form to b.
func (s Spec) AppendText(b []byte) []byte {
	for i := range s.Events {
		if i > 0 {
			b = append(b, ':')
		}
		b = s.Events[i].appendText(b)
	}
	return b
}

// String prints one event in canonical form.
func (e *Event) String() string { return string(e.appendText(nil)) }

// idText is the event's name or number as printed.
func (e *Event) idText() string {
	switch e.ID.Kind {
	case KindNumber, KindAlias:
		return strconv.Itoa(e.ID.Number)
	case KindName:
		if e.ID.Library != "" {
			return e.ID.Library + "." + e.ID.Name
		}
	}
	return e.ID.Name
}

func (e *Event) appendText(b []byte) []byte {
	b = append(b, e.idText()...)
	b = e.appendBrackets(b)
	for i := range e.Params {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, ' ')
		b = e.Params[i].appendNamed(b, '=')
	}
	if e.Verb != "" {
		return e.appendOld(b)
	}
	for i := range e.Actions {
		b = append(b, ' ')
		b = e.Actions[i].appendText(b)
	}
	if e.Off {
		b = append(b, " off"...)
	}
	return b
}

func (e *Event) appendBrackets(b []byte) []byte {
	if e.Target != nil {
		b = append(b, '[')
		b = appendAlternatives(b, e.Target)
		b = append(b, ']')
	}
	if e.Scope != nil {
		b = append(b, " ["...)
		b = append(b, e.Scope.Name...)
		b = append(b, ": "...)
		b = appendAlternatives(b, e.Scope.Values)
		b = append(b, ']')
	}
	for _, f := range e.Filters {
		b = append(b, " {"...)
		for i, t := range f.Alternatives {
			if i > 0 {
				b = append(b, " | "...)
			}
			b = append(b, t.Name...)
			b = append(b, ": "...)
			b = appendArgs(b, t.Args)
		}
		b = append(b, '}')
	}
	return b
}

func appendAlternatives(b []byte, vs []Value) []byte {
	for i := range vs {
		if i > 0 {
			b = append(b, " | "...)
		}
		b = vs[i].appendText(b)
	}
	return b
}

func (e *Event) appendOld(b []byte) []byte {
	if e.Verb != "trace" {
		b = append(b, ' ')
		b = append(b, e.Verb...)
		for i := range e.Actions {
			b = appendQuals(b, e.Actions[i].Args)
		}
		return b
	}
	b = append(b, " trace"...)
	for i := range e.Actions {
		if i > 0 {
			b = append(b, ';')
		}
		b = append(b, " name "...)
		b = append(b, e.Actions[i].Name...)
		b = appendQuals(b, e.Actions[i].Args)
	}
	return b
}

func appendQuals(b []byte, qs []Param) []byte {
	for i := range qs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, ' ')
		b = qs[i].appendNamed(b, ' ')
		if qs[i].Name == "after" {
			b = append(b, " times"...)
		}
	}
	return b
}

// String prints the action as it stands in a new-style event.
func (a *Action) String() string { return string(a.appendText(nil)) }

func (a *Action) appendText(b []byte) []byte {
	if a.Library != "" {
		b = append(b, a.Library...)
		b = append(b, '.')
	}
	b = append(b, a.Name...)
	if a.Parens || len(a.Args) > 0 {
		b = append(b, '(')
		b = appendArgs(b, a.Args)
		b = append(b, ')')
	}
	return b
}

func appendArgs(b []byte, args []Param) []byte {
	for i := range args {
		if i > 0 {
			b = append(b, ", "...)
		}
		if args[i].Positional {
			b = args[i].Value.appendText(b)
		} else {
			b = args[i].appendNamed(b, '=')
		}
	}
	return b
}

func (q *Param) appendNamed(b []byte, sep byte) []byte {
	b = append(b, q.Name...)
	if q.Flag {
		return b
	}
	b = append(b, sep)
	return q.Value.appendText(b)
}

// String prints the value, quoted where it was.
func (v *Value) String() string {
	if v.Call != nil {
		return v.Call.String()
	}
	return v.Text
}

func (v *Value) appendText(b []byte) []byte {
	if v.Call != nil {
		return v.Call.appendText(b)
	}
	if !v.Quoted {
		return append(b, v.Text...)
	}
	b = append(b, '"')
	for i := 0; i < len(v.Text); i++ {
		if v.Text[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, v.Text[i])
	}
	return append(b, '"')
}
