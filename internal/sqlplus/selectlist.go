package sqlplus

import (
	"fmt"
	"strconv"
	"strings"
)

// query is a SELECT taken apart as far as wrapping it needs.
type query struct {
	columns []string // upper case, COL<n> for an expression without a name
	body    []token  // without ORDER BY
	keys    string   // ORDER BY over c1 … cn and o, "" for none
	extra   []token  // expression of a column o, by which it is ordered; nil for none
}

// parseQuery finds the columns and the order of a SELECT. Columns must be
// named one by one: what * means, only the database knows.
func parseQuery(s *statement) (*query, error) {
	main := mainSelect(s.tokens)
	if main < 0 {
		return nil, refuse(text(s.tokens), "it is no SELECT")
	}
	from, order := -1, -1
	compound := false
	depth := 0
	for i := main + 1; i < len(s.tokens); i++ {
		t := s.tokens[i]
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case depth != 0:
		case t.is("from") && from < 0:
			from = i
		case t.is("union"), t.is("intersect"), t.is("minus"):
			compound = true
		case t.is("order") && i+1 < len(s.tokens) && s.tokens[i+1].is("by"):
			order = i
		case t.is("for") && i+1 < len(s.tokens) && s.tokens[i+1].is("update"):
			return nil, refuse(text(s.tokens), "it locks rows")
		}
	}
	if from < 0 {
		return nil, refuse(text(s.tokens), "it has no FROM")
	}
	q := &query{body: s.tokens}
	distinct := false
	first := main + 1
	for first < from && (s.tokens[first].is("distinct") || s.tokens[first].is("unique") || s.tokens[first].is("all") || strings.HasPrefix(s.tokens[first].text, "/*+")) {
		distinct = distinct || s.tokens[first].is("distinct") || s.tokens[first].is("unique")
		first++
	}
	for _, item := range split(s.tokens[first:from]) {
		name, err := columnName(item, len(q.columns)+1)
		if err != nil {
			return nil, err
		}
		q.columns = append(q.columns, name)
	}
	if order < 0 {
		return q, nil
	}
	q.body = s.tokens[:order]
	return q, q.orderBy(s.tokens[order+2:], from, compound || distinct)
}

// orderBy carries the order over into the wrapping statement: positions become
// columns; anything else becomes ROW_NUMBER over the same expressions, in a
// column of its own.
func (q *query) orderBy(list []token, from int, closed bool) error {
	var keys []string
	for _, item := range split(list) {
		n, err := strconv.Atoi(item[0].text)
		if err != nil || n < 1 || n > len(q.columns) {
			if closed {
				return refuse(text(list), "order by position, because of DISTINCT or UNION")
			}
			q.keys = "o"
			q.extra = append(append([]token{{text: "row_number() over (order by"}}, spaced(list)...), token{text: ")"})
			q.body = append(append(append(append([]token{}, q.body[:from]...), token{text: ","}), q.extra...), spaced(q.body[from:])...)
			return nil
		}
		keys = append(keys, strings.TrimSpace("c"+strconv.Itoa(n)+" "+text(item[1:])))
	}
	q.keys = strings.Join(keys, ", ")
	return nil
}

// spaced puts white space before the first token.
func spaced(list []token) []token {
	out := append([]token{}, list...)
	if len(out) > 0 {
		out[0].space = true
	}
	return out
}

// mainSelect is the index of the SELECT that makes the columns, behind a WITH
// clause; -1 for none.
func mainSelect(list []token) int {
	if len(list) == 0 || !list[0].is("select") && !list[0].is("with") {
		return -1
	}
	depth := 0
	for i, t := range list {
		switch {
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		case depth == 0 && t.is("select"):
			return i
		}
	}
	return -1
}

// split cuts at commas outside parentheses. No part is empty.
func split(list []token) [][]token {
	var out [][]token
	depth, start := 0, 0
	for i, t := range list {
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		case ",":
			if depth == 0 {
				out = append(out, list[start:i])
				start = i + 1
			}
		}
	}
	out = append(out, list[start:])
	kept := out[:0]
	for _, part := range out {
		if len(part) > 0 {
			kept = append(kept, part)
		}
	}
	return kept
}

// columnName is the name of a column of the result: its alias or the column it
// is.
func columnName(item []token, n int) (string, error) {
	last := item[len(item)-1].text
	switch {
	case last == "*" && (len(item) == 1 || item[len(item)-2].text == "."):
		return "", refuse(text(item), "name the columns instead of *")
	case strings.HasPrefix(last, `"`):
		return strings.Trim(last, `"`), nil
	case isWord(rune(last[0])) && (last[0] < '0' || last[0] > '9') && !strings.EqualFold(last, "end") && !strings.EqualFold(last, "null"):
		return strings.ToUpper(last), nil
	}
	return fmt.Sprintf("COL%d", n), nil
}

// text joins tokens again, for messages.
func text(list []token) string {
	var b strings.Builder
	for i, t := range list {
		if t.space && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
