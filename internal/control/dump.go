package control

import (
	"slices"
	"strings"

	"ringtrace/internal/journal"
	"ringtrace/oradebug"
)

// ours are the events of a campaign as they are compared with eventdump. A
// campaign shows the same few lines in every session, so each text is parsed
// once.
type ours struct {
	sent  []journal.Event // the ring is part of sql_trace
	specs []*shown        // of sent
	memo  map[string]*shown
}

// shown is an eventdump line or a spec as it is compared.
type shown struct {
	id      string   // number or name, mapped numbers and aliases resolved (facts/oradebug.md 3.3)
	normal  string   // comparable text, without what counts down while an event fires
	actions []string // their comparable texts, without lifetime
}

// memoSize bounds how many texts are remembered.
const memoSize = 4096

func newOurs(events []journal.Event) *ours {
	o := &ours{memo: map[string]*shown{}}
	for _, e := range events {
		if e.Kind != "ring" {
			o.sent = append(o.sent, e)
			o.specs = append(o.specs, o.read(e.Spec))
		}
	}
	return o
}

// read parses a text, or remembers it.
func (o *ours) read(text string) *shown {
	if s := o.memo[text]; s != nil {
		return s
	}
	if len(o.memo) >= memoSize {
		clear(o.memo)
	}
	s := readShown(text)
	o.memo[text] = s
	return s
}

func readShown(text string) *shown {
	spec, err := oradebug.ParseSpec(text)
	if err != nil || len(spec.Events) == 0 {
		word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		word, _, _ = strings.Cut(word, "[")
		return &shown{id: strings.ToLower(word), normal: strings.ToLower(strings.Join(strings.Fields(text), " "))}
	}
	id, _, _ := strings.Cut(spec.Events[0].Key(), "[")
	s := &shown{id: strings.TrimSpace(id)}
	for i := range spec.Events {
		e := &spec.Events[i]
		for j := range e.Actions {
			a := &e.Actions[j]
			kept := a.Args[:0:0]
			for _, p := range a.Args {
				if p.Name != "lifetime" {
					kept = append(kept, p)
				}
			}
			a.Args = kept
			one := *e
			one.Filters, one.Actions = nil, e.Actions[j:j+1]
			s.actions = append(s.actions, one.Normal())
		}
		s.normal += e.Normal() + ":"
	}
	return s
}

// id returns what a line is about.
func (o *ours) id(line string) string { return o.read(line).id }

// spec returns the index of the event that a line is about, -1 for none.
func (o *ours) spec(line string) int {
	id := o.id(line)
	for i, s := range o.specs {
		if s.id == id {
			return i
		}
	}
	return -1
}

// same compares as facts/oradebug.md 6 says.
func (o *ours) same(a, b string) bool { return a == b || o.read(a).normal == o.read(b).normal }

// has reports whether a line is about one of our ids.
func (o *ours) has(line string) bool { return o.spec(line) >= 0 }

// filter returns the lines about our ids.
func (o *ours) filter(lines []string) []string {
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
func (o *ours) fresh(before, after []string) (lines, missing []string) {
	lines = []string{}
	for i, e := range o.sent {
		found := false
		for _, l := range after {
			if s := o.read(l); s.id == o.specs[i].id && (!slices.Contains(before, l) || s.normal == o.specs[i].normal) {
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
func (o *ours) reworded(lines []string) []string {
	var out []string
	for _, l := range lines {
		if i := o.spec(l); i >= 0 && o.read(l).normal != o.specs[i].normal {
			out = append(out, l)
		}
	}
	return out
}

// mine decides whether a line in an eventdump is what the campaign set:
// recorded are the texts that eventdump showed when it was armed. Where no
// outcome says what was set (uncertain), a line that can be what is left of
// ours, and was not there before, is taken to be ours.
func (o *ours) mine(line string, recorded, before []string, uncertain, halfOff bool) bool {
	i := o.spec(line)
	if i < 0 {
		return false
	}
	for _, r := range recorded {
		if o.same(line, r) {
			return true
		}
	}
	if slices.Contains(before, line) {
		return false
	}
	if o.read(line).normal == o.specs[i].normal {
		return true
	}
	return uncertain && o.resembles(line, i, halfOff)
}

// anyMine reports whether one of the lines is what the campaign set.
func (o *ours) anyMine(lines, recorded, before []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return o.mine(l, recorded, before, false, false) })
}

// resembles reports whether line can be what is left of ours: it holds the
// first action of the spec, unless an undo was begun and may have taken that
// away already, and none that the spec has not. Another owner's errorstack is of
// another level, or nobody can tell it from ours.
func (o *ours) resembles(line string, i int, halfOff bool) bool {
	want := o.specs[i].actions
	if len(want) == 0 || o.sent[i].Kind != "error" {
		return true
	}
	s := o.read(line)
	for _, a := range s.actions {
		if !slices.Contains(want, a) {
			return false
		}
	}
	return halfOff || len(s.actions) == 0 || slices.Contains(s.actions, want[0])
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
