package oradebug

import (
	"fmt"
	"strings"

	"ringtrace/oradebug/catalog"
)

// maxSQLIDs is how many statements a scope takes before ORA-49165
// (facts/oradebug.md 2.4, reported).
const maxSQLIDs = 8

// brackets parses target, scope and filters behind the event's name. The
// grammar wants them in this order; a filter before a scope is let pass.
func (p *parser) brackets(e *Event, known catalog.Event) *SpecError {
	if p.peek().is("[") && known.Target && !p.scopeAhead() {
		if err := p.target(e); err != nil {
			return err
		}
	}
	if known.Target && e.Target == nil {
		return p.fail(p.peek(), 49115, "Target not specified for event [%s]", strings.ToUpper(known.Name)).hint("%s", targetHint(known.Name))
	}
	for {
		t := p.peek()
		if !t.is("[") && !t.is("{") {
			return nil
		}
		if p.rel.OldParser() {
			return p.fail(t, 49101, "release %s knows no scopes and no filters", p.rel)
		}
		if t.is("{") {
			f, err := p.filter()
			if err != nil {
				return err
			}
			e.Filters = append(e.Filters, f)
			continue
		}
		if e.Scope != nil {
			return p.fail(t, 49162, "[%s] is not a valid scope", p.bracketText(t)).hint("an event has one scope; write alternatives with '|'")
		}
		if err := p.scope(e); err != nil {
			return err
		}
	}
}

func targetHint(name string) string {
	switch name {
	case "trace":
		return "name the component, as in `trace[SQL_Optimizer]`; an old-style `trace name …` begins with the event's number"
	case "wait_event":
		return "name the wait event, as in `wait_event[\"log file sync\"]`"
	}
	return "give the target in brackets behind the name"
}

// scopeAhead reports `[word:`.
func (p *parser) scopeAhead() bool {
	return p.peekAt(1).kind == tokWord && p.peekAt(2).is(":")
}

