package lint

import (
	"fmt"
	"strings"
)

// Severity says how bad a finding is.
type Severity uint8

// The severities. Error: the command fails, hits the wrong process or harms
// the instance. Warning: it works and will be regretted. Info: worth knowing.
const (
	Info Severity = iota
	Warning
	Error
)

// String returns "info", "warning" or "error".
func (s Severity) String() string { return [...]string{"info", "warning", "error"}[s] }

// ParseSeverity reads what String prints.
func ParseSeverity(s string) (Severity, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "info":
		return Info, nil
	case "warning":
		return Warning, nil
	case "error":
		return Error, nil
	}
	return 0, fmt.Errorf("%q is not one of error, warning, info", s)
}

// Rule is one row of the rule table.
type Rule struct {
	ID   string // RT001
	Name string // a short CamelCase name for SARIF viewers
	// Severity is the usual one; Why says when another is given.
	Severity Severity
	Summary  string
	// Why gives the reason and the fact behind it.
	Why string
	Fix string
	// Fixable says that --fix can do it, at least in some cases.
	Fixable bool
}

// Rules returns the rule table in the order of the ids.
func Rules() []Rule { return append([]Rule(nil), ruleTable...) }

// LookupRule finds a rule by its id, in any letter case.
func LookupRule(id string) (Rule, bool) {
	for i := range ruleTable {
		if strings.EqualFold(ruleTable[i].ID, strings.TrimSpace(id)) {
			return ruleTable[i], true
		}
	}
	return Rule{}, false
}

// Finding is one thing that a rule found in a file.
type Finding struct {
	Line   int // 1-based
	Column int // 1-based, in characters
	// Rule is the id in the rule table.
	Rule     string
	Severity Severity
	Message  string
	// Fix says what to write instead; never empty.
	Fix string
	// edits carry the fix out; empty where a person must do it.
	edits []edit
	off   int
}

// Fixable says whether --fix would take care of the finding.
func (f *Finding) Fixable() bool { return len(f.edits) > 0 }

// edit replaces the bytes [start, end) of the file.
type edit struct {
	start, end int
	text       string
}

// Result is what Check found in one file.
type Result struct {
	Path string
	Kind Kind
	// Commands counts the ORADEBUG commands that would reach SQL*Plus.
	Commands int
	Findings []Finding
}

// Count returns how many findings have the severity.
func (r *Result) Count(s Severity) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Severity == s {
			n++
		}
	}
	return n
}
