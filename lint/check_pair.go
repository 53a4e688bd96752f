package lint

import (
	"path/filepath"
	"strings"
)

// checkUndo reads the script that the header names and compares: does it turn
// off what this one leaves on?
func (c *checker) checkUndo() {
	if c.opt.Sibling == nil {
		return
	}
	if c.undo != "" {
		if src, err := c.opt.Sibling(c.undo); err == nil {
			u := newChecker(c.undo, src, Options{Release: c.opt.Release})
			u.run()
			c.uncovered(c, u, func(at place, what, _ string) {
				c.add("RT050", at, "%s stays on: %s does not turn it off", what, c.undo)
			})
		}
		return
	}
	if c.armed || c.firstOff.line == 0 {
		return
	}
	// A script that only turns off: its counterpart goes by the name.
	for _, other := range counterparts(filepath.Base(c.name)) {
		src, err := c.opt.Sibling(other)
		if err != nil {
			continue
		}
		on := newChecker(other, src, Options{Release: c.opt.Release})
		on.run()
		c.uncovered(on, c, func(at place, what, off string) {
			c.add("RT050", c.firstOff, "%s stays on: %s turns it on in line %d", what, other, at.line).as(Warning).
				fix("turn it off here: %s", off)
		})
		return
	}
}

// uncovered calls report for everything that on leaves on and off does not
// turn off, once for each event.
func (c *checker) uncovered(on, off *checker, report func(at place, what, off string)) {
	seen := map[string]bool{}
	for _, p := range on.follow.processes() {
		for _, a := range p.events {
			if !off.offs[a.fact.bare] && !seen[a.fact.key] {
				seen[a.fact.key] = true
				report(a.at, "event "+a.fact.key, offText(a.fact.ev))
			}
		}
		if p.ring.on && !off.freesRing && !seen["ring"] {
			seen["ring"] = true
			report(p.ring.at, "the trace buffer", "immediate trace name trace_buffer_off")
		}
	}
}

// counterparts guesses the name of the script that turns on what this one
// turns off.
func counterparts(name string) []string {
	var out []string
	for _, w := range [][2]string{{"disable", "enable"}, {"off", "on"}, {"stop", "start"}, {"OFF", "ON"}} {
		if i := strings.LastIndex(name, w[0]); i >= 0 {
			out = append(out, name[:i]+w[1]+name[i+len(w[0]):])
		}
	}
	return out
}
