package plan

import (
	"fmt"
	"strings"
)

// Kind says what an event is for. The words are part of the contract.
type Kind string

// The kinds of events.
const (
	KindError    Kind = "error"
	KindSQLTrace Kind = "sql_trace"
	KindRing     Kind = "ring"
)

// Event is one thing set in a session, and how it is taken back.
type Event struct {
	Kind Kind   `json:"kind"`
	Ora  *int   `json:"ora"` // the error number; null for sql_trace and ring
	Spec string `json:"spec"`
	// Off holds the forms that turn it off, the one to try first in front
	// (facts/oradebug.md 3.6).
	Off []string `json:"off"`
}

// ringOff flushes what the ring holds and frees it (facts/oradebug.md 4).
const ringOff = "immediate trace name trace_buffer_off"

// Events returns what is set in each session, in the order it is set: first
// sql_trace, whose action allocates the ring, then one event an error. The ring
// has an entry of its own, because it is turned off on its own; its Spec is
// part of sql_trace's and is not sent again.
//
// The texts are the founding ones (facts/founding.md 1), [reported] in use on
// 11g. `lifetime n` behind the errorstack spec bounds it [assumed: the qualifier
// is seen in facts/oradebug.md 3.5, its effect on errorstack is for `drill`].
//
// In FormFlush the ring's own event is sent, before sql_trace.
func Events(o Options) []Event {
	if o.Form == FormFlush && !o.NoRing {
		return flushEvents(o)
	}
	trace := fmt.Sprintf("sql_trace wait=%t, bind=%t", o.Waits, o.Binds)
	if o.PlanStat != "" {
		trace += ", plan_stat=" + o.PlanStat
	}
	ring := fmt.Sprintf("trace_buffer_on(%d)", o.Ring)
	if !o.NoRing {
		trace += " " + ring
	}
	events := []Event{{Kind: KindSQLTrace, Spec: trace, Off: []string{"sql_trace off", "10046 trace name context off"}}}
	if !o.NoRing {
		events = append(events, Event{Kind: KindRing, Spec: ring, Off: []string{ringOff}})
	}
	for _, ora := range o.Ora {
		events = append(events, errorEvent(o, ora))
	}
	return events
}

// flushEvents: the ring by an immediate event, the error events with their
// errorstack alone, which writes the ring (reported, facts/oradebug.md 4).
func flushEvents(o Options) []Event {
	plain := o
	plain.NoRing, plain.Form = true, ""
	ring := Event{Kind: KindRing, Spec: fmt.Sprintf("immediate trace name trace_buffer_on level %d", o.Ring), Off: []string{ringOff}}
	return append([]Event{ring}, Events(plain)...)
}

// Immediate reports whether a ring's spec is an event of its own, to be sent.
func Immediate(spec string) bool { return strings.HasPrefix(spec, "immediate ") }

func errorEvent(o Options, ora int) Event {
	e := Event{Kind: KindError, Ora: &ora, Off: []string{fmt.Sprintf("%d off", ora)}}
	stack := fmt.Sprintf("name errorstack level %d", o.Errorstack)
	if o.MaxFires > 0 {
		stack += fmt.Sprintf(", lifetime %d", o.MaxFires)
	}
	const flush = "name trace_buffer_off"
	old := func(dump string) string { return fmt.Sprintf("%d trace name %s off", ora, dump) }
	switch {
	case o.NoRing:
		e.Spec = fmt.Sprintf("%d trace %s", ora, stack)
		e.Off = append(e.Off, old("errorstack"))
	case o.Errorstack == NoErrorstack:
		e.Spec = fmt.Sprintf("%d trace %s", ora, flush)
		e.Off = append(e.Off, old("trace_buffer_off"))
	default:
		e.Spec = fmt.Sprintf("%d trace %s; %s", ora, flush, stack)
		e.Off = append(e.Off, old("trace_buffer_off"), old("errorstack"))
	}
	return e
}

// SetLines returns the event texts that are sent to arm a session, in order.
func SetLines(events []Event) []string {
	var lines []string
	for _, e := range events {
		if e.Kind != KindRing || Immediate(e.Spec) {
			lines = append(lines, e.Spec)
		}
	}
	return lines
}

// OffLines returns the texts that are sent to disarm a session: first the
// errors, so that none fires into a missing buffer, then sql_trace, then the
// ring (facts/oradebug.md 3.6). again holds the second try in the older forms;
// the ring has none.
func OffLines(events []Event) (session, ring, again []string) {
	for _, kind := range []Kind{KindError, KindSQLTrace} {
		for _, e := range events {
			if e.Kind == kind && len(e.Off) > 0 {
				session = append(session, e.Off[0])
				again = append(again, e.Off[1:]...)
			}
		}
	}
	for _, e := range events {
		if e.Kind == KindRing {
			ring = append(ring, e.Off...)
		}
	}
	return session, ring, again
}
