package redact

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	// longest is how much of one line, and of one SQL text, is understood.
	longest = 1 << 20
	// longestValue is how much of one bind value is looked for its end.
	longestValue = 64 << 10
)

// parser is the state of one trace on its way through.
type parser struct {
	r        *Redactor
	br       *bufio.Reader
	out      bytes.Buffer
	learning bool
	err      error

	begun  bool
	header bool
	dump   bool
	binds  bool
	long   bool // inside of a line that is too long
	bind   bindState
}

func newParser(r *Redactor, in io.Reader) *parser {
	return &parser{r: r, br: bufio.NewReaderSize(in, longest)}
}

// Read gives the redacted text.
func (p *parser) Read(b []byte) (int, error) {
	for p.out.Len() == 0 {
		if p.err != nil {
			return 0, p.err
		}
		p.step()
		if p.learning {
			p.out.Reset()
		}
	}
	return p.out.Read(b)
}

// line reads a line with its end. The slice lives until the next read.
func (p *parser) line() []byte {
	l, err := p.br.ReadSlice('\n')
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		p.err = err
	}
	return l
}

func (p *parser) values() bool { return p.r.what.Binds || p.r.what.Literals }

// keep lets a line through whose form says that it holds no value.
func (p *parser) keep(l []byte) {
	if p.r.hosts != nil && p.r.hosts.some {
		l = bytes.Clone(l)
		p.r.count(p.r.hosts.replace(l, p.r.token), 0)
	}
	p.out.Write(l)
}

// free lets a line through after what is known was searched in it.
func (p *parser) free(l []byte) {
	if p.learning {
		return
	}
	l = bytes.Clone(l)
	p.r.search("a trace", l)
	p.out.Write(l)
}

// drop blanks a line of which nothing is known.
func (p *parser) drop(l []byte) {
	if !p.values() {
		p.free(l)
		return
	}
	if p.learning {
		return
	}
	l = bytes.Clone(l)
	p.r.count(0, blank(l))
	p.out.Write(l)
}

// step takes one line, or a text of several.
func (p *parser) step() {
	l := p.line()
	if len(l) == 0 {
		return
	}
	whole := l[len(l)-1] == '\n'
	if p.long || !whole && len(l) >= longest {
		p.long = !whole
		p.drop(l)
		return
	}
	t := trimEnd(l)
	if !p.begun && len(t) > 0 {
		p.begun = true
		p.header = bytes.HasSuffix(t, []byte(".trc"))
	}
	if p.binds {
		if p.bindLine(l, t) {
			return
		}
		p.binds = false
	}
	p.plain(l, t)
}

func trimEnd(l []byte) []byte { return bytes.TrimRight(l, "\r\n") }

// plain takes a line outside of bind sections.
func (p *parser) plain(l, t []byte) {
	switch {
	case len(t) == 0:
		p.out.Write(l)
	case has(t, "*** "):
		p.header = false
		p.star(l, t)
	case (has(t, "Trace file ") || has(t, "Dump file ")) && bytes.HasSuffix(t, []byte(".trc")):
		p.header = true
		p.keep(l)
	case has(t, "PARSING IN CURSOR #"):
		p.header, p.dump = false, false
		p.record(l, t)
		p.statement(func(t []byte, _ int) bool { return bytes.HasPrefix(t, []byte("END OF STMT")) })
	case has(t, "PARSE ERROR #"):
		p.header, p.dump = false, false
		p.record(l, t)
		size := numberBehind(t, "len=")
		p.statement(func(t []byte, have int) bool { return have >= size || isRecord(t) })
	case has(t, "BINDS #"):
		p.header, p.dump, p.binds = false, false, true
		p.bind = bindState{}
		p.record(l, t)
	case has(t, "STAT #"):
		p.header, p.dump = false, false
		p.stat(l)
	case isRecord(t):
		p.header, p.dump = false, false
		p.record(l, t)
	case p.header && p.headerLine(t):
		if p.learning {
			return
		}
		l = bytes.Clone(l)
		p.r.count(p.r.certain.replace(l, p.r.token), 0)
		p.keep(l)
	default:
		p.header = false
		p.other(l, t)
	}
}

