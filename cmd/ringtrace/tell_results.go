package main

import (
	"fmt"
	"strings"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
)

// teller says on stderr what became of each session, if it is worth it. What
// many sessions have in common is said for the first of them, and counted.
type teller struct {
	rt    *runtime
	more  map[alike]int // how many were like the first
	order []alike
}

// alike is what sessions have in common.
type alike struct {
	result         journal.Result
	reason, detail string
}

func (rt *runtime) newTeller() *teller { return &teller{rt: rt, more: map[alike]int{}} }

// result tells of one session; -v tells of every one.
func (t *teller) result(r control.Result) {
	if r.Result == journal.Done && r.Reason == "" {
		t.rt.debugf("session %s (%s): %s", r.Key, oneLine(r.Username), strings.ToLower(string(r.State)))
		return
	}
	this := alike{r.Result, r.Reason, r.Detail}
	if _, known := t.more[this]; known && !t.rt.verbose {
		t.more[this]++
		return
	}
	if _, known := t.more[this]; !known {
		t.more[this] = 0
		t.order = append(t.order, this)
	}
	t.say(this, fmt.Sprintf("session %s (%s)", r.Key, oneLine(r.Username)), ": "+t.rt.complete(r.Detail))
}

// rest tells how many sessions were like one that was named.
func (t *teller) rest() {
	for _, this := range t.order {
		if n := t.more[this]; n > 0 {
			t.say(this, count(n, "more session"), ", for the same reason")
		}
		t.more[this] = 0
	}
}

func (t *teller) say(this alike, who, why string) {
	f := t.rt.notef
	if this.result == journal.Failed || this.result == journal.Unknown {
		f = t.rt.warnf
	}
	f("%s: %s, %s%s", who, this.result, this.reason, why)
}
