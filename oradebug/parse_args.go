package oradebug

import (
	"fmt"
	"slices"
	"strings"

	"ringtrace/oradebug/catalog"
)

// argList says how a list of arguments is to be read.
type argList struct {
	kind   string // "action", "filter" or "event"
	name   string
	params []catalog.Param
	open   bool     // the signature is not fully published: any name may come
	until  []string // the punctuation that ends the list; not consumed
}

// owner names the list in messages: "action [errorstack]".
func (l *argList) owner() string { return l.kind + " [" + l.name + "]" }

// args parses `[name [=]] value { , … }` up to a delimiter and resolves the
// names of positional arguments.
func (p *parser) args(l argList, depth int) ([]Param, *SpecError) {
	var out []Param
	position := 0
	for {
		t := p.peek()
		if t.kind == tokEnd {
			return out, p.failEnd(t)
		}
		if p.ends(l) {
			return out, p.missingArg(l, out, t)
		}
		arg, err := p.arg(l, position, depth)
		if err != nil {
			return out, err
		}
		if arg.Positional {
			position++
		}
		if i := slices.IndexFunc(out, func(a Param) bool { return a.Name == arg.Name && a.Name != "" }); i >= 0 {
			return out, p.fail(t, 49105, "Too many arguments specified for %s", l.owner()).hint("%s is given twice", arg.Name)
		}
		out = append(out, arg)
		if p.accept(",") {
			if t := p.peek(); p.ends(l) {
				return out, p.fail(t, 49168, "Missing value for name-value pair").hint("a value must follow the ','")
			}
			continue
		}
		if t := p.peek(); !p.ends(l) && t.kind != tokEnd {
			return out, p.fail(t, 49104, "[%s] is not a valid argument for %s", t.text, l.owner()).hint("arguments are parted by ','")
		}
	}
}

func (p *parser) ends(l argList) bool {
	t := p.peek()
	return t.kind == tokPunct && slices.Contains(l.until, t.text)
}

func (p *parser) missingArg(l argList, got []Param, t token) *SpecError {
	for _, want := range l.params {
		if want.Needed && !slices.ContainsFunc(got, func(a Param) bool { return a.Name == want.Name }) {
			return p.fail(t, 49103, "Missing Mandatory argument [%s] for %s", want.Name, l.owner())
		}
	}
	return nil
}

func (p *parser) arg(l argList, position, depth int) (Param, *SpecError) {
	t := p.next()
	if t.kind == tokPunct {
		if t.is("=") {
			return Param{}, p.fail(t, 49104, "[=] is not a valid argument for %s", l.owner())
		}
		if t.is(",") {
			return Param{}, p.fail(t, 49168, "Missing value for name-value pair").hint("a value is missing before the ','")
		}
		return Param{}, p.fail(t, 49106, "Parameter value [%s] is invalid", t.text)
	}
	if t.kind == tokWord {
		want, known := findParam(l.params, t.text)
		after := p.peek()
		switch {
		case after.is("="):
			p.i++
			if !known && !l.open {
				return Param{}, p.badName(l, t)
			}
			return p.valueFor(l, want, known, t, depth)
		case known && (after.kind == tokWord || after.kind == tokQuoted):
			return p.valueFor(l, want, known, t, depth)
		}
	}
	want, known := catalog.Param{}, false
	if position < len(l.params) {
		want, known = l.params[position], true
	} else if !l.open {
		return Param{}, p.fail(t, 49105, "Too many arguments specified for %s", l.owner())
	}
	v, err := p.value(l, want, known, t, depth)
	return Param{Name: want.Name, Value: v, Positional: true, Column: t.pos + 1}, err
}

