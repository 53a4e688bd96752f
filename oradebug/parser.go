package oradebug

import (
	"fmt"
	"strconv"
	"strings"

	"ringtrace/oradebug/catalog"
)

// ParseSpec parses an event text as 11g and later read it. The error is a
// *SpecError with the column and the error that Oracle would raise; which
// ORA-491xx belongs to which fault is assumed where facts/oradebug.md 2.4
// marks it I. The Spec holds the events before the faulty one.
func ParseSpec(text string) (Spec, error) { return ParseSpecFor(text, Release{}) }

// ParseSpecFor parses for a release: before 11g only the old style is known
// and every refusal is ORA-02194 (facts/oradebug.md 2.4, 9).
func ParseSpecFor(text string, rel Release) (Spec, error) {
	p := &parser{text: text, rel: rel}
	spec, err := p.parse()
	if err == nil {
		return spec, nil
	}
	err.Text = text
	if rel.OldParser() {
		err.oldParser()
	} else if err.Hint == "" {
		err.Hint = defaultHint(err.ORA)
	}
	return spec, err
}

// oldParser turns a refusal into 10.2's. The two internal numbers are those
// of the one real line that is known; what they mean is not published.
func (e *SpecError) oldParser() {
	near := strings.TrimSpace(e.Text[min(e.Column-1, len(e.Text)):])
	if i := strings.IndexAny(near, " \t\n"); i > 0 {
		near = near[:i]
	}
	if e.Hint == "" {
		e.Hint = e.Message
	}
	e.ORA = 2194
	e.Message = fmt.Sprintf("event specification syntax error 231 (minor error 283) near '%s'", near)
}

// maxNesting bounds actions inside actions. Oracle has a limit too
// (ORA-49172); its value is not published.
const maxNesting = 8

type parser struct {
	text string
	rel  Release
	toks []token
	i    int
	// id is the event being parsed, for messages.
	id EventID
}

// eventName is how messages name the event being parsed.
func (p *parser) eventName() string {
	switch p.id.Kind {
	case KindNumber:
		return strconv.Itoa(p.id.Number)
	case KindAlias:
		return p.id.Alias
	}
	return p.id.Name
}

func (p *parser) peek() token { return p.toks[p.i] }

func (p *parser) peekAt(n int) token {
	if p.i+n >= len(p.toks) {
		return p.toks[len(p.toks)-1]
	}
	return p.toks[p.i+n]
}

func (p *parser) next() token {
	t := p.toks[p.i]
	if t.kind != tokEnd {
		p.i++
	}
	return t
}

func (p *parser) accept(punct string) bool {
	if p.peek().is(punct) {
		p.i++
		return true
	}
	return false
}

func (p *parser) fail(t token, ora int, format string, args ...any) *SpecError {
	return &SpecError{Column: t.pos + 1, ORA: ora, Message: fmt.Sprintf(format, args...)}
}

func (e *SpecError) hint(format string, args ...any) *SpecError {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

func (p *parser) failEnd(t token) *SpecError {
	return p.fail(t, 49107, "Passed end of string while parsing")
}

func (p *parser) parse() (Spec, *SpecError) {
	var spec Spec
	toks, err := lex(p.text)
	if err != nil {
		return spec, err
	}
	p.toks = toks
	for {
		e, err := p.event()
		if err != nil {
			return spec, err
		}
		spec.Events = append(spec.Events, e)
		if p.accept(":") {
			continue
		}
		if p.peek().is(";") && p.peekAt(1).kind == tokEnd {
			p.i++
			spec.Semicolon = true
		}
		if t := p.peek(); t.kind != tokEnd {
			return spec, p.trailing(&spec.Events[len(spec.Events)-1], t)
		}
		return spec, nil
	}
}

// trailing says what is wrong with text behind a complete event.
func (p *parser) trailing(e *Event, t token) *SpecError {
	switch {
	case t.is(";") && p.peekAt(1).word("name"):
		err := p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t))
		err.Mixed = true
		return err.hint("`; name …` belongs to the old style `trace name … ; name …`; new-style actions are parted by blanks")
	case t.is(";"):
		return p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t)).hint("join events with ':', give each its own line, or drop the ';'")
	case t.is(","):
		return p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t)).hint("actions are parted by blanks, not by ','")
	case t.is("[") || t.is("{"):
		if use, ok := e.mappedText(); ok {
			return mappedError(e, use)
		}
		return p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t)).hint("scope and filters stand behind the event's name, before the parameters")
	case t.word("immediate"):
		return p.fail(t, 49166, "Keyword IMMEDIATE must be at the beginning of event string")
	case e.Off:
		return p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t)).hint("nothing may follow 'off'; join events with ':'")
	}
	return p.fail(t, 49101, "Failed to parse action [%s]", p.rest(t))
}

func (p *parser) rest(t token) string { return strings.TrimSpace(p.text[t.pos:]) }

func (p *parser) event() (Event, *SpecError) {
	t := p.peek()
	e := Event{Column: t.pos + 1}
	if t.word("immediate") {
		return p.immediate(e)
	}
	known, err := p.eventID(&e)
	if err != nil {
		return e, err
	}
	if err := p.brackets(&e, known); err != nil {
		return e, err
	}
	if err := p.body(&e, known); err != nil {
		return e, err
	}
	return e, p.checkMapped(&e)
}

