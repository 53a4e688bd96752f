package grammartest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/antlr4-go/antlr/v4"
	plsql "github.com/bytebase/plsql-parser"

	"ringtrace/sessions"
)

var bind = regexp.MustCompile(`:[0-9]+\b`)

// faults collects what the lexer and the parser say.
type faults struct {
	*antlr.DefaultErrorListener
	list []string
}

func (f *faults) SyntaxError(_ antlr.Recognizer, _ any, line, column int, msg string, _ antlr.RecognitionException) {
	if len(msg) > 160 { // the parser lists every word that it would have taken
		msg = msg[:160] + "…"
	}
	f.list = append(f.list, fmt.Sprintf("%d:%d: %s", line, column, msg))
}

// check parses statements, each ended by a semicolon.
func check(text string) []string {
	f := &faults{DefaultErrorListener: antlr.NewDefaultErrorListener()}
	lexer := plsql.NewPlSqlLexer(antlr.NewInputStream(text))
	lexer.RemoveErrorListeners()
	lexer.AddErrorListener(f)
	p := plsql.NewPlSqlParser(antlr.NewCommonTokenStream(lexer, 0))
	p.SetVersion12(true)
	p.RemoveErrorListeners()
	p.AddErrorListener(f)
	p.Sql_script()
	return f.list
}

// The checker has to be able to refuse, or its consent is worth nothing.
func TestTheGrammarRefuses(t *testing.T) {
	for _, bad := range []string{
		"select from dual;",
		"select 1 form dual;",
		"select a, from t;",
		"select a from t where;",
		"select a from t where b = ;",
		"select count(*) over (partition s.paddr) from t;",
		"select case when a = 1 then 1 else 0 from t;",
		"select a from t order a;",
		"select a from t where (a = 1;",
		"select a from t where a in ();",
	} {
		if len(check(bad)) == 0 {
			t.Errorf("accepted: %s", bad)
		}
	}
	if f := check("select 1 from dual;"); len(f) > 0 {
		t.Errorf("refused: %v", f)
	}
}

func TestSessionStatements(t *testing.T) {
	seen := map[string]bool{} // releases share statements, and the parser is slow
	judge := func(text, about string) {
		t.Helper()
		if seen[text] {
			return
		}
		seen[text] = true
		if f := check(text + ";"); len(f) > 0 {
			t.Errorf("%s: %v\n%s", about, f, text)
		}
	}
	for _, release := range []sessions.Release{{Major: 11, Minor: 2}, {Major: 12, Minor: 1}, {Major: 12, Minor: 2}, {Major: 19}, {Major: 23}} {
		c := sessions.CapabilityOf(release)
		for _, rac := range []bool{false, true} {
			for _, name := range []string{"instance", "instances", "database", "own", "threaded", "maintained", "columns"} {
				text, err := c.Statement(name, rac, "1")
				if err != nil {
					t.Fatal(err)
				}
				judge(text, fmt.Sprintf("%s, %s, rac %v", release, name, rac))
			}
			for i, sel := range selectors(t) {
				text, args, err := c.SessionsQuery(sel, rac, 1)
				if err != nil {
					t.Fatal(err)
				}
				if n := len(bind.FindAllString(text, -1)); n != len(args) {
					t.Errorf("selector %d has %d values, the statement %d placeholders:\n%s", i, len(args), n, text)
				}
				judge(text, fmt.Sprintf("%s, selector %d, rac %v", release, i, rac))
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d statements were checked", len(seen))
	}
}

// selectors cover every form of condition.
func selectors(t *testing.T) []*sessions.Selector {
	t.Helper()
	fill := func(like, fold bool) *sessions.Selector {
		s := &sessions.Selector{Like: like, IgnoreCase: fold}
		for _, f := range sessions.Fields() {
			for _, v := range []string{"ACTIVE", "INACTIVE", "!KILLED"} {
				if err := s.Add(f, v); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, v := range []string{"1", "2", "!3"} {
			if err := s.AddInst(v); err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range []string{"1", "2,3", "4,5,@2", "!6", "!7,8,@1"} {
			if err := s.AddSID(v); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	return []*sessions.Selector{{}, {AllApp: true}, fill(false, false), fill(true, false), fill(false, true), fill(true, true)}
}

// TestGeneratedScripts checks the SQL of the golden scripts: the statements
// between SQL*Plus's and ORADEBUG's lines.
func TestGeneratedScripts(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../internal/spool/testdata/golden/*/*.sql", "../internal/styles/testdata/*/*.sql", "../internal/styles/testdata/golden/*/*.sql"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatal("no golden script was found")
	}
	seen, distinct := map[string]bool{}, 0
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statementsOf(string(b)) {
			shape := digits.Replace(s.text)
			if seen[shape] {
				continue
			}
			seen[shape] = true
			distinct++
			if setEvents.MatchString(s.text) {
				continue
			}
			if f := check(s.text); len(f) > 0 {
				t.Errorf("%s:%d: %v\n%s", name, s.line, f, s.text)
			}
		}
	}
	t.Logf("%d scripts, %d distinct statements", len(files), distinct)
	if distinct < 3 {
		t.Errorf("only %d statements were found in %d scripts", distinct, len(files))
	}
}

// setEvents is ALTER SESSION SET EVENTS '…' without an equals sign, which
// Oracle documents and this grammar does not know.
var setEvents = regexp.MustCompile(`(?i)^\s*alter session set events '[^']*'\s*;\s*$`)

// digits lets statements that differ only in their numbers be checked once:
// the parser is slow.
var digits = strings.NewReplacer("0", "9", "1", "9", "2", "9", "3", "9", "4", "9", "5", "9", "6", "9", "7", "9", "8", "9")

type statement struct {
	text string
	line int
}

// statementsOf cuts the SQL and PL/SQL out of a SQL*Plus script: from a line
// that starts with select, alter, create, drop, declare or begin to the line
// that ends it. A substitution variable becomes the name that it stands for.
func statementsOf(script string) []statement {
	var out []statement
	var current []string
	first, block := 0, false
	for i, line := range strings.Split(script, "\n") {
		word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), " ")
		if current == nil {
			switch word {
			case "select", "alter", "create", "drop", "declare", "begin", "with":
				first = i + 1
				block = word == "declare" || word == "begin"
			default:
				continue
			}
		}
		end := strings.TrimSpace(line) == "/"
		if !end {
			current = append(current, line)
		}
		if word == "create" && (strings.Contains(strings.ToLower(line), " trigger ") || strings.Contains(strings.ToLower(line), " procedure ")) {
			block = true
		}
		if end || !block && strings.HasSuffix(strings.TrimSpace(line), ";") {
			out = append(out, statement{strings.Join(current, "\n") + "\n", first})
			current, block = nil, false
		}
	}
	return out
}
