package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/exit"
	"ringtrace/lint"
	"ringtrace/oradebug"
)

const formatSARIF = "sarif"

func newLintCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:      "lint",
		Usage:     "check oradebug scripts, anybody's",
		ArgsUsage: "FILE…",
		Description: `Reads SQL*Plus scripts, here-documents of shell scripts, spool logs and Markdown pages, follows what their
ORADEBUG lines would do, and says what is wrong. FILE is a file, a folder, or - for standard input.
A script that leaves something on on purpose names its way back in a comment above the first command:

    -- undo: disable_1.sql

Example:

    ringtrace lint --fail-on warning enable_1.sql
    ringtrace lint --explain RT023`,
		Flags: []cli.Flag{
			choiceFlag("fail-on", lint.Error.String(), []string{"error", "warning", "info"}, "exit with 10 for findings of this `SEVERITY` or worse"),
			choiceFlag("format", "", []string{outputText, outputJSON, formatSARIF}, "print the findings as `FORMAT` text, json or sarif (default what --output says)"),
			&cli.StringFlag{Name: "release", Usage: "judge for the Oracle `RELEASE`, e.g. 11.2 or 19c (default the newest known)"},
			&cli.BoolFlag{Name: "fix", Usage: "change the files where the meaning stays the same; with --dry-run only show it"},
			&cli.BoolFlag{Name: "rules", Usage: "list the rules"},
			&cli.StringFlag{Name: "explain", Usage: "say what the rule `ID` is about, e.g. RT023"},
		},
		Action: func(c *cli.Context) error { return rt.lint(c) },
	}, exit.OK, exit.Failed, exit.Usage, exit.Partial, exit.Findings)
}

// lint is the verb: files in, findings out.
func (rt *runtime) lint(c *cli.Context) error {
	format, err := rt.lintFormat(c.String("format"))
	if err != nil {
		return err
	}
	if id := c.String("explain"); id != "" {
		return rt.explainRule(id, format)
	}
	if c.Bool("rules") {
		return rt.listRules(format)
	}
	if c.NArg() == 0 {
		return exit.Errorf(exit.Usage, "name the script, or - for standard input: ringtrace lint enable_1.sql", "lint needs a file")
	}
	limit, err := lint.ParseSeverity(c.String("fail-on"))
	if err != nil {
		return exit.Errorf(exit.Usage, "choose from error, warning, info", "--fail-on: %w", err)
	}
	release, err := lintRelease(c.String("release"))
	if err != nil {
		return err
	}
	names, failed := rt.lintNames(c.Args().Slice())
	results := make([]lint.Result, 0, len(names))
	talk := false // findings go to stderr, because stdout carries the script
	for _, name := range names {
		src, err := rt.lintRead(c.Context, name)
		if c.Context.Err() != nil {
			return c.Context.Err() // Ctrl-C, also between two of many files
		}
		if err != nil {
			failed++
			rt.warnf("%s", readProblem(name, err))
			continue
		}
		opt := lint.Options{Release: release, Sibling: siblingOf(c.Context, name)}
		if c.Bool("fix") {
			if name == "-" && format != outputText {
				return exit.Errorf(exit.Usage, "write the fixed script to a file first", "--fix on standard input has the script itself as output, not %s", format)
			}
			talk = talk || name == "-"
			if src, err = rt.lintFix(c.Context, name, src, opt); err != nil {
				return err
			}
		}
		res, err := lintCheck(c.Context, name, src, opt)
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	out := rt.stdout
	if talk {
		out = rt.stderr
	}
	if len(results) > 0 || format != outputText {
		if err := writeFindings(out, results, format); err != nil {
			return err
		}
	}
	return rt.lintVerdict(results, failed, limit)
}

// lintCheck is lint.Check that a signal ends, however large the file is.
func lintCheck(ctx context.Context, name string, src []byte, opt lint.Options) (lint.Result, error) {
	done := make(chan lint.Result, 1)
	go func() { done <- lint.Check(name, src, opt) }()
	select {
	case res := <-done:
		return res, nil
	case <-ctx.Done():
		return lint.Result{}, ctx.Err()
	}
}

func lintRelease(s string) (oradebug.Release, error) {
	if s == "" {
		return oradebug.Release{}, nil
	}
	rel, err := oradebug.ParseRelease(s)
	if err != nil {
		return rel, exit.Errorf(exit.Usage, "give a release such as 10.2, 11.2, 19c or 23ai", "--release: %w", err)
	}
	return rel, nil
}

// lintVerdict decides the exit code.
func (rt *runtime) lintVerdict(results []lint.Result, failed int, limit lint.Severity) error {
	sum := lint.Summarize(results)
	switch {
	case len(results) == 0 && failed > 0:
		return exit.Errorf(exit.Failed, "check the names and permissions above", "no file could be read")
	case failed > 0:
		rt.notef("%s", sum)
		return exit.Errorf(exit.Partial, "check the names and permissions above", "%d of %s could not be read", failed, count(failed+len(results), "file"))
	case sum.Reaches(limit):
		return exit.Errorf(exit.Findings, "ringtrace lint --explain RULE says more about one; --fix corrects what is safe to correct", "%s", sum)
	}
	rt.notef("%s", sum)
	return nil
}

func (rt *runtime) lintFormat(format string) (string, error) {
	if err := rt.wantOutput("lint", outputText, outputJSON); err != nil {
		return "", err
	}
	return rt.formatOf(format)
}

// lintNames opens folders: scripts below them, hidden ones left out.
func (rt *runtime) lintNames(args []string) (names []string, failed int) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if arg == "-" || err != nil || !info.IsDir() {
			names = append(names, arg)
			continue
		}
		before := len(names)
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			hidden := strings.HasPrefix(d.Name(), ".") && path != arg
			switch {
			case err != nil:
				failed++
				rt.warnf("%s", readProblem(path, err))
				if d.IsDir() {
					return fs.SkipDir
				}
			case d.IsDir() && hidden:
				return fs.SkipDir
			case d.Type().IsRegular() && !hidden && lintable(path):
				names = append(names, path)
			}
			return nil
		})
		if err != nil {
			failed++
			rt.warnf("%s", readProblem(arg, err))
		}
		if len(names) == before {
			rt.warnf("%s holds no scripts (.sql, .sh, .ksh, .md, .log)", arg)
		}
	}
	return names, failed
}

