package lint

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/lint-rules.md again")

func sample() []Result {
	return []Result{
		Check("a b.sql", []byte("oradebug setmypid\noradebug dump errorstack 12\noradebug suspend;\n"), Options{}),
		Check("/x/clean.sql", []byte("oradebug setmypid\n"), Options{}),
	}
}

func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Files []struct {
			Path     string
			Commands int
			Findings []struct {
				Line, Column                 int
				Rule, Severity, Message, Fix string
			}
		}
		Summary struct{ Commands, Errors, Warnings, Infos int }
	}
	dec := json.NewDecoder(&b)
	if err := dec.Decode(&d); err != nil {
		t.Fatal(err)
	}
	if dec.More() {
		t.Error("more than one document")
	}
	if len(d.Files) != 2 || d.Files[0].Path != "a b.sql" || d.Files[0].Commands != 3 || d.Files[1].Findings == nil {
		t.Errorf("files: %+v", d.Files)
	}
	if d.Summary.Commands != 4 || d.Summary.Errors != 1 || d.Summary.Warnings != 1 || d.Summary.Infos != 1 {
		t.Errorf("summary: %+v", d.Summary)
	}
	f := d.Files[0].Findings[0]
	if f.Line != 2 || f.Column != 26 || f.Rule != "RT024" || f.Severity != "warning" || f.Message == "" || f.Fix != "write level 3" {
		t.Errorf("first finding: %+v", f)
	}
}

func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	if err := WriteText(&b, sample(), nil); err != nil {
		t.Fatal(err)
	}
	want := `a b.sql:2:26: warning RT024 errorstack level 12; 3 is the highest that means something
    write level 3 (--fix does it)
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got:\n%s\nwant it to begin with:\n%s", b.String(), want)
	}
	if n := strings.Count(b.String(), "\n"); n != 6 {
		t.Errorf("%d lines, want two for each of three findings", n)
	}
}

func TestWriteTextCountsRepetitions(t *testing.T) {
	r := Check("x.sql", []byte("oradebug setmypid\n"+strings.Repeat("oradebug suspend\n", 12)), Options{})
	if len(r.Findings) != 12 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	var b bytes.Buffer
	if err := WriteText(&b, []Result{r}, nil); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "error RT010"); n != 5 {
		t.Errorf("%d are shown, want 5", n)
	}
	if !strings.Contains(b.String(), "x.sql: and 7 more: RT010 SUSPEND") {
		t.Errorf("the rest is not counted:\n%s", b.String())
	}
}

// The parts of the SARIF 2.1.0 schema that viewers depend on.
func TestWriteSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := WriteSARIF(&b, sample(), "1.2.3"); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Name, Version string
					Rules         []struct {
						ID                                string
						ShortDescription, FullDescription struct{ Text string }
						DefaultConfiguration              struct{ Level string }
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Version != "2.1.0" || !strings.Contains(d.Schema, "sarif-2.1.0") || len(d.Runs) != 1 {
		t.Fatalf("%s %s, %d runs", d.Version, d.Schema, len(d.Runs))
	}
	run := d.Runs[0]
	levels := map[string]bool{"none": true, "note": true, "warning": true, "error": true}
	if got := run.Tool.Driver; got.Name != "ringtrace" || got.Version != "1.2.3" || len(got.Rules) != len(Rules()) {
		t.Errorf("driver %s %s with %d rules", got.Name, got.Version, len(got.Rules))
	}
	for _, r := range run.Tool.Driver.Rules {
		if r.ShortDescription.Text == "" || r.FullDescription.Text == "" || !levels[r.DefaultConfiguration.Level] {
			t.Errorf("rule %+v", r)
		}
	}
	if len(run.Results) != 3 {
		t.Fatalf("%d results, want 3", len(run.Results))
	}
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || !levels[r.Level] || r.Message.Text == "" {
			t.Errorf("result %+v", r)
		}
		if loc := r.Locations[0].PhysicalLocation; loc.ArtifactLocation.URI != "a%20b.sql" || loc.Region.StartLine < 1 || loc.Region.StartColumn < 1 {
			t.Errorf("location %+v", loc)
		}
	}
}

func TestFileURI(t *testing.T) {
	for in, want := range map[string]string{"-": "stdin", "x.sql": "x.sql", "/a b/x.sql": "file:///a%20b/x.sql", "a:b.sql": "./a:b.sql"} {
		if got := fileURI(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestNoFindingsIsAnEmptyList(t *testing.T) {
	var b bytes.Buffer
	if err := WriteSARIF(&b, nil, ""); err != nil || !strings.Contains(b.String(), `"results": []`) {
		t.Errorf("%v %s", err, b.String()[:200])
	}
	b.Reset()
	if err := WriteJSON(&b, nil); err != nil || !strings.Contains(b.String(), `"files": []`) {
		t.Errorf("%v %s", err, b.String())
	}
}

func TestSummaryReaches(t *testing.T) {
	w := Summary{Warnings: 1}
	if w.Reaches(Error) || !w.Reaches(Warning) || !w.Reaches(Info) {
		t.Error("one warning")
	}
	if i := (Summary{Infos: 1}); i.Reaches(Warning) || !i.Reaches(Info) {
		t.Error("one info")
	}
	if (Summary{Commands: 3}).Reaches(Info) {
		t.Error("no finding")
	}
}

func TestRuleTable(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for _, r := range Rules() {
		switch {
		case !regexp.MustCompile(`^RT\d{3}$`).MatchString(r.ID), r.ID <= last:
			t.Errorf("%s follows %s", r.ID, last)
		case seen[r.Name], !regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`).MatchString(r.Name):
			t.Errorf("%s: name %q", r.ID, r.Name)
		case r.Summary == "" || r.Fix == "" || !strings.Contains(r.Why, "facts/") && !strings.Contains(r.Why, "problem case"):
			t.Errorf("%s lacks a summary, a fix or a source", r.ID)
		}
		seen[r.Name] = true
		last = r.ID
	}
	for _, id := range strings.Fields("RT001 RT002 RT003 RT004 RT005 RT006 RT010 RT011 RT012 RT020 RT021 RT022 RT023 RT024 RT025 RT026 RT027 RT028 RT030 RT031 RT032 RT040 RT041 RT042 RT043 RT044 RT045 RT046 RT047") {
		if _, ok := LookupRule(id); !ok {
			t.Errorf("%s of the contract is missing", id)
		}
	}
}

