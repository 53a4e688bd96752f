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
	if format == formatFolded || c.String("compat") != "" {
		return exit.Errorf(exit.Usage, "give --format text, json, csv or html", "a comparison has no such form: stacks and tkprof's table are of one trace")
	}
	var models [2]*report.Model
	var outcome error
	for i, path := range c.Args().Slice() {
		l, err := rt.loadTraces(c, []string{path}, read)
		if err != nil {
			return err
		}
		if err := reportOutcome(l); err != nil {
			if l.Read+l.Partly == 0 || len(l.Profile.Files) == 0 {
				return err
			}
			outcome = err
		}
		opt.Bundles, opt.Covers = l.Bundles, l.Covers
		models[i] = report.Build(l.Profile, opt)
		if outcome == nil && models[i].Nothing {
			outcome = nothingSelected(models[i], path, l.Covers, c.StringSlice("module"))
		}
	}
	d := report.Compare(c.Args().Get(0), models[0], c.Args().Get(1), models[1])
	if err := rt.writeReport(c, func(w io.Writer) error {
		switch format {
		case outputJSON:
			return d.WriteJSON(w)
		case outputCSV:
			return d.WriteCSV(w)
		case formatHTML:
			return d.WriteHTML(w, opt.Top)
		}
		return d.WriteText(w, c.Int("width"), opt.Top)
	}); err != nil {
		return err
	}
	return outcome
}
