package lint

import "bytes"

// logLines cuts the typed commands out of a spool log: what follows a prompt,
// and the numbered lines of a statement. Everything else is output.
func logLines(src []byte) []line {
	var out []line
	raw := rawLines{src: src}
	inStatement := false
	for l := (line{}); raw.next(&l); {
		if n, ok := promptEnd(l.text); ok {
			l.shift(n)
			l.fresh = true
			inStatement = true
			out = append(out, l)
			continue
		}
		if n := anyPromptBeforeOradebug(l.text); n > 0 {
			l.shift(n)
			l.fresh = true
			inStatement = true
			out = append(out, l)
			continue
		}
		if n := numberedEnd(l.text); n > 0 && inStatement {
			l.shift(n)
			out = append(out, l)
			continue
		}
		inStatement = false
		noteReply(out, l.text)
	}
	return out
}

// noteReply keeps the answer to a command that selects a process: it says
// what kind of process that is.
func noteReply(out []line, b []byte) {
	if len(out) > 0 && bytes.HasPrefix(b, []byte("Oracle pid:")) {
		out[len(out)-1].reply = b
	}
}

// shift drops the first n bytes of the line's text.
func (l *line) shift(n int) {
	l.text = l.text[n:]
	l.col += n
	l.off += n
}

// numberedEnd finds the end of the number that SQL*Plus prints before the
// second and later lines of a statement ("  2  "). A ">" there continues a
// command after "-".
func numberedEnd(b []byte) int {
	if len(b) > 1 && b[0] == '>' && b[1] == ' ' {
		return 2
	}
	i := skipBlanks(b, 0)
	d := i
	for d < len(b) && b[d] >= '0' && b[d] <= '9' {
		d++
	}
	if d == i || d-i > 4 || d > 5 {
		return 0
	}
	switch {
	case d == len(b):
		return d
	case d+1 < len(b) && b[d] == ' ' && b[d+1] == ' ':
		return d + 2
	case d+1 == len(b) && b[d] == ' ':
		return d + 1
	}
	return 0
}

// anyPromptBeforeOradebug accepts any short prompt if the word ORADEBUG
// follows it.
func anyPromptBeforeOradebug(b []byte) int {
	i := bytes.IndexByte(b, '>')
	if i <= 0 || i > 60 || bytes.HasPrefix(b, []byte("--")) || bytes.IndexByte(b[:i], '\n') >= 0 {
		return 0
	}
	j := skipBlanks(b, i+1)
	if foldPrefix(b[j:], "oradebug ") && bytes.IndexByte(b[:i], '<') < 0 {
		return j
	}
	return 0
}
