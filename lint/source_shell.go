package lint

import "bytes"

// heredoc is one `<<WORD` of a shell line.
type heredoc struct {
	word []byte
	tabs bool // <<- : leading tabs are removed
	// idle says that the text goes to nobody who would run it: `: <<X` as a
	// comment, `cat <<X` to the screen.
	idle bool
}

// shellLines cuts the here-documents out of a shell script; each is a SQL*Plus
// session of its own. first numbers the sessions.
func shellLines(raw *rawLines, first int) []line {
	var out []line
	session := first
	var open []heredoc
	for l := (line{}); raw.next(&l); {
		if len(open) == 0 {
			open = heredocs(l.text)
			if len(open) > 0 {
				session++
			} else if l, ok := echoed(l); ok {
				out = append(out, l)
			}
			continue
		}
		h := open[0]
		n := 0
		if h.tabs {
			for n < len(l.text) && l.text[n] == '\t' {
				n++
			}
		}
		if bytes.Equal(trimRight(l.text[n:]), h.word) {
			open = open[1:]
			if len(open) > 0 {
				session++
			}
			continue
		}
		if h.idle {
			continue
		}
		l.shift(n)
		l.session = session
		out = append(out, l)
	}
	return out
}

// heredocs finds the here-documents that a shell line opens.
func heredocs(b []byte) []heredoc {
	var out []heredoc
	var quote byte
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && (i == 0 || isBlank(b[i-1])):
			return out
		case c == '<' && i+1 < len(b) && b[i+1] == '<':
			if i+2 < len(b) && b[i+2] == '<' { // <<< is a here-string
				i += 2
				continue
			}
			h, end := heredocWord(b, i+2)
			h.idle = idleCommand(b[:i], b[end:])
			if len(h.word) > 0 {
				out = append(out, h)
			}
			i = end - 1
		}
	}
	return out
}

// idleCommand looks at the command that reads the here-document, and at what
// follows on its line.
func idleCommand(before, after []byte) bool {
	if k := bytes.LastIndexAny(before, ";|&({`"); k >= 0 {
		before = before[k+1:]
	}
	before = bytes.TrimSpace(before)
	word := before
	if k := bytes.IndexByte(before, ' '); k >= 0 {
		word = before[:k]
	}
	if string(word) != ":" && string(word) != "cat" {
		return false
	}
	return !bytes.ContainsAny(after, "|>") && !bytes.ContainsAny(before, ">")
}

func heredocWord(b []byte, i int) (heredoc, int) {
	var h heredoc
	if i < len(b) && b[i] == '-' {
		h.tabs = true
		i++
	}
	i = skipBlanks(b, i)
	for i < len(b) {
		switch c := b[i]; {
		case c == '\'' || c == '"':
			end := bytes.IndexByte(b[i+1:], c)
			if end < 0 {
				return h, len(b)
			}
			h.word = append(h.word, b[i+1:i+1+end]...)
			i += end + 2
		case c == '\\' && i+1 < len(b):
			h.word = append(h.word, b[i+1])
			i += 2
		case isBlank(c) || c == '>' || c == '<' || c == '|' || c == '&' || c == ';' || c == ')':
			return h, i
		case c >= '0' && c <= '9' && len(h.word) == 0 || c == '(':
			return heredoc{}, i + 1 // arithmetic: 1<<2, $((x<<(2)))
		default:
			h.word = append(h.word, c)
			i++
		}
	}
	return h, i
}

// echoed accepts `echo "oradebug …"` and `print`/`printf` alike: a script that
// writes its commands into a pipe or a file line by line.
func echoed(l line) (line, bool) {
	b := l.text
	i := skipBlanks(b, 0)
	end := wordEnd(b, i)
	switch w := b[i:end]; {
	case foldEqual(w, "echo"), foldEqual(w, "print"), foldEqual(w, "printf"):
	default:
		return l, false
	}
	i = skipBlanks(b, end)
	for i+1 < len(b) && b[i] == '-' { // options: -e, -n
		for i < len(b) && !isBlank(b[i]) {
			i++
		}
		i = skipBlanks(b, i)
	}
	if i >= len(b) || b[i] != '"' && b[i] != '\'' {
		return l, false
	}
	q := b[i]
	stop := bytes.IndexByte(b[i+1:], q)
	if stop < 0 || !foldPrefix(b[i+1:], "oradebug ") {
		return l, false
	}
	l.shift(i + 1)
	t := l.text[:stop]
	if k := bytes.Index(t, []byte(`\n`)); k >= 0 {
		t = t[:k]
	}
	l.text = t
	return l, true
}
