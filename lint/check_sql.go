package lint

import (
	"bytes"
	"errors"

	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// statement judges a SQL statement or PL/SQL block.
func (c *checker) statement(it *item) {
	b := it.text.b
	if it.swallowed.line > 0 {
		what := "SQL statement"
		if it.kind == itemBlock {
			what = "PL/SQL block"
		}
		c.add("RT048", it.swallowed, "this line is part of the %s that begins in line %d, so it is never run", what, it.text.parts[0].line)
	}
	c.buffer = bufferRan
	if it.end == endBlank || it.end == endDot || it.end == endCut {
		c.buffer = bufferWaiting
	}
	if d := c.lex.set.define; d != 0 && bytes.IndexByte(b, d) >= 0 {
		c.substitutions(it)
	}
	if it.kind == itemBlock {
		c.literals(&it.text, !createsBlock(b))
		return
	}
	i := skipSpace(b, 0)
	switch word := b[i:wordEnd(b, i)]; {
	case foldEqual(word, "select"), foldEqual(word, "with"):
		c.vars.query(b, c.lex.set.define)
		if foldIndexFast(b, "oradebug ") >= 0 {
			c.generated(&it.text)
		}
	case foldEqual(word, "alter"):
		t := uncontinued(&it.text)
		c.alter(&t, it.end == endTerminator, ran{on: true, off: true})
	}
}

// generated judges the ORADEBUG lines that a query makes up: text that begins
// a literal or stands behind another one. What is joined to it is a variable.
func (c *checker) generated(t *text) {
	eachLiteral(t.b, func(from, to int) {
		inner := unquote(t, from, to)
		i := skipBlanks(inner.b, 0)
		if !foldPrefix(inner.b[i:], "oradebug ") {
			return
		}
		i = skipBlanks(inner.b, i+len("oradebug "))
		line := inner.b[i:]
		if k := bytes.IndexByte(line, '\n'); k >= 0 {
			line = line[:k]
		}
		cmdText := string(line)
		if joinedOn(t.b[min(to+1, len(t.b)):]) {
			cmdText += "&x"
		}
		cmd, _ := oradebug.ParseCommand(cmdText)
		at := inner.at(min(i, max(0, len(inner.b)-1)))
		switch {
		case cmd.Info.Name == "":
		case cmd.Info.Risk == catalog.Dangerous:
			c.add("RT010", at, "this query writes %s lines: %s", cmd.Word, orElse(cmd.Info.Caution, cmd.Info.Meaning))
		case cmd.Dump != nil && cmd.Dump.Info.Class == catalog.DumpDangerous && cmd.Dump.Info.Name != "":
			c.add("RT011", at, "this query writes lines with the dump %s", cmd.Dump.Name)
		case cmd.Spec != nil:
			for _, f := range factsOf(cmd.Spec) {
				c.event(&text{b: inner.b, parts: inner.parts}, i+cmd.RestColumn-1, f, viaSession)
			}
		}
	})
}

// joinedOn says whether something other than a line end is joined to the
// literal before rest.
func joinedOn(rest []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("||"))
	return ok && !foldPrefix(bytes.TrimLeft(rest, " \t\r\n"), "chr(1")
}

// ran says what a statement is known to carry out: the events that it turns
// on, and those that it turns off.
type ran struct{ on, off bool }

// literals looks for ALTER … SET EVENTS in the strings of a PL/SQL block or
// EXECUTE line. runs says that the block is carried out here: an event that it
// turns off counts as off, one that it turns on may depend on a condition.
func (c *checker) literals(t *text, runs bool) {
	if foldIndex(t.b, "events") < 0 {
		return
	}
	eachLiteral(t.b, func(from, to int) {
		inner := unquote(t, from, to)
		if foldPrefix(inner.b[skipBlanks(inner.b, 0):], "alter ") {
			c.alter(&inner, false, ran{off: runs})
		}
	})
}

// alter judges ALTER SESSION|SYSTEM SET EVENTS '…'. cut says that a ";" at a
// line end closed the statement.
func (c *checker) alter(t *text, cut bool, follow ran) {
	b := t.b
	i := wordEnd(b, skipSpace(b, 0))
	i = skipSpace(b, i)
	end := wordEnd(b, i)
	system := foldEqual(b[i:end], "system")
	variable := end == i && i < len(b) && b[i] == c.lex.set.define && b[i] != 0
	if !system && !variable && !foldEqual(b[i:end], "session") {
		return
	}
	k := foldIndex(b[end:], "events")
	if k < 0 {
		return
	}
	i = skipSpace(b, end+k+len("events"))
	if i < len(b) && b[i] == '=' {
		i = skipSpace(b, i+1)
	}
	if i >= len(b) || b[i] != '\'' {
		return
	}
	from := i + 1
	to := from
	closed := false
	for ; to < len(b); to++ {
		if b[to] != '\'' {
			continue
		}
		if to+1 < len(b) && b[to+1] == '\'' {
			to++
			continue
		}
		closed = true
		break
	}
	if !closed {
		if cut {
			c.add("RT044", t.at(len(trimRight(b))-1), "the semicolon at the end of this line ends the statement in the middle of its event text").as(Error).
				fix("write the text on one line, or do not end a line within it with \";\"")
		}
		return
	}
	c.events(unquote(t, from, to), system, follow)
}

// events judges the event text of an ALTER statement.
func (c *checker) events(t text, system bool, follow ran) {
	if d := c.lex.set.define; d != 0 && bytes.IndexByte(t.b, d) >= 0 {
		t = c.expand(&t)
	}
	if len(bytes.TrimSpace(t.b)) == 0 {
		return
	}
	spec, err := oradebug.ParseSpecFor(string(t.b), c.opt.Release)
	var se *oradebug.SpecError
	if errors.As(err, &se) {
		c.specError(&t, 0, se)
	}
	v, p := viaSession, c.follow.own
	if system {
		v, p = viaSystem, c.follow.sys
	}
	facts := factsOf(&spec)
	c.noteOff(t.at(0), facts)
	for _, f := range facts {
		at := t.at(max(f.ev.Column, 1) - 1)
		c.event(&t, 0, f, v)
		if f.ev.ID.Number == 10079 && !f.off {
			c.add("RT051", at, "event 10079 by ALTER answers ORA-01031 in patched releases")
		}
		off := f.off || f.ringFree
		if off && follow.off || !off && follow.on {
			c.followEvent(at, f, v, p)
		}
	}
}
