package lint

import "bytes"

// itemKind is what the lexer made of one or more lines.
type itemKind uint8

const (
	itemComment itemKind = iota // --, REM, /* */
	itemCommand                 // a SQL*Plus command; class says which
	itemSQL                     // a SQL statement
	itemBlock                   // a PL/SQL block
	itemSlash                   // a lone slash (or RUN) outside a statement
	itemSession                 // a new SQL*Plus session begins (next here-document)
	itemUnknown                 // a line that SQL*Plus does not know
)

// ending is how a SQL statement or block was closed.
type ending uint8

const (
	endTerminator ending = iota // ";" at the end of a line: it ran
	endSlash                    // "/" on its own line: it ran
	endBlank                    // a blank line: kept in the buffer, did not run
	endDot                      // "." on its own line: kept, did not run
	endCut                      // end of input, or the next prompt of a log
)

// item is one unit of a script. Its slices are valid until the next call.
type item struct {
	kind  itemKind
	class class
	text  text
	// args is where the text behind the first word begins.
	args int
	end  ending
	// swallowed is the first line that looks like an ORADEBUG command but
	// lies within the statement's code (not in its strings or comments).
	swallowed place
	// reply is what a log shows for the command.
	reply []byte
	// continued says that the text was joined over a trailing "-".
	continued bool
}

// lexer splits the lines of a source into items.
type lexer struct {
	src source
	set settings
	// contiguous is the file when statements may be cut from it in one piece.
	contiguous []byte

	cur     line
	pending bool // cur was read but not used
	session int

	joined []byte
	parts  []part
	long   []longLine
}

// longLine is a line that SQL*Plus up to 12.1 does not read.
type longLine struct {
	at    place
	bytes int
}

func (x *lexer) read() bool {
	if x.pending {
		x.pending = false
		return true
	}
	if !x.src.next(&x.cur) {
		return false
	}
	if n := len(x.cur.text); n > lineLimitOld {
		x.long = append(x.long, longLine{place{line: x.cur.num, column: x.cur.col + 1, off: x.cur.off}, n})
	}
	return true
}

// next reads the next item; false at the end.
func (x *lexer) next(it *item) bool {
	for x.read() {
		l := &x.cur
		if l.session != x.session {
			x.session = l.session
			x.set = newSettings()
			x.pending = true
			*it = item{kind: itemSession}
			x.parts = append(x.parts[:0], part{line: l.num, col: l.col, off: l.off})
			it.text = text{parts: x.parts}
			return true
		}
		i := skipBlanks(l.text, 0)
		if i == len(l.text) {
			continue
		}
		x.item(it, i)
		return true
	}
	return false
}

// item makes an item of the current line, whose first blank-free byte is i.
func (x *lexer) item(it *item, i int) {
	b := x.cur.text
	*it = item{}
	x.joined = x.joined[:0]
	x.parts = append(x.parts[:0], part{line: x.cur.num, col: x.cur.col, off: x.cur.off})
	c := b[i]
	switch {
	case c == '-' && i+1 < len(b) && b[i+1] == '-':
		x.single(it, itemComment, i+2)
		return
	case c == '/' && i+1 < len(b) && b[i+1] == '*':
		x.blockComment(it, i)
		return
	case c == '/' && len(trimRight(b)) == i+1:
		x.single(it, itemSlash, i+1)
		return
	case c == '@':
		x.single(it, itemCommand, i+1)
		it.class = classInclude
		return
	case c == '!' || c == '$':
		x.single(it, itemCommand, i+1)
		it.class = classOther
		return
	case c == '(':
		x.statement(it, false)
		return
	case c == '<' && i+1 < len(b) && b[i+1] == '<':
		x.statement(it, true)
		return
	}
	k, end := classify(b, i)
	switch k {
	case classSQL:
		x.statement(it, false)
	case classBlock:
		x.statement(it, true)
	case classUnknown:
		x.single(it, itemUnknown, end)
	case classDocument:
		x.document(it, end)
	case classRun:
		if len(trimRight(b)) == end {
			x.single(it, itemSlash, end)
			return
		}
		x.single(it, itemUnknown, end)
	default:
		x.command(it, k, end)
	}
}

// single makes an item of the current line alone.
func (x *lexer) single(it *item, kind itemKind, args int) {
	it.kind, it.args, it.reply = kind, args, x.cur.reply
	it.text = text{b: x.cur.text, parts: x.parts}
}

// command makes a SQL*Plus command of the current line and those it continues
// on: a "-" at the end of a line joins the next one (facts/oradebug.md 1.1).
func (x *lexer) command(it *item, k class, args int) {
	kind := itemCommand
	if k == classRem {
		kind = itemComment
	}
	x.single(it, kind, args)
	it.class = k
	if b := x.cur.text; len(b) == 0 || !endsInDash(b) {
		if k == classSet {
			x.set.apply(it.text.b[args:])
		}
		return
	}
	it.continued = true
	for b := x.cur.text; endsInDash(b); b = x.cur.text {
		t := trimRight(b)
		x.joined = append(x.joined, t[:len(t)-1]...)
		if !x.read() {
			break
		}
		if x.cur.fresh || x.cur.session != x.session {
			x.pending = true
			break
		}
		x.parts = append(x.parts, part{start: len(x.joined), line: x.cur.num, col: x.cur.col, off: x.cur.off})
		if !endsInDash(x.cur.text) {
			x.joined = append(x.joined, x.cur.text...)
		}
	}
	it.text = text{b: x.joined, parts: x.parts}
	if k == classSet {
		x.set.apply(it.text.b[min(args, len(it.text.b)):])
	}
}

func endsInDash(b []byte) bool {
	b = trimRight(b)
	return len(b) > 0 && b[len(b)-1] == '-'
}

// blockComment reads a comment that begins a line. What follows the closing
// mark on its line is ignored [assumed].
func (x *lexer) blockComment(it *item, i int) {
	it.kind, it.args = itemComment, i+2
	x.gather(func(b []byte, first bool) (bool, ending) {
		if first {
			b = b[i+2:]
		}
		return bytes.Contains(b, []byte("*/")), endTerminator
	}, it)
}

// document reads the text between DOCUMENT and a line that begins with "#".
func (x *lexer) document(it *item, args int) {
	it.kind, it.args = itemComment, args
	x.gather(func(b []byte, first bool) (bool, ending) {
		return !first && len(b) > 0 && b[0] == '#', endTerminator
	}, it)
}

// gather joins the current line and those that follow until done says so.
func (x *lexer) gather(done func(b []byte, first bool) (bool, ending), it *item) {
	start := x.cur.off
	stop := start + len(x.cur.text)
	if x.contiguous == nil {
		x.joined = append(x.joined, x.cur.text...)
	}
	it.end = endCut
	for first := true; ; first = false {
		ok, how := done(x.cur.text, first)
		if ok {
			it.end = how
			break
		}
		if !x.read() {
			break
		}
		if x.cur.fresh || x.cur.session != x.session {
			x.pending = true
			break
		}
		if x.contiguous == nil {
			x.joined = append(x.joined, '\n')
			x.parts = append(x.parts, part{start: len(x.joined), line: x.cur.num, col: x.cur.col, off: x.cur.off})
			x.joined = append(x.joined, x.cur.text...)
			continue
		}
		x.parts = append(x.parts, part{start: x.cur.off - start, line: x.cur.num, col: x.cur.col, off: x.cur.off})
		stop = x.cur.off + len(x.cur.text)
	}
	if x.contiguous != nil {
		it.text = text{b: x.contiguous[start:stop], parts: x.parts}
		return
	}
	it.text = text{b: x.joined, parts: x.parts}
}
