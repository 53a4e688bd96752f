package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"ringtrace/internal/jsontext"
)

// alikeShown is how many findings with one message WriteText prints in full:
// a script for a thousand sessions repeats itself a thousand times.
const alikeShown = 5

// WriteText prints `file:line:col: severity RTnnn message` and the hint below
// it. What is found again and again is counted at the end of the file. show
// may make text safe for a terminal; nil prints it as it is.
func WriteText(w io.Writer, results []Result, show func(string) string) error {
	if show == nil {
		show = func(s string) string { return s }
	}
	for i := range results {
		if err := writeFile(w, &results[i], show); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(w io.Writer, r *Result, show func(string) string) error {
	type key struct{ rule, message string }
	seen := map[key]int{}
	var repeated []key
	for k := range r.Findings {
		f := &r.Findings[k]
		id := key{f.Rule, f.Message}
		seen[id]++
		if n := seen[id]; n > alikeShown {
			if n == alikeShown+1 {
				repeated = append(repeated, id)
			}
			continue
		}
		hint := f.Fix
		if f.Fixable() {
			hint += " (--fix does it)"
		}
		if _, err := fmt.Fprintf(w, "%s:%d:%d: %s %s %s\n    %s\n", show(r.Path), f.Line, f.Column, f.Severity, f.Rule, show(f.Message), show(hint)); err != nil {
			return err
		}
	}
	for _, id := range repeated {
		if _, err := fmt.Fprintf(w, "%s: and %d more: %s %s\n", show(r.Path), seen[id]-alikeShown, id.rule, show(id.message)); err != nil {
			return err
		}
	}
	return nil
}

// Summary counts over several files.
type Summary struct {
	Commands int `json:"commands"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Summarize adds the results up.
func Summarize(results []Result) Summary {
	var s Summary
	for i := range results {
		r := &results[i]
		s.Commands += r.Commands
		s.Errors += r.Count(Error)
		s.Warnings += r.Count(Warning)
		s.Infos += r.Count(Info)
	}
	return s
}

// Reaches says whether some finding is as bad as the limit, or worse.
func (s Summary) Reaches(limit Severity) bool {
	switch limit {
	case Info:
		return s.Errors+s.Warnings+s.Infos > 0
	case Warning:
		return s.Errors+s.Warnings > 0
	}
	return s.Errors > 0
}

// String prints the summary in words.
func (s Summary) String() string {
	return strings.Join([]string{
		plural(s.Commands, "oradebug command", "oradebug commands"),
		plural(s.Errors, "error", "errors"),
		plural(s.Warnings, "warning", "warnings"),
		plural(s.Infos, "info", "infos"),
	}, ", ")
}

// Document is what -o json prints.
type Document struct {
	Files   []jsonFile `json:"files"`
	Summary Summary    `json:"summary"`
}

type jsonFile struct {
	Path     string        `json:"path"`
	Commands int           `json:"commands"`
	Findings []jsonFinding `json:"findings"`
}

type jsonFinding struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Fix      string `json:"fix"`
	Fixable  bool   `json:"fixable"`
}

// NewDocument builds the JSON document of the results.
func NewDocument(results []Result) Document {
	d := Document{Files: []jsonFile{}, Summary: Summarize(results)}
	for i := range results {
		r := &results[i]
		jf := jsonFile{Path: r.Path, Commands: r.Commands, Findings: []jsonFinding{}}
		for k := range r.Findings {
			f := &r.Findings[k]
			jf.Findings = append(jf.Findings, jsonFinding{f.Line, f.Column, f.Rule, f.Severity.String(), f.Message, f.Fix, f.Fixable()})
		}
		d.Files = append(d.Files, jf)
	}
	return d
}

// WriteJSON prints the one document of -o json.
func WriteJSON(w io.Writer, results []Result) error {
	enc := json.NewEncoder(jsontext.Writer(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(NewDocument(results))
}
