package control

import (
	"strings"

	"ringtrace/internal/journal"
	"ringtrace/oradebug"
)

// ours are the events of a campaign as they are compared with eventdump.
type ours []journal.Event

// idOf returns what an eventdump line or a spec is about: the number or name,
// mapped numbers and aliases resolved (facts/oradebug.md 3.3), without target
// and scope.
func idOf(line string) string {
	spec, err := oradebug.ParseSpec(line)
	if err != nil || len(spec.Events) == 0 {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		word, _, _ = strings.Cut(word, "[")
		return strings.ToLower(word)
	}
	id, _, _ := strings.Cut(spec.Events[0].Key(), "[")
	return strings.TrimSpace(id)
}

// sent are the events that are sent; the ring is part of sql_trace.
func (o ours) sent() []journal.Event {
	var out []journal.Event
	for _, e := range o {
		if e.Kind != "ring" {
			out = append(out, e)
		}
	}
	return out
}

// has reports whether a line is about one of our ids.
func (o ours) has(line string) bool {
	id := idOf(line)
	for _, e := range o.sent() {
		if idOf(e.Spec) == id {
			return true
		}
	}
	return false
}

// filter returns the lines about our ids.
func (o ours) filter(lines []string) []string {
	out := []string{}
	for _, l := range lines {
		if o.has(l) {
			out = append(out, l)
		}
	}
	return out
}

// fresh returns the lines about our ids in after that were not in before, and
// the specs for which there is none. That difference is the proof.
func (o ours) fresh(before, after []string) (lines, missing []string) {
	lines = []string{}
	for _, e := range o.sent() {
		found := false
		for _, l := range after {
			if idOf(l) == idOf(e.Spec) && (!containsLine(before, l) || sameEvent(l, e.Spec)) {
				lines = append(lines, l)
				found = true
			}
		}
		if !found {
			missing = append(missing, e.Spec)
		}
	}
	return lines, missing
}

// reworded says where eventdump shows another text than was sent: a note, no
// failure.
func (o ours) reworded(lines []string) []string {
	var out []string
	for _, e := range o.sent() {
		for _, l := range lines {
			if idOf(l) == idOf(e.Spec) && !sameEvent(l, e.Spec) {
				out = append(out, l)
			}
		}
	}
	return out
}

// mine decides whether a line in an eventdump is what the campaign set:
// recorded are the texts that eventdump showed when it was armed. Where no
// outcome says what was set (uncertain), every line about our ids that was not
// there before is taken to be ours.
func (o ours) mine(line string, recorded, before []string, uncertain, halfOff bool) bool {
	if !o.has(line) {
		return false
	}
	for _, r := range recorded {
		if sameEvent(line, r) {
			return true
		}
	}
	for _, e := range o.sent() {
		if sameEvent(line, e.Spec) {
			return !containsLine(before, line)
		}
	}
	return uncertain && !containsLine(before, line) && o.resembles(line, halfOff)
}

// resembles reports whether line can be what is left of ours: it holds the
// first action of the spec, which another owner's errorstack does not, unless
// an undo was begun and may have taken that action away already.
func (o ours) resembles(line string, halfOff bool) bool {
	if halfOff {
		return true
	}
	for _, e := range o.sent() {
		if idOf(e.Spec) != idOf(line) {
			continue
		}
		spec, err := oradebug.ParseSpec(e.Spec)
		if err != nil || len(spec.Events[0].Actions) == 0 || e.Kind != "error" {
			return true
		}
		shown, err := oradebug.ParseSpec(line)
		if err != nil {
			return true
		}
		for _, a := range shown.Events[0].Actions {
			if a.Name == spec.Events[0].Actions[0].Name {
				return true
			}
		}
	}
	return false
}

func containsLine(list []string, line string) bool {
	for _, l := range list {
		if l == line {
			return true
		}
	}
	return false
}

// sameEvent compares as facts/oradebug.md 6 says, and leaves out what counts
// down while an event fires.
func sameEvent(a, b string) bool {
	x, err1 := oradebug.ParseSpec(a)
	y, err2 := oradebug.ParseSpec(b)
	if err1 != nil || err2 != nil {
		return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
	}
	return uncounted(x).Equal(uncounted(y))
}

func uncounted(s oradebug.Spec) oradebug.Spec {
	for i := range s.Events {
		for j := range s.Events[i].Actions {
			a := &s.Events[i].Actions[j]
			kept := a.Args[:0:0]
			for _, p := range a.Args {
				if p.Name != "lifetime" {
					kept = append(kept, p)
				}
			}
			a.Args = kept
		}
	}
	return s
}

// dumpLines reads the answer to eventdump: its lines, or none.
func dumpLines(r *oradebug.Reply) (lines []string, ok bool) {
	switch r.Kind {
	case oradebug.ReplyEvents:
		return r.Events, true
	case oradebug.ReplyProcessed, oradebug.ReplyEmpty:
		return []string{}, true
	}
	return nil, false
}
