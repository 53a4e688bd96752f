package lint

import (
	"strconv"
	"strings"

	"ringtrace/oradebug"
)

// followEvent carries an event out on the process; p is nil if there is none.
func (c *checker) followEvent(at place, f *eventFact, v via, p *process) {
	if p == nil || f.blank {
		return
	}
	c.armed = c.armed || f.ringSet || !f.off && !f.ev.Immediate
	if f.ringSet && !f.off {
		p.ring = ring{on: true, at: at}
	}
	if f.ringFree {
		p.ring.on = false
	}
	switch {
	case f.ev.Immediate:
	case f.off:
		c.turnOff(at, f, v, p)
	default:
		c.turnOn(at, f, v, p)
	}
}

// maxEvents bounds what is followed for one process, so that a hostile file
// costs no quadratic time; no real script sets a thousand different events.
const maxEvents = 1000

func (c *checker) turnOn(at place, f *eventFact, v via, p *process) {
	for i := range p.events {
		a := &p.events[i]
		if a.via != v || a.fact.key != f.key {
			continue
		}
		if a.fact.filters != f.filters && a.fact.filters != "" && f.filters != "" {
			c.add("RT053", at, "event %s is set again with another filter; the filter of line %d no longer counts", f.key, a.at.line)
		}
		a.fact, a.at = f, at
		return
	}
	if len(p.events) < maxEvents {
		p.events = append(p.events, armed{via: v, fact: f, at: at})
	}
}

// turnOff takes away what the off form matches, and reports forms that do not
// fit what was set.
func (c *checker) turnOff(at place, f *eventFact, v via, p *process) {
	keep := p.events[:0]
	hit := false
	for _, a := range p.events {
		if a.fact.bare != f.bare {
			keep = append(keep, a)
			continue
		}
		hit = true
		switch {
		case a.via != v:
			c.add("RT030", at, "event %s was set by %s in line %d; %s does not turn it off", f.key, a.via, a.at.line, v).
				fix("turn it off by %s", a.via)
			keep = append(keep, a)
		case a.fact.key != f.key:
			c.add("RT030", at, "event %s was set with another scope in line %d", a.fact.key, a.at.line).
				fix("name the same scope: %s", offText(a.fact.ev))
			keep = append(keep, a)
		default:
			// What the form turns off in part or perhaps counts as off: one
			// finding is enough.
			switch oradebug.MatchOff(a.fact.ev, f.ev) {
			case oradebug.OffPart:
				c.add("RT030", at, "this turns off a part of what line %d set on event %s", a.at.line, f.key).fix("write %s", offText(a.fact.ev))
			case oradebug.OffDoubtful, oradebug.OffNone:
				c.add("RT030", at, "line %d set %s on event %s; whether this form turns it off is not proven", a.at.line, strings.Join(a.fact.names, ", "), f.key).
					fix("write %s", offText(a.fact.ev))
			}
		}
	}
	clear(p.events[len(keep):])
	p.events = keep
	if !hit && len(keep) > 0 && len(p.stray) < 8 {
		p.stray = append(p.stray, armed{via: v, fact: f, at: at})
	}
}

func offText(ev *oradebug.Event) string { return strings.Join(ev.TurnOff(), "  or  ") }

// followDump switches rings that are switched by DUMP.
func (c *checker) followDump(cmd *oradebug.Command, at place) {
	p := c.follow.cur
	if p == nil || cmd.Dump == nil {
		return
	}
	switch cmd.Dump.Name {
	case "TRACE_BUFFER_ON":
		p.ring = ring{on: true, at: at}
	case "TRACE_BUFFER_OFF":
		p.ring.on = false
	}
}

// finish reports what is left at the end of the file.
func (c *checker) finish() {
	c.reportMissing()
	c.checkUndo()
	for _, p := range c.lex.long {
		c.longLine(p.at, p.bytes)
	}
	if c.undo != "" || c.kind == KindProse {
		return
	}
	type group struct {
		rule  string
		text  string
		at    place
		label string
		more  int
	}
	var groups []*group
	index := map[string]*group{}
	note := func(rule, text string, at place, p *process) {
		k := rule + text
		if g := index[k]; g != nil {
			g.more++
			return
		}
		g := &group{rule: rule, text: text, at: at, label: p.label()}
		index[k] = g
		groups = append(groups, g)
	}
	for _, p := range c.follow.processes() {
		if len(p.events) > 0 {
			for _, s := range p.stray {
				c.add("RT030", s.at, "event %s was never turned on here; %s of line %d stays on", s.fact.key, p.events[0].fact.key, p.events[0].at.line).
					fix("turn off what was turned on: %s", offText(p.events[0].fact.ev))
			}
		}
		for _, a := range p.events {
			rule := "RT031"
			if a.via == viaSystem {
				rule = "RT049"
			}
			note(rule, "event "+a.fact.key+" is still on", a.at, p)
		}
		if p.ring.on {
			note("RT032", "the trace buffer is never released", p.ring.at, p)
		}
	}
	for _, g := range groups {
		var f *Finding
		if g.more == 0 {
			f = c.add(g.rule, g.at, "%s (%s)", g.text, g.label)
		} else {
			f = c.add(g.rule, g.at, "%s (%s and %d more)", g.text, g.label, g.more)
		}
		if c.kind == KindMarkdown {
			f.as(Info)
		}
	}
}

// reportMissing reports commands without a target. Where the file never
// selects one, and the command only looks, a caller may have done it.
func (c *checker) reportMissing() {
	f := &c.follow
	for _, m := range f.missing {
		g := c.add("RT003", m.at, "%s needs a process, and none is selected (ORA-00074)", m.word)
		if m.count > 1 {
			g.Message += " (" + plural(m.count-1, "more line", "more lines") + ")"
		}
		fragment := !f.everTarget && !f.everConnect && c.kind == KindScript
		switch {
		case c.kind == KindMarkdown || c.kind == KindProse:
			g.as(Info)
		case c.kind == KindLog, fragment && !m.arms:
			g.as(Warning)
		}
	}
}

// noteOff remembers what an undo script turns off, whatever its target.
func (c *checker) noteOff(at place, facts []*eventFact) {
	for _, f := range facts {
		if f.off {
			c.offs[f.bare] = true
			if c.firstOff.line == 0 {
				c.firstOff = at
			}
		}
		c.freesRing = c.freesRing || f.ringFree
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
