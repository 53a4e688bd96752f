package oradebug

import (
	"strings"

	"ringtrace/oradebug/catalog"
)

// oldTrace parses `trace name A quals ; name B quals` (facts/oradebug.md 3.5).
// `trace` is written once; `name` is repeated behind each ";".
func (p *parser) oldTrace(e *Event) *SpecError {
	trace := p.next()
	e.Verb = "trace"
	for {
		if t := p.peek(); !t.word("name") {
			if t.kind == tokEnd {
				return p.failEnd(t).hint("`trace` is followed by `name`, as in `trace name errorstack level 3`")
			}
			return p.fail(trace, 49101, "Failed to parse action [%s]", p.rest(trace)).hint("`trace` is followed by `name`, as in `trace name errorstack level 3`")
		}
		p.i++
		a, err := p.oldName(e)
		if err != nil {
			return err
		}
		e.Actions = append(e.Actions, a)
		if t := p.peek(); t.is(";") && p.peekAt(1).word("name") {
			p.i++
			continue
		} else if t.is(";") && p.peekAt(1).kind == tokWord {
			return p.trailingOld(t)
		} else if t.kind == tokWord || t.kind == tokQuoted {
			return p.afterOld(t, &a)
		}
		e.Off = allOff(e.Actions)
		return nil
	}
}

// trailingOld is ";" behind an old-style name with something else than `name`.
func (p *parser) trailingOld(t token) *SpecError {
	nextTok := p.peekAt(1)
	err := p.fail(nextTok, 49101, "Failed to parse action [%s]", p.rest(nextTok))
	switch {
	case nextTok.word("trace") && !p.peekAt(2).is("("):
		return err.hint("`trace` is written once; go on with `; name …`")
	case p.peekAt(2).is("(") || isActionName(nextTok.text):
		err.Mixed = true
		return err.hint("after ';' the old style goes on with `name …`, not with an action")
	}
	return err.hint("join events with ':', give each its own line, or drop the ';'")
}

// afterOld is a word behind old-style qualifiers that is not one of them.
func (p *parser) afterOld(t token, a *Action) *SpecError {
	if p.peekAt(1).is("(") {
		return p.mixed(t)
	}
	if t.word("name") {
		return p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t)).hint("part the names with ';'")
	}
	if t.word("immediate") {
		return p.fail(t, 49166, "Keyword IMMEDIATE must be at the beginning of event string")
	}
	err := p.fail(t, 49104, "[%s] is not a valid argument for action [%s]", t.text, a.Name)
	return err.hint("qualifiers are level N, forever, off, lifetime N, after N times, type increment|decrement, address N")
}

func allOff(as []Action) bool {
	for i := range as {
		if _, off := as[i].Arg("off"); !off {
			return false
		}
	}
	return len(as) > 0
}

// oldName parses one dump name and its qualifiers.
func (p *parser) oldName(e *Event) (Action, *SpecError) {
	t := p.next()
	a := Action{Name: strings.ToLower(t.text), Column: t.pos + 1}
	switch {
	case t.kind == tokEnd:
		return a, p.failEnd(t).hint("a dump name or `context` must follow `name`")
	case t.kind != tokWord:
		return a, p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t))
	}
	if isVariable(t.text) {
		a.Name = t.text
	} else if !knownDump(a.Name) {
		err := p.fail(t, 49102, "Action definition for [%s] not found", t.text)
		if isQualifier(a.Name) {
			return a, err.hint("a dump name or `context` must follow `name`")
		}
		if s := nearest(a.Name, dumpNames()); s != "" {
			err.hint("did you mean %s?", s)
		}
		return a, err
	}
	args, err := p.quals(e, &a)
	a.Args = args
	return a, err
}

func knownDump(name string) bool {
	if name == "context" || name == "all" {
		return true
	}
	_, ok := catalog.LookupDump(name)
	return ok || isActionName(name)
}

var qualifierWords = [...]string{"level", "forever", "off", "lifetime", "life", "after", "type", "address"}

func isQualifier(w string) bool {
	for _, q := range qualifierWords {
		if strings.EqualFold(q, w) {
			return true
		}
	}
	return false
}

func (p *parser) oldQualifierAhead() bool {
	t := p.peekAt(1)
	return t.kind == tokEnd || t.is(":") || t.is(",") || t.is(";") || (t.kind == tokWord && isQualifier(t.text))
}

// oldQualified parses `crash` or `debugger` with qualifiers.
func (p *parser) oldQualified(e *Event) *SpecError {
	t := p.next()
	e.Verb = strings.ToLower(t.text)
	a := Action{Name: e.Verb, Column: t.pos + 1}
	args, err := p.quals(e, &a)
	if err != nil {
		return err
	}
	a.Args = args
	e.Actions = []Action{a}
	e.Off = allOff(e.Actions)
	if t := p.peek(); t.kind == tokWord {
		return p.afterOld(t, &a)
	}
	return nil
}

// quals parses qualifiers parted by commas. The comma before the first is
// optional; one that is missing further on is noted, not refused.
func (p *parser) quals(e *Event, a *Action) ([]Param, *SpecError) {
	var out []Param
	for {
		comma := p.accept(",")
		t := p.peek()
		if t.kind != tokWord || !isQualifier(t.text) {
			if comma {
				if t.kind == tokWord {
					return out, p.afterOld(t, a)
				}
				return out, p.fail(t, 49168, "Missing value for name-value pair").hint("a qualifier must follow the ','")
			}
			return out, nil
		}
		if len(out) > 0 && !comma {
			e.NoComma = true
		}
		p.i++
		q, err := p.qual(a, t)
		if err != nil {
			return out, err
		}
		for _, o := range out {
			if o.Name == q.Name {
				return out, p.fail(t, 49105, "Too many arguments specified for action [%s]", a.Name).hint("%s is given twice", q.Name)
			}
		}
		out = append(out, q)
	}
}

func (p *parser) qual(a *Action, t token) (Param, *SpecError) {
	q := Param{Name: strings.ToLower(t.text), Column: t.pos + 1}
	if q.Name == "life" {
		q.Name = "lifetime"
	}
	if q.Name == "forever" || q.Name == "off" {
		q.Flag = true
		return q, nil
	}
	p.accept("=")
	v := p.peek()
	if v.kind != tokWord {
		return q, p.fail(v, 49168, "Missing value for name-value pair").hint("give %s a value", q.Name)
	}
	p.i++
	q.Value.Text = strings.ToLower(v.text)
	if q.Name == "type" {
		if !v.word("increment") && !v.word("decrement") && !isVariable(v.text) {
			return q, p.fail(v, 49112, "Parameter value [%s] is not one of allowed values", v.text).hint("type is increment or decrement")
		}
		return q, nil
	}
	bits := 32
	if q.Name == "address" {
		bits = 64
	}
	if isVariable(v.text) {
		q.Value.Text = v.text
	} else if _, ok := parseUint(v.text, bits); !ok {
		return q, p.fail(v, 49167, "Invalid value of parameter [%s] for action [%s]", q.Name, a.Name).hint("%s takes a whole number", q.Name)
	}
	if q.Name == "after" {
		switch w := strings.ToLower(p.peek().text); w {
		case "times", "time", "occurrences", "occurrence", "occurences", "occurence":
			p.i++
		default:
			return q, p.fail(p.peek(), 49168, "Missing value for name-value pair").hint("write `after %s times`", q.Value.Text)
		}
	}
	return q, nil
}
