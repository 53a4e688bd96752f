package spool_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// miniPlus is as much of SQL*Plus as our scripts use: SET DEFINE, DEFINE,
// COLUMN … NEW_VALUE, WHENEVER SQLERROR, PROMPT, SELECT and ORADEBUG, whose
// lines it only notes down. Anything else it does not know fails the test.
type miniPlus struct {
	t        *testing.T
	db       *sql.DB
	define   string
	vars     map[string]string
	newValue map[string]string
	exitOn   bool // WHENEVER SQLERROR EXIT
	offline  bool // not connected: SP2-0640 to everything, which WHENEVER does not see

	prompts  []string
	oradebug []string
	rows     [][]string // of queries without NEW_VALUE
	exit     string     // how it ended: exit, sqlerror
	lastErr  error
}

var (
	columnLine = regexp.MustCompile(`^column (\w+)( new_value (\w+))?( format \w+)?$`)
	defineLine = regexp.MustCompile(`^define (\w+)=(\S+)$`)
)

func newMiniPlus(t *testing.T, db *sql.DB) *miniPlus {
	return &miniPlus{t: t, db: db, define: "&", vars: map[string]string{}, newValue: map[string]string{}}
}

func (m *miniPlus) run(script string) {
	m.t.Helper()
	in := bufio.NewScanner(strings.NewReader(script))
	for in.Scan() && m.exit == "" {
		line := in.Text()
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		if strings.HasPrefix(line, "select") || strings.HasPrefix(line, "alter session") {
			text := line
			for !strings.HasSuffix(text, ";") && in.Scan() {
				if in.Text() == "" {
					m.t.Fatalf("a blank line ends the statement %q", text)
				}
				text += "\n" + in.Text()
			}
			m.query(strings.TrimSuffix(m.substitute(text), ";"))
			continue
		}
		m.command(m.substitute(line))
	}
}

// substitute replaces variables; one that is not defined would make SQL*Plus
// ask and swallow the next line.
func (m *miniPlus) substitute(line string) string {
	if strings.HasPrefix(line, "set define ") {
		return line
	}
	use := regexp.MustCompile(regexp.QuoteMeta(m.define) + `(\w+)\.?`)
	return use.ReplaceAllStringFunc(line, func(ref string) string {
		name := use.FindStringSubmatch(ref)[1]
		v, ok := m.vars[name]
		if !ok {
			m.t.Fatalf("%q uses %s, which is not defined", line, name)
		}
		return v
	})
}

func (m *miniPlus) command(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "set":
		if c, ok := strings.CutPrefix(rest, "define "); ok {
			m.define = c
		}
	case "define":
		f := defineLine.FindStringSubmatch(line)
		if f == nil {
			m.t.Fatalf("cannot read %q", line)
		}
		m.vars[f[1]] = f[2]
	case "column":
		f := columnLine.FindStringSubmatch(line)
		if f == nil {
			m.t.Fatalf("cannot read %q", line)
		}
		if f[3] != "" {
			m.newValue[f[1]] = f[3]
		}
	case "whenever":
		if what, ok := strings.CutPrefix(rest, "sqlerror "); ok {
			m.exitOn = strings.HasPrefix(what, "exit")
		}
	case "prompt":
		m.prompts = append(m.prompts, rest)
	case "oradebug":
		m.oradebug = append(m.oradebug, rest)
	case "exit":
		m.exit = "exit"
	case "spool", "clear", "ttitle", "btitle":
	default:
		m.t.Fatalf("unknown command %q", line)
	}
}

func (m *miniPlus) query(text string) {
	if m.offline {
		return
	}
	if err := m.rowsOf(text); err != nil {
		m.lastErr = err
		if m.exitOn {
			m.exit = "sqlerror"
		}
	}
}

func (m *miniPlus) rowsOf(text string) error {
	rows, err := m.db.QueryContext(context.Background(), text)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	n := 0
	for rows.Next() {
		n++
		values, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		plain := make([]string, len(names))
		for i, v := range values {
			plain[i] = v.String
			if name, ok := m.newValue[strings.ToLower(names[i])]; ok {
				m.vars[name] = v.String
			}
		}
		m.rows = append(m.rows, plain)
	}
	if strings.Contains(text, "count(") && n != 1 {
		return fmt.Errorf("%d rows from a query that must always give one", n)
	}
	return rows.Err()
}

// outcomes returns the words that stand before k/n on the log's lines.
func (m *miniPlus) outcomes() []string {
	line := regexp.MustCompile(`^ringtrace: ([A-Z_]+) \d+/\d+ inst=`)
	var out []string
	for _, p := range m.prompts {
		if f := line.FindStringSubmatch(p); f != nil {
			out = append(out, f[1])
		}
	}
	return out
}
