// Package plsql runs the PL/SQL blocks that guards and SQL*Plus scripts use:
// declarations, assignments, SELECT INTO, IF, loops over a query,
// RAISE_APPLICATION_ERROR, exception handlers, and the few package calls that
// trace and look at sessions. Expressions are evaluated by the SQL engine.
package plsql

import (
	"fmt"
	"strings"
)

// Error is a PL/SQL error: its text is the whole stack.
type Error struct {
	Code   int
	Offset int // in the block
	Text   string
}

func (e *Error) Error() string { return e.Text }

type token struct {
	text     string
	low      string // lower case, "" for a string literal
	pos, end int
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// lex splits a block; comments vanish.
func lex(q string) ([]token, error) {
	var out []token
	for i := 0; i < len(q); {
		switch c := q[i]; {
		case c <= ' ':
			i++
			continue
		case strings.HasPrefix(q[i:], "--"):
			n := strings.IndexByte(q[i:], '\n')
			if n < 0 {
				return out, nil
			}
			i += n
			continue
		case strings.HasPrefix(q[i:], "/*"):
			n := strings.Index(q[i:], "*/")
			if n < 0 {
				return nil, compile(i, q, "end-of-file")
			}
			i += n + 2
			continue
		case c == '\'':
			j := i + 1
			for ; j < len(q); j++ {
				if q[j] != '\'' {
					continue
				}
				if j+1 < len(q) && q[j+1] == '\'' {
					j++
					continue
				}
				break
			}
			if j >= len(q) {
				return nil, &Error{Code: 1756, Offset: i, Text: "ORA-01756: quoted string not properly terminated"}
			}
			out = append(out, token{text: q[i : j+1], pos: i, end: j + 1})
			i = j + 1
		case wordByte(c) || c == '"':
			j := i
			if c == '"' {
				n := strings.IndexByte(q[i+1:], '"')
				if n < 0 {
					return nil, compile(i, q, `"`)
				}
				j = i + n + 2
			}
			for j < len(q) && wordByte(q[j]) {
				j++
			}
			out = append(out, token{text: q[i:j], low: strings.ToLower(q[i:j]), pos: i, end: j})
			i = j
		default:
			n := 1
			for _, two := range []string{":=", "<=", ">=", "<>", "!=", "||", "=>", ".."} {
				if strings.HasPrefix(q[i:], two) {
					n = 2
				}
			}
			out = append(out, token{text: q[i : i+n], low: q[i : i+n], pos: i, end: i + n})
			i += n
		}
	}
	return out, nil
}

// compile is ORA-06550 with PLS-00103, as for any symbol out of place.
func compile(pos int, q, found string) *Error {
	line := 1 + strings.Count(q[:min(pos, len(q))], "\n")
	col := pos - strings.LastIndexByte(q[:min(pos, len(q))], '\n')
	return &Error{Code: 6550, Offset: pos, Text: fmt.Sprintf("ORA-06550: line %d, column %d:\nPLS-00103: Encountered the symbol \"%s\" when expecting something else", line, col, strings.ToUpper(found))}
}
