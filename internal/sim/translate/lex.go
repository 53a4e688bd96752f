// Package translate turns Oracle SQL into SQLite's, statement by statement,
// and refuses what is wrong with the ORA error Oracle would raise. It is
// pure: it knows no data, only which columns are dates.
package translate

import (
	"fmt"
	"strings"
)

// Error is an ORA error with the byte offset in the statement.
type Error struct {
	Code    int
	Offset  int
	Message string // without the ORA- number
}

func (e *Error) Error() string { return fmt.Sprintf("ORA-%05d: %s", e.Code, e.Message) }

type kind uint8

const (
	word   kind = iota // identifier or keyword without quotes
	quoted             // "Quoted"
	str                // 'text', decoded
	num
	bind // :name; text is the name in capitals
	punct
)

type token struct {
	kind     kind
	text     string // as it will be emitted, except for str
	low      string // lower case of a word or quoted identifier
	pos, end int    // bytes in the source; 0,0 for what the translation added
	space    bool   // white space or a comment before it
	bindNo   int    // 1-based position of a bind in the source
}

func (t token) is(s string) bool   { return t.kind == punct && t.text == s }
func (t token) word(s string) bool { return t.kind == word && t.low == s }

func startsWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
func inWord(c byte) bool { return startsWord(c) || c >= '0' && c <= '9' || c == '$' || c == '#' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// lex splits a statement.
func lex(q string) ([]token, error) {
	var out []token
	space, binds := false, 0
	for i := 0; i < len(q); {
		n, err := skip(q, i)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			i += n
			space = true
			continue
		}
		t, n, err := next(q, i)
		if err != nil {
			return nil, err
		}
		if t.kind == bind {
			binds++
			t.bindNo = binds
		}
		t.pos, t.end, t.space = i, i+n, space
		space = false
		i += n
		out = append(out, t)
	}
	return out, nil
}

// skip returns the length of white space or a comment at i.
func skip(q string, i int) (int, error) {
	switch {
	case q[i] == ' ' || q[i] == '\t' || q[i] == '\n' || q[i] == '\r':
		return 1, nil
	case strings.HasPrefix(q[i:], "--"):
		if n := strings.IndexByte(q[i:], '\n'); n >= 0 {
			return n + 1, nil
		}
		return len(q) - i, nil
	case strings.HasPrefix(q[i:], "/*"):
		n := strings.Index(q[i+2:], "*/")
		if n < 0 {
			return 0, &Error{Code: 1742, Offset: i, Message: "comment not terminated properly"}
		}
		return n + 4, nil
	}
	return 0, nil
}

func next(q string, i int) (token, int, error) {
	c := q[i]
	switch {
	case (c == 'q' || c == 'Q') && i+2 < len(q) && q[i+1] == '\'':
		return altQuoted(q, i)
	case c == '\'':
		return text(q, i)
	case c == '"':
		n := strings.IndexByte(q[i+1:], '"')
		if n < 0 {
			return token{}, 0, &Error{Code: 1740, Offset: i, Message: "missing double quote in identifier"}
		}
		s := q[i+1 : i+1+n]
		return token{kind: quoted, text: s, low: strings.ToLower(s)}, n + 2, nil
	case startsWord(c):
		j := i
		for j < len(q) && inWord(q[j]) {
			j++
		}
		return token{kind: word, text: q[i:j], low: strings.ToLower(q[i:j])}, j - i, nil
	case digit(c) || c == '.' && i+1 < len(q) && digit(q[i+1]):
		n := numberLen(q[i:])
		return token{kind: num, text: q[i : i+n]}, n, nil
	case c == ':' && i+1 < len(q) && (inWord(q[i+1]) || q[i+1] == '"'):
		j := i + 1
		for j < len(q) && (inWord(q[j]) || q[j] == '"') {
			j++
		}
		return token{kind: bind, text: strings.ToUpper(strings.Trim(q[i+1:j], `"`))}, j - i, nil
	}
	for _, two := range []string{"||", "<=", ">=", "<>", "!=", "^=", ":=", "=>", ".."} {
		if strings.HasPrefix(q[i:], two) {
			return token{kind: punct, text: two}, 2, nil
		}
	}
	if !strings.ContainsRune("()+-*/,.;=<>|:@%[]{}?", rune(c)) {
		return token{}, 0, &Error{Code: 911, Offset: i, Message: "invalid character"}
	}
	return token{kind: punct, text: q[i : i+1]}, 1, nil
}

// text reads 'it”s'.
func text(q string, i int) (token, int, error) {
	var b strings.Builder
	for j := i + 1; j < len(q); j++ {
		if q[j] != '\'' {
			b.WriteByte(q[j])
			continue
		}
		if j+1 < len(q) && q[j+1] == '\'' {
			b.WriteByte('\'')
			j++
			continue
		}
		return token{kind: str, text: b.String()}, j + 1 - i, nil
	}
	return token{}, 0, &Error{Code: 1756, Offset: i, Message: "quoted string not properly terminated"}
}

// altQuoted reads q'[it's]'.
func altQuoted(q string, i int) (token, int, error) {
	closer := q[i+2]
	switch closer {
	case '[':
		closer = ']'
	case '{':
		closer = '}'
	case '(':
		closer = ')'
	case '<':
		closer = '>'
	}
	n := strings.Index(q[i+3:], string(closer)+"'")
	if n < 0 {
		return token{}, 0, &Error{Code: 1756, Offset: i, Message: "quoted string not properly terminated"}
	}
	return token{kind: str, text: q[i+3 : i+3+n]}, n + 5, nil
}

func numberLen(s string) int {
	j := 0
	for j < len(s) && (digit(s[j]) || s[j] == '.' && !strings.HasPrefix(s[j:], "..")) {
		j++
	}
	if j < len(s) && (s[j] == 'e' || s[j] == 'E') {
		k := j + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && digit(s[k]) {
			for k < len(s) && digit(s[k]) {
				k++
			}
			j = k
		}
	}
	return j
}
