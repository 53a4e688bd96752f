package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/explain"
	"ringtrace/oradebug"
)

func newExplainCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:      "explain",
		Usage:     "say what an event text does and how it is turned off",
		ArgsUsage: "SPEC…",
		Description: `Takes an ORADEBUG event text apart: the meaning of each part, the same in the other syntax, how it is turned
off, and what to think over before sending it. A text that Oracle would refuse is shown with the error it would
raise and the column. Quote each SPEC; a whole line (oradebug session_event …) is taken as well.

Example:

    ringtrace explain '942 trace name trace_buffer_off; name errorstack level 3'
    ringtrace explain -o json 'sql_trace wait=true, bind=true trace_buffer_on(256000)'`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "release", Usage: "read the text as Oracle `RELEASE` does, e.g. 10.2 or 19c (default the newest known)"},
		},
		Action: func(c *cli.Context) error { return rt.explain(c) },
	}, exit.OK, exit.Failed, exit.Usage)
}

// explain is the verb: event texts in, one document or tree each out.
func (rt *runtime) explain(c *cli.Context) error {
	if err := rt.wantOutput("explain", outputText, outputJSON); err != nil {
		return err
	}
	specs := c.Args().Slice()
	if len(specs) == 0 {
		return exit.Errorf(exit.Usage, "give an event text in quotes: ringtrace explain '942 errorstack(3)'", "explain needs an event text")
	}
	var rel oradebug.Release
	if r := c.String("release"); r != "" {
		var err error
		if rel, err = oradebug.ParseRelease(r); err != nil {
			return exit.Errorf(exit.Usage, "give --release 10.2, 11.2, 19c or 23ai", "--release: %w", err)
		}
	}
	docs := make([]explain.Document, 0, len(specs))
	for _, s := range specs {
		docs = append(docs, explain.Explain(s, rel))
	}
	if err := rt.printExplanations(docs, rel); err != nil {
		return err
	}
	return rt.refusedSpecs(docs)
}

func (rt *runtime) printExplanations(docs []explain.Document, rel oradebug.Release) error {
	if rt.output == outputJSON {
		if len(docs) == 1 {
			return rt.printJSON(docs[0])
		}
		return rt.printJSON(map[string][]explain.Document{"specs": docs})
	}
	for i := range docs {
		if i > 0 {
			if _, err := fmt.Fprintln(rt.stdout); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprint(rt.stdout, printable(docs[i].Text(rel))); err != nil {
			return err
		}
	}
	return nil
}

// refusedSpecs is the error of the run: the first refusal, and how many more.
func (rt *runtime) refusedSpecs(docs []explain.Document) error {
	var first *explain.Document
	n := 0
	for i := range docs {
		if docs[i].Refused() {
			if first == nil {
				first = &docs[i]
			}
			n++
		}
	}
	if first == nil {
		return nil
	}
	f := first.Errors[0]
	more := ""
	if n > 1 {
		more = fmt.Sprintf(" (and %d more)", n-1)
	}
	hint := f.Hint
	if rt.output == outputText { // it stands in the tree
		hint = ""
	}
	return exit.Errorf(exit.Failed, hint, "Oracle would refuse %q at column %d with ORA-%05d%s", first.Input, f.Column, f.ORA, more)
}
