package oradebug

import (
	"strings"

	"ringtrace/oradebug/catalog"
)

// mapping returns the catalogue's entry if the event is a mapped number.
func (e *Event) mapping() (catalog.Mapped, bool) {
	switch {
	case e.ID.Kind == KindNumber || e.ID.Kind == KindAlias:
		return catalog.LookupMapped(e.ID.Number)
	case e.ID.Name == "kg_event" && len(e.Target) == 1:
		if n, ok := parseEventNumber(e.Target[0].Text); ok {
			return catalog.LookupMapped(n)
		}
	}
	return catalog.Mapped{}, false
}

// Mapped returns the text that 11g and later store for a mapped number
// (10046 10053 10298 10299 10730), and whether the event is one. A level
// other than 10046's is not part of the stored text (facts/oradebug.md 3.3).
// An event that has actions of its own besides `context` is not turned into
// a named one here: what becomes of them is not published.
func (e *Event) Mapped() (string, bool) {
	m, ok := e.mapping()
	if !ok || e.extraActions() || e.Scope != nil || len(e.Filters) > 0 {
		return "", false
	}
	if e.Off {
		return m.Off, true
	}
	return e.mappedOn(m), true
}

// mappedText is what ORA-49160 advises to use.
func (e *Event) mappedText() (string, bool) {
	m, ok := e.mapping()
	if !ok {
		return "", false
	}
	return e.mappedOn(m), true
}

func (e *Event) mappedOn(m catalog.Mapped) string {
	if strings.HasSuffix(m.On, "level=") {
		return m.On + e.Level()
	}
	return m.On
}

func (e *Event) extraActions() bool {
	for i := range e.Actions {
		if e.Verb != "trace" || e.Actions[i].Name != "context" {
			return true
		}
	}
	return false
}

// Level returns the event's own level as text: the `level` parameter or that
// of `trace name context`, "1" if none is given (facts/oradebug.md 3.1).
func (e *Event) Level() string {
	if l, ok := e.Param("level"); ok {
		return canonicalNumber(l)
	}
	for i := range e.Actions {
		if e.Verb == "trace" && e.Actions[i].Name == "context" {
			if l, ok := e.Actions[i].Arg("level"); ok {
				return canonicalNumber(l)
			}
		}
	}
	return "1"
}
