package plsql

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"ringtrace/internal/sim/engine"
)

// statements runs statements up to one of the words; skip only reads them.
func (m *Machine) statements(ctx context.Context, skip bool, ends ...string) error {
	for {
		t := m.peek()
		for _, e := range ends {
			if t.low == e {
				return nil
			}
		}
		if t.low == "end-of-file" {
			return compile(t.pos, m.src, t.text)
		}
		if ctx.Err() != nil { // a break, wherever it comes in
			return &engine.Error{Code: 1013, Message: "user requested cancel of current operation"}
		}
		if err := m.statement(ctx, skip); err != nil {
			return err
		}
	}
}

func (m *Machine) statement(ctx context.Context, skip bool) error {
	switch t := m.peek(); t.low {
	case "begin", "declare":
		return m.block(ctx, skip)
	case "if":
		return m.ifStatement(ctx, skip)
	case "for":
		return m.forLoop(ctx, skip)
	case "loop", "while":
		return m.loop(ctx, skip)
	case "null":
		m.at++
		return m.expect(";")
	case "return":
		m.at++
		if err := m.expect(";"); err != nil || skip {
			return err
		}
		return errReturn
	case "exit":
		return m.exitLoop(ctx, skip)
	case "raise":
		m.at++
		name := m.until(";")
		if err := m.expect(";"); err != nil || skip {
			return err
		}
		if len(name) == 0 {
			return errRaise
		}
		return &Error{Code: 6510, Text: "ORA-06510: PL/SQL: unhandled user-defined exception\nORA-06512: at line " + strconv.Itoa(m.line())}
	case "select", "with":
		return m.selectInto(ctx, skip)
	case "execute":
		return m.dynamic(ctx, skip)
	case "insert", "update", "delete", "merge", "commit", "rollback", "savepoint":
		q, binds := m.sqlText(m.until(";"))
		if err := m.expect(";"); err != nil || skip {
			return err
		}
		_, err := m.SQL.Query(ctx, q, binds)
		return err
	case "":
		return compile(t.pos, m.src, t.text)
	}
	return m.simple(ctx, skip)
}

func (m *Machine) ifStatement(ctx context.Context, skip bool) error {
	m.at++
	taken := false
	for {
		cond := m.until("then")
		if err := m.expect("then"); err != nil {
			return err
		}
		run := false
		if !skip && !taken {
			ok, err := m.truth(ctx, cond)
			if err != nil {
				return err
			}
			run = ok
		}
		taken = taken || run
		if err := m.statements(ctx, skip || !run, "elsif", "else", "end"); err != nil {
			return err
		}
		if !m.accept("elsif") {
			break
		}
	}
	if m.accept("else") {
		if err := m.statements(ctx, skip || taken, "end"); err != nil {
			return err
		}
	}
	return m.ends("end", "if", ";")
}

func (m *Machine) ends(words ...string) error {
	for _, w := range words {
		if err := m.expect(w); err != nil {
			return err
		}
	}
	return nil
}

// forLoop is FOR r IN (select …) LOOP and FOR i IN a..b LOOP.
func (m *Machine) forLoop(ctx context.Context, skip bool) error {
	m.at++
	name := m.next().low
	if err := m.expect("in"); err != nil {
		return err
	}
	reverse := m.accept("reverse")
	head := m.until("loop")
	if err := m.expect("loop"); err != nil {
		return err
	}
	body := m.at
	var rounds []map[string]any
	if !skip {
		var err error
		if rounds, err = m.rounds(ctx, name, head, reverse); err != nil {
			return err
		}
	}
	for _, r := range rounds {
		for k, v := range r {
			m.vars[k] = v
		}
		left, err := m.turn(ctx, body)
		if err != nil {
			return err
		}
		if left {
			break
		}
	}
	return m.behindLoop(ctx, body)
}

