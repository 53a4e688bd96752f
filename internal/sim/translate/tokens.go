package translate

import (
	"strconv"
	"strings"
)

func op(s string) token  { return token{kind: punct, text: s} }
func lit(s string) token { return token{kind: str, text: s} }
func id(s string) token  { return token{kind: word, text: s, low: strings.ToLower(s), space: true} }
func number(s string) token {
	return token{kind: num, text: s, space: true}
}

// sqliteWords are reserved in SQLite and plain names in Oracle.
func sqliteWord(low string) bool {
	switch low {
	case "limit", "index", "key", "if", "glob", "isnull", "notnull", "indexed", "returning", "abort", "attach", "autoincrement",
		"collate", "commit", "conflict", "database", "defer", "detach", "explain", "fail", "ignore", "plan", "pragma", "primary",
		"query", "raise", "regexp", "reindex", "release", "rename", "replace", "savepoint", "temp", "temporary", "transaction",
		"trigger", "vacuum", "virtual", "window", "filter", "match", "no", "do", "nothing", "of", "row", "ties", "offset":
		return true
	}
	return false
}

// emit prints the tokens as SQLite text.
func emit(ts []token) string {
	var b strings.Builder
	for i, t := range ts {
		if i > 0 && (t.space || t.kind != punct && ts[i-1].kind != punct) {
			b.WriteByte(' ')
		}
		switch t.kind {
		case str:
			if t.text == "" {
				b.WriteString("NULL") // Oracle's empty string is NULL
				continue
			}
			b.WriteString("'" + strings.ReplaceAll(t.text, "'", "''") + "'")
		case quoted:
			b.WriteString("[" + t.text + "]")
		case word:
			call := i+1 < len(ts) && ts[i+1].is("(")
			if strings.ContainsAny(t.text, "#$") || t.pos+t.end > 0 && sqliteWord(t.low) && !call {
				b.WriteString("[" + t.text + "]")
				continue
			}
			b.WriteString(t.text)
		case bind:
			b.WriteString("?" + strconv.Itoa(t.bindNo))
		default:
			b.WriteString(t.text)
		}
	}
	return b.String()
}

// closeOf returns the index of the ")" that closes the "(" at i, or -1.
func closeOf(ts []token, i int) int {
	depth := 0
	for ; i < len(ts); i++ {
		if ts[i].is("(") {
			depth++
		} else if ts[i].is(")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// find returns the first of the words outside of brackets, or -1.
func find(ts []token, from int, words ...string) int {
	depth := 0
	for i := from; i < len(ts); i++ {
		switch {
		case ts[i].is("("):
			depth++
		case ts[i].is(")"):
			depth--
		case depth == 0 && ts[i].kind == word:
			for _, w := range words {
				if ts[i].low == w && (i == 0 || !ts[i-1].is(".")) {
					return i
				}
			}
		}
	}
	return -1
}

// split cuts at a separator outside of brackets; AND that belongs to BETWEEN
// and words inside CASE are no separators.
func split(ts []token, sep func(token) bool) [][]token {
	var out [][]token
	depth, cases, start := 0, 0, 0
	between := false
	for i, t := range ts {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.word("case"):
			cases++
		case t.word("end") && cases > 0:
			cases--
		case depth > 0 || cases > 0:
		case t.word("between"):
			between = true
		case sep(t):
			if between && t.word("and") {
				between = false
				continue
			}
			out = append(out, ts[start:i])
			start = i + 1
		}
	}
	return append(out, ts[start:])
}

func isComma(t token) bool { return t.is(",") }
func isAnd(t token) bool   { return t.word("and") }

func at(ts []token, i int) token {
	if i >= 0 && i < len(ts) {
		return ts[i]
	}
	return token{kind: punct}
}

func afterDot(ts []token) bool { return len(ts) > 0 && ts[len(ts)-1].is(".") }