const docHead = `# What ringtrace lint checks

This page is made from the rule table (lint/rules.go): ` + "`go test ./lint -run RulesPage -update`" + `.
` + "`ringtrace lint --rules`" + ` and ` + "`ringtrace lint --explain RT023`" + ` show the same on the terminal.

Severities: **error**, the command fails, hits the wrong process or harms the instance; **warning**, it works and will be regretted;
**info**, worth knowing. ` + "`--fail-on`" + ` says which one makes the exit code 10 (default error). "Facts" are the project's fact sheets; *inferred*
and *assumed* mark what no public source shows.

A script that turns things on and leaves them on names its way back in a comment above the first command, and RT026, RT031, RT032
and RT049 then say nothing. If the file stands beside it, RT050 compares the two:

    -- undo: disable_1.sql

## What is read

| file | what counts as a command |
|---|---|
| SQL*Plus script (` + "`.sql`" + `, standard input) | every line that SQL*Plus would take as one: not in comments, REM, PROMPT, DOCUMENT, SQL statements and PL/SQL blocks |
| shell script (` + "`.sh .ksh .bash`" + `, ` + "`#!`" + `) | the lines of here-documents (` + "`<<X <<-X <<'X'`" + `), each a session of its own; ` + "`echo \"oradebug …\"`" + ` |
| spool log (lines with ` + "`SQL> `" + `, ` + "`user@db> `" + `) | what follows a prompt |
| Markdown | fenced code, and indented ORADEBUG lines; what is left on is only an info there |
| other text | lines that begin with ORADEBUG and parse without a fault; all of it if two thirds of the lines are commands |
| Oracle trace file | nothing |

Substitution variables are followed (DEFINE, UNDEFINE, ACCEPT, COLUMN … NEW_VALUE, SET DEFINE, ESCAPE, CONCAT). A guard like
` + "`case when … then 'session_event' else 'help' end as rt`" + ` is followed as the command that does most. What is not known is not judged.
ALTER SESSION and ALTER SYSTEM SET EVENTS are judged like ORADEBUG's event texts, also as a literal within PL/SQL.

## Assumptions

- Text behind the closing mark of a comment that begins a line is ignored by SQL*Plus.
- A "-" at the end of a REM line joins the next line, as it does for other SQL*Plus commands; at the end of a "--" line it does not.
- ";" at the end of a line ends a SQL statement even within a string; within a /* */ comment it does not.
- Substitution may happen in a "--" line; RT045 warns of it.
- SQL*Plus defines _USER, _CONNECT_IDENTIFIER, _DATE, _EDITOR, _O_RELEASE, _O_VERSION, _PRIVILEGE and _SQLPLUS_RELEASE itself.
- ORADEBUG itself cannot be shortened.

## Rules

`

// TestRulesPage keeps docs/lint-rules.md equal to the table.
func TestRulesPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(docHead)
	b.WriteString("| rule | severity | what |\n|---|---|---|\n")
	for _, r := range Rules() {
		fix := ""
		if r.Fixable {
			fix = " (`--fix`)"
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s%s |\n", r.ID, strings.ToLower(r.ID), r.Severity, r.Summary, fix)
	}
	for _, r := range Rules() {
		fmt.Fprintf(&b, "\n### %s\n\n%s (%s).\n\nWhy: %s\n\nInstead: %s.\n", r.ID, strings.ToUpper(r.Summary[:1])+r.Summary[1:], r.Severity, r.Why, strings.TrimSuffix(r.Fix, "."))
	}
	path := filepath.Join("..", "docs", "lint-rules.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Error("docs/lint-rules.md differs from the rule table: go test ./lint -run RulesPage -update")
	}
}
