package translate

import (
	"strconv"
	"strings"
)

// Env is what a statement sees of the session that runs it.
type Env struct {
	Now      float64 // days since 1970 in server time
	User     string
	Zone     string // "+00:00"
	DateMask string // NLS_DATE_FORMAT
	Rank     int    // of the release: FETCH FIRST came with 2, SELECT without FROM with 7
	// Context answers SYS_CONTEXT('USERENV', name) and USERENV(name).
	Context func(name string) (value string, ok bool)
	// IsDate says whether a column of that name (lower case) is a DATE or a
	// TIMESTAMP.
	IsDate func(column string) bool
}

// Statement is a translated statement.
type Statement struct {
	SQL   string
	Kind  string   // first word, lower case; "select" also for "(" and WITH
	Binds []string // name of every bind, by position
	Names []string // Oracle's column names; nil: as SQLite says
	Dates []bool   // which columns are dates
	Words []string // every identifier of the statement in capitals, to know which views it needs
}

// Translate translates one statement without its terminator.
func Translate(q string, env *Env) (*Statement, error) {
	ts, err := lex(q)
	if err != nil {
		return nil, err
	}
	if len(ts) == 0 {
		return nil, &Error{Code: 900, Message: "invalid SQL statement"}
	}
	if last := ts[len(ts)-1]; last.is(";") {
		return nil, &Error{Code: 911, Offset: last.pos, Message: "invalid character"}
	}
	tr := &translator{env: env, src: q}
	st := &Statement{Kind: ts[0].low}
	if ts[0].is("(") || st.Kind == "with" {
		st.Kind = "select"
	}
	if st.Kind != "select" {
		return st, nil
	}
	if err := tr.check(ts); err != nil {
		return nil, err
	}
	st.Names, st.Dates = tr.columns(ts)
	for _, t := range ts {
		switch t.kind {
		case bind:
			st.Binds = append(st.Binds, t.text)
		case word, quoted:
			st.Words = append(st.Words, strings.ToUpper(t.text))
		}
	}
	if ts, err = tr.block(ts); err != nil {
		return nil, err
	}
	st.SQL = emit(ts)
	return st, nil
}

type translator struct {
	env *Env
	src string
}

// check refuses what SQLite would take and Oracle does not.
func (tr *translator) check(ts []token) error {
	for i, t := range ts {
		if t.is("(") && closeOf(ts, i) < 0 {
			return &Error{Code: 907, Offset: t.pos, Message: "missing right parenthesis"}
		}
	}
	for i, t := range ts {
		if !t.word("select") {
			continue
		}
		if at(ts, i+1).word("from") {
			return &Error{Code: 936, Offset: at(ts, i+1).pos, Message: "missing expression"}
		}
		end := i + 1
		for depth := 0; end < len(ts) && depth >= 0; end++ {
			if ts[end].is("(") {
				depth++
			} else if ts[end].is(")") {
				depth--
			}
		}
		if find(ts[:end], i, "from") < 0 && tr.env.Rank < 7 {
			off := len(tr.src)
			if end < len(ts) {
				off = ts[end].pos
			}
			return &Error{Code: 923, Offset: off, Message: "FROM keyword not found where expected"}
		}
		if err := tr.grouping(ts[i:min(end, len(ts))]); err != nil {
			return err
		}
	}
	return nil
}

var clauseEnd = []string{"group", "order", "having", "union", "minus", "except", "intersect", "limit", "connect", "start", "fetch", "offset"}

// grouping finds a bare column beside an aggregate (ORA-00937) or outside of
// the GROUP BY list (ORA-00979), in the simple cases.
func (tr *translator) grouping(ts []token) error {
	from := find(ts, 0, "from")
	if from < 0 {
		return nil
	}
	set := find(ts, from, "union", "minus", "intersect")
	if set < 0 {
		set = len(ts)
	}
	group := find(ts[:set], from, "group")
	var bare []token
	aggregate := false
	for _, it := range split(ts[1:from], isComma) {
		if len(it) >= 1 && it[0].word("distinct") {
			return nil
		}
		switch name, ok := bareColumn(it); {
		case ok:
			bare = append(bare, name)
		case hasAggregate(it):
			aggregate = true
		}
	}
	if group < 0 {
		if aggregate && len(bare) > 0 {
			return &Error{Code: 937, Offset: bare[0].pos, Message: "not a single-group group function"}
		}
		return nil
	}
	for _, b := range bare {
		in := false
		for _, t := range ts[group:set] {
			in = in || t.low == b.low
		}
		if !in {
			return &Error{Code: 979, Offset: b.pos, Message: "not a GROUP BY expression"}
		}
	}
	return nil
}

// bareColumn recognises `c`, `t.c`, both with an alias.
func bareColumn(it []token) (token, bool) {
	n := 1
	if len(it) >= 3 && it[1].is(".") {
		n = 3
	}
	if len(it) < n || it[n-1].kind != word && it[n-1].kind != quoted {
		return token{}, false
	}
	switch it[0].low {
	case "sysdate", "systimestamp", "user", "null", "rownum", "level", "case", "current_date", "current_timestamp", "sessiontimezone", "dbtimezone":
		if n == 1 {
			return token{}, false
		}
	}
	switch len(it) - n {
	case 0:
	case 1, 2:
		if it[n].kind == punct || it[n].kind == str || it[n].kind == num {
			return token{}, false
		}
	default:
		return token{}, false
	}
	return it[n-1], true
}

func hasAggregate(it []token) bool {
	for i, t := range it {
		if t.kind == word && at(it, i+1).is("(") {
			switch t.low {
			case "count", "sum", "min", "max", "avg", "listagg", "stddev", "variance", "median":
				c := closeOf(it, i+1)
				if !at(it, c+1).word("over") {
					return true
				}
			}
		}
	}
	return false
}

// literal returns the text of a string argument list such as ('USERENV','SID').
func literals(ts []token) ([]string, bool) {
	var out []string
	for _, a := range split(ts, isComma) {
		if len(a) != 1 || a[0].kind != str {
			return nil, false
		}
		out = append(out, a[0].text)
	}
	return out, true
}

func floatToken(f float64) token {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return number(s)
}
