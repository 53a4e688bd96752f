package translate

import "strings"

// columns names the select list as Oracle does and guesses which items are
// dates. Both are nil when the list holds a `*`.
func (tr *translator) columns(ts []token) (names []string, dates []bool) {
	s := find(ts, 0, "select")
	if s < 0 {
		return nil, nil
	}
	f := find(ts, s, "from")
	if f < 0 {
		f = len(ts)
	}
	list := ts[s+1 : f]
	if len(list) > 0 && (list[0].word("distinct") || list[0].word("all") || list[0].word("unique")) {
		list = list[1:]
	}
	for _, it := range split(list, isComma) {
		if len(it) == 0 || it[len(it)-1].is("*") && len(it) < 4 {
			return nil, nil
		}
		name, expr := tr.itemName(it)
		names = append(names, name)
		dates = append(dates, tr.looksDate(expr))
	}
	return names, dates
}

func (tr *translator) itemName(it []token) (name string, expr []token) {
	n := len(it)
	last := it[n-1]
	plain := func(t token) string {
		if t.kind == word {
			return strings.ToUpper(t.text)
		}
		return t.text
	}
	if n == 1 && (last.kind == word || last.kind == quoted) || n == 3 && it[1].is(".") {
		return plain(last), it
	}
	if n > 1 && (last.kind == quoted || last.kind == word && last.low != "end") {
		prev := it[n-2]
		if !prev.is(".") && (prev.kind != punct || prev.is(")")) && !prev.word("is") && !prev.word("not") {
			expr = it[:n-1]
			if expr[len(expr)-1].word("as") {
				expr = expr[:len(expr)-1]
			}
			return plain(last), expr
		}
	}
	// Oracle names an expression by its text, blanks removed, in capitals
	// outside of quotes.
	var b strings.Builder
	for _, t := range it {
		x := tr.src[t.pos:t.end]
		if t.kind != str && t.kind != quoted {
			x = strings.ToUpper(x)
		}
		b.WriteString(x)
	}
	return b.String(), it
}

// looksDate types an expression: date ± number is a date, date - date is not.
func (tr *translator) looksDate(x []token) bool {
	for len(x) > 2 && x[0].is("(") && closeOf(x, 0) == len(x)-1 {
		x = x[1 : len(x)-1]
	}
	if len(x) == 0 {
		return false
	}
	if i := lastOperator(x, "+", "-"); i > 0 {
		return tr.looksDate(x[:i]) != tr.looksDate(x[i+1:])
	}
	if lastOperator(x, "*", "/", "||") > 0 {
		return false
	}
	if len(x) == 2 && x[1].kind == str && (x[0].word("date") || x[0].word("timestamp")) {
		return true
	}
	if len(x) == 1 || len(x) == 3 && x[1].is(".") {
		c := x[len(x)-1]
		return dateFunction(c.low) || c.kind != str && tr.env.IsDate(c.low)
	}
	if x[0].kind == word && len(x) > 2 && x[1].is("(") && closeOf(x, 1) == len(x)-1 {
		if dateFunction(x[0].low) {
			return true
		}
		switch x[0].low {
		case "max", "min", "nvl", "trunc", "coalesce", "greatest", "least", "round":
			return tr.looksDate(split(x[2:len(x)-1], isComma)[0])
		case "cast":
			for i, t := range x {
				if t.word("as") {
					return at(x, i+1).word("date") || at(x, i+1).word("timestamp")
				}
			}
		case "case":
		}
	}
	if x[0].word("case") {
		if i := find(x, 0, "then"); i > 0 {
			if j := find(x, i+1, "when", "else", "end"); j > i {
				return tr.looksDate(x[i+1 : j])
			}
		}
	}
	return false
}

func dateFunction(name string) bool {
	switch name {
	case "sysdate", "systimestamp", "current_date", "current_timestamp", "localtimestamp", "to_date", "to_timestamp", "add_months", "last_day":
		return true
	}
	return false
}

// lastOperator finds the last of the operators outside of brackets and CASE.
func lastOperator(x []token, ops ...string) int {
	depth := 0
	for i := len(x) - 1; i > 0; i-- {
		switch {
		case x[i].is(")"), x[i].word("end"):
			depth++
		case x[i].is("("), x[i].word("case"):
			depth--
		case depth == 0 && x[i].kind == punct:
			for _, o := range ops {
				if x[i].text == o {
					return i
				}
			}
		}
	}
	return -1
}