func lintable(path string) bool {
	return slices.Contains([]string{".sql", ".pls", ".plb", ".pkb", ".sh", ".ksh", ".bash", ".md", ".log", ".lst"}, strings.ToLower(filepath.Ext(path)))
}

func (rt *runtime) lintRead(ctx context.Context, name string) ([]byte, error) {
	if name == "-" {
		return readBounded(rt.input, maxScript)
	}
	return readFile(ctx, name, maxScript)
}

func readProblem(name string, err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Sprintf("%s: cannot read it: %v", name, err)
}

// siblingOf reads what stands beside a file; only plain relative names.
func siblingOf(ctx context.Context, name string) func(string) ([]byte, error) {
	if name == "-" {
		return nil
	}
	return func(other string) ([]byte, error) {
		if !filepath.IsLocal(other) {
			return nil, fs.ErrNotExist
		}
		return readFile(ctx, filepath.Join(filepath.Dir(name), other), maxScript)
	}
}

// lintFix corrects one file and returns its text as it is now. Every change
// is told, with the line before and after.
func (rt *runtime) lintFix(ctx context.Context, name string, src []byte, opt lint.Options) ([]byte, error) {
	next, changes := lint.Fix(name, src, opt)
	verb := "fixed"
	if rt.dryRun {
		verb = "would fix"
	}
	for _, ch := range changes {
		rt.notef("%s:%d: %s %s: %s", name, ch.Line, verb, ch.Rule, ch.Message)
		if !rt.quiet && ch.Before != "" {
			fmt.Fprintf(rt.stderr, "  - %s\n", printable(ch.Before))
			if strings.TrimSpace(ch.After) != "" {
				fmt.Fprintf(rt.stderr, "  + %s\n", printable(ch.After))
			}
		}
	}
	switch {
	case name == "-":
		if rt.dryRun {
			next = src
		}
		if _, err := rt.stdout.Write(next); err != nil {
			return nil, err
		}
		return next, nil
	case rt.dryRun || bytes.Equal(src, next):
		return src, nil
	}
	return next, replaceFile(ctx, name, next)
}

// replaceFile writes the file anew with the mode it had; through a symbolic
// link, not over it.
func replaceFile(ctx context.Context, name string, data []byte) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return exit.Errorf(exit.Failed, "the file was not changed", "write %s: %w", name, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return exit.Errorf(exit.Failed, "the file was not changed", "write %s: %w", name, err)
	}
	if err := atomicfile.WriteFile(ctx, path, data, atomicfile.Options{Force: true}); err != nil {
		return err
	}
	if err := os.Chmod(path, info.Mode().Perm()); err != nil {
		return exit.Errorf(exit.Failed, "the file is changed; set its mode by hand", "write %s: %w", name, err)
	}
	return nil
}

func writeFindings(w io.Writer, results []lint.Result, format string) error {
	switch format {
	case outputJSON:
		return lint.WriteJSON(w, results)
	case formatSARIF:
		return lint.WriteSARIF(w, results, version())
	}
	return lint.WriteText(w, results, printable)
}

// listRules prints the rule table.
func (rt *runtime) listRules(format string) error {
	if format == outputJSON {
		return rt.printJSON(map[string]any{"rules": rulesForJSON(lint.Rules())})
	}
	for _, r := range lint.Rules() {
		fix := ""
		if r.Fixable {
			fix = " [--fix]"
		}
		if _, err := fmt.Fprintf(rt.stdout, "%s  %-7s  %s%s\n", r.ID, r.Severity, r.Summary, fix); err != nil {
			return err
		}
	}
	return nil
}

func (rt *runtime) explainRule(id, format string) error {
	r, ok := lint.LookupRule(id)
	if !ok {
		return exit.Errorf(exit.Usage, "ringtrace lint --rules lists them", "there is no rule %q", id)
	}
	if format == outputJSON {
		return rt.printJSON(rulesForJSON([]lint.Rule{r})[0])
	}
	_, err := fmt.Fprintf(rt.stdout, "%s (%s): %s\n\nWhy: %s\n\nFix: %s\n", r.ID, r.Severity, r.Summary, r.Why, r.Fix)
	return err
}

type ruleJSON struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Why      string `json:"why"`
	Fix      string `json:"fix"`
	Fixable  bool   `json:"fixable"`
}

func rulesForJSON(rules []lint.Rule) []ruleJSON {
	out := make([]ruleJSON, len(rules))
	for i, r := range rules {
		out[i] = ruleJSON{r.ID, r.Name, r.Severity.String(), r.Summary, r.Why, r.Fix, r.Fixable}
	}
	return out
}
