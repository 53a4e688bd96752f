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
	Flush bool // IO-bound: buffer cache flushed before each value, if that is allowed
	Table bool // needs the table of the schema that we make
	IDs   int  // binds :1 to 1 … IDs in turn; 0: no bind
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
		return Workload{Name: "short, IO bound", SQL: "select pad from " + table + " where id = :1", Flush: true, Table: true, IDs: TableRows}, nil
	case "short-cpu":
		return Workload{Name: "short, CPU bound", SQL: "select dummy from dual"}, nil
	}
	return Workload{}, exit.Errorf(exit.Usage, "choose from "+strings.Join(Builtin(), ", ")+", or give --sql FILE", "there is no workload %q", name)
}

var blockWord = regexp.MustCompile(`(?is)^\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(declare|begin|call)\b`)

// ReadWorkload takes a SQL file: one statement, or one PL/SQL block. A
// terminator behind it (; or a line with /) is taken off.
func ReadWorkload(name string, text []byte) (Workload, error) {
	sql := strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"))
	if sql == "" {
		return Workload{}, exit.Errorf(exit.Failed, "write one query or one PL/SQL block into it", "%s is empty", name)
	}
	w := Workload{Name: name, Block: blockWord.MatchString(sql)}
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

var schemaName = regexp.MustCompile(`^[A-Z][A-Z0-9_$#]{0,29}$`)

// SchemaName checks the name of the schema to make; it goes into DDL, so it is
// a plain identifier in capitals.
func SchemaName(name string) (string, error) {
	n := strings.ToUpper(name)
	if !schemaName.MatchString(n) {
		return "", exit.Errorf(exit.Usage, "give a plain name such as --make-schema RT_OVERHEAD", "%q cannot be the name of a new schema", name)
	}
	return n, nil
}

// schemaStatements make the schema and its table. The account is locked; its
// password is random and told to nobody.
func schemaStatements(schema, password string) []string {
	return []string{
		fmt.Sprintf(`create user %s identified by "%s" account lock`, schema, password),
		fmt.Sprintf("grant unlimited tablespace to %s", schema),
		fmt.Sprintf("create table %s.%s (id number primary key, pad varchar2(400))", schema, tableName),
		fmt.Sprintf("insert into %s.%s select level, rpad('x', 400, 'x') from dual connect by level <= %d", schema, tableName, TableRows),
		"commit",
	}
}

func dropStatement(schema string) string { return fmt.Sprintf("drop user %s cascade", schema) }