func (m *Machine) rounds(ctx context.Context, name string, head []token, reverse bool) ([]map[string]any, error) {
	var out []map[string]any
	if len(head) > 2 && head[0].low == "(" {
		q, binds := m.sqlText(head[1 : len(head)-1])
		r, err := m.SQL.Query(ctx, q, binds)
		if err != nil {
			return nil, err
		}
		for _, row := range r.Rows {
			vars := map[string]any{}
			for i, c := range r.Columns {
				vars[name+"."+strings.ToLower(c.Name)] = row[i]
			}
			out = append(out, vars)
		}
		return out, nil
	}
	for i, t := range head {
		if t.low != ".." {
			continue
		}
		from, err := m.eval(ctx, head[:i])
		if err != nil {
			return nil, err
		}
		to, err := m.eval(ctx, head[i+1:])
		if err != nil {
			return nil, err
		}
		a, ok1 := from.(int64)
		b, ok2 := to.(int64)
		if !ok1 || !ok2 || b-a > maxSteps {
			return nil, &engine.Error{Code: 6502, Message: "PL/SQL: numeric or value error"}
		}
		for n := a; n <= b; n++ {
			v := n
			if reverse {
				v = a + b - n
			}
			out = append(out, map[string]any{name: v})
		}
		return out, nil
	}
	return nil, compile(m.peek().pos, m.src, m.peek().text)
}

func (m *Machine) loop(ctx context.Context, skip bool) error {
	var cond []token
	if m.accept("while") {
		cond = m.until("loop")
	}
	if err := m.expect("loop"); err != nil {
		return err
	}
	body := m.at
	for n := 0; !skip; n++ {
		if n > maxSteps {
			return fmt.Errorf("simulator: a loop ran %d times and was stopped", maxSteps)
		}
		if cond != nil {
			ok, err := m.truth(ctx, cond)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
		}
		left, err := m.turn(ctx, body)
		if err != nil {
			return err
		}
		if left {
			break
		}
	}
	return m.behindLoop(ctx, body)
}

// turn runs a loop's body once, from its place in the text; left says that an
// EXIT ends the loop.
func (m *Machine) turn(ctx context.Context, body int) (left bool, err error) {
	m.at = body
	err = m.statements(ctx, false, "end")
	if errors.Is(err, errExit) {
		return true, nil
	}
	return false, err
}

// behindLoop reads a loop's body without running it, and its end.
func (m *Machine) behindLoop(ctx context.Context, body int) error {
	m.at = body
	if err := m.statements(ctx, true, "end"); err != nil {
		return err
	}
	return m.ends("end", "loop", ";")
}

func (m *Machine) exitLoop(ctx context.Context, skip bool) error {
	m.at++
	leave := true
	if m.accept("when") {
		cond := m.until(";")
		if !skip {
			ok, err := m.truth(ctx, cond)
			if err != nil {
				return err
			}
			leave = ok
		}
	}
	if err := m.expect(";"); err != nil {
		return err
	}
	if leave && !skip {
		return errExit
	}
	return nil
}

// selectInto is SELECT … INTO a, b FROM …: exactly one row.
func (m *Machine) selectInto(ctx context.Context, skip bool) error {
	all := m.until(";")
	if err := m.expect(";"); err != nil || skip {
		return err
	}
	into, depth := -1, 0
	for i, t := range all {
		switch t.low {
		case "(":
			depth++
		case ")":
			depth--
		case "into":
			if depth == 0 && into < 0 {
				into = i
			}
		}
	}
	if into < 0 {
		return &Error{Code: 6550, Offset: all[0].pos, Text: fmt.Sprintf("ORA-06550: line %d, column 1:\nPLS-00428: an INTO clause is expected in this SELECT statement", m.line())}
	}
	end := into + 1
	var targets [][]token
	start := end
	for ; end <= len(all); end++ {
		if end == len(all) || all[end].low == "," || all[end].low == "from" {
			targets = append(targets, all[start:end])
			start = end + 1
			if end == len(all) || all[end].low == "from" {
				break
			}
		}
	}
	head, binds := m.sqlText(all[:into])
	tail, more := m.sqlText(all[min(end, len(all)):])
	r, err := m.SQL.Query(ctx, head+" "+tail, append(binds, more...))
	if err != nil {
		return err
	}
	switch {
	case len(r.Rows) == 0:
		return &engine.Error{Code: 1403, Message: "no data found"}
	case len(r.Rows) > 1:
		return &engine.Error{Code: 1422, Message: "exact fetch returns more than requested number of rows"}
	case len(targets) != len(r.Columns):
		return &Error{Code: 6550, Offset: all[0].pos, Text: fmt.Sprintf("ORA-06550: line %d, column 1:\nPL/SQL: ORA-00947: not enough values", m.line())}
	}
	for i, t := range targets {
		if err := m.assign(t, r.Rows[0][i]); err != nil {
			return err
		}
	}
	return nil
}

