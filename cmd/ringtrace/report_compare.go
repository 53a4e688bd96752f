package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

// compareTraces is report --compare A B.
func (rt *runtime) compareTraces(c *cli.Context, format string, opt report.Options, read tracefile.Options) error {
	if c.NArg() != 2 {
		return exit.Errorf(exit.Usage, "ringtrace report --compare before.trc after.trc", "--compare needs two traces, not %d", c.NArg())
	}
	if format != outputText && format != outputJSON {
		return exit.Errorf(exit.Usage, "give --format text or --format json", "a comparison has no %s form", format)
	}
	var models [2]*report.Model
	var outcome error
	for i, path := range c.Args().Slice() {
		l, err := rt.loadTraces(c, []string{path}, read)
		if err != nil {
			return err
		}
		if err := reportOutcome(l); err != nil {
			if l.Read == 0 {
				return err
			}
			outcome = err
		}
		models[i] = report.Build(l.Profile, opt)
	}
	d := report.Compare(c.Args().Get(0), models[0], c.Args().Get(1), models[1])
	if err := rt.writeReport(c, func(w io.Writer) error {
		if format == outputJSON {
			return d.WriteJSON(w)
		}
		return d.WriteText(w, c.Int("width"), opt.Top)
	}); err != nil {
		return err
	}
	return outcome
}