// immediate parses what is done at once: an old-style dump or new-style
// actions.
func (p *parser) immediate(e Event) (Event, *SpecError) {
	first := p.next()
	e.Immediate = true
	e.ID = EventID{Kind: KindName, Name: "immediate"}
	p.id = e.ID
	switch t := p.peek(); {
	case t.kind == tokEnd:
		return e, p.failEnd(t).hint("say what to do: `immediate trace name errorstack level 3`")
	case t.word("trace") && !p.peekAt(1).is("("):
		err := p.oldTrace(&e)
		return e, err
	case p.oldVerb(t):
		err := p.oldQualified(&e)
		return e, err
	}
	if p.rel.OldParser() {
		return e, p.fail(p.peek(), 49101, "Failed to parse action [%s]", p.rest(p.peek()))
	}
	if err := p.actions(&e); err != nil {
		return e, err
	}
	if len(e.Actions) == 0 {
		return e, p.fail(p.peek(), 49101, "Failed to parse action [%s]", p.rest(first))
	}
	return e, nil
}

// oldVerb reports `crash` or `debugger` as a verb of the old style; with
// parentheses they are new-style actions.
func (p *parser) oldVerb(t token) bool {
	return (t.word("crash") || t.word("debugger")) && !p.peekAt(1).is("(")
}

// eventID parses what names the event. The catalogue entry is that of a named
// event, or of kg_event for a number.
func (p *parser) eventID(e *Event) (catalog.Event, *SpecError) {
	t := p.next()
	number := catalog.Event{Name: "kg_event", Library: "generic", Params: catalog.NumberParams()}
	switch {
	case t.kind == tokEnd:
		return number, p.failEnd(t).hint("an event begins with a number or a name: `942 errorstack(3)`")
	case t.kind == tokQuoted:
		return number, p.fail(t, 49163, "Event string must begin with a valid event name/number").hint("ORADEBUG takes the event text without quotes around it")
	case t.kind != tokWord:
		return number, p.fail(t, 49163, "Event string must begin with a valid event name/number")
	case isVariable(t.text):
		e.ID = EventID{Kind: KindVariable, Name: t.text}
		p.id = e.ID
		number.Open = true
		return number, nil
	case startsNumeric(t.text):
		n, ok := parseEventNumber(t.text)
		if !ok {
			return number, p.badNumber(t)
		}
		e.ID = EventID{Kind: KindNumber, Number: n}
		p.id = e.ID
		return number, nil
	}
	return p.namedEvent(e, t)
}

func (p *parser) badNumber(t token) *SpecError {
	err := p.fail(t, 49164, "Event number is invalid")
	if n := strings.TrimLeft(strings.TrimPrefix(t.text, "-"), "0"); n != "" && allDigits(n) && len(n) < 6 {
		return err.hint("write the plain number: %s", n)
	}
	return err.hint("an event number is 1 to 65535, or hexadecimal as 0x291b")
}

func (p *parser) namedEvent(e *Event, t token) (catalog.Event, *SpecError) {
	lib, name := cutLibrary(t.text)
	if lib != "" && !catalog.IsLibrary(lib) {
		return catalog.Event{}, p.fail(t, 49109, "Library Name [%s] not found", strings.ToUpper(lib))
	}
	if ev, ok := catalog.LookupEvent(name); ok && (lib == "" || strings.EqualFold(lib, ev.Library)) {
		if p.rel.OldParser() {
			return ev, p.fail(t, 49108, "Event Name [%s] not found", strings.ToUpper(name)).hint("release %s has no %s event; %s", p.rel, ev.Name, oldWay(ev.Name))
		}
		e.ID = EventID{Kind: KindName, Name: strings.ToLower(ev.Name), Library: strings.ToLower(lib)}
		p.id = e.ID
		return ev, nil
	}
	if a, ok := catalog.LookupAlias(name); ok && lib == "" {
		e.ID = EventID{Kind: KindAlias, Number: a.Number, Alias: a.Name}
		p.id = e.ID
		return catalog.Event{Name: "kg_event", Library: "generic", Params: catalog.NumberParams()}, nil
	}
	err := p.fail(t, 49108, "Event Name [%s] not found", strings.ToUpper(name))
	switch {
	case strings.HasPrefix(strings.ToUpper(t.text), "ORA-"):
		if n := strings.TrimLeft(t.text[4:], "0"); allDigits(n) && n != "" {
			return catalog.Event{}, err.hint("write the plain number: %s", n)
		}
	case isActionName(name):
		return catalog.Event{}, err.hint("%s is an action: name the error before it, as in `942 %s(3)`, or write `immediate %s(3)`", strings.ToLower(name), strings.ToLower(name), strings.ToLower(name))
	}
	if s := nearest(strings.ToLower(name), eventNames()); s != "" {
		return catalog.Event{}, err.hint("did you mean %s?", s)
	}
	return catalog.Event{}, err
}

func oldWay(name string) string {
	if name == "sql_trace" {
		return "use `10046 trace name context forever, level 12`"
	}
	return "only numbers are known there"
}
