package oradebug

// DefaultRingLevel is the size in bytes that trace_buffer_on asks for when
// none is given: one byte (facts/oradebug.md 0.6).
const DefaultRingLevel = 1

// RingOn reports whether the event turns a trace buffer on.
func (e *Event) RingOn() bool { return e.ringAction() != nil }

// RingBytes returns the size in bytes asked for by an event that turns a
// trace buffer on. given is false where the text names no size, so that
// Oracle takes DefaultRingLevel; a variable counts as given, with 0 bytes.
func (e *Event) RingBytes() (bytes uint64, given, ok bool) {
	a := e.ringAction()
	if a == nil {
		return 0, false, false
	}
	text, given := a.Arg("level")
	if !given {
		return DefaultRingLevel, false, true
	}
	n, _ := parseUint(text, 64)
	return n, true, true
}

// RingOff reports whether the event releases the ring at once:
// `immediate trace name trace_buffer_off`. As an action of an error event it
// releases the ring only when the error comes.
func (e *Event) RingOff() bool { return e.Immediate && e.hasAction("trace_buffer_off") }

// RingOffOnFire reports whether meeting the event releases the ring.
func (e *Event) RingOffOnFire() bool {
	return !e.Immediate && !e.Off && e.hasAction("trace_buffer_off")
}

func (e *Event) ringAction() *Action {
	for i := range e.Actions {
		if e.Actions[i].Name == "trace_buffer_on" {
			if _, off := e.Actions[i].Arg("off"); !off {
				return &e.Actions[i]
			}
		}
	}
	return nil
}

func (e *Event) hasAction(name string) bool {
	for i := range e.Actions {
		if e.Actions[i].Name == name {
			return true
		}
	}
	return false
}

// Bounded reports whether the event can fire only a limited number of times:
// an {occurence: …} filter with an end, or a lifetime on every action that
// dumps. Turning the ring off bounds itself.
func (e *Event) Bounded() bool {
	for _, f := range e.Filters {
		for _, t := range f.Alternatives {
			if _, ends := paramText(t.Args, "end_after"); ends && t.Name == "occurence" {
				return true
			}
		}
	}
	if _, ok := e.Param("lifetime"); ok {
		return true
	}
	for i := range e.Actions {
		a := &e.Actions[i]
		if a.Name == "trace_buffer_off" || a.Name == "trace_buffer_on" {
			continue
		}
		if _, ok := a.Arg("lifetime"); !ok {
			return false
		}
	}
	return len(e.Actions) > 0
}
