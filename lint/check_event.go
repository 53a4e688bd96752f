package lint

import (
	"strconv"
	"strings"

	"ringtrace/internal/oraerr"
	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// Sizes of a trace buffer in bytes: below the first it is useless, below the
// second too short to be of help; the last is the largest that fits a level.
const (
	ringLeast = 4096
	ringShort = 65536
	ringMost  = 1<<31 - 1
)

// noise is what the error table says of a number.
type noise struct{ noisy, event bool }

func (c *checker) noise(n int) noise {
	if v, ok := c.numbersFor[n]; ok {
		return v
	}
	d := oraerr.Describe(n)
	v := noise{noisy: d.Noisy, event: d.IsEvent}
	c.numbersFor[n] = v
	return v
}

// event judges one event; base is where the event text begins in t.
func (c *checker) event(t *text, base int, f *eventFact, v via) {
	ev := f.ev
	at := t.at(base + max(ev.Column, 1) - 1)
	if (ev.Verb == "crash" || ev.Verb == "debugger") && len(ev.Actions) > 0 {
		c.eventRisk(t.at(base+max(ev.Actions[0].Column, 1)-1), ev)
	} else {
		c.eventRisk(at, ev)
	}
	for i := range ev.Actions {
		c.action(t, base, f, &ev.Actions[i])
	}
	c.filters(at, ev)
	if f.off || ev.Immediate {
		return
	}
	c.numberRules(t, base, f, at)
	if ev.ID.Number == 10079 {
		c.add("RT052", at, "event 10079 writes network payload to the trace file")
	}
}

// filters reports filters that newer releases do not list.
func (c *checker) filters(at place, ev *oradebug.Event) {
	if rel := c.opt.Release; rel.Major != 0 && (rel.Major < 12 || rel.Major == 12 && rel.Minor < 2) {
		return
	}
	for i := range ev.Filters {
		for _, t := range ev.Filters[i].Alternatives {
			if f, ok := catalog.LookupFilter(t.Name); ok && f.Gone {
				c.add("RT054", at, "the filter %s is not in the list of 19c", t.Name)
			}
		}
	}
}

func (c *checker) eventRisk(at place, ev *oradebug.Event) {
	switch {
	case ev.Off:
	case ev.Verb == "crash":
		c.add("RT010", at, "crash kills the process that meets the event")
	case ev.Verb == "debugger":
		c.add("RT010", at, "debugger stops the process that meets the event until a debugger attaches")
	}
	if ev.ID.Kind != oradebug.KindName || ev.Off {
		return
	}
	if e, ok := catalog.LookupEvent(ev.ID.Name); ok && e.Risk == catalog.Dangerous {
		c.add("RT010", at, "%s simulates a fault", ev.ID.Name)
	}
}

// action judges one action or `name` of an event.
func (c *checker) action(t *text, base int, f *eventFact, a *oradebug.Action) {
	at := t.at(base + max(a.Column, 1) - 1)
	if _, off := a.Arg("off"); off {
		return
	}
	switch a.Name {
	case "trace_buffer_on":
		level, _ := a.Arg("level")
		c.ringSize(at, level)
		return
	case "trace_buffer_off", "context", "all":
	case "errorstack":
		c.errorstack(t, base, a)
	case "crash", "debugger":
		if f.ev.Verb != a.Name { // else eventRisk has told of it
			c.add("RT010", at, "%s stops or kills the process that meets the event", a.Name)
		}
	default:
		level, _ := a.Arg("level")
		if !c.dumpName(at, a.Name, level) {
			c.actionRisk(at, a.Name)
		}
	}
	if a.Name == "context" && !f.ev.Immediate && f.ev.Verb == "trace" && !anyArg(a, "forever", "lifetime", "after", "type") && len(a.Args) > 0 {
		c.add("RT028", at, "without FOREVER the event is disarmed after one use")
	}
}

func anyArg(a *oradebug.Action, names ...string) bool {
	for _, n := range names {
		if _, ok := a.Arg(n); ok {
			return true
		}
	}
	return false
}

func (c *checker) actionRisk(at place, name string) {
	a, ok := catalog.LookupAction(name)
	if !ok {
		return
	}
	switch a.Risk {
	case catalog.Dangerous:
		c.add("RT010", at, "the action %s: %s", name, orElse(a.Caution, "changes state or kills processes"))
	case catalog.Risky:
		c.add("RT010", at, "the action %s: %s", name, orElse(a.Caution, "may surprise on a production system")).as(Warning)
	}
}

// errorstack reports levels beyond 3.
func (c *checker) errorstack(t *text, base int, a *oradebug.Action) {
	for i := range a.Args {
		if a.Args[i].Name == "level" {
			c.errorstackLevel(t, base+max(a.Args[i].Column, 1)-1, a.Args[i].Value.Text)
		}
	}
}

// errorstackLevel judges the level; i is at or before its digits in t.
func (c *checker) errorstackLevel(t *text, i int, level string) {
	n, err := strconv.Atoi(level)
	if err != nil || n <= 3 {
		return
	}
	for i < len(t.b) && (t.b[i] < '0' || t.b[i] > '9') {
		i++
	}
	p := t.at(min(i, len(t.b)-1))
	f := c.add("RT024", p, "errorstack level %d; 3 is the highest that means something", n)
	if end := p.off + len(level); end <= len(c.src) && string(c.src[p.off:end]) == level {
		f.edit(p.off, end, "3")
	}
}

// ringSize judges the bytes of a trace buffer; "" is Oracle's default.
func (c *checker) ringSize(at place, level string) {
	if level == "" {
		c.add("RT025", at, "trace_buffer_on without a size makes a buffer of 1 byte")
		return
	}
	n, err := strconv.ParseInt(level, 0, 64)
	switch {
	case err != nil:
		if strings.Trim(level, "0123456789") == "" {
			c.add("RT025", at, "a trace buffer of %s bytes is too large", level)
		}
	case n < ringLeast:
		c.add("RT025", at, "a trace buffer of %d bytes is too small to hold anything", n)
	case n < ringShort:
		c.add("RT025", at, "a trace buffer of %d bytes holds very little", n).as(Warning)
	case n > ringMost:
		c.add("RT025", at, "a trace buffer of %d bytes is too large", n)
	}
}

// numberRules judges error and event numbers.
func (c *checker) numberRules(t *text, base int, f *eventFact, at place) {
	ev := f.ev
	if ev.ID.Kind != oradebug.KindNumber && ev.ID.Kind != oradebug.KindAlias {
		return
	}
	dumps := false
	for _, n := range f.names {
		dumps = dumps || n != "trace_buffer_off" && n != "context" && n != "all"
	}
	if !dumps {
		return
	}
	n := c.noise(ev.ID.Number)
	switch {
	case n.event && ev.ID.Kind == oradebug.KindNumber:
		c.add("RT027", at, "%d is an event, not an error: this dumps whenever the event is posted", ev.ID.Number)
	case n.noisy && c.undo == "" && !bounded(ev):
		c.add("RT026", at, "ORA-%05d is raised often, and each one writes a dump", ev.ID.Number)
	}
}

// bounded says whether the number of dumps has a limit, or the error is
// narrowed down to certain arguments.
func bounded(ev *oradebug.Event) bool {
	if ev.Bounded() {
		return true
	}
	for i := range ev.Filters {
		for _, t := range ev.Filters[i].Alternatives {
			if t.Name == "errarg" {
				return true
			}
		}
	}
	return false
}
