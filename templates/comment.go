package templates

import "strings"

// DefaultDefine is the substitution character of our scripts. It is `^`, as in
// many vendor scripts, because `&` occurs in program names (`R&D.exe`).
const DefaultDefine = '^'

// Comment makes text from the database or from a user fit for a SQL*Plus
// comment line, whatever it holds:
//
//   - one line of printable ASCII: control characters, NUL, terminal escapes and
//     bytes that are no UTF-8 become `?`, and so does each other rune;
//   - `&` becomes `+`, and define becomes `?`: SQL*Plus substitutes in comments
//     too and would ask for a value (facts/problem-cases.md P01);
//   - `;` becomes `,`, because the SQL*Plus guide warns of terminators in
//     comments, and `*/` becomes `*?`;
//   - no `-` at the end, which would swallow the next line;
//   - at most max bytes, cut with `...` (max < 4: hard cut).
//
// Leading and trailing blanks go.
func Comment(define byte, max int, text string) string {
	if plain(define, max, text) {
		return text
	}
	b := make([]byte, 0, min(len(text), max))
	cut := false
	for _, r := range text { // bytes that are no UTF-8 arrive as U+FFFD
		if len(b) >= max {
			cut = true
			break
		}
		c := safeByte(define, r)
		if c == '/' && len(b) > 0 && b[len(b)-1] == '*' {
			c = '?'
		}
		b = append(b, c)
	}
	s := strings.TrimSpace(string(b))
	if cut && max > 3 {
		s = s[:min(len(s), max-3)] + "..."
	}
	if strings.HasSuffix(s, "-") {
		s = s[:len(s)-1] + "?"
	}
	return s
}

// plain is the fast path: almost every name needs nothing done.
func plain(define byte, max int, text string) bool {
	if len(text) > max {
		return false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ' || c > '~', c == '&', c == ';', c == define, c == '/' && i > 0 && text[i-1] == '*':
			return false
		}
	}
	if text == "" {
		return true
	}
	first, last := text[0], text[len(text)-1]
	return first != ' ' && last != ' ' && last != '-'
}

func safeByte(define byte, r rune) byte {
	switch {
	case r < ' ' || r > '~':
		return '?'
	case r == '&':
		return '+'
	case r == ';':
		return ','
	case byte(r) == define:
		return '?'
	}
	return byte(r)
}
