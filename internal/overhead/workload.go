package overhead

import (
	"fmt"
	"regexp"
	"strings"

	"ringtrace/internal/exit"
)

// Workload is what a test executes on Oracle.
type Workload struct {
	Name  string
	SQL   string
	Block bool // PL/SQL: nothing to fetch
	Loop  bool // a block that executes its work :1 times, within the server
	Flush bool // IO-bound: buffer cache flushed before each value, if that is allowed
	Table bool // needs the table of the schema that we make
	Yours bool // --sql: nobody knows what it is bound by
}

// Builtin lists the names of the workloads of --workload.
func Builtin() []string { return []string{"long-io", "long-cpu", "short-io", "short-cpu"} }

// tableName is the one table that we make, in the schema that we make.
const tableName = "RINGTRACE_OVERHEAD"

// TableRows is how many rows it has, of about 400 bytes: some 80 MB.
const TableRows = 200_000

// BuiltinWorkload returns a built-in workload; schema is where the table is.
func BuiltinWorkload(name, schema string) (Workload, error) {
	table := schema + "." + tableName
	switch name {
	case "long-io":
		return Workload{Name: "long, IO bound", SQL: "select /*+ full(t) */ count(*), sum(length(pad)) from " + table + " t", Flush: true, Table: true}, nil
	case "long-cpu":
		return Workload{Name: "long, CPU bound", SQL: "select count(*) from (select level n from dual connect by level <= 2000) a, (select level n from dual connect by level <= 2000) b where mod(a.n * b.n, 7) = 3"}, nil
	case "short-io":
		// A prime step visits the rows in an order that read-ahead cannot use. It is
		// computed in SQL, whose numbers do not overflow as a PL/SQL counter would.
		lookup := fmt.Sprintf("select pad into v from %s where id = mod(i * 7919, %d) + 1", table, TableRows)
		return Workload{Name: "short, IO bound", SQL: tightLoop(lookup), Block: true, Loop: true, Flush: true, Table: true}, nil
	case "short-cpu":
		return Workload{Name: "short, CPU bound", SQL: tightLoop("select dummy into v from dual"), Block: true, Loop: true}, nil
	}
	return Workload{}, exit.Errorf(exit.Usage, "choose from "+strings.Join(Builtin(), ", ")+", or give --sql FILE", "there is no workload %q", name)
}

// tightLoop runs a very fast query again and again inside the server: from a
// client most of the time would be the network's, and its wait would hide what
// tracing costs.
func tightLoop(query string) string {
	return "declare v varchar2(400); begin for i in 1 .. :1 loop " + query + "; end loop; end;"
}

var blockWord = regexp.MustCompile(`(?is)^\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(declare|begin|call)\b`)

// ReadWorkload takes a SQL file: one statement, or one PL/SQL block. A
// terminator behind it (; or a line with /) is taken off.
func ReadWorkload(name string, text []byte) (Workload, error) {
	sql := strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"))
	if sql == "" {
		return Workload{}, exit.Errorf(exit.Failed, "write one query or one PL/SQL block into it", "%s is empty", name)
	}
	w := Workload{Name: name, Yours: true, Block: blockWord.MatchString(sql)}
	sql = strings.TrimSpace(strings.TrimSuffix(sql, "\n/"))
	if w.Block {
		w.SQL = sql
		return w, nil
	}
	sql = strings.TrimSpace(strings.TrimRight(sql, "; \n"))
	if line := secondStatement(sql); line > 0 {
		return Workload{}, exit.Errorf(exit.Failed, "put them into one PL/SQL block: begin … end;", "%s:%d: a second statement begins here", name, line)
	}
	w.SQL = sql
	return w, nil
}

// secondStatement returns the line behind a ; that is neither in quotes nor in
// a comment, or 0.
func secondStatement(sql string) int {
	line, quote := 1, byte(0)
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		if c == '\n' {
			line++
		}
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.HasPrefix(sql[i:], "--"):
			if end := strings.IndexByte(sql[i:], '\n'); end >= 0 {
				i += end - 1
			} else {
				i = len(sql)
			}
		case strings.HasPrefix(sql[i:], "/*"):
			if end := strings.Index(sql[i:], "*/"); end >= 0 {
				line += strings.Count(sql[i:i+end], "\n")
				i += end + 1
			}
		case c == ';':
			rest := strings.TrimLeft(sql[i+1:], " \t\n")
			return line + strings.Count(sql[i+1:len(sql)-len(rest)], "\n")
		}
	}
	return 0
}