// assign stores a value in a variable or host variable.
func (m *Machine) assign(target []token, v any) error {
	if len(target) == 2 && target[0].low == ":" {
		m.Binds[strings.ToUpper(target[1].text)] = v
		return nil
	}
	if len(target) == 1 {
		if _, ok := m.vars[target[0].low]; ok {
			m.vars[target[0].low] = v
			return nil
		}
		return &Error{Code: 6550, Offset: target[0].pos, Text: fmt.Sprintf("ORA-06550: line %d, column 1:\nPLS-00201: identifier '%s' must be declared", m.line(), strings.ToUpper(target[0].text))}
	}
	if len(target) == 0 {
		return compile(m.peek().pos, m.src, m.peek().text)
	}
	return compile(target[0].pos, m.src, target[0].text)
}

// dynamic is EXECUTE IMMEDIATE expression [INTO variable].
func (m *Machine) dynamic(ctx context.Context, skip bool) error {
	m.at++
	if err := m.expect("immediate"); err != nil {
		return err
	}
	expr := m.until(";", "into", "using")
	var into [][]token
	if m.accept("into") {
		into = append(into, m.until(";", "using"))
	}
	var using []token
	if m.accept("using") {
		using = m.until(";")
	}
	if err := m.expect(";"); err != nil || skip {
		return err
	}
	q, err := m.eval(ctx, expr)
	if err != nil {
		return err
	}
	var binds []engine.Bind
	for _, a := range arguments(using) {
		v, err := m.eval(ctx, a)
		if err != nil {
			return err
		}
		binds = append(binds, engine.Bind{Value: v})
	}
	if engine.IsBlock(text(q)) {
		inner := &Machine{SQL: m.SQL, Binds: map[string]any{}}
		err := inner.Run(ctx, text(q))
		m.Output = append(m.Output, inner.Output...)
		return err
	}
	r, err := m.SQL.Query(ctx, text(q), binds)
	if err != nil || len(into) == 0 {
		return err
	}
	if len(r.Rows) == 0 {
		return &engine.Error{Code: 1403, Message: "no data found"}
	}
	return m.assign(into[0], r.Rows[0][0])
}

// arguments splits an argument list at its commas.
func arguments(toks []token) [][]token {
	var out [][]token
	depth, start := 0, 0
	for i, t := range toks {
		switch t.low {
		case "(":
			depth++
		case ")":
			depth--
		case ",":
			if depth == 0 {
				out = append(out, toks[start:i])
				start = i + 1
			}
		}
	}
	if start < len(toks) {
		out = append(out, toks[start:])
	}
	return out
}

// simple is an assignment or a procedure call.
func (m *Machine) simple(ctx context.Context, skip bool) error {
	start := m.at
	toks := m.until(";")
	if !m.accept(";") && m.peek().low != "end-of-file" {
		return compile(m.peek().pos, m.src, m.peek().text)
	}
	if skip {
		return nil
	}
	if len(toks) == 0 {
		m.at = start
		return compile(m.peek().pos, m.src, m.peek().text)
	}
	for i, t := range toks {
		if t.low == ":=" {
			v, err := m.eval(ctx, toks[i+1:])
			if err != nil {
				return err
			}
			return m.assign(toks[:i], v)
		}
	}
	m.at = start
	err := m.call(ctx, toks)
	m.at = start + len(toks)
	m.accept(";")
	return err
}
