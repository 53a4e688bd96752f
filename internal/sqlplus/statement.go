package sqlplus

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a piece of a statement that no line end may split.
type token struct {
	text  string
	space bool // white space stands before it
}

func (t token) is(word string) bool { return strings.EqualFold(t.text, word) }

// statement is SQL without comments, with every argument in its place.
type statement struct{ tokens []token }

// parseStatement reads one statement. What SQL*Plus would take for its own is
// made harmless: comments and a terminator go, line ends and NUL in literals
// become CHR, and layout sees to the rest. Placeholders (:1, :name) become
// literals; without args none is replaced.
func parseStatement(text string, args []driver.NamedValue) (*statement, error) {
	const usual = 4 // characters of a token, and the blank before it
	p := &parser{text: text, args: args, out: make([]token, 0, len(text)/usual+8)}
	for {
		more, err := p.next()
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	for len(p.out) > 0 && p.out[len(p.out)-1].text == ";" {
		p.out = p.out[:len(p.out)-1]
	}
	if len(p.out) == 0 {
		return nil, refuse(text, "it is empty")
	}
	for _, t := range p.out {
		if t.text == ";" {
			return nil, refuse(text, "it holds a semicolon: one statement at a time")
		}
	}
	if len(args) > 0 && p.used < len(args) {
		return nil, refuse(text, fmt.Sprintf("%d arguments for %d placeholders", len(args), p.used))
	}
	return &statement{p.out}, nil
}

type parser struct {
	text  string
	at    int
	out   []token
	space bool
	args  []driver.NamedValue
	used  int
}

func (p *parser) emit(text string) {
	p.out = append(p.out, token{text, p.space})
	p.space = false
}

// next reads one token; false at the end.
func (p *parser) next() (bool, error) {
	rest := p.text[p.at:]
	if rest == "" {
		return false, nil
	}
	c := rest[0]
	switch {
	case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
		p.at++
		p.space = true
	case strings.HasPrefix(rest, "--"):
		p.at += max(strings.IndexByte(rest+"\n", '\n'), 1)
		p.at = min(p.at, len(p.text))
		p.space = true
	case strings.HasPrefix(rest, "/*"):
		return true, p.comment(rest)
	case c == '\'':
		content, n, ok := quoted(rest)
		if !ok {
			return false, refuse(rest, "the literal has no end")
		}
		p.at += n
		return true, p.literal(content)
	case c == '"':
		n := strings.IndexByte(rest[1:], '"')
		if n < 0 || strings.ContainsAny(rest[1:1+n], "\r\n\x00") {
			return false, refuse(rest, "the quoted name has no end on its line")
		}
		p.at += n + 2
		p.emit(rest[:n+2])
	case c == ':' && len(rest) > 1 && isWord(rune(rest[1])) && p.args != nil:
		return true, p.bind(rest)
	case isWord(rune(c)) || c >= utf8.RuneSelf:
		return true, p.word(rest)
	case c < ' ' || c == 0x7f:
		return false, refuse(rest, fmt.Sprintf("a control character (%#02x)", c))
	default:
		p.at++
		p.emit(rest[:1])
	}
	return true, nil
}

// comment drops a comment and keeps a hint, unless it breaks the line or holds
// what a terminal or SQL*Plus would act on.
func (p *parser) comment(rest string) error {
	n := strings.Index(rest, "*/")
	if n < 0 {
		return refuse(rest, "the comment has no end")
	}
	p.at += n + 2
	if strings.HasPrefix(rest, "/*+") && !strings.ContainsFunc(rest[:n], func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
		p.emit(rest[:n+2])
	}
	p.space = true
	return nil
}

func (p *parser) word(rest string) error {
	n := 0
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if r == utf8.RuneError && size == 1 {
			return refuse(rest, "it is not valid UTF-8")
		}
		if !isWord(r) && r < utf8.RuneSelf {
			break
		}
		n += size
	}
	word := rest[:n]
	if w := strings.ToLower(word); (w == "q" || w == "nq") && strings.HasPrefix(rest[n:], "'") {
		content, size, ok := alternative(rest[n:])
		if !ok {
			return refuse(rest, "the literal has no end")
		}
		p.at += n + size
		return p.literal(content)
	}
	p.at += n
	p.emit(word)
	return nil
}

func (p *parser) literal(content string) error {
	text, err := Literal(content)
	if err != nil {
		return err
	}
	// A literal that was taken apart is many tokens, so that lines can end.
	for i, part := range strings.SplitAfter(text, "\x00") {
		if i > 0 {
			p.space = false
		}
		p.emit(strings.TrimSuffix(part, "\x00"))
	}
	return nil
}

func (p *parser) bind(rest string) error {
	n := 1
	for n < len(rest) && isWord(rune(rest[n])) {
		n++
	}
	name := rest[1:n]
	p.at += n
	for _, a := range p.args {
		if a.Name == "" && name == fmt.Sprint(a.Ordinal) || a.Name != "" && strings.EqualFold(a.Name, name) {
			parts, err := literalOf(a.Value)
			if err != nil {
				return fmt.Errorf("argument :%s: %w", name, err)
			}
			p.used++
			for _, t := range parts {
				p.emit(t)
			}
			return nil
		}
	}
	return refuse(rest, "no argument for :"+name)
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r == '#' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// quoted reads a literal in single quotes; n is its length in the text.
func quoted(s string) (content string, n int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		return b.String(), i + 1, true
	}
	return "", 0, false
}

// alternative reads '[…]' as it stands behind q.
func alternative(s string) (content string, n int, ok bool) {
	r, size := utf8.DecodeRuneInString(s[1:])
	closing := r
	if i := strings.IndexRune("[{(<", r); i >= 0 {
		closing = rune("]})>"[i])
	}
	content, _, ok = strings.Cut(s[1+size:], string(closing)+"'")
	return content, 1 + size + len(content) + utf8.RuneLen(closing) + 1, ok && size > 0
}

// layout writes the statement in lines that SQL*Plus takes for nothing else,
// with the slash that runs it. A line ends where a space or a comma stood, and
// never behind a hyphen (it would continue the line) or a semicolon; none
// begins with what SQL*Plus reads at the beginning of a line.
func (s *statement) layout() (string, error) {
	const wanted = 1000
	var b strings.Builder
	width := 0
	prev := ""
	for i, t := range s.tokens {
		can := i > 0 && (t.space || strings.HasSuffix(prev, ",") || strings.HasSuffix(prev, "||")) &&
			!strings.HasSuffix(prev, "-") && !strings.ContainsAny(t.text[:min(1, len(t.text))], "/.#@!$-;")
		switch {
		case can && width+len(t.text) > wanted:
			b.WriteByte('\n')
			width = 0
		case t.space && i > 0:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(t.text)
		if width += len(t.text); width > maxLine {
			return "", refuse(t.text, fmt.Sprintf("a piece of more than %d bytes without a blank", maxLine))
		}
		prev = t.text
	}
	if strings.HasSuffix(prev, "-") {
		return "", refuse(prev, "a hyphen at its end would continue it on the next line")
	}
	return b.String() + "\n/", nil
}
