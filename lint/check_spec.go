package lint

import (
	"bytes"

	"ringtrace/oradebug"
)

// specError reports a refused event text that begins at byte base of t.
func (c *checker) specError(t *text, base int, e *oradebug.SpecError) {
	i := base + max(e.Column, 1) - 1
	at := t.at(min(i, max(base, len(t.b)-1)))
	switch {
	case e.Mixed:
		c.add("RT021", at, "old and new syntax in one event").fix("%s", e.Hint)
	case e.ORA == 49160:
		f := c.add("RT022", at, "ORA-%05d: %s", e.ORA, e.Message).fix("%s", e.Hint)
		c.rewriteMapped(t, base, e, f)
	case e.ORA == 49169 && foldPrefix(t.b[min(i, len(t.b)):], "occur"):
		f := c.add("RT023", at, "ORA-%05d: %s", e.ORA, e.Message).fix("write occurence, with one r")
		if end := wordEnd(t.b, i); at.off+end-i <= len(c.src) && string(c.src[at.off:at.off+end-i]) == string(t.b[i:end]) {
			f.edit(at.off, at.off+end-i, "occurence")
		}
	case (c.kind == KindMarkdown || c.kind == KindProse) && placeholder(t.b):
		// `sql_trace[sql:<sql_id>]` on a page is to be filled in
	default:
		c.add("RT020", at, "ORA-%05d: %s", e.ORA, e.Message).fix("%s", e.Hint)
	}
}

// placeholder says whether a text holds <something>.
func placeholder(b []byte) bool {
	i := bytes.IndexByte(b, '<')
	return i >= 0 && bytes.IndexByte(b[i:], '>') > 1
}

// toFillIn says that a page shows how a command is built, not a command:
// `setorapid <orapid>`, `{{.Orapid}}`, `^rt …`.
func toFillIn(b []byte) bool {
	first := b[0]
	letter := lower(first) >= 'a' && lower(first) <= 'z' || first == '-'
	return !letter || placeholder(b) || bytes.Contains(b, []byte("{{")) || bytes.Contains(b, []byte("...")) || bytes.Contains(b, []byte("…"))
}

// rewriteMapped offers `sql_trace …` for a 10046 that has a scope or filter:
// the level stays, so that the meaning does.
func (c *checker) rewriteMapped(t *text, base int, e *oradebug.SpecError, f *Finding) {
	// The fault may be at the bracket or at the number: find the event.
	start := base
	for i := base; i < min(base+e.Column, len(t.b)); i++ {
		if t.b[i] == ':' && !insideBrackets(t.b[base:i]) {
			start = i + 1
		}
	}
	start = skipBlanks(t.b, start)
	name := ""
	end := wordEnd(t.b, start)
	switch string(t.b[start:end]) {
	case "10046":
		name = "sql_trace"
	case "10053":
		name = "trace[rdbms.SQL_Optimizer.*]"
	default:
		return
	}
	at := t.at(start)
	if at.off+end-start > len(c.src) || string(c.src[at.off:at.off+end-start]) != string(t.b[start:end]) {
		return
	}
	rest := t.b[end:]
	if k := foldIndex(rest, "trace name"); k >= 0 {
		old := "trace name context forever, "
		if name != "sql_trace" || !foldPrefix(rest[k:], old) {
			return
		}
		p := t.at(end + k)
		f.edit(p.off, p.off+len(old), "")
	}
	f.edit(at.off, at.off+end-start, name)
	f.Fix = "write " + name + " instead of the number"
}

func insideBrackets(b []byte) bool {
	n := 0
	for _, c := range b {
		switch c {
		case '[', '{', '(':
			n++
		case ']', '}', ')':
			n--
		}
	}
	return n > 0
}
