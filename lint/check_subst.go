package lint

import (
	"bytes"
	"strings"
)

// substitutions reports references to variables that nobody has defined.
func (c *checker) substitutions(it *item) {
	set := &c.lex.set
	if set.define == 0 || c.kind == KindLog || c.kind == KindMarkdown || c.kind == KindProse {
		return
	}
	b := it.text.b
	for i := 0; ; {
		r, ok := nextReference(b, i, set)
		if !ok {
			return
		}
		i = r.end
		c.reference(it, r)
	}
}

func (c *checker) reference(it *item, r reference) {
	v := c.vars.lookup(r.name)
	if v != nil && (v.known || v.from == fromAccept) || v == nil && predefined(r.name) {
		return
	}
	p := it.text.at(r.at)
	shown := string(refText(c.lex.set.define, r))
	switch {
	case v != nil && v.from == fromNewValue:
		if it.class == classOradebug {
			c.add("RT045", p, "%s stays undefined if the query that fills it returns no row", shown).as(Info).
				fix("DEFINE a harmless value first, and let an aggregate query fill it: it always returns one row")
		}
		return
	case r.name[0] >= '0' && r.name[0] <= '9' && len(bytes.Trim(r.name, "0123456789")) == 0:
		if it.class == classOradebug {
			c.add("RT045", p, "%s is a parameter of the script", shown).as(Info).
				fix("call the script with it, or write the value down")
		}
		return
	}
	switch {
	case it.kind == itemComment:
		c.add("RT045", p, "%s in a comment: SQL*Plus may ask for a value and eat the next line", shown)
	default:
		c.add("RT045", p, "%s is not defined here: SQL*Plus asks for a value, and on a pipe eats the next line", shown)
	}
	if r.double { // && defines it from here on
		c.vars.byName[strings.ToLower(string(r.name))] = &variable{from: fromAccept}
	}
}

// predefined names the variables that SQL*Plus sets itself.
func predefined(name []byte) bool {
	if name[0] != '_' {
		return false
	}
	switch strings.ToLower(string(name)) {
	case "_user", "_connect_identifier", "_date", "_editor", "_o_release", "_o_version", "_privilege", "_sqlplus_release":
		return true
	}
	return false
}

func refText(define byte, r reference) []byte {
	out := []byte{define}
	if r.double {
		out = append(out, define)
	}
	return append(out, r.name...)
}

// expand replaces the variables whose values are known. An unknown one is
// written as &name, which the language package takes for a variable. Where a
// guard query may put in several command words, the one that sets something
// is taken. The result is valid until the next call.
func (c *checker) expand(t *text) text {
	set := &c.lex.set
	r, ok := nextReference(t.b, 0, set)
	if !ok {
		return *t
	}
	out := text{b: c.expanded[:0], parts: c.expandedParts[:0]}
	at := 0
	mark := func(from int) {
		p := t.at(min(from, max(0, len(t.b)-1)))
		out.parts = append(out.parts, part{start: len(out.b), line: p.line, col: p.column - 1, off: p.off})
	}
	mark(0)
	for ; ok; r, ok = nextReference(t.b, at, set) {
		out.b = append(out.b, t.b[at:r.at]...)
		mark(r.at)
		if v := c.vars.lookup(r.name); v != nil && v.known && len(out.b) < len(t.b)+maxExpansion {
			out.b = append(out.b, v.effective()...)
		} else {
			out.b = append(out.b, '&')
			out.b = append(out.b, r.name...)
		}
		at = r.end
		mark(at)
	}
	out.b = append(out.b, t.b[at:]...)
	c.expanded, c.expandedParts = out.b, out.parts
	return out
}

// maxExpansion bounds by how much variables make a line longer, in bytes.
// SQL*Plus has a limit of 3,000 after substitution (facts/oradebug.md 1.1);
// without one, values that hold values grow beyond any memory.
const maxExpansion = 64 << 10

// effective is the value that does most: a guard that answers session_event or
// help is followed as session_event.
func (v *variable) effective() string {
	for _, w := range v.maybe {
		if !strings.EqualFold(w, "help") {
			return w
		}
	}
	return v.value
}
