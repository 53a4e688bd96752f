// Package tmplcheck tries a user's template before production does: it renders
// it over made-up plans of every kind and reads the scripts with the linter.
package tmplcheck

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/lint"
	"ringtrace/templates"
)

// Report is what a check found.
type Report struct {
	Path     string    `json:"path"`
	OK       bool      `json:"ok"`
	Plans    int       `json:"plans"`    // made-up plans tried
	Lines    int       `json:"lines"`    // of the largest script
	Problems []Problem `json:"problems"` // why generate would refuse it
	Findings []Finding `json:"findings"` // what the linter says of its scripts
}

// Problem is an error of the template, or of a line that it printed.
type Problem struct {
	Line    int    `json:"line"`   // of the template; 0 for a line of the script
	Column  int    `json:"column"` // 0: not known
	Plan    string `json:"plan"`   // the made-up plan; empty: any
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Finding is one of the linter's findings in a rendered script.
type Finding struct {
	Plan     string `json:"plan"`
	Line     int    `json:"line"` // of the script
	Text     string `json:"text"` // that line
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

// Check tries the template text; name is the file as the user gave it. It
// returns an error only if ringtrace itself is at fault.
func Check(name, text string) (*Report, error) {
	r := &Report{Path: name, Problems: []Problem{}, Findings: []Finding{}}
	t, err := templates.Parse(name, text)
	if err != nil {
		r.problem("", err)
		return r, nil
	}
	plans, err := samples()
	if err != nil {
		return nil, fmt.Errorf("made-up plans: %w", err)
	}
	for _, s := range plans {
		r.Plans++
		if err := r.try(t, s); err != nil {
			return nil, err
		}
	}
	r.OK = len(r.Problems) == 0 && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == lint.Error.String() })
	return r, nil
}

func (r *Report) try(t *templates.Template, s sample) error {
	for i := range s.plan.Instances {
		inst := &s.plan.Instances[i]
		for _, part := range inst.Parts {
			var out bytes.Buffer
			if err := t.Render(&out, s.plan.Script(inst, part, plan.Enable)); err != nil {
				r.problem(s.name, err)
				return nil
			}
			r.lint(s.name, out.Bytes())
		}
	}
	return nil
}

// problem notes an error once, however many plans show it.
func (r *Report) problem(planName string, err error) {
	p := Problem{Plan: planName, Message: err.Error(), Hint: exit.HintOf(err)}
	var te *templates.Error
	if errors.As(err, &te) {
		p.Line, p.Column = te.Line, te.Column
	}
	for i := range r.Problems {
		if r.Problems[i].Message == p.Message {
			return
		}
	}
	r.Problems = append(r.Problems, p)
}

func (r *Report) lint(planName string, script []byte) {
	lines := strings.Split(string(script), "\n")
	r.Lines = max(r.Lines, len(lines)-1)
	for _, f := range lint.Check("script.sql", script, lint.Options{}).Findings {
		item := Finding{Plan: planName, Line: f.Line, Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message}
		if f.Line >= 1 && f.Line <= len(lines) {
			item.Text = lines[f.Line-1]
		}
		same := func(o Finding) bool { return o.Rule == item.Rule && o.Message == item.Message && o.Text == item.Text }
		if !slices.ContainsFunc(r.Findings, same) {
			r.Findings = append(r.Findings, item)
		}
	}
}
