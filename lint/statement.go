package lint

import "bytes"

// statement reads a SQL statement or PL/SQL block as SQL*Plus collects it: it
// looks at line ends only, so a ";" that ends a line ends the statement even
// within a string (facts/problem-cases.md P10).
func (x *lexer) statement(it *item, block bool) {
	it.kind = itemSQL
	if block {
		it.kind = itemBlock
	}
	decided := block
	inComment := false
	var suspect []int // parts that begin with the word oradebug
	x.gather(func(b []byte, first bool) (bool, ending) {
		t := trimRight(b)
		i := skipBlanks(t, 0)
		if i == len(t) {
			return !block && !inComment && !x.set.blankLines, endBlank
		}
		if !first && len(t) == i+1 && !inComment {
			switch t[i] {
			case '/':
				return true, endSlash
			case '.':
				return true, endDot
			}
		}
		if !first && lower(t[i]) == 'o' && foldPrefix(t[i:], "oradebug") &&
			(len(t) == i+8 || isBlank(t[i+8])) {
			suspect = append(suspect, len(x.parts)-1)
		}
		if inComment || bytes.Contains(t, []byte("/*")) {
			inComment = commentOpen(t, inComment)
		}
		if inComment || x.set.terminator == 0 || t[len(t)-1] != x.set.terminator {
			return false, endCut
		}
		if !decided {
			decided = true
			if x.createsBlock() {
				block = true
				it.kind = itemBlock
			}
		}
		return !block, endTerminator
	}, it)
	x.findSwallowed(it, suspect)
}

// commentOpen says whether a /* comment is open at the end of a line. Strings
// that hold "/*" are rare enough to look at one line only.
func commentOpen(b []byte, open bool) bool {
	var quote byte
	for i := 0; i < len(b); i++ {
		two := i+1 < len(b)
		switch {
		case open:
			if b[i] == '*' && two && b[i+1] == '/' {
				open = false
				i++
			}
		case quote != 0:
			if b[i] == quote {
				quote = 0
			}
		case b[i] == '\'' || b[i] == '"':
			quote = b[i]
		case b[i] == '-' && two && b[i+1] == '-':
			return false
		case b[i] == '/' && two && b[i+1] == '*':
			open = true
			i++
		}
	}
	return open
}

// createsBlock says whether the statement that is being read is a CREATE of
// something written in PL/SQL, which a ";" does not end.
func (x *lexer) createsBlock() bool {
	b := x.joined
	if x.contiguous != nil {
		b = x.contiguous[x.parts[0].off : x.cur.off+len(x.cur.text)]
	}
	return createsBlock(b)
}

func createsBlock(b []byte) bool {
	var word []byte
	i := 0
	next := func() bool {
		i = skipSpace(b, i)
		end := wordEnd(b, i)
		word, i = b[i:end], end
		return len(word) > 0
	}
	if !next() {
		return false
	}
	if foldEqual(word, "with") {
		return next() && (foldEqual(word, "function") || foldEqual(word, "procedure"))
	}
	if !foldEqual(word, "create") {
		return false
	}
	for next() {
		switch {
		case foldEqual(word, "or"), foldEqual(word, "replace"), foldEqual(word, "editionable"),
			foldEqual(word, "noneditionable"), foldEqual(word, "and"), foldEqual(word, "resolve"),
			foldEqual(word, "compile"), foldEqual(word, "noforce"):
			continue
		case foldEqual(word, "function"), foldEqual(word, "procedure"), foldEqual(word, "package"),
			foldEqual(word, "trigger"), foldEqual(word, "type"), foldEqual(word, "library"), foldEqual(word, "java"):
			return true
		}
		return false
	}
	return false
}

// skipSpace skips blanks, line ends and comments.
func skipSpace(b []byte, i int) int {
	for i < len(b) {
		switch {
		case isBlank(b[i]) || b[i] == '\n':
			i++
		case bytes.HasPrefix(b[i:], []byte("--")):
			end := bytes.IndexByte(b[i:], '\n')
			if end < 0 {
				return len(b)
			}
			i += end + 1
		case bytes.HasPrefix(b[i:], []byte("/*")):
			end := bytes.Index(b[i+2:], []byte("*/"))
			if end < 0 {
				return len(b)
			}
			i += end + 4
		default:
			return i
		}
	}
	return i
}

// findSwallowed notes the first suspect line that is code, not the inside of
// a string or comment.
func (x *lexer) findSwallowed(it *item, suspect []int) {
	if len(suspect) == 0 {
		return
	}
	want := make(map[int]part, len(suspect))
	for _, k := range suspect {
		p := it.text.parts[k]
		want[p.start] = p
	}
	scan := sqlScanner{b: it.text.b}
	for i, c := range it.text.b {
		if c == 'o' || c == 'O' || isBlank(c) {
			if p, ok := want[i]; ok && scan.plain() {
				d := skipBlanks(it.text.b, i) - i
				it.swallowed = place{line: p.line, column: p.col + d + 1, off: p.off + d}
				return
			}
		}
		scan.step(i)
	}
}

// sqlScanner follows strings and comments of SQL and PL/SQL byte by byte.
type sqlScanner struct {
	b     []byte
	state byte // 0 code, ' or " string, q alternative quoting, - or * comment
	close byte // the closing delimiter of q'…'
	skip  int  // bytes before this one were consumed together with another
}

func (s *sqlScanner) plain() bool { return s.state == 0 }

// step takes byte i into account; bytes must be given in order.
func (s *sqlScanner) step(i int) {
	if i < s.skip {
		return
	}
	c := s.b[i]
	var n byte
	if i+1 < len(s.b) {
		n = s.b[i+1]
	}
	switch s.state {
	case 0:
		switch {
		case c == '\'' && i > 0 && lower(s.b[i-1]) == 'q' && n != 0 && !s.wordBefore(i-1):
			s.state, s.close, s.skip = 'q', closing(n), i+2
		case c == '\'' || c == '"':
			s.state = c
		case c == '-' && n == '-':
			s.state = '-'
		case c == '/' && n == '*':
			s.state, s.skip = '*', i+2
		}
	case 'q':
		if c == s.close && n == '\'' {
			s.state, s.skip = 0, i+2
		}
	case '-':
		if c == '\n' {
			s.state = 0
		}
	case '*':
		if c == '*' && n == '/' {
			s.state, s.skip = 0, i+2
		}
	default:
		if c == s.state {
			s.state = 0
		}
	}
}

// wordBefore says whether the q at i ends a longer word; n'…' and nq'…' are
// literals too.
func (s *sqlScanner) wordBefore(i int) bool {
	if i > 0 && lower(s.b[i-1]) == 'n' {
		i--
	}
	return i > 0 && isWord(s.b[i-1])
}

func closing(c byte) byte {
	switch c {
	case '[':
		return ']'
	case '{':
		return '}'
	case '(':
		return ')'
	case '<':
		return '>'
	}
	return c
}