func findParam(params []catalog.Param, name string) (catalog.Param, bool) {
	for _, c := range params {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return catalog.Param{}, false
}

func (p *parser) badName(l argList, t token) *SpecError {
	err := p.fail(t, 49104, "[%s] is not a valid argument for %s", t.text, l.owner())
	var names []string
	for _, c := range l.params {
		names = append(names, c.Name)
	}
	if s := nearest(strings.ToLower(t.text), names); s != "" {
		return err.hint("did you mean %s?", s)
	}
	if len(names) > 0 {
		return err.hint("it takes %s", strings.Join(names, ", "))
	}
	return err.hint("it takes no arguments")
}

// valueFor parses the value of a named parameter whose name is name.
func (p *parser) valueFor(l argList, want catalog.Param, known bool, name token, depth int) (Param, *SpecError) {
	out := Param{Name: strings.ToLower(name.text), Column: name.pos + 1}
	t := p.peek()
	if t.kind == tokEnd || t.kind == tokPunct {
		return out, p.fail(t, 49168, "Missing value for name-value pair").hint("give %s a value", out.Name)
	}
	p.i++
	v, err := p.value(l, want, known, t, depth)
	out.Value = v
	return out, err
}

// value checks the token t, already consumed, against the parameter; a word
// before "(" is an action that delivers the value.
func (p *parser) value(l argList, want catalog.Param, known bool, t token, depth int) (Value, *SpecError) {
	if t.kind == tokWord && p.peek().is("(") {
		if l.kind == "event" {
			return Value{}, p.fail(t, 49170, "arg=action() construct can not be used in %s", l.owner())
		}
		if depth+1 > maxNesting {
			return Value{}, p.fail(t, 49172, "Depth of action nesting exceeds allowed limit")
		}
		a, err := p.action(t, depth+1)
		if err != nil {
			return Value{}, err
		}
		if c, ok := catalog.LookupAction(a.Name); ok && c.Returns == "" && !c.Open {
			return Value{}, p.fail(t, 49171, "Type of parameter [%s] is not compatible with action [%s]", want.Name, a.Name).hint("%s returns nothing", a.Name)
		}
		return Value{Call: &a}, nil
	}
	v := Value{Text: t.text, Quoted: t.kind == tokQuoted}
	if !known || (isVariable(v.Text) && !v.Quoted) {
		return v, nil
	}
	err := p.checkValue(l, want, &v, t)
	return v, err
}

// checkValue holds a literal against the parameter's type; a word of an enum
// takes the catalogue's letter case.
func (p *parser) checkValue(l argList, want catalog.Param, v *Value, t token) *SpecError {
	bits := map[string]int{"ub4": 32, "ub8": 64}[want.Type] // a pointer may also be a symbol
	switch {
	case bits != 0:
		if _, ok := parseUint(v.Text, bits); !ok {
			return p.fail(t, 49167, "Invalid value of parameter [%s] for %s", want.Name, l.owner()).hint("%s takes a whole number", want.Name)
		}
	case want.Type == "enum":
		for _, w := range want.Values {
			if strings.EqualFold(w, v.Text) {
				v.Text = w
				return nil
			}
		}
		return p.fail(t, 49112, "Parameter value [%s] is not one of allowed values", v.Text).hint("%s is one of %s", want.Name, strings.Join(want.Values, ", "))
	case want.Type == "string" && want.Max > 0 && len(v.Text) > want.Max:
		return p.tooLong(t, v.Text).hint("%s takes at most %d characters", want.Name, want.Max)
	}
	return nil
}

// action parses the arguments of the action whose name token t was consumed
// and whose "(" comes next.
func (p *parser) action(t token, depth int) (Action, *SpecError) {
	a, c, err := p.actionName(t)
	if err != nil {
		return a, err
	}
	open := p.next()
	a.Parens = true
	l := argList{kind: "action", name: a.Name, params: c.Params, open: c.Open, until: []string{")"}}
	a.Args, err = p.args(l, depth)
	if err != nil {
		if err.ORA == 49107 {
			err.hint("close the parenthesis that opens at column %d", open.pos+1)
		}
		return a, err
	}
	p.i++ // the ")" that args stopped at
	return a, nil
}

func (p *parser) actionName(t token) (Action, catalog.Action, *SpecError) {
	lib, name := cutLibrary(t.text)
	a := Action{Name: strings.ToLower(name), Library: strings.ToLower(lib), Column: t.pos + 1}
	if lib != "" && !catalog.IsLibrary(lib) {
		return a, catalog.Action{}, p.fail(t, 49109, "Library Name [%s] not found", strings.ToUpper(lib))
	}
	c, ok := catalog.LookupAction(name)
	if !ok || (lib != "" && !strings.EqualFold(lib, c.Library)) {
		err := p.fail(t, 49102, "Action definition for [%s] not found", t.text)
		if s := nearest(a.Name, actionNames()); s != "" {
			err.hint("did you mean %s?", s)
		}
		return a, c, err
	}
	return a, c, nil
}

// cutLibrary parts `rdbms.errorstack` at the dot.
func cutLibrary(s string) (lib, name string) {
	if lib, name, ok := strings.Cut(s, "."); ok {
		return lib, name
	}
	return "", s
}

// actions parses new-style actions, up to the first word that is not an action.
func (p *parser) actions(e *Event) *SpecError {
	for {
		t := p.peek()
		if t.kind != tokWord || t.word("off") {
			return nil
		}
		if t.word("trace") && !p.peekAt(1).is("(") {
			return p.mixed(t)
		}
		if t.word("name") {
			return p.mixed(t)
		}
		if t.word("immediate") {
			return p.fail(t, 49166, "Keyword IMMEDIATE must be at the beginning of event string")
		}
		p.i++
		a, err := p.oneAction(t)
		if err != nil {
			return err
		}
		e.Actions = append(e.Actions, a)
	}
}

// oneAction parses an action with or without parentheses (`logon oradebug`).
func (p *parser) oneAction(t token) (Action, *SpecError) {
	if p.peek().is("(") {
		return p.action(t, 0)
	}
	if isVariable(t.text) {
		return Action{Name: t.text, Column: t.pos + 1}, nil
	}
	a, c, err := p.actionName(t)
	if err != nil {
		return a, err
	}
	l := argList{kind: "action", name: a.Name, params: c.Params}
	return a, p.missingArg(l, nil, p.peek())
}

func (p *parser) mixed(t token) *SpecError {
	err := p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t))
	err.Mixed = true
	return err.hint("old style (`trace name …`) and new style (`action(…)`) cannot stand in one event; use one of them or join two events with ':'")
}

