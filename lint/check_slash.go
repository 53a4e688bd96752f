package lint

import "bytes"

// slash judges a "/" that stands outside a statement.
func (c *checker) slash(it *item) {
	if c.kind != KindScript && c.kind != KindShell {
		return // somebody typed it, knowing what it runs
	}
	p := it.text.at(skipBlanks(it.text.b, 0))
	was := c.buffer
	c.buffer = bufferRan
	switch was {
	case bufferWaiting:
		return // it runs the statement above, as meant
	case bufferEmpty:
		c.buffer = bufferEmpty
		c.add("RT043", p, "nothing stands in the SQL buffer for this slash to run").
			edit(c.lineStart(p), c.lineEnd(p), "")
	default:
		what := "the statement above has run already; the slash runs it a second time"
		if c.afterOra {
			what = "this slash does not belong to the ORADEBUG line above: it runs the last SQL statement once more"
		}
		f := c.add("RT043", p, "%s", what)
		if c.afterOra {
			f.edit(c.lineStart(p), c.lineEnd(p), "")
		} else {
			f.fix("end the statement with \";\" or with \"/\", not with both")
		}
	}
}

// continuation judges a "-" at the end of a line.
func (c *checker) continuation(it *item) {
	if !it.continued {
		return
	}
	dash := it.text.parts[0]
	at := place{line: dash.line, column: 1, off: dash.off}
	if end := c.lineEnd(at); end > dash.off {
		t := trimRight(bytes.TrimRight(c.src[dash.off:end], "\r\n"))
		if k := len(t) - 1; k >= 0 {
			at = place{line: dash.line, column: dash.col + k + 1, off: dash.off + k}
		}
	}
	if len(it.text.parts) == 1 {
		if it.class == classOradebug {
			c.add("RT046", at, "the line ends in \"-\", but nothing follows").as(Warning)
		}
		return
	}
	next := it.text.parts[1]
	below := it.text.b[next.start:]
	below = below[skipBlanks(below, 0):]
	k, _ := classify(below, 0)
	swallowed := foldPrefix(below, "oradebug ")
	switch {
	case swallowed:
		f := c.add("RT046", at, "the \"-\" joins the next line, so the ORADEBUG command there is never run")
		if it.class == classRem {
			f.as(Warning)
		}
	case it.class != classOradebug:
	case k == classPrompt || k == classSet || k == classExit || k == classSQL || k == classBlock || bytes.HasPrefix(below, []byte("--")):
		c.add("RT046", at, "the \"-\" joins the next line, which becomes part of the ORADEBUG command")
	default:
		c.add("RT046", at, "the command goes on in the next line").as(Info).fix("put it on one line if it fits into 2,400 bytes")
	}
}
