package sqlplusd

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/plsql"
)

var createsPLSQL = regexp.MustCompile(`(?i)^\s*create\s+(or\s+replace\s+)?((non)?editionable\s+)?(function|procedure|package|trigger|type|java)\b`)

// collect reads a statement that begins with line up to its terminator and
// runs it.
func (in *Interp) collect(ctx context.Context, line string) error {
	start := in.step.Line
	in.bufferLine = start
	block := engine.IsBlock(line) && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "call") || createsPLSQL.MatchString(line)
	var lines []string
	term := in.set.text("SQLTERMINATOR")
	run := false
	for n := 1; ; n++ {
		text := strings.TrimRight(line, " \t")
		trimmed := strings.TrimSpace(line)
		if n > 1 {
			if trimmed == "/" {
				run = true
				break
			}
			if trimmed == in.set.text("BLOCKTERMINATOR") && trimmed != "" {
				break
			}
			if prefix := in.set.text("SQLPREFIX"); !block && prefix != "" && strings.HasPrefix(trimmed, prefix) {
				if err := in.command(ctx, strings.TrimPrefix(trimmed, prefix)); err != nil {
					return err
				}
				goto next
			}
			// A blank line ends a statement without running it
			// (facts/views-and-sqlplus.md 3.5).
			if trimmed == "" && !block && !in.set.on("SQLBLANKLINES") {
				break
			}
		}
		if !block && term != "" && strings.HasSuffix(text, term) {
			lines = append(lines, strings.TrimSuffix(text, term))
			run = true
			break
		}
		lines = append(lines, text)
	next:
		if !in.silent && !in.scripted() && in.set.text("SQLPROMPT") != "" && in.set.on("SQLNUMBER") {
			in.out.prompt(padLeft(itoa(n+1), 3) + "  ")
		}
		next, src, ok := in.readLine()
		if !ok {
			break
		}
		line = next
		in.echo(src, line)
	}
	in.step.Line = start
	raw := strings.Join(lines, "\n")
	sql, ok := in.substitute(raw)
	if !ok {
		return in.done(ctx, raw)
	}
	if sql != raw && in.set.on("VERIFY") {
		in.verify(raw, sql)
	}
	in.buffer = sql
	if !run {
		return in.done(ctx, sql)
	}
	if err := in.execute(ctx, sql); err != nil {
		return err
	}
	return in.done(ctx, sql)
}

// verify shows the lines that substitution changed.
func (in *Interp) verify(before, after string) {
	b, a := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range b {
		if i < len(a) && a[i] != b[i] {
			in.out.println(fmt.Sprintf("old %3d: %s", i+1, b[i]))
			in.out.println(fmt.Sprintf("new %3d: %s", i+1, a[i]))
		}
	}
}

func (in *Interp) runBuffer(ctx context.Context, typed string) error {
	if err := in.execute(ctx, in.buffer); err != nil {
		return err
	}
	return in.done(ctx, typed)
}

// connected prints SP2-0640 when nobody is.
func (in *Interp) connected() bool {
	if in.conn == nil {
		in.out.println("SP2-0640: Not connected")
		return false
	}
	return true
}

// execute runs one statement or block.
func (in *Interp) execute(ctx context.Context, sql string) error {
	if !in.connected() {
		return nil
	}
	if _, on := in.c.DB.Faults.Take(fault.LostContact); on {
		in.sqlFailed(sql, &engine.Error{Code: 3113, Message: "end-of-file on communication channel"})
		in.drop()
		return nil
	}
	if engine.IsBlock(sql) {
		return in.runBlock(ctx, sql)
	}
	return in.query(ctx, sql, in.binds())
}

func (in *Interp) binds() []engine.Bind {
	var out []engine.Bind
	for _, n := range in.variableNames() {
		out = append(out, engine.Bind{Name: n, Value: in.vars[n].value})
	}
	return out
}

func (in *Interp) runBlock(ctx context.Context, sql string) error {
	m := &plsql.Machine{SQL: in.conn.sql, Binds: map[string]any{}}
	for n, v := range in.vars {
		m.Binds[n] = v.value
	}
	err := m.Run(ctx, sql)
	for n, v := range in.vars {
		v.value = m.Binds[n]
	}
	if strings.HasPrefix(strings.ToUpper(in.set.text("SERVEROUTPUT")), "ON") {
		for _, l := range m.Output {
			in.out.println(l)
		}
	}
	if err != nil {
		return in.sqlFailed(sql, err)
	}
	if in.feedbackOn() {
		in.out.println("")
		in.out.println("PL/SQL procedure successfully completed.")
		in.out.println("")
	}
	return nil
}