func has(t []byte, prefix string) bool { return bytes.HasPrefix(t, []byte(prefix)) }

// record keeps a line of a trace record if nothing stands in it but names in
// lower case, numbers and the few signs of such lines.
func (p *parser) record(l, t []byte) {
	quoted := false
	if !isWhole(t) {
		p.drop(l)
		return
	}
	for _, c := range t {
		if c == '\'' {
			quoted = !quoted
		}
		if c < ' ' || c > '~' || c == '"' {
			p.drop(l)
			return
		}
	}
	if quoted {
		p.drop(l)
		return
	}
	p.keep(l)
}

// recordHeads begin the lines that hold figures only (facts/trace-format.md 4
// to 9).
var recordHeads = []string{
	"WAIT #", "EXEC #", "FETCH #", "PARSE #", "CLOSE #", "UNMAP #", "SORT UNMAP #", "ERROR #", "XCTEND rlbk=",
	"PARSING IN CURSOR #", "PARSE ERROR #", "BINDS #", "STAT #", "=====================", "END OF STMT",
	"LOBREAD:", "LOBWRITE:", "LOBPGSIZE:", "LOBTMPCREATE:", "LOBGETLEN:", "LOBTRIM:", "LOBAPPEND:", "LOBISOPEN:", "LOBARRREAD:", "LOBARRTMPFRE:", "LOBTMPFREE:",
}

func isRecord(t []byte) bool {
	for _, h := range recordHeads {
		if has(t, h) {
			rest := t[len(h):]
			return h[len(h)-1] != '#' || len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9'
		}
	}
	return false
}

