package oradebug

import "strings"

// ringOff releases the ring of the target process; it also flushes what the
// ring holds (facts/oradebug.md 3.6, 4).
const ringOff = "immediate trace name trace_buffer_off"

// TurnOff returns the event texts that undo the spec, in the order to send
// them: error events, then named ones, then the ring, so that no late error
// meets a missing buffer (facts/oradebug.md 3.6). The forms of 11g and later
// come first; what was set in the old style is followed by its old forms as a
// second try. Nothing undoes what is done at once; such events give no text.
func (s Spec) TurnOff() []string { return s.TurnOffFor(Release{}) }

// TurnOffFor is TurnOff for a release: before 11g the old forms alone.
func (s Spec) TurnOffFor(rel Release) []string {
	var numbers, names, old, ring []string
	for i := range s.Events {
		e := &s.Events[i]
		if e.RingOn() {
			ring = appendNew(ring, ringOff)
		}
		if e.Immediate || e.Off {
			continue
		}
		if !rel.OldParser() {
			if e.ID.Kind == KindName {
				names = appendNew(names, e.offNew())
			} else {
				numbers = appendNew(numbers, e.offNew())
			}
		}
		for _, o := range e.offOld() {
			old = appendNew(old, o)
		}
	}
	out := append(numbers, names...)
	for _, o := range old {
		out = appendNew(out, o)
	}
	return append(out, ring...)
}

// TurnOff returns the texts that undo this event alone; see Spec.TurnOff.
func (e *Event) TurnOff() []string { return Spec{Events: []Event{*e}}.TurnOff() }

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

// offNew is `id[target] [scope] off`. Filters are left out: one event has one
// filter set at a time (facts/oradebug.md 3.1).
func (e *Event) offNew() string {
	bare := Event{ID: e.ID, Target: e.Target, Scope: e.Scope, Off: true}
	return bare.String()
}

// offOld is `id trace name X off`, one text a name, for the old style only.
func (e *Event) offOld() []string {
	if e.Verb == "" {
		return nil
	}
	if e.Verb != "trace" {
		return []string{e.idText() + " " + e.Verb + " off"}
	}
	var out []string
	for i := range e.Actions {
		out = append(out, e.idText()+" trace name "+e.Actions[i].Name+" off")
	}
	return out
}

// OffMatch says how well an off form fits what it is meant to turn off.
type OffMatch uint8

// The grades. OffDoubtful is a form seen in the wild whose effect is
// unproven, such as `942 trace name context off` for an errorstack; OffPart
// turns off some of several old-style names.
const (
	OffNone OffMatch = iota
	OffDoubtful
	OffPart
	OffFull
)

// String returns a word for the grade.
func (m OffMatch) String() string { return [...]string{"none", "doubtful", "part", "full"}[m] }

// MatchOff grades off against on (facts/oradebug.md 3.6, 7 #18).
func MatchOff(on, off *Event) OffMatch {
	if off.Immediate || !off.Off || on.Off || on.Immediate || on.Key() != off.Key() {
		return OffNone
	}
	if off.Verb == "" { // `942 off`
		return OffFull
	}
	onNames := on.actionNames()
	// `10046 level 12` is `10046 trace name context forever, level 12`, and
	// sql_trace is 10046 (facts/oradebug.md 5, 3.3).
	if _, mapped := on.mapping(); mapped || on.ID.Name == "sql_trace" || len(on.Actions) == 0 {
		onNames = []string{"context"}
	}
	hit := 0
	for _, n := range onNames {
		for i := range off.Actions {
			if off.Actions[i].Name == n {
				hit++
				break
			}
		}
	}
	switch {
	case hit == len(onNames):
		return OffFull
	case hit > 0:
		return OffPart
	}
	return OffDoubtful
}

func (e *Event) actionNames() []string {
	var out []string
	for i := range e.Actions {
		out = append(out, strings.ToLower(e.Actions[i].Name))
	}
	return out
}
