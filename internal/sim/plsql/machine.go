package plsql

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/sim/engine"
)

// Machine runs blocks for one session.
type Machine struct {
	SQL    *engine.Session
	Binds  map[string]any // host variables by name in capitals
	Output []string       // of DBMS_OUTPUT

	src  string
	toks []token
	at   int
	vars map[string]any // by name in lower case; record fields as rec.field
}

// errReturn leaves the block.
var errReturn = errors.New("return")

// errExit leaves a loop.
var errExit = errors.New("exit loop")

// maxSteps bounds a loop that would never end.
const maxSteps = 1_000_000

// Run runs one block. Host variables that were assigned are in Binds
// afterwards.
func (m *Machine) Run(ctx context.Context, src string) error {
	toks, err := lex(src)
	if err != nil {
		return err
	}
	m.src, m.toks, m.at, m.vars = src, toks, 0, map[string]any{}
	if m.peek().low == "call" {
		m.at++
		return m.wrap(m.simple(ctx, false))
	}
	err = m.block(ctx, false)
	if errors.Is(err, errReturn) {
		err = nil
	}
	return m.wrap(err)
}

// wrap adds the stack line that PL/SQL puts below an error.
func (m *Machine) wrap(err error) error {
	var oe *engine.Error
	if errors.As(err, &oe) {
		return &Error{Code: oe.Code, Text: fmt.Sprintf("ORA-%05d: %s\nORA-06512: at line %d", oe.Code, oe.Message, m.line())}
	}
	return err
}

func (m *Machine) line() int {
	pos := len(m.src)
	if m.at < len(m.toks) {
		pos = m.toks[m.at].pos
	}
	return 1 + strings.Count(m.src[:pos], "\n")
}

func (m *Machine) peek() token {
	if m.at < len(m.toks) {
		return m.toks[m.at]
	}
	return token{text: "end-of-file", low: "end-of-file", pos: len(m.src), end: len(m.src)}
}

func (m *Machine) next() token {
	t := m.peek()
	m.at++
	return t
}

func (m *Machine) accept(word string) bool {
	if m.peek().low == word {
		m.at++
		return true
	}
	return false
}

func (m *Machine) expect(word string) error {
	if t := m.next(); t.low != word {
		return compile(t.pos, m.src, t.text)
	}
	return nil
}

// block runs [DECLARE …] BEGIN … [EXCEPTION …] END; skip only reads over it.
func (m *Machine) block(ctx context.Context, skip bool) error {
	if m.accept("declare") {
		if err := m.declarations(ctx, skip); err != nil {
			return err
		}
	}
	if err := m.expect("begin"); err != nil {
		return err
	}
	err := m.statements(ctx, skip, "exception", "end")
	failed := err != nil && !errors.Is(err, errReturn) && !errors.Is(err, errExit)
	if failed {
		var ce *Error
		if errors.As(err, &ce) && ce.Code == 6550 {
			return err // it does not compile: no handler sees it
		}
		if serr := m.skipTo(ctx); serr != nil {
			return serr
		}
	} else if err != nil {
		return err
	}
	if m.accept("exception") {
		herr := m.handlers(ctx, skip, err)
		if failed {
			err = herr
		} else if herr != nil {
			return herr
		}
	}
	if err != nil {
		return err
	}
	if eerr := m.expect("end"); eerr != nil {
		return eerr
	}
	if m.peek().low != ";" && m.peek().low != "end-of-file" {
		m.at++ // the block's label
	}
	m.accept(";")
	return nil
}

// skipTo moves behind the statements of the block that failed, to its
// EXCEPTION or END.
func (m *Machine) skipTo(ctx context.Context) error {
	depth := 0
	for ; m.at < len(m.toks); m.at++ {
		switch t := m.toks[m.at]; t.low {
		case "begin", "if", "loop", "case":
			if m.at > 0 && m.toks[m.at-1].low == "end" {
				continue // end if, end loop
			}
			depth++
		case "end":
			if depth == 0 {
				return nil
			}
			depth--
		case "exception":
			if depth == 0 {
				return nil
			}
		}
	}
	return compile(len(m.src), m.src, "end-of-file")
}

// handlers runs the handler that takes err; WHEN OTHERS and the named ones
// that matter here.
func (m *Machine) handlers(ctx context.Context, skip bool, err error) error {
	handled := false
	result := err
	for m.accept("when") {
		match := false
		for {
			name := m.next()
			match = match || !handled && err != nil && catches(name.low, err)
			if !m.accept("or") {
				break
			}
		}
		if e := m.expect("then"); e != nil {
			return e
		}
		run := match && !skip
		if run {
			handled = true
			m.setError(err)
		}
		e := m.statements(ctx, !run, "when", "end")
		if run {
			if errors.Is(e, errRaise) {
				e = err
			}
			result = e
			if e != nil {
				return e
			}
		} else if e != nil {
			return e
		}
	}
	return result
}

var errRaise = errors.New("raise")

