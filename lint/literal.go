package lint

import (
	"bytes"
	"sort"
)

// eachLiteral calls f with the inside of every '…' of SQL or PL/SQL code;
// alternative quoting (q'[…]') is left out.
func eachLiteral(b []byte, f func(from, to int)) {
	scan := sqlScanner{b: b}
	for i := 0; i < len(b); i++ {
		if b[i] != '\'' || !scan.plain() || i < scan.skip {
			scan.step(i)
			continue
		}
		scan.step(i)
		if scan.state != '\'' {
			continue
		}
		from := i + 1
		for i++; i < len(b); i++ {
			if b[i] != '\'' {
				continue
			}
			if i+1 < len(b) && b[i+1] == '\'' {
				i++
				continue
			}
			break
		}
		scan.state = 0
		if i < len(b) {
			f(from, i)
		}
	}
}

// unquote returns t[from:to] with doubled quotes made single.
func unquote(t *text, from, to int) text {
	from = min(from, to)
	out := text{b: make([]byte, 0, to-from)}
	mark := func(i int) {
		p := t.at(min(i, max(0, len(t.b)-1)))
		out.parts = append(out.parts, part{start: len(out.b), line: p.line, col: p.column - 1, off: p.off})
	}
	mark(from)
	k := sort.Search(len(t.parts), func(k int) bool { return t.parts[k].start > from })
	for i := from; i < to; i++ {
		for k < len(t.parts) && t.parts[k].start <= i {
			mark(i)
			k++
		}
		out.b = append(out.b, t.b[i])
		if t.b[i] == '\'' && i+1 < to && t.b[i+1] == '\'' {
			i++
			if i+1 < to {
				mark(i + 1)
			}
		}
	}
	return out
}

// uncontinued joins lines that end in "-", which SQL*Plus does for statements
// that begin like a command of its own (facts/oradebug.md 1.1).
func uncontinued(t *text) text {
	if !bytes.Contains(t.b, []byte("-")) || !bytes.Contains(t.b, []byte("\n")) {
		return *t
	}
	out := text{}
	for from := 0; from < len(t.b); {
		end := from
		for end < len(t.b) && t.b[end] != '\n' {
			end++
		}
		p := t.at(from)
		out.parts = append(out.parts, part{start: len(out.b), line: p.line, col: p.column - 1, off: p.off})
		switch l := t.b[from:end]; {
		case end == len(t.b):
			out.b = append(out.b, l...)
		case endsInDash(l) && !bytes.Contains(l, []byte("--")):
			l = trimRight(l)
			out.b = append(append(out.b, l[:len(l)-1]...), ' ')
		default:
			out.b = append(append(out.b, l...), '\n')
		}
		from = end + 1
	}
	return out
}
