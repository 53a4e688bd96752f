package sqlplus

import (
	"strconv"
	"strings"
)

// with is WITH q(c1, …) AS (the query), tokens of the user's and ours.
func (q *query) with() []token {
	names := make([]string, 0, len(q.columns)+1)
	for i := range q.columns {
		names = append(names, col(i))
	}
	if q.extra != nil {
		names = append(names, "o")
	}
	out := sqlTokens("with q(" + strings.Join(names, ", ") + ") as (")
	out = append(out, q.body...)
	return append(out, token{text: ")"})
}

func col(i int) string { return "c" + strconv.Itoa(i+1) }

// short prints each row as one text. It is the usual form; the database
// refuses it (ORA-01489, ORA-22835) when a row is longer than a VARCHAR2.
func (q *query) short() *statement {
	var fields []string
	for i := range q.columns {
		c := col(i)
		fields = append(fields, "case when "+c+" is null then '-' else '+' || length("+c+" || '') || ':' || "+guarded(c+" || ''")+" end")
	}
	list := "to_char('" + rowMark + "' || " + strings.Join(fields, " || '|' || ") + " || '" + lastMark + "') t"
	return &statement{append(q.with(), sqlTokens(q.ended(list, "q"))...)}
}

// ended adds the end mark and the order.
func (q *query) ended(list, from string) string {
	keys, nulls := q.orderColumns()
	s := " select t from (select " + list + keys + " from " + from + " union all select '" + endMark + "~'" + nulls + " from dual)"
	if q.keys != "" {
		s += " order by " + q.keys
	}
	return s
}

// orderColumns hands the columns that are ordered by through the union.
func (q *query) orderColumns() (names, nulls string) {
	if q.extra != nil {
		return ", o", ", null"
	}
	seen := map[string]bool{}
	for k := range strings.SplitSeq(q.keys, ", ") {
		name, _, _ := strings.Cut(k, " ")
		if name != "" && !seen[name] {
			seen[name] = true
			names += ", " + name
			nulls += ", null"
		}
	}
	return names, nulls
}

// longest asks for the length of the longest value.
func (q *query) longest() *statement {
	list := "to_char('" + rowMark + "+' || length(nvl(max(greatest(0"
	for i := range q.columns {
		list += ", nvl(length(" + col(i) + " || ''), 0)"
	}
	list += ")), 0)) || ':' || nvl(max(greatest(0"
	for i := range q.columns {
		list += ", nvl(length(" + col(i) + " || ''), 0)"
	}
	list += ")), 0) || '" + lastMark + "') t"
	return &statement{append(q.with(), sqlTokens(" select t from (select "+list+" from q union all select '"+endMark+"~' from dual)")...)}
}

// pieceLength is how many characters a piece of a long value has: four bytes
// each, or two after escaping, have to fit into a VARCHAR2 of 4,000 bytes.
const pieceLength = 900

// long prints values in pieces, one a row: row, column, piece, the value's
// length, the text. Nothing in it becomes longer than a VARCHAR2, and a CLOB
// is never printed as such. pieces is how many the longest value needs.
func (q *query) long(pieces int) *statement {
	n := len(q.columns)
	names := make([]string, n)
	size, part := "case k", "case k"
	for i := range q.columns {
		names[i] = col(i)
		when := " when " + strconv.Itoa(i+1) + " then "
		size += when + "length(" + names[i] + " || '')"
		part += when + "to_char(substr(" + names[i] + " || '', (p - 1) * " + strconv.Itoa(pieceLength) + " + 1, " + strconv.Itoa(pieceLength) + "))"
	}
	all := strings.Join(names, ", ")
	keys := q.keys
	if keys == "" {
		keys = "null"
	}
	s := ", n as (select row_number() over (order by " + keys + ") r, " + all + " from q)" +
		", g(i) as (select 1 from dual union all select i + 1 from g where i < " + strconv.Itoa(n*pieces) + ")" +
		", v as (select r, k, p, " + size + " end z, " + part + " end v from (select r, mod(i - 1, " + strconv.Itoa(n) + ") + 1 k, trunc((i - 1) / " +
		strconv.Itoa(n) + ") + 1 p, " + all + " from n cross join g))" +
		" select t from (select to_char('" + pieceMark + "' || r || '|' || k || '|' || p || '|' || case when z is null then '-' else '+' || z || ':' || " +
		guarded("v") + " end || '" + lastMark + "') t from v where p <= case when z > 0 then ceil(z / " + strconv.Itoa(pieceLength) + ") else 1 end" +
		" union all select '" + endMark + "~' from dual)"
	return &statement{append(q.with(), sqlTokens(s)...)}
}

// sqlTokens reads SQL of our own, which needs no checks: it is cut at blanks
// and behind commas and ||, so that lines can end there.
func sqlTokens(s string) []token {
	var out []token
	space := false
	start := 0
	quoted := false
	flush := func(end int) {
		if end > start {
			out = append(out, token{s[start:end], space})
			space = false
		}
	}
	for i := range len(s) {
		switch {
		case s[i] == '\'':
			quoted = !quoted
		case quoted:
		case s[i] == ' ':
			flush(i)
			space, start = true, i+1
		case s[i] == ',' || s[i] == '(' || s[i] == ')':
			flush(i)
			start = i
			flush(i + 1)
			start = i + 1
		}
	}
	flush(len(s))
	return out
}
