package translate

// rownum turns WHERE … ROWNUM <= n into LIMIT, when the condition stands
// alone or is joined by AND.
func rownum(ts []token) []token {
	w := find(ts, 0, "where")
	if w < 0 {
		return ts
	}
	end := find(ts, w, clauseEnd...)
	if end < 0 {
		end = len(ts)
	}
	var keep [][]token
	var limit []token
	for _, c := range split(ts[w+1:end], isAnd) {
		if len(c) == 3 && c[0].word("rownum") && c[1].kind == punct {
			switch c[1].text {
			case "<=", "=":
				limit = []token{c[2]}
				continue
			case "<":
				limit = []token{op("("), c[2], op("-"), number("1"), op(")")}
				continue
			}
		}
		keep = append(keep, c)
	}
	if limit == nil {
		return ts
	}
	limit[0].space = true
	out := append([]token{}, ts[:w]...)
	out = joinAnd(out, "where", keep)
	if at(ts, end).word("order") {
		// ROWNUM counts before ORDER BY; OFFSET keeps SQLite from flattening.
		x := append([]token{id("select"), op("*"), id("from"), op("(")}, out...)
		x = append(append(append(x, id("limit")), limit...), id("offset"), number("0"), op(")"))
		return append(x, ts[end:]...)
	}
	out = append(out, ts[end:]...)
	return append(append(out, id("limit")), limit...)
}

// joinAnd appends `first c1 and c2 …`.
func joinAnd(out []token, first string, conds [][]token) []token {
	for i, c := range conds {
		w := "and"
		if i == 0 {
			w = first
		}
		if len(c) > 0 {
			c[0].space = true
		}
		out = append(append(out, id(w)), c...)
	}
	return out
}

// outerJoins turns Oracle's (+) into LEFT JOIN … ON.
func outerJoins(ts []token) ([]token, error) {
	f, w := find(ts, 0, "from"), find(ts, 0, "where")
	if f < 0 || w < f {
		return ts, nil
	}
	end := find(ts, w, clauseEnd...)
	if end < 0 {
		end = len(ts)
	}
	marked := false
	for _, t := range ts[w:end] {
		marked = marked || t.is("(+)")
	}
	if !marked {
		return ts, nil
	}
	on := map[string][][]token{}
	var rest [][]token
	for _, c := range split(ts[w+1:end], isAnd) {
		target, clean, err := unmark(c)
		if err != nil {
			return nil, err
		}
		if target == "" {
			rest = append(rest, clean)
		} else {
			on[target] = append(on[target], clean)
		}
	}
	out := append([]token{}, ts[:f+1]...)
	tables := split(ts[f+1:w], isComma)
	inner := 0
	for _, it := range tables {
		if on[alias(it)] == nil {
			if inner > 0 {
				out = append(out, id("cross"), id("join"))
			}
			out = append(out, it...)
			inner++
		}
	}
	if inner == 0 {
		return nil, &Error{Code: 1416, Offset: ts[f].pos, Message: "two tables cannot be outer-joined to each other"}
	}
	for _, it := range tables {
		if conds := on[alias(it)]; conds != nil {
			out = append(append(out, id("left"), id("join")), it...)
			out = joinAnd(out, "on", conds)
		}
	}
	out = joinAnd(out, "where", rest)
	return append(out, ts[end:]...), nil
}

func alias(table []token) string {
	if len(table) == 0 {
		return ""
	}
	return table[len(table)-1].low
}

// unmark removes (+) from a condition and names the table it stood at.
func unmark(c []token) (target string, clean []token, err error) {
	for i, t := range c {
		if !t.is("(+)") {
			clean = append(clean, t)
			continue
		}
		if i < 3 || len(c) == 0 || !c[i-2].is(".") {
			return "", nil, &Error{Code: 918, Offset: c[0].pos, Message: "column ambiguously defined"}
		}
		if target != "" && target != c[i-3].low {
			return "", nil, &Error{Code: 1468, Offset: c[0].pos, Message: "a predicate may reference only one outer-joined table"}
		}
		target = c[i-3].low
	}
	return target, clean, nil
}

// concat makes || treat NULL as the empty string, as Oracle does: a chain
// a || b becomes nullif(ifnull(a,”)||ifnull(b,”),”).
func concat(ts []token) []token {
	for i := 0; i < len(ts); i++ {
		if !ts[i].is("||") {
			continue
		}
		start := operandStart(ts, i-1)
		if start < 0 {
			return ts // SQLite will refuse it
		}
		chain := []token{id("nullif"), op("(")}
		chain = wrap(chain, ts[start:i])
		j := i
		for j < len(ts) && ts[j].is("||") {
			end := operandEnd(ts, j+1)
			if end < 0 {
				return ts
			}
			chain = wrap(append(chain, op("||")), ts[j+1:end])
			j = end
		}
		chain = append(chain, op(","), op("''"), op(")"))
		out := append([]token{}, ts[:start]...)
		out = append(out, chain...)
		i = len(out) - 1
		ts = append(out, ts[j:]...)
	}
	return ts
}

func wrap(out, operand []token) []token {
	return append(append(append(out, id("ifnull"), op("(")), operand...), op(","), op("''"), op(")"))
}

// operandStart returns where the operand that ends at i begins.
func operandStart(ts []token, i int) int {
	if i < 0 {
		return -1
	}
	if ts[i].is(")") {
		depth := 0
		for ; i >= 0; i-- {
			if ts[i].is(")") {
				depth++
			} else if ts[i].is("(") {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if i > 0 && ts[i-1].kind == word && !operator(ts[i-1]) {
			i--
		}
		return i
	}
	if ts[i].word("end") {
		for depth := 0; i >= 0; i-- {
			if ts[i].word("end") {
				depth++
			} else if ts[i].word("case") {
				if depth--; depth == 0 {
					return i
				}
			}
		}
		return -1
	}
	if ts[i].kind == punct {
		return -1
	}
	for i >= 2 && ts[i-1].is(".") {
		i -= 2
	}
	return i
}

// operator says that a word before "(" is no function name.
func operator(t token) bool {
	switch t.low {
	case "and", "or", "not", "in", "select", "where", "then", "else", "when", "on", "by", "like", "between", "exists", "case":
		return true
	}
	return false
}

// operandEnd returns the index behind the operand that begins at i.
func operandEnd(ts []token, i int) int {
	switch {
	case i >= len(ts):
		return -1
	case ts[i].is("("):
		c := closeOf(ts, i)
		return c + 1
	case ts[i].word("case"):
		for depth := 0; i < len(ts); i++ {
			if ts[i].word("case") {
				depth++
			} else if ts[i].word("end") {
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return -1
	case ts[i].kind == punct:
		return -1
	}
	for at(ts, i+1).is(".") {
		i += 2
	}
	if at(ts, i+1).is("(") && ts[i].kind == word {
		return closeOf(ts, i+1) + 1
	}
	return i + 1
}
