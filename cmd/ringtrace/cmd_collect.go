package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/exit"
)

func newCollectCommand(rt *runtime) *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "campaign", Usage: "collect the campaign `ID` (or its beginning) instead of the newest of this database"},
		&cli.StringFlag{Name: "out", Usage: "write the bundle to `FILE`, whose ending .zip, .tar.gz or .tar.zst chooses the format (default ./ringtrace-CAMPAIGN.zip)"},
		&cli.StringFlag{Name: "redact", Usage: "take out `WHAT` binds, literals, names (comma list), or none; asked on a terminal, where Enter means binds,literals"},
		&cli.BoolFlag{Name: "only-fired", Usage: "only traces in which a ring was flushed or an error stack stands"},
		&cli.StringFlag{Name: "since", Usage: "only files that changed at or after this `TIME`, e.g. 2026-03-19T15:58:52+00:00"},
		&cli.StringFlag{Name: "until", Usage: "only files that were begun up to this `TIME`"},
		sizeFlag("max-bytes", 0, "take at most `SIZE` of trace text in all; 0 is no limit"),
		&cli.StringSliceFlag{Name: "host", Usage: "read files with your ssh from `HOST`, or INST=HOST for one instance; repeatable"},
		&cli.StringFlag{Name: "from", Usage: "read files that were downloaded already from below `DIR`"},
		&cli.StringFlag{Name: "scripts", Usage: "add the scripts and logs in `DIR`, where generate wrote them"},
		onOffFlag("report", true, "make report.html and report.json inside"),
		&cli.BoolFlag{Name: "remove-collected", Usage: "delete local trace files that are whole in the verified bundle"},
		&cli.BoolFlag{Name: "force", Usage: "replace a bundle that exists"},
	}
	return exits(&cli.Command{
		Name:  "collect",
		Usage: "gather the trace files of a campaign into a bundle",
		Description: `Finds every trace file of a campaign: what the journal recorded and, with -c, what the database says; their segments,
maps and incident files. It reads them from this host, over ssh (--host), from a folder (--from), or through
V$DIAG_TRACE_FILE_CONTENTS (-c, 12.2 and later), and touches no session. Every session has a row that says what was had,
what is missing and why; exit 3 says that something is. A file with a header and ORADEBUG markers alone is skipped.
Traces hold SQL text and BIND VALUES: --redact replaces them by tokens of the same length and blanks dumps.

Example:

    ringtrace collect -c / --redact binds,literals
    ringtrace collect --campaign 20261130T124726Z-3f9ac1 --host oracle@db1 --redact none --out case.tar.zst
    ringtrace collect verify case.tar.zst`,
		Flags:  append(flags, connectionFlags()...),
		Action: func(c *cli.Context) error { return rt.collect(c) },
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name: "verify", ArgsUsage: "BUNDLE", Usage: "compare a bundle with its manifest",
				Description: "Reads the whole bundle and unpacks nothing. What differs is exit 1.\n\nExample:\n\n    ringtrace collect verify case.tar.zst",
				Action:      rt.collectVerify,
			}, exit.OK, exit.Failed),
			exits(&cli.Command{
				Name: "list", ArgsUsage: "BUNDLE", Usage: "list what is in a bundle, and what is missing",
				Description: "Reads the whole bundle and unpacks nothing.\n\nExample:\n\n    ringtrace collect list case.tar.zst -o json",
				Action:      rt.collectList,
			}, exit.OK, exit.Failed),
		},
	}, exit.OK, exit.Failed, exit.Partial, exit.NothingMatch, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing, exit.Journal)
}

// collectDocument is what collect -o json prints: the manifest, with the place
// of the bundle.
type collectDocument struct {
	*bundle.Manifest
	Bundle  string            `json:"bundle"`
	Removed []collect.Removed `json:"removed,omitempty"`
}

func (rt *runtime) collect(c *cli.Context) error {
	if err := rt.wantOutput("collect", outputText, outputJSON); err != nil {
		return err
	}
	job, err := rt.collectJob(c)
	if err != nil {
		return err
	}
	defer job.close()
	doc := collectDocument{Bundle: job.out}
	result, err := rt.writeBundle(c.Context, job)
	if err != nil {
		return err
	}
	doc.Manifest = result.Manifest
	var kept error // why nothing was deleted; the bundle is there all the same
	if c.Bool("remove-collected") && !rt.dryRun {
		doc.Removed, kept = rt.removeCollected(c.Context, job.out, result)
	}
	if rt.output == outputJSON {
		err = rt.printJSON(doc)
	} else {
		err = rt.collectText(&doc, job)
	}
	if err = errors.Join(kept, err); err != nil {
		return err
	}
	if s := result.Manifest.Summary; s.Collected+s.Partial == 0 {
		for _, src := range job.options.Sources {
			if h, ok := src.(collect.Hosts); ok && h.Down() != nil {
				return exit.Errorf(exit.CannotConnect, "try it by hand: ssh does not ask for a password here, so a key or an agent is needed, and the host's key must be known", "%w", h.Down())
			}
		}
	}
	return collectOutcome(result.Manifest)
}

// writeBundle runs the job into a file that appears whole or not at all.
func (rt *runtime) writeBundle(ctx context.Context, job *collectJob) (*collect.Result, error) {
	if rt.dryRun {
		job.options.Report = nil
		return collect.Run(ctx, discard{}, job.options)
	}
	set, err := atomicfile.NewSet(ctx, filepath.Dir(job.out), atomicfile.Options{Force: job.force})
	if err != nil {
		return nil, err
	}
	defer set.Abort()
	f, err := set.Create(filepath.Base(job.out))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(job.options.Stage, 0o700); err != nil {
		return nil, fmt.Errorf("make folder for copies: %w", err)
	}
	result, err := collect.Run(ctx, f, job.options)
	rt.endProgress()
	if err != nil {
		return nil, err
	}
	if err := set.Commit(); err != nil {
		return nil, err
	}
	if !result.Unfinished {
		if err := os.RemoveAll(job.options.Stage); err != nil {
			rt.warnf("copies of trace files were left in %s: %v", job.options.Stage, err)
		}
	}
	return result, nil
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func (rt *runtime) removeCollected(ctx context.Context, out string, result *collect.Result) ([]collect.Removed, error) {
	if len(result.Originals) == 0 {
		return nil, nil // a question about no file would be answered for nothing
	}
	found, err := bundle.Verify(ctx, out)
	if err != nil {
		return nil, fmt.Errorf("verify %s: %w", out, err)
	}
	if len(found.Problems) > 0 {
		return nil, exit.Errorf(exit.Failed, "nothing was deleted; look at it with: ringtrace collect verify "+quoteArg(out), "%s: %s", out, found.Problems[0].Message)
	}
	if err := rt.confirm(ctx, fmt.Sprintf("delete %s, whole in %s", count(len(result.Originals), "trace file"), out)); err != nil {
		return nil, err
	}
	return collect.Remove(ctx, result.Originals, collect.Procs{Root: "/proc"})
}

// collectOutcome turns what is missing into the exit code.
func collectOutcome(m *bundle.Manifest) error {
	s := m.Summary
	bad := s.Missing + s.Denied + s.Partial
	switch {
	case bad == 0:
		return nil
	case s.Collected+s.Partial == 0:
		return exit.Errorf(exit.Failed, "the notes in the list say why; run it on the database host, or with --host, --from or -c", "no trace file could be had: %d missing, %d denied", s.Missing, s.Denied)
	}
	return exit.Errorf(exit.Partial, "the notes in the list and in manifest.json say why", "%d missing, %d denied, %d partial", s.Missing, s.Denied, s.Partial)
}
