package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/tmplcheck"
	"ringtrace/templates"
)

func newTemplatesCommand(rt *runtime) *cli.Command {
	return &cli.Command{
		Name:  "templates",
		Usage: "list and show the embedded templates, check your own",
		Description: "`ringtrace generate --template FILE` renders your own template. docs/templates.md\nlists what it may use.\n\n" +
			"Example:\n\n    ringtrace templates show guarded_enable >mine.tmpl\n    ringtrace templates check mine.tmpl",
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name:        "list",
				Usage:       "list templates, shared pieces and functions",
				Description: "Example:\n\n    ringtrace templates list -o json",
				Action:      rt.templatesList,
			}, exit.OK),
			exits(&cli.Command{
				Name:        "show",
				ArgsUsage:   "NAME",
				Usage:       "print an embedded template, or a file of shared pieces",
				Description: "Example:\n\n    ringtrace templates show guarded_enable",
				Action:      rt.templatesShow,
			}, exit.OK),
			exits(&cli.Command{
				Name:      "check",
				ArgsUsage: "FILE…",
				Usage:     "render templates over made-up plans and lint the scripts",
				Description: "FILE is a template, or - for standard input. Says what is wrong by file, line and\n" +
					"column. Exit 1 if generate would refuse it, or the linter finds an error in a\nscript that it makes.\n\n" +
					"Example:\n\n    ringtrace templates check mine.tmpl",
				Action: rt.templatesCheck,
			}, exit.OK),
		},
	}
}

// templateItem is an element of `templates list -o json`.
type templateItem struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"` // script, or pieces
	Purpose string `json:"purpose"`
}

// templatePurposes says what each embedded template is for.
func templatePurposes() map[string]string {
	return map[string]string{
		"guarded_enable":     "style guarded: arm the sessions, each proved",
		"guarded_disable":    "the undo of styles guarded and classic",
		"guarded_collect":    "where the trace files are",
		"classic":            "style classic: the founding lines",
		"generator":          "style generator: find the sessions when it runs, write the enable script",
		"generator_undo":     "its undo: find them again, write the disable script",
		"alter_session":      "style alter-session: arm one's own session",
		"alter_session_undo": "its undo",
		"logon_trigger":      "style logon-trigger: arm sessions to come",
		"logon_trigger_undo": "its undo: drop the trigger, write the disable script",
		"_shared":            "settings, log, guards, own_off",
		"_styles":            "pieces of the styles that name no sessions",
	}
}

func (rt *runtime) templatesList(*cli.Context) error {
	if err := rt.wantOutput("templates list", outputText, outputJSON); err != nil {
		return err
	}
	set, err := templates.Builtin()
	if err != nil {
		return err
	}
	items, purposes := []templateItem{}, templatePurposes()
	for _, n := range set.Names() {
		items = append(items, templateItem{n, "script", purposes[n]})
	}
	for _, n := range set.Pieces() {
		items = append(items, templateItem{n, "pieces", purposes[n]})
	}
	if rt.output == outputJSON {
		return rt.printJSON(struct {
			Templates []templateItem `json:"templates"`
			Pieces    []string       `json:"pieces"`
			Functions []string       `json:"functions"`
		}{items, templates.PieceNames(), templates.FuncNames()})
	}
	w := tabwriter.NewWriter(rt.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tKIND\tWHAT IT IS FOR")
	for _, i := range items {
		fmt.Fprintf(w, "%s\t%s\t%s\n", i.Name, i.Kind, i.Purpose)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(rt.stdout, "\nPieces: %s\n\nFunctions: %s\n", strings.Join(templates.PieceNames(), " "), strings.Join(templates.FuncNames(), " "))
	return nil
}

func (rt *runtime) templatesShow(c *cli.Context) error {
	if err := rt.wantOutput("templates show", outputText, outputJSON); err != nil {
		return err
	}
	if c.NArg() != 1 {
		return exit.Errorf(exit.Usage, "type: ringtrace templates show guarded_enable", "give the name of one template")
	}
	set, err := templates.Builtin()
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(c.Args().First(), ".tmpl")
	text, err := set.Source(name)
	if err != nil {
		return err
	}
	if rt.output == outputJSON {
		return rt.printJSON(struct {
			Name string `json:"name"`
			Text string `json:"text"`
		}{name, text})
	}
	_, err = io.WriteString(rt.stdout, text)
	return err
}

func (rt *runtime) templatesCheck(c *cli.Context) error {
	if err := rt.wantOutput("templates check", outputText, outputJSON); err != nil {
		return err
	}
	if c.NArg() == 0 {
		return exit.Errorf(exit.Usage, "type: ringtrace templates check mine.tmpl", "no template given")
	}
	reports := []*tmplcheck.Report{}
	for _, name := range c.Args().Slice() {
		text, err := rt.templateText(name)
		if err != nil {
			return err
		}
		r, err := tmplcheck.Check(name, text)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if rt.output == outputJSON {
		if err := rt.printJSON(struct {
			Files []*tmplcheck.Report `json:"files"`
		}{reports}); err != nil {
			return err
		}
	} else {
		for _, r := range reports {
			rt.templateReport(r)
		}
	}
	failed := 0
	for _, r := range reports {
		if !r.OK {
			failed++
		}
	}
	if failed > 0 {
		return exit.Errorf(exit.Failed, "docs/templates.md lists fields, functions, pieces and rules", "%d of %s failed", failed, count(len(reports), "template"))
	}
	return nil
}

// maxTemplate bounds a template, in bytes.
const maxTemplate = 1 << 20

// templateText reads a template file; - is standard input.
func (rt *runtime) templateText(name string) (string, error) {
	in := rt.input
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", exit.Errorf(exit.Usage, "check the name", "template: %w", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxTemplate+1))
	if err != nil {
		return "", exit.Errorf(exit.Usage, "name a file", "template: %w", err)
	}
	if len(text) > maxTemplate {
		return "", exit.Errorf(exit.Usage, "a template is a page of text", "template %s is larger than %d bytes", name, maxTemplate)
	}
	return string(text), nil
}

func (rt *runtime) templateReport(r *tmplcheck.Report) {
	out := rt.stdout
	var hints []string
	for _, p := range r.Problems {
		fmt.Fprintf(out, "%s\n", printable(p.Message))
		if p.Plan != "" {
			fmt.Fprintf(out, "    with the made-up plan: %s\n", p.Plan)
		}
		if p.Hint != "" && !slices.Contains(hints, p.Hint) {
			hints = append(hints, p.Hint)
			fmt.Fprintf(out, "    hint: %s\n", printable(p.Hint))
		}
	}
	for _, f := range r.Findings {
		fmt.Fprintf(out, "%s: its script, line %d: %s %s %s\n    %s\n    with the made-up plan: %s\n", printable(r.Path), f.Line, f.Severity, f.Rule, printable(f.Message), printable(f.Text), f.Plan)
	}
	if r.OK {
		fmt.Fprintf(out, "%s: ok, %d made-up plans, up to %d lines\n", printable(r.Path), r.Plans, r.Lines)
	}
}
