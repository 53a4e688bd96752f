package lint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"ringtrace/oradebug"
	"ringtrace/oradebug/catalog"
)

// Options say what Check may use besides the file itself.
type Options struct {
	// Release is the Oracle release to judge for; the zero value means the
	// newest that the catalogue knows.
	Release oradebug.Release
	// Sibling reads the undo script that a header names, relative to the file
	// being checked; nil, or an error, skips that check.
	Sibling func(name string) ([]byte, error)
}

// Check reads one file and returns what is wrong with it. name decides, with
// the content, what kind of file it is; it is not opened.
func Check(name string, src []byte, opt Options) Result {
	c := newChecker(name, src, opt)
	c.run()
	return c.result()
}

// checker goes through a file once.
type checker struct {
	name string
	src  []byte
	opt  Options
	kind Kind

	lex   lexer
	vars  *variables
	cache *parseCache

	commands int
	out      []Finding

	more       overflow   // what out does not hold
	lastColumn lineColumn // of the last finding

	follow follower
	undo   string // the file that the header names
	undoAt place
	header bool // no ORADEBUG command and no statement yet

	// slash state: what a lone "/" would do.
	buffer     bufferState
	reply      []byte // what a log shows for the current command
	afterOra   bool   // the item before was an ORADEBUG command
	numbersFor map[int]noise

	expanded      []byte // of expand
	expandedParts []part

	highOrapid bool // an orapid of five digits was remarked upon

	// offs and freesRing say what the file turns off, for whoever names it as
	// the undo.
	offs      map[string]bool
	freesRing bool
	firstOff  place
	armed     bool // something was turned on
}

type bufferState uint8

const (
	bufferEmpty bufferState = iota
	bufferRan               // holds a statement that ran already
	bufferWaiting
)

func newChecker(name string, src []byte, opt Options) *checker {
	c := &checker{name: name, src: src, opt: opt, kind: DetectKind(name, src), header: true}
	c.vars = newVariables()
	c.cache = newParseCache(opt.Release)
	c.follow = newFollower()
	c.numbersFor = map[int]noise{}
	c.offs = map[string]bool{}
	c.lex.set = newSettings()
	skipped := 0
	if bytes.HasPrefix(src, utf8BOM) {
		skipped = len(utf8BOM)
	}
	switch c.kind {
	case KindScript:
		c.lex.src = &rawLines{src: src, pos: skipped}
		c.lex.contiguous = src
	case KindShell:
		c.follow.included() // outside here-documents, echo lines: not all of them are seen
		c.lex.src = &sliceSource{lines: shellLines(&rawLines{src: src, pos: skipped}, 0)}
	case KindLog:
		c.lex.src = &sliceSource{lines: logLines(src)}
	case KindMarkdown:
		c.lex.src = &sliceSource{lines: markdownLines(src)}
	case KindProse:
		c.lex.src = &sliceSource{lines: proseLines(src)}
	case KindTrace:
		c.lex.src = &sliceSource{}
	}
	return c
}

func (c *checker) run() {
	if c.utf16() {
		return
	}
	var it item
	for c.lex.next(&it) {
		c.item(&it)
	}
	c.encoding()
	c.finish()
}

func (c *checker) item(it *item) {
	switch it.kind {
	case itemComment:
		c.comment(it)
		return // comments leave afterOra as it is
	case itemSession:
		c.vars = newVariables()
		c.buffer = bufferEmpty
		c.follow.newSession()
	case itemSlash:
		c.slash(it)
	case itemSQL, itemBlock:
		c.header = false
		c.statement(it)
	case itemUnknown:
		c.unknown(it)
	case itemCommand:
		c.command(it)
		c.afterOra = it.class == classOradebug
		return
	}
	c.afterOra = false
}

func (c *checker) command(it *item) {
	b := it.text.b
	args := b[min(it.args, len(b)):]
	switch it.class {
	case classOradebug:
		c.header = false
		c.oradebug(it)
		c.continuation(it)
		return
	case classDefine:
		c.substitutions(it)
		c.vars.define(c.expand(&it.text).b[min(it.args, len(b)):])
	case classUndefine:
		c.vars.undefine(args)
	case classAccept:
		c.vars.accept(args)
	case classColumn:
		c.vars.column(args)
	case classInclude:
		c.substitutions(it)
		c.follow.included()
	case classConnect, classExit:
		c.follow.disconnect(it.class == classConnect)
	case classExecute:
		c.substitutions(it)
		c.literals(&it.text, true)
	default:
		c.substitutions(it)
	}
	c.continuation(it)
}

// add reports a finding of the rule's usual severity.
func (c *checker) add(id string, p place, format string, args ...any) *Finding {
	r, ok := LookupRule(id)
	if !ok {
		panic("lint: no rule " + id)
	}
	if len(c.out) >= maxFindings {
		c.more.fold()
		c.more.last = Finding{Line: p.line, Column: 1, Rule: r.ID, Severity: r.Severity}
		return &c.more.last
	}
	c.out = append(c.out, Finding{
		Line: p.line, Column: c.column(p), Rule: r.ID, Severity: r.Severity,
		Message: fmt.Sprintf(format, args...), Fix: r.Fix, off: p.off,
	})
	return &c.out[len(c.out)-1]
}

// maxFindings bounds what is kept of one file: nobody reads more, and a
// hostile file has millions.
const maxFindings = 100_000

// overflow is what was found beyond maxFindings.
type overflow struct {
	last  Finding // may still change
	worst Finding // the first of the worst severity
	count int
}

// fold takes last into account, whose severity is settled by now.
func (o *overflow) fold() {
	if o.last.Rule == "" {
		return
	}
	if o.count == 0 || o.last.Severity > o.worst.Severity {
		o.worst = o.last
	}
	o.count++
	o.last = Finding{}
}

// finding is the one that stands for all of them.
func (o *overflow) finding() (Finding, bool) {
	o.fold()
	f := o.worst
	f.Message = fmt.Sprintf("and %d more findings from here on, none worse than this rule's", o.count)
	f.Fix = "correct the ones above and check again"
	return f, o.count > 0
}

// column is runeColumn for findings that mostly come in order: it goes on
// counting from the last one on the same line, because a file may be one line.
func (c *checker) column(p place) int {
	start := p.off - (p.column - 1)
	l := &c.lastColumn
	if l.start != start || p.off < l.off || l.column == 0 || p.off > len(c.src) {
		*l = lineColumn{start: start, off: p.off, column: runeColumn(c.src, p)}
		return l.column
	}
	l.column += utf8.RuneCount(c.src[l.off:p.off])
	l.off = p.off
	return l.column
}

// lineColumn is the column, in characters, of a byte of the line that begins
// at start.
type lineColumn struct{ start, off, column int }

func (f *Finding) as(s Severity) *Finding { f.Severity = s; return f }

func (f *Finding) fix(format string, args ...any) *Finding {
	if s := fmt.Sprintf(format, args...); s != "" {
		f.Fix = s
	}
	return f
}

func (f *Finding) edit(start, end int, text string) *Finding {
	f.edits = append(f.edits, edit{start, end, text})
	return f
}

func (c *checker) result() Result {
	if f, ok := c.more.finding(); ok {
		c.out = append(c.out, f)
	}
	slices.SortStableFunc(c.out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule))
	})
	if c.kind != KindScript && c.kind != KindShell {
		for i := range c.out {
			c.out[i].edits = nil
		}
	}
	return Result{Path: c.name, Kind: c.kind, Commands: c.commands, Findings: c.out}
}

func isCommandWord(s string) bool {
	_, ok := catalog.LookupCommand(s)
	return ok
}