func numberBehind(t []byte, key string) int {
	i := bytes.Index(t, []byte(key))
	if i < 0 {
		return 0
	}
	n := 0
	for _, c := range t[i+len(key):] {
		if c < '0' || c > '9' || n > longest {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// statement takes SQL text up to the line that ends it, which is not part of
// it.
func (p *parser) statement(ends func(t []byte, have int) bool) {
	var text []byte
	dropped := 0
	for p.err == nil {
		next := p.peekLine()
		if len(next) == 0 || ends(trimEnd(next), dropped+len(text)) {
			break
		}
		if len(text)+len(next) > longest {
			p.drop(text)
			dropped += len(text)
			text = nil
		}
		text = append(text, p.line()...)
	}
	if dropped > 0 { // whether it goes on inside of a literal cannot be told
		p.drop(text)
		return
	}
	p.sqlText(text)
}

// peekLine shows the next line, or as much of it as fits, without taking it.
func (p *parser) peekLine() []byte {
	for n := 512; ; n *= 4 {
		b, err := p.br.Peek(min(n, longest))
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			return b[:i+1]
		}
		if err != nil || n >= longest {
			return b
		}
	}
}

func (p *parser) sqlText(text []byte) {
	r := p.r
	switch {
	case p.learning && r.what.Literals:
		r.sql(text, func([]byte) bool { return false }, r.learn)
		return
	case p.learning:
		return
	}
	r.sqlValues(text)
	p.free(text)
}

// sqlValues replaces in a SQL text, in place, what is to be taken out of it.
func (r *Redactor) sqlValues(text []byte) {
	switch {
	case r.what.Literals || r.over && r.what.Binds:
		r.sql(text, nil, func([]byte) {})
	case r.what.Binds:
		r.sql(text, r.known, func([]byte) {})
	}
}

// star takes a line that begins with three stars.
func (p *parser) star(l, t []byte) {
	lo := bytes.Index(t, []byte(":("))
	hi := bytes.LastIndex(t, []byte(") "))
	switch {
	case starForms.Match(t):
		p.keep(l)
		return
	case starPaths.Match(t):
		p.free(l)
		return
	case lo < 0 || hi < lo+2 || t[4] < 'A' || !starTime.Match(t[hi+2:]):
		p.oddStar(l, t)
		return
	}
	key, value := string(t[4:lo]), t[lo+2:hi]
	if p.learning {
		if key == "CLIENT ID" || key == "CLIENT IP" {
			p.r.LearnName(string(value))
		}
		p.learnHost(value)
		return
	}
	if p.r.what.Names && (key == "CLIENT ID" || key == "CLIENT IP") {
		l = bytes.Clone(l)
		copy(l[lo+2:hi], p.r.token(value))
		p.r.count(1, 0)
	}
	if key == "SESSION ID" || key == "CONTAINER ID" {
		p.keep(l)
		return
	}
	// The key stays; a value that is a short one as a whole is known here.
	l = bytes.Clone(l)
	if v := l[lo+2 : hi]; p.r.short[string(v)] {
		copy(v, p.r.token(v))
		p.r.count(1, 0)
	}
	p.freeIn(l, lo+2, hi)
}

// oddStar takes a line with three stars of a form that is not known: an
// attribute that goes on on the next line, or anything that somebody wrote.
func (p *parser) oddStar(l, t []byte) {
	if v, ok := bytes.CutPrefix(t, []byte("*** CLIENT ID:(")); ok && p.r.what.Names {
		if p.learning {
			p.r.LearnName(string(v))
			return
		}
		l = bytes.Clone(l)
		p.r.count(0, blank(l[len(t)-len(v):]))
	}
	p.drop(l)
}

// freeIn lets a line through after what is known was searched in a part of it.
// The line is the caller's own.
func (p *parser) freeIn(l []byte, lo, hi int) {
	p.r.search("a trace", l[lo:hi])
	p.out.Write(l)
}

// stat takes a line of a plan: what can be an application's stands in its
// operation, before the figures.
func (p *parser) stat(l []byte) {
	if p.learning {
		return
	}
	l = bytes.Clone(l)
	lo := bytes.Index(l, []byte("op='"))
	if lo < 0 {
		p.freeIn(l, 0, len(l))
		return
	}
	hi := len(l)
	if i := bytes.LastIndex(l, []byte(" (cr=")); i > lo {
		hi = i
	}
	p.freeIn(l, lo+len("op='"), hi)
}

// learnHost finds the host in sqlplus@host (TNS V1-V3).
func (p *parser) learnHost(value []byte) {
	if i := bytes.LastIndexByte(value, '@'); i >= 0 {
		host := value[i+1:]
		if j := bytes.IndexAny(host, " )"); j >= 0 {
			host = host[:j]
		}
		p.r.LearnName(string(host))
	}
}

// headerKeys begin the lines of a header (facts/trace-format.md 2).
var headerKeys = []string{
	"Oracle ", "With the ", "and ", "Version", "Build label:", "ORACLE_HOME", "System name:", "Node name:", "Release:", "Machine:", "VM name:",
	"CLID:", "Instance name:", "Instance number:", "Database name:", "Database unique name:", "Database id:", "Database role:", "Redo thread mounted",
	"Oracle process number:", "Oracle binary inode:", "Unix process pid:", "Windows ", "NID:", "             created:", "             image:", "CPU ", "Process Affinity", "Memory (Avail/Total)", "/", "ORACLE V", "vsnsql=", "JServer",
}

func (p *parser) headerLine(t []byte) bool {
	for _, k := range headerKeys {
		if !has(t, k) {
			continue
		}
		if p.learning && has(t, "Node name:") {
			p.r.LearnName(string(bytes.TrimSpace(t[len("Node name:"):])))
		}
		if p.learning && bytes.Contains(t, []byte("image:")) {
			p.learnHost(t)
		}
		return true
	}
	return len(bytes.TrimSpace(t)) == 0
}