// body parses what follows id and brackets: old-style text, or parameters,
// actions and `off`.
func (p *parser) body(e *Event, known catalog.Event) *SpecError {
	if t := p.peek(); t.word("trace") && !p.peekAt(1).is("(") {
		return p.oldTrace(e)
	} else if p.oldVerb(t) && e.ID.Kind != KindName && p.oldQualifierAhead() {
		return p.oldQualified(e)
	} else if p.rel.OldParser() {
		if t.kind == tokEnd {
			return p.failEnd(t)
		}
		return p.fail(t, 49101, "release %s knows only the old style, as in `%d trace name errorstack level 3`", p.rel, max(e.ID.Number, 1))
	}
	if err := p.params(e, known); err != nil {
		return err
	}
	if err := p.actions(e); err != nil {
		return err
	}
	if p.peek().word("off") {
		p.i++
		e.Off = true
	}
	return nil
}

// params parses the event's own parameters, which stand before the actions.
func (p *parser) params(e *Event, known catalog.Event) *SpecError {
	l := argList{kind: "event", name: p.eventName(), params: known.Params, open: known.Open}
	comma := false
	for {
		t := p.peek()
		if t.kind != tokWord || t.word("off") || p.peekAt(1).is("(") || (t.word("trace") && !comma) || t.word("immediate") {
			if comma {
				return p.fail(t, 49168, "Missing value for name-value pair").hint("a parameter must follow the ','")
			}
			return nil
		}
		want, ok := findParam(l.params, t.text)
		named := p.peekAt(1).is("=")
		switch {
		case !ok && !named && p.isAction(t):
			if comma {
				return p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t)).hint("no ',' before an action")
			}
			return nil
		case !ok && !named && !l.open:
			return p.unknownWord(l, e, t)
		case !ok && !l.open:
			return p.badName(l, t)
		}
		if slices.ContainsFunc(e.Params, func(q Param) bool { return strings.EqualFold(q.Name, t.text) }) {
			return p.fail(t, 49105, "Too many arguments specified for %s", l.owner()).hint("%s is given twice", strings.ToLower(t.text))
		}
		p.i++
		prm, err := p.param(l, want, ok, t)
		if err != nil {
			return err
		}
		e.Params = append(e.Params, prm)
		comma = p.accept(",")
	}
}

func (p *parser) isAction(t token) bool {
	_, name := cutLibrary(t.text)
	return isActionName(name) || isVariable(t.text)
}

// param parses the value of an event parameter whose name was consumed.
// `forever` stands alone.
func (p *parser) param(l argList, want catalog.Param, known bool, t token) (Param, *SpecError) {
	eq := p.accept("=")
	if !eq {
		nextNumber := p.peek().kind == tokWord && (startsNumeric(p.peek().text) || isVariable(p.peek().text))
		if t.word("forever") && !nextNumber {
			return Param{Name: "forever", Flag: true, Column: t.pos + 1}, nil
		}
		if !known && (p.peek().kind != tokWord || p.isAction(p.peek())) { // a bare word of an event whose parameters are not published
			return Param{Name: strings.ToLower(t.text), Flag: true, Column: t.pos + 1}, nil
		}
	}
	return p.valueFor(l, want, known, t, 0)
}

// unknownWord decides between a bad parameter and a bad action.
func (p *parser) unknownWord(l argList, e *Event, t token) *SpecError {
	if t.word("name") {
		return p.mixed(t).hint("write `trace` before `name`: `%s trace %s`", e.idText(), p.rest(t))
	}
	if t.word("context") || t.word("errorstack") {
		return p.fail(t, 49102, "Action definition for [%s] not found", t.text).hint("the old style is `%s trace name %s …`", e.idText(), strings.ToLower(t.text))
	}
	if e.ID.Kind == KindName && len(l.params) > 0 {
		return p.badName(l, t)
	}
	err := p.fail(t, 49102, "Action definition for [%s] not found", t.text)
	if s := nearest(strings.ToLower(t.text), actionNames()); s != "" {
		return err.hint("did you mean %s?", s)
	}
	if e.ID.Kind != KindName && startsNumeric(t.text) {
		return err.hint("a bare number is no level; write `level %s`", t.text)
	}
	return err
}

// checkMapped refuses scopes and filters on mapped numbers (ORA-49160, seen
// for 10046 and 10053).
func (p *parser) checkMapped(e *Event) *SpecError {
	if e.ID.Kind == KindVariable || e.ID.Kind == KindName || (e.Scope == nil && len(e.Filters) == 0) {
		return nil
	}
	use, ok := e.mappedText()
	if !ok {
		return nil
	}
	return mappedError(e, use)
}

// mappedError is ORA-49160. For 10053 the seen text ends in one bracket where
// the event's own and the message's should stand: `use [trace[…]`.
func mappedError(e *Event, use string) *SpecError {
	use = strings.TrimSuffix(use, "]")
	return &SpecError{
		Column: e.Column, ORA: 49160,
		Message: fmt.Sprintf("Scope or Filter cannot be specified for mapped event, use [%s]", use),
		Hint:    "name the event instead of the number",
	}
}