func (in *Interp) feedbackOn() bool { return in.set.number("FEEDBACK") > 0 }

// query runs a statement and prints its result.
func (in *Interp) query(ctx context.Context, sql string, binds []engine.Bind) error {
	r, err := in.conn.sql.Query(ctx, sql, binds)
	if err != nil {
		if missing := undeclared(sql, in.vars); missing != "" {
			in.out.println("SP2-0552: Bind variable \"" + missing + "\" not declared.")
			return nil
		}
		return in.sqlFailed(sql, err)
	}
	in.sqlcode = 0
	if r.Kind != "select" {
		in.feedback(r)
		return nil
	}
	in.newValues(r)
	in.print(r, true)
	return nil
}

var bindName = regexp.MustCompile(`:([A-Za-z][A-Za-z0-9_$#]*)`)

// undeclared names the first bind of a statement that VARIABLE does not know;
// text in quotes is not looked at.
func undeclared(sql string, vars map[string]*variable) string {
	parts := strings.Split(sql, "'")
	for i := 0; i < len(parts); i += 2 {
		for _, m := range bindName.FindAllStringSubmatch(parts[i], -1) {
			if _, ok := vars[strings.ToUpper(m[1])]; !ok {
				return strings.ToUpper(m[1])
			}
		}
	}
	return ""
}

func (in *Interp) feedback(r *engine.Result) {
	if !in.feedbackOn() {
		return
	}
	text := map[string]string{
		"commit": "Commit complete.", "rollback": "Rollback complete.", "alter": "Session altered.", "set": "Transaction set.", "savepoint": "Savepoint created.",
		"grant": "Grant succeeded.", "create user": "User created.", "create table": "Table created.", "drop user": "User dropped.",
	}[r.Kind]
	switch {
	case text != "":
	case r.Kind == "insert" && r.Affected == 1:
		text = "1 row created."
	case r.Kind == "insert":
		text = fmt.Sprintf("%d rows created.", r.Affected)
	default:
		text = fmt.Sprintf("%d rows processed.", r.Affected)
	}
	in.out.println("")
	in.out.println(text)
	in.out.println("")
}

// sqlFailed prints an error as SQL*Plus does (facts/views-and-sqlplus.md
// 3.4): the statement's line, a star, ERROR at line N, the message.
func (in *Interp) sqlFailed(sql string, err error) error {
	code, off, text := 0, 0, err.Error()
	var oe *engine.Error
	var pe *plsql.Error
	switch {
	case errors.As(err, &pe):
		code, off = pe.Code, pe.Offset
	case errors.As(err, &oe):
		code, off = oe.Code, oe.Offset
	}
	line, col := 1, off
	if off > 0 && off <= len(sql) {
		line += strings.Count(sql[:off], "\n")
		col = off - strings.LastIndexByte(sql[:off], '\n') - 1
	}
	lines := strings.Split(sql, "\n")
	if line <= len(lines) {
		in.out.println(lines[line-1])
		in.out.println(strings.Repeat(" ", max(0, col)) + "*")
	}
	in.out.println(fmt.Sprintf("ERROR at line %d:", line))
	for _, l := range strings.Split(text, "\n") {
		in.out.println(in.localize(l))
	}
	if _, on := in.c.DB.Faults.Get(fault.SqlplusHelpLine); on || in.c.DB.Release.Rank >= 7 && in.set.text("ERRORDETAILS") == "ON" {
		in.out.println(fmt.Sprintf("Help: https://docs.oracle.com/error-help/db/ora-%05d/", code))
	}
	in.out.println("")
	in.out.println("")
	in.fail(code)
	return nil
}

// localize writes the language-dependent part in another language (fault).
func (in *Interp) localize(l string) string {
	if _, on := in.c.DB.Faults.Get(fault.SqlplusLanguage); !on {
		return l
	}
	if l == "Statement processed." {
		return "명령문이 처리되었습니다." // facts/oradebug.md 0 fact 1: Korean output was seen
	}
	return l
}

// newValues sets the variables of COLUMN … NEW_VALUE from the last row; they
// stay as they are when there is none (facts/views-and-sqlplus.md 3.5).
func (in *Interp) newValues(r *engine.Result) {
	if len(r.Rows) == 0 {
		return
	}
	last := r.Rows[len(r.Rows)-1]
	for i, c := range r.Columns {
		if f := in.columns[strings.ToUpper(c.Name)]; f != nil && f.newValue != "" && !f.off {
			in.defines[f.newValue] = strings.TrimLeft(in.cell(c, last[i]), " ")
		}
	}
}
