package translate

import "strings"

// renamed are functions whose Oracle meaning needs another SQLite function;
// those named ora_… are registered by package engine.
func renamed(fn string) string {
	switch fn {
	case "nvl":
		return "ifnull"
	case "greatest":
		return "max"
	case "least":
		return "min"
	case "rawtohex":
		return "hex"
	case "hextoraw":
		return "unhex"
	case "chr":
		return "char"
	case "trunc", "substr", "instr", "round", "mod", "replace", "translate", "substrb", "instrb", "lengthb", "length":
		return "ora_" + fn
	}
	return ""
}

// block translates one level of brackets, the inner levels first.
func (tr *translator) block(ts []token) ([]token, error) {
	var out []token
	for i := 0; i < len(ts); {
		n, add, err := tr.one(ts, i, out)
		if err != nil {
			return nil, err
		}
		out = append(out, add...)
		i += n
	}
	out = concat(out)
	if len(out) > 0 && (out[0].word("select") || out[0].word("with")) {
		var err error
		if out, err = tr.setParts(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// setParts applies the rewriting of whole selects to every part of a UNION.
func (tr *translator) setParts(ts []token) ([]token, error) {
	var out []token
	for len(ts) > 0 {
		cut := find(ts, 1, "union", "except", "intersect")
		part := ts
		if cut >= 0 {
			part = ts[:cut]
		}
		p, err := outerJoins(part)
		if err != nil {
			return nil, err
		}
		out = append(out, rownum(p)...)
		if cut < 0 {
			return out, nil
		}
		out = append(out, ts[cut])
		ts = ts[cut+1:]
		if len(ts) > 0 && ts[0].word("all") {
			out = append(out, ts[0])
			ts = ts[1:]
		}
	}
	return out, nil
}

// one translates what stands at ts[i]; it returns how many tokens it took and
// what they became.
func (tr *translator) one(ts []token, i int, before []token) (int, []token, error) {
	t := ts[i]
	switch {
	case t.is("("):
		return tr.brackets(ts, i)
	case t.is("/"):
		return tr.divide(ts, i)
	case t.is("^="):
		return 1, []token{op("<>")}, nil
	case t.kind != word:
		return 1, []token{t}, nil
	case afterDot(before):
		return 1, []token{t}, nil
	}
	next := at(ts, i+1)
	switch {
	case next.is(".") && (t.low == "sys" || t.low == "system" || t.low == "public"):
		return 2, nil, nil // the owner
	case strings.HasPrefix(t.low, "v_$") || strings.HasPrefix(t.low, "gv_$"):
		t.text = strings.Replace(t.text, "_$", "$", 1)
		return 1, []token{t}, nil
	case next.kind == str && (t.low == "date" || t.low == "timestamp"):
		mask := "YYYY-MM-DD"
		if t.low == "timestamp" {
			mask = "YYYY-MM-DD HH24:MI:SS"
		}
		return 2, []token{id("to_date"), op("("), next, op(","), lit(mask), op(")")}, nil
	case t.low == "interval" && next.kind == str:
		return interval(ts, i)
	case t.low == "minus":
		return 1, []token{id("except")}, nil
	case t.low == "unique" && len(before) > 0 && before[len(before)-1].word("select"):
		return 1, []token{id("distinct")}, nil
	case t.low == "fetch" || t.low == "offset":
		return tr.fetchClause(ts, i)
	case next.is("("):
		return tr.call(ts, i)
	}
	if v, ok := tr.value(t); ok {
		return 1, []token{v}, nil
	}
	return 1, []token{t}, nil
}

// value replaces the functions without arguments by what they are now.
func (tr *translator) value(t token) (token, bool) {
	switch t.low {
	case "sysdate", "current_date":
		return floatToken(float64(int64(tr.env.Now*86400)) / 86400), true
	case "systimestamp", "current_timestamp", "localtimestamp":
		return floatToken(tr.env.Now), true
	case "sessiontimezone", "dbtimezone":
		v := lit(tr.env.Zone)
		v.space = true
		return v, true
	case "user":
		v := lit(tr.env.User)
		v.space = true
		return v, true
	}
	return token{}, false
}

func (tr *translator) brackets(ts []token, i int) (int, []token, error) {
	if at(ts, i+1).is("+") && at(ts, i+2).is(")") {
		return 3, []token{op("(+)")}, nil // the outer join mark
	}
	c := closeOf(ts, i)
	if c < 0 {
		return 0, nil, &Error{Code: 907, Offset: ts[i].pos, Message: "missing right parenthesis"}
	}
	in, err := tr.block(ts[i+1 : c])
	if err != nil {
		return 0, nil, err
	}
	out := append([]token{ts[i]}, in...)
	return c + 1 - i, append(out, ts[c]), nil
}

// divide keeps SQLite from dividing integers, and from making NULL of a
// division by zero.
func (tr *translator) divide(ts []token, i int) (int, []token, error) {
	end := operandEnd(ts, i+1)
	if end <= i+1 {
		return 0, nil, &Error{Code: 936, Offset: ts[i].pos, Message: "missing expression"}
	}
	divisor, err := tr.block(ts[i+1 : end])
	if err != nil {
		return 0, nil, err
	}
	out := append([]token{op("*"), number("1.0"), op("/"), id("ora_divisor"), op("(")}, divisor...)
	return end - i, append(out, op(")")), nil
}

func interval(ts []token, i int) (int, []token, error) {
	div := ""
	switch at(ts, i+2).low {
	case "day":
		div = "1.0"
	case "hour":
		div = "24.0"
	case "minute":
		div = "1440.0"
	case "second":
		div = "86400.0"
	default:
		return 0, nil, &Error{Code: 30089, Offset: ts[i].pos, Message: "missing or invalid <datetime field>"}
	}
	return 3, []token{op("("), number(ts[i+1].text), op("/"), number(div), op(")")}, nil
}

// call translates a function call.
func (tr *translator) call(ts []token, i int) (int, []token, error) {
	t := ts[i]
	c := closeOf(ts, i+1)
	if c < 0 {
		return 0, nil, &Error{Code: 907, Offset: t.pos, Message: "missing right parenthesis"}
	}
	args := ts[i+2 : c]
	switch t.low {
	case "sys_context", "userenv":
		names, ok := literals(args)
		want := 1
		if t.low == "sys_context" {
			want = 2
		}
		if !ok || len(names) < want {
			return 0, nil, &Error{Code: 2003, Offset: t.pos, Message: "invalid USERENV parameter"}
		}
		v, known := tr.env.Context(strings.ToUpper(names[want-1]))
		if !known {
			return 0, nil, &Error{Code: 2003, Offset: t.pos, Message: "invalid USERENV parameter"}
		}
		out := lit(v)
		out.space = true
		return c + 1 - i, []token{out}, nil
	case "extract":
		return tr.extract(ts, i, c)
	case "listagg":
		return tr.listagg(ts, i, c)
	case "sys_extract_utc": // the simulated server's zone is UTC
		in, err := tr.block(args)
		return c + 1 - i, append(append([]token{op("(")}, in...), op(")")), err
	case "cast":
		return tr.cast(args, t, c+1-i)
	case "to_char":
		if parts := split(args, isComma); len(parts) == 1 && tr.looksDate(parts[0]) {
			args = append(append([]token{}, args...), op(","), lit(tr.env.DateMask))
		}
	}
	in, err := tr.block(args)
	if err != nil {
		return 0, nil, err
	}
	if n := renamed(t.low); n != "" {
		t = token{kind: word, text: n, low: n, space: t.space}
	}
	out := append([]token{t, op("(")}, in...)
	return c + 1 - i, append(out, op(")")), nil
}

// cast keeps the value and rounds a date to seconds; text and numbers change.
func (tr *translator) cast(args []token, t token, n int) (int, []token, error) {
	as := find(args, 0, "as")
	if as < 0 {
		return 0, nil, &Error{Code: 905, Offset: t.pos, Message: "missing keyword"}
	}
	in, err := tr.block(args[:as])
	if err != nil {
		return 0, nil, err
	}
	fn := "to_number"
	switch typ := at(args, as+1).low; typ {
	case "varchar2", "varchar", "char", "nvarchar2":
		fn = "to_char"
	case "date":
		fn = "ora_seconds"
	case "timestamp":
		fn = ""
	}
	out := []token{op("(")}
	if fn != "" {
		out = []token{id(fn), op("(")}
	}
	return n, append(append(out, in...), op(")")), nil
}

func (tr *translator) extract(ts []token, i, c int) (int, []token, error) {
	if c < i+5 || !at(ts, i+3).word("from") {
		return 0, nil, &Error{Code: 907, Offset: ts[i].pos, Message: "missing right parenthesis"}
	}
	in, err := tr.block(ts[i+4 : c])
	if err != nil {
		return 0, nil, err
	}
	out := append([]token{id("ora_extract"), op("("), lit(at(ts, i+2).low), op(",")}, in...)
	return c + 1 - i, append(out, op(")")), nil
}

// listagg becomes string_agg with the order inside.
func (tr *translator) listagg(ts []token, i, c int) (int, []token, error) {
	args, err := tr.block(ts[i+2 : c])
	if err != nil {
		return 0, nil, err
	}
	if len(split(args, isComma)) == 1 {
		args = append(args, op(","), op("''"))
	}
	out := append([]token{id("string_agg"), op("(")}, args...)
	if at(ts, c+1).word("within") && at(ts, c+2).word("group") && at(ts, c+3).is("(") {
		g := closeOf(ts, c+3)
		if g < 0 {
			return 0, nil, &Error{Code: 907, Offset: ts[c+3].pos, Message: "missing right parenthesis"}
		}
		order, err := tr.block(ts[c+4 : g])
		if err != nil {
			return 0, nil, err
		}
		out = append(out, order...)
		c = g
	}
	return c + 1 - i, append(out, op(")")), nil
}

// fetchClause translates [OFFSET n ROWS] [FETCH FIRST|NEXT n ROWS ONLY].
func (tr *translator) fetchClause(ts []token, i int) (int, []token, error) {
	start := i
	limit, offset := number("-1"), token{}
	if ts[i].low == "offset" {
		if w := at(ts, i+2).low; w != "rows" && w != "row" {
			return 1, []token{ts[i]}, nil
		}
		offset = at(ts, i+1)
		i += 3
	}
	if at(ts, i).word("fetch") && (at(ts, i+1).word("first") || at(ts, i+1).word("next")) {
		i += 2
		limit = number("1")
		if w := at(ts, i).low; w != "row" && w != "rows" {
			limit = at(ts, i)
			i++
		}
		i += 2 // ROWS ONLY
	} else if i == start {
		return 1, []token{ts[i]}, nil
	}
	if tr.env.Rank < 2 { // 12.1
		return 0, nil, &Error{Code: 933, Offset: ts[start].pos, Message: "SQL command not properly ended"}
	}
	limit.space = true
	out := []token{id("limit"), limit}
	if offset.text != "" {
		offset.space = true
		out = append(out, id("offset"), offset)
	}
	return i - start, out, nil
}
