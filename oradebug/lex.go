package oradebug

import "strings"

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokWord
	tokQuoted
	tokPunct // one of [ ] { } ( ) , ; : | =
)

// token is one piece of an event text. text is without the quotes.
type token struct {
	kind tokenKind
	text string
	pos  int // byte offset
	end  int
}

func (t token) is(punct string) bool { return t.kind == tokPunct && t.text == punct }

// word reports whether the token is the keyword w, in any letter case. A
// quoted word is never a keyword.
func (t token) word(w string) bool { return t.kind == tokWord && strings.EqualFold(t.text, w) }

const punctuation = "[]{}(),;:|="

func isPunctuation(c byte) bool {
	switch c {
	case '[', ']', '{', '}', '(', ')', ',', ';', ':', '|', '=':
		return true
	}
	return false
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

// lex cuts an event text into tokens. Quotes are double or single; a doubled
// quote inside stands for one. Oracle's own quoting rules are not published:
// this is the superset of what the samples of facts/oradebug.md 3.2 need.
func lex(text string) ([]token, *SpecError) {
	toks := make([]token, 0, len(text)/5+4)
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case isSpace(c):
			i++
		case c == '"' || c == '\'':
			t, next := lexQuoted(text, i)
			if next < 0 {
				return toks, &SpecError{
					Column: i + 1, ORA: 49107, Message: "Passed end of string while parsing",
					Hint: "close the quote that begins here", Text: text,
				}
			}
			toks = append(toks, t)
			i = next
		case isPunctuation(c):
			toks = append(toks, token{tokPunct, text[i : i+1], i, i + 1})
			i++
		default:
			j := wordEnd(text, i)
			toks = append(toks, token{tokWord, text[i:j], i, j})
			i = j
		}
	}
	return append(toks, token{kind: tokEnd, pos: len(text), end: len(text)}), nil
}

func lexQuoted(text string, i int) (token, int) {
	q := text[i]
	var b strings.Builder
	for j := i + 1; j < len(text); j++ {
		if text[j] != q {
			b.WriteByte(text[j])
			continue
		}
		if j+1 < len(text) && text[j+1] == q {
			b.WriteByte(q)
			j++
			continue
		}
		return token{tokQuoted, b.String(), i, j + 1}, j + 1
	}
	return token{}, -1
}

// wordEnd also keeps a shell's ${NAME} in one piece, so that here-documents
// can be read before the shell has replaced it.
func wordEnd(text string, i int) int {
	for j := i; j < len(text); j++ {
		c := text[j]
		if c == '$' && j+1 < len(text) && text[j+1] == '{' {
			k := strings.IndexByte(text[j:], '}')
			if k > 0 {
				j += k
				continue
			}
		}
		if c <= ' ' && isSpace(c) || c == '"' || c == '\'' || isPunctuation(c) {
			return j
		}
	}
	return len(text)
}

// isVariable reports a substitution variable (&x, &&x, $1, ${PID}): what it
// will be replaced by cannot be judged.
func isVariable(s string) bool { return strings.ContainsAny(s, "&$") }