func catches(name string, err error) bool {
	if name == "others" {
		return true
	}
	codes := map[string]int{"no_data_found": 1403, "too_many_rows": 1422, "zero_divide": 1476, "invalid_number": 1722, "value_error": 6502, "dup_val_on_index": 1}
	return codes[name] == codeOf(err) && codes[name] != 0
}

func codeOf(err error) int {
	var oe *engine.Error
	var pe *Error
	switch {
	case errors.As(err, &oe):
		return oe.Code
	case errors.As(err, &pe):
		return pe.Code
	}
	return 6510
}

func (m *Machine) setError(err error) {
	text, _, _ := strings.Cut(err.Error(), "\n")
	m.vars["sqlcode"], m.vars["sqlerrm"] = int64(-codeOf(err)), text
}

func (m *Machine) declarations(ctx context.Context, skip bool) error {
	for m.peek().low != "begin" {
		name := m.next()
		if name.low == "" || !wordByte(name.low[0]) || name.low == "end-of-file" {
			return compile(name.pos, m.src, name.text)
		}
		if m.peek().low == "exception" { // a named exception: nothing to keep
			m.at++
			if err := m.expect(";"); err != nil {
				return err
			}
			continue
		}
		start := m.at
		for m.peek().low != ";" && m.peek().low != ":=" && m.peek().low != "default" {
			if m.peek().low == "end-of-file" || m.peek().low == "begin" {
				return compile(m.peek().pos, m.src, m.peek().text)
			}
			m.at++
		}
		if m.at == start {
			return compile(m.peek().pos, m.src, m.peek().text)
		}
		m.vars[name.low] = nil
		if m.accept(":=") || m.accept("default") {
			expr := m.until(";")
			if !skip {
				v, err := m.eval(ctx, expr)
				if err != nil {
					return err
				}
				m.vars[name.low] = v
			}
		}
		if err := m.expect(";"); err != nil {
			return err
		}
	}
	return nil
}

// until returns the tokens up to one of the words outside of brackets and
// CASE.
func (m *Machine) until(words ...string) []token {
	start, depth, cases := m.at, 0, 0
	for m.at < len(m.toks) {
		t := m.toks[m.at]
		switch t.low {
		case "(":
			depth++
		case ")":
			depth--
		case "case":
			cases++
		case "end":
			if cases > 0 {
				cases--
				m.at++
				continue
			}
		}
		if depth <= 0 && cases == 0 {
			for _, w := range words {
				if t.low == w {
					return m.toks[start:m.at]
				}
			}
		}
		m.at++
	}
	return m.toks[start:m.at]
}

// sqlText writes tokens as SQL, with variables as binds.
func (m *Machine) sqlText(toks []token) (string, []engine.Bind) {
	var b strings.Builder
	binds := map[string]any{}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if i > 0 && toks[i-1].end < t.pos {
			b.WriteString(m.src[toks[i-1].end:t.pos]) // blanks and comments as they were
		}
		if t.low == ":" && i+1 < len(toks) { // a host variable
			name := strings.ToUpper(toks[i+1].text)
			binds[name] = m.Binds[name]
			b.WriteString(":" + name)
			i++
			continue
		}
		name := t.low
		field := i+2 < len(toks) && toks[i+1].low == "."
		if field {
			if _, ok := m.vars[t.low+"."+toks[i+2].low]; ok {
				name = t.low + "." + toks[i+2].low
			} else {
				field = false
			}
		}
		v, ok := m.vars[name]
		if ok && name != "" && (i == 0 || toks[i-1].low != ".") && (field || i+1 >= len(toks) || toks[i+1].low != ".") {
			bind := "PLS_" + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
			binds[bind] = v
			b.WriteString(":" + bind)
			if field {
				i += 2
			}
			continue
		}
		b.WriteString(t.text)
	}
	var out []engine.Bind
	for n, v := range binds {
		out = append(out, engine.Bind{Name: n, Value: v})
	}
	return b.String(), out
}

// eval evaluates an expression.
func (m *Machine) eval(ctx context.Context, toks []token) (any, error) {
	if len(toks) == 0 {
		return nil, compile(m.peek().pos, m.src, m.peek().text)
	}
	if len(toks) == 1 {
		switch toks[0].low {
		case "true":
			return int64(1), nil
		case "false":
			return int64(0), nil
		}
	}
	text, binds := m.sqlText(toks)
	r, err := m.SQL.Query(ctx, "select "+text+" from dual", binds)
	if err != nil {
		return nil, err
	}
	return r.Rows[0][0], nil
}

// truth evaluates a condition.
func (m *Machine) truth(ctx context.Context, toks []token) (bool, error) {
	if len(toks) == 0 {
		return false, compile(m.peek().pos, m.src, m.peek().text)
	}
	text, binds := m.sqlText(toks)
	r, err := m.SQL.Query(ctx, "select case when "+text+" then 1 else 0 end from dual", binds)
	if err != nil {
		return false, err
	}
	return r.Rows[0][0] == int64(1), nil
}

func text(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}