func (p *parser) bracketText(open token) string {
	s := p.text[open.pos+1:]
	if i := strings.IndexAny(s, "]"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

func (p *parser) target(e *Event) *SpecError {
	open := p.next()
	for {
		v, t, err := p.item("]", "|")
		if err != nil {
			return err
		}
		if v.Text == "" {
			return p.fail(t, 49115, "Target not specified for event [%s]", strings.ToUpper(e.ID.Name))
		}
		if err := p.checkTarget(e, &v, t); err != nil {
			return err
		}
		e.Target = append(e.Target, v)
		if p.accept("|") {
			continue
		}
		if !p.accept("]") {
			return p.failEnd(p.peek()).hint("close the bracket that opens at column %d", open.pos+1)
		}
		return nil
	}
}

// item parses one entry of a target or scope: words up to a delimiter. Several
// words become one quoted value, so that `[log file sync]` prints quoted.
func (p *parser) item(delims ...string) (Value, token, *SpecError) {
	first := p.peek()
	var words []string
	quoted := false
	for {
		t := p.peek()
		if t.kind == tokEnd {
			return Value{}, t, p.failEnd(t).hint("close the bracket with ']'")
		}
		for _, d := range delims {
			if t.is(d) {
				return Value{Text: strings.Join(words, " "), Quoted: quoted || len(words) > 1}, first, nil
			}
		}
		if t.kind == tokQuoted {
			quoted = true
		} else if t.kind == tokPunct && !t.is("=") {
			return Value{}, t, p.fail(t, 49106, "Parameter value [%s] is invalid", t.text)
		}
		if t.is("=") { // `name = x`, as in errno=942: names may be given
			words, quoted = nil, false
			p.i++
			continue
		}
		words = append(words, t.text)
		p.i++
	}
}

func (p *parser) checkTarget(e *Event, v *Value, t token) *SpecError {
	switch e.ID.Name {
	case "trace":
		if v.Quoted || isVariable(v.Text) {
			return nil
		}
		canonical, err := p.component(v.Text, t)
		if err != nil {
			return err
		}
		v.Text = canonical
	case "kg_event":
		n, ok := parseEventNumber(v.Text)
		if !ok && !isVariable(v.Text) {
			return p.fail(t, 49164, "Event number is invalid")
		}
		if ok {
			v.Text = fmt.Sprint(n)
		}
	case "wait_event":
		if len(v.Text) > 64 {
			return p.tooLong(t, v.Text)
		}
		if !v.Quoted && strings.EqualFold(v.Text, "all") {
			v.Text = "all"
		}
	}
	return nil
}

func (p *parser) tooLong(t token, s string) *SpecError {
	return p.fail(t, 49110, "Parameter value [%s] length is longer than maximum allowed", s)
}

// component returns the catalogue's spelling of `lib.comp`, `comp`, either
// with `.*`. A component that the 19c lists do not have is kept as written:
// other releases have others. An unknown prefix is ORA-49109 (assumed).
func (p *parser) component(s string, t token) (string, *SpecError) {
	base, star := strings.CutSuffix(s, ".*")
	tail := ""
	if star {
		tail = ".*"
	}
	lib, name, dotted := strings.Cut(base, ".")
	if !dotted {
		if c, ok := catalog.LookupComponent(base); ok {
			return c.Name + tail, nil
		}
		if catalog.IsLibrary(base) && star {
			return strings.ToLower(base) + tail, nil
		}
		return base + tail, nil
	}
	if !catalog.IsLibrary(lib) {
		return s, p.fail(t, 49109, "Library Name [%s] not found", strings.ToUpper(lib))
	}
	if c, ok := catalog.LookupComponent(name); ok {
		name = c.Name
	}
	return strings.ToLower(lib) + "." + name + tail, nil
}

func (p *parser) scope(e *Event) *SpecError {
	open := p.next()
	name := p.peek()
	sc, ok := catalog.LookupScope(name.text)
	if name.kind != tokWord || !ok || !p.peekAt(1).is(":") {
		return p.fail(name, 49162, "[%s] is not a valid scope", p.scopeName(open, name)).hint("scopes are [sql: sql_id] and [queue: queue_name]")
	}
	p.i += 2
	s := &Scope{Name: sc.Name}
	for {
		v, t, err := p.item("]", "|")
		if err != nil {
			return err
		}
		if v.Text == "" {
			return p.fail(t, 49114, "Target not specified for scope [%s]", strings.ToUpper(sc.Name))
		}
		if err := p.checkScope(sc, &v, t); err != nil {
			return err
		}
		s.Values = append(s.Values, v)
		if sc.Name == "sql" && len(s.Values) > maxSQLIDs {
			return p.fail(t, 49165, "Too many arguments for event [%s]", p.eventName()).hint("at most %d sql_ids fit into one scope; split them over several events", maxSQLIDs)
		}
		if p.accept("|") {
			continue
		}
		if !p.accept("]") {
			return p.failEnd(p.peek()).hint("close the bracket that opens at column %d", open.pos+1)
		}
		e.Scope = s
		return nil
	}
}

// scopeName is what the message shows: the word before ":" or the whole text.
func (p *parser) scopeName(open, name token) string {
	if name.kind == tokWord && p.peekAt(1).is(":") {
		return name.text
	}
	return p.bracketText(open)
}

// sqlIDAlphabet is base 32 as Oracle writes it, without e, i, l and o.
const sqlIDAlphabet = "0123456789abcdfghjkmnpqrstuvwxyz"

func (p *parser) checkScope(sc catalog.Scope, v *Value, t token) *SpecError {
	if sc.Name != "sql" || isVariable(v.Text) {
		return nil
	}
	id := strings.ToLower(v.Text)
	if len(id) > sc.Param.Max {
		return p.tooLong(t, v.Text)
	}
	if len(id) != 13 || strings.Trim(id, sqlIDAlphabet) != "" {
		return p.fail(t, 49116, "SQL ID string [%s] is invalid", v.Text).hint("a sql_id has 13 characters, digits and letters without e, i, l, o")
	}
	*v = Value{Text: id}
	return nil
}

func (p *parser) filter() (Filter, *SpecError) {
	var f Filter
	open := p.next()
	if p.peek().is("}") {
		return f, p.fail(open, 49158, "Empty Filter Specification")
	}
	for {
		term, err := p.filterTerm(open, f.Alternatives)
		if err != nil {
			return f, err
		}
		f.Alternatives = append(f.Alternatives, term)
		if p.accept("|") {
			continue
		}
		if !p.accept("}") {
			t := p.peek()
			if t.kind != tokEnd {
				return f, p.fail(t, 49104, "[%s] is not a valid argument for filter [%s]", t.text, term.Name)
			}
			return f, p.failEnd(t).hint("close the brace that opens at column %d", open.pos+1)
		}
		return f, nil
	}
}

// filterTerm parses `name: params`. Behind "|" the name may be left out, as in
// {process : pname = dw | pname = dm} (facts/oradebug.md 3.2, seen).
func (p *parser) filterTerm(open token, before []FilterTerm) (FilterTerm, *SpecError) {
	if len(before) > 0 && p.peek().kind == tokWord && p.peekAt(1).is("=") {
		cat, _ := catalog.LookupFilter(before[0].Name)
		return p.filterArgs(cat)
	}
	name := p.next()
	if name.kind == tokEnd {
		return FilterTerm{}, p.failEnd(name).hint("close the brace that opens at column %d", open.pos+1)
	}
	cat, ok := catalog.LookupFilter(name.text)
	if name.kind != tokWord || !ok {
		err := p.fail(name, 49169, "Event [%s] is not a valid filter", name.text)
		if strings.HasPrefix(strings.ToLower(name.text), "occur") {
			return FilterTerm{}, err.hint("Oracle spells it occurence, with one r: {occurence:1,1}")
		}
		return FilterTerm{}, err.hint("filters look like {process: pname = p000}")
	}
	if !p.accept(":") {
		return FilterTerm{}, p.fail(p.peek(), 49169, "Event [%s] is not a valid filter", name.text).hint("put ':' behind the filter's name: {%s: …}", cat.Name)
	}
	if t := p.peek(); t.is("}") || t.is("|") {
		return FilterTerm{}, p.fail(t, 49158, "Empty Filter Specification")
	}
	return p.filterArgs(cat)
}

func (p *parser) filterArgs(cat catalog.Filter) (FilterTerm, *SpecError) {
	l := argList{kind: "filter", name: cat.Name, params: cat.Params, open: cat.Open, until: []string{"}", "|"}}
	args, err := p.args(l, 0)
	return FilterTerm{Name: cat.Name, Args: args}, err
}
