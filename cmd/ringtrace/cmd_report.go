package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/exit"
	"ringtrace/internal/oraerr"
	"ringtrace/internal/report"
	"ringtrace/tracefile"
)

const (
	formatHTML   = "html"
	formatFolded = "folded"
	formatTKPROF = "tkprof"
)

func newReportCommand(rt *runtime) *cli.Command {
	return exits(&cli.Command{
		Name:      "report",
		Usage:     "analyse trace files: what failed, what led to it, where the time went",
		ArgsUsage: "FILE…",
		Description: `Reads SQL trace (event 10046), flushed rings and error stacks of any release from 9i to 26ai, as they
are or inside of .gz, .zst, .zip and .tar files, folders and ringtrace bundles; - is standard input. All that is
read makes one report, on one clock. Damaged text never stops it: it is listed with its line.

Examples:

    ringtrace report bundle.zip
    ringtrace report --format html --out report.html trace/
    ringtrace report -o json db1_ora_4711.trc | jq .errors
    ringtrace report --compare before.trc after.trc`,
		Flags: []cli.Flag{
			choiceFlag("format", "", []string{outputText, outputJSON, outputCSV, formatHTML, formatFolded}, "write `FORMAT` text, json, csv, html or folded (default what --output says)"),
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` instead of standard output, in the format of its ending (.html, .json, .csv, .folded) unless one is given; replaces an earlier report, but no trace, bundle or script"},
			choiceFlag("compat", "", []string{formatTKPROF}, "print the table of `TOOL` tkprof: self values, times cut to hundredths"),
			&cli.BoolFlag{Name: "compare", Usage: "compare two traces: ringtrace report --compare A B"},
			&cli.StringSliceFlag{Name: "sql", Usage: "only the statement with this `SQL_ID`, or #number as the report names a cursor without text; repeatable"},
			&cli.StringSliceFlag{Name: "error", Usage: "only this ORA `CODE`; csv, folded and tkprof list the statements that met it; repeatable"},
			&cli.StringFlag{Name: "from", Usage: "only what happened from this `TIME` on, e.g. 2026-03-19T15:58:52+00:00; without a zone, the trace's own"},
			&cli.StringFlag{Name: "to", Usage: "only what happened up to this `TIME`"},
			&cli.StringSliceFlag{Name: "session", Usage: "only this session: `SID`, SID.SERIAL or SID,SERIAL, with @INST behind it or not, or 'pid N' as the report names one without SID; repeatable"},
			&cli.StringSliceFlag{Name: "module", Usage: "only this `MODULE`, in exactly these letters; repeatable"},
			&cli.IntFlag{Name: "top", Value: 20, Usage: "show `N` statements in text and HTML"},
			&cli.BoolFlag{Name: "recursive", Usage: "list what SYS ran below other statements one by one, not as one row for each caller"},
			choiceFlag("sort", "self", report.SortNames(), "sort statements by `KEY` "+strings.Join(report.SortNames(), ", ")),
			durationFlag("tail", 10*time.Second, "tell the story of this long before the error; 0 tells all that was kept"),
			durationFlag("think", time.Second, "from which length on a wait for the client counts as think time"),
			&cli.IntFlag{Name: "width", Value: 80, Usage: "print text `COLUMNS` wide, 80 or 120"},
			&cli.StringFlag{Name: "redact", Usage: "take out `WHAT` binds, literals, names (comma list), or none"},
		},
		Action: func(c *cli.Context) error { return rt.report(c) },
	}, exit.OK, exit.Failed, exit.Usage, exit.Partial, exit.NothingMatch, exit.Refused)
}

// frugal makes the collector work harder near the 64 MB that a report may take
// (300,000 statements, each on a cursor that stays open, take 56), unless less is
// wanted already. What is called when it is over lets it be as it was.
func frugal() func() {
	const enough = 44 << 20 // of the heap; the program's text and buffers come on top
	before := debug.SetMemoryLimit(-1)
	if before > enough {
		debug.SetMemoryLimit(enough)
	}
	return func() { debug.SetMemoryLimit(before) }
}

// report is the verb: traces in, report out.
func (rt *runtime) report(c *cli.Context) error {
	format, err := rt.formatOf(c.String("format"))
	if err != nil {
		return err
	}
	if of := formatOfEnding(c.String("out")); of != "" && c.String("compat") == "" && rt.sourceOf("format") == fromDefault && rt.sourceOf("output") == fromDefault {
		if format = of; of == outputJSON {
			rt.output = outputJSON // for errors, too
		}
	}
	if c.NArg() == 0 {
		return exit.Errorf(exit.Usage, "name trace files, folders or bundles, or - for standard input: ringtrace report db1_ora_4711.trc", "report needs a file")
	}
	// A trace of ten thousand statements stays below 64 MB so; it costs a tenth of
	// the time there, and nothing elsewhere, for the heap is small.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	defer frugal()()
	opt, read, err := rt.reportOptions(c)
	if err != nil {
		return err
	}
	if c.String("compat") == formatTKPROF && format != outputText {
		return exit.Errorf(exit.Usage, "leave one of them out; the figures of tkprof are totals and statements of --format "+outputJSON, "--compat tkprof is a text, not %s", format)
	}
	if c.Bool("compare") {
		return rt.compareTraces(c, format, opt, read)
	}
	l, err := rt.loadTraces(c, c.Args().Slice(), read)
	if err != nil {
		return err
	}
	if l.Read+l.Partly == 0 && l.Failed > 0 && format != outputJSON {
		return reportOutcome(l) // a report that says "no error" of a mistyped name would mislead
	}
	opt.Bundles, opt.Passed, opt.ReadOnce, opt.Covers = l.Bundles, l.Passed, l.ReadOnce, l.Covers
	m := report.Build(l.Profile, opt)
	addEstimateSection(m, l.Estimate)
	outcome := reportOutcome(l)
	if outcome == nil && m.Nothing {
		outcome = nothingSelected(m, "the trace", l.Covers, c.StringSlice("module"))
	}
	if listsStatements(c, format) && len(opt.ORA) > 0 && !m.OnlyFailed() && outcome == nil {
		outcome = nothingMet(m)
	}
	l.Profile = nil // the model holds all that is written; a large trace's profile may go
	if err := rt.writeReport(c, func(w io.Writer) error {
		if c.String("compat") == formatTKPROF {
			return m.WriteTkprof(w)
		}
		switch format {
		case outputJSON:
			return m.WriteJSON(w)
		case outputCSV:
			return m.WriteCSV(w)
		case formatFolded:
			return m.WriteFolded(w)
		case formatHTML:
			return m.WriteHTML(w)
		}
		return m.WriteText(w, c.Int("width"))
	}); err != nil {
		return err
	}
	return outcome
}

// reportOutcome turns what could not be read into the verb's exit code.
func reportOutcome(l *report.Loaded) error {
	var why []string
	for i, e := range l.Errors {
		if i < 10 {
			why = append(why, e.Error())
		}
	}
	forms := 0
	for _, e := range l.Errors {
		if errors.Is(e, report.ErrUnfit) {
			forms++
		}
	}
	switch {
	case l.Failed > 0 && l.Read+l.Partly == 0 && forms == len(l.Errors):
		return exit.Errorf(exit.Failed, "then run ringtrace report on that file", "no file could be read: %s", strings.Join(why, "; "))
	case l.Failed > 0 && l.Read+l.Partly == 0:
		return exit.Errorf(exit.Failed, "check the names and the permissions of the files; traces are readable by their owner's group only", "no file could be read: %s", strings.Join(why, "; "))
	case l.Failed > 0:
		return exit.Errorf(exit.Partial, "the report covers the rest; read these files as their owner, or collect them again", "%s of %d could not be read to the end: %s", count(l.Failed, "file"), l.Failed+l.Read, strings.Join(why, "; "))
	}
	p := l.Profile
	var records int64
	for _, f := range p.Files {
		records += f.TraceRecords()
	}
	if len(p.Files) == 0 {
		if len(l.Bundles) > 0 {
			return exit.Errorf(exit.NothingMatch, l.Bundles[0].Awaited()+"; ringtrace collect list tells why of each session", "%s", l.Bundles[0].Empty())
		}
		if len(l.Passed) > 0 {
			return exit.Errorf(exit.NothingMatch, l.Passed[0].Words(), "no trace file there")
		}
		return exit.Errorf(exit.NothingMatch, "of a folder, files named *.trc, *.trc.gz and *.trc.zst are read; name others, and archives, one by one", "no trace file there")
	}
	if records == 0 && len(p.Errors) == 0 && len(p.Deadlocks) == 0 && len(p.Dumps) == 0 {
		return exit.Errorf(exit.NothingMatch, "event 10046 writes lines such as EXEC #…; is it a trace of another event, or a listener log?", "no SQL trace record in %s", plural(len(p.Files), "file"))
	}
	return nil
}

// nothingSelected is the outcome where the trace has records and the flags want
// none of them: a mistyped session must not look like a trace without an error.
// covers is from when to when it is, where that was asked for.
func nothingSelected(m *report.Model, where, covers string, modules []string) error {
	for _, l := range m.LeftOut {
		_, there, _ := strings.Cut(l, "module ")
		for _, asked := range modules {
			if there != "" && strings.EqualFold(there, asked) && there != asked {
				return exit.Errorf(exit.NothingMatch, "letters count as Oracle shows them: --module "+quoteArg(there), "nothing in %s matches %s", where, strings.Join(m.Selection, "; "))
			}
		}
	}
	hint := "leave the selection out to see what there is"
	if covers != "" {
		hint = "it covers " + covers
	}
	if n := len(m.LeftOut); n > 0 {
		if covers != "" {
			hint += ", and there is "
		} else {
			hint = "there is "
		}
		hint += strings.Join(m.LeftOut[:min(n, 5)], ", ")
		if n > 5 {
			hint += ", …"
		}
	}
	return exit.Errorf(exit.NothingMatch, hint, "nothing in %s matches %s", where, strings.Join(m.Selection, "; "))
}

// listsStatements reports whether a form has statements only, so that --error must
// choose among them: there are no errors to choose.
func listsStatements(c *cli.Context, format string) bool {
	return c.String("compat") == formatTKPROF || format == outputCSV || format == formatFolded
}

// nothingMet is the outcome where no statement met the errors asked for.
func nothingMet(m *report.Model) error {
	hint := "no error was met at all"
	if others := m.Others(); others != "" {
		hint = "these were met: " + others
	}
	return exit.Errorf(exit.NothingMatch, hint, "no statement met %s", strings.Join(m.Selection, "; "))
}

func plural(n int, what string) string {
	if n == 1 {
		return "the " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (rt *runtime) loadTraces(c *cli.Context, paths []string, opt tracefile.Options) (*report.Loaded, error) {
	in := report.Input{Paths: paths, Stdin: rt.input, OnFile: func(path string, size int64) { rt.debugf("reading %s (%d bytes)", path, size) }}
	return report.Load(c.Context, in, opt)
}

// writeReport writes to --out, whole or not at all, or to standard output.
func (rt *runtime) writeReport(c *cli.Context, write func(io.Writer) error) error {
	out := c.String("out")
	if out == "" || out == "-" {
		return write(rt.stdout)
	}
	if err := keepsEvidence(out, c.Args().Slice()); err != nil {
		return err
	}
	set, err := atomicfile.NewSet(c.Context, filepath.Dir(out), atomicfile.Options{Force: true})
	if err != nil {
		return err
	}
	defer set.Abort()
	f, err := set.Create(filepath.Base(out))
	if err != nil {
		return err
	}
	counted := &countingWriter{w: f}
	buf := bufio.NewWriterSize(counted, 64<<10)
	if err := write(buf); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	if err := set.Commit(); err != nil {
		return err
	}
	rt.notef("wrote %s (%d bytes)", out, counted.n)
	return nil
}

// countingWriter counts what it passes on.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// reportOptions reads the flags that select and shape.
func (rt *runtime) reportOptions(c *cli.Context) (report.Options, tracefile.Options, error) {
	opt := report.Options{Top: c.Int("top"), Sort: c.String("sort"), Recursive: c.Bool("recursive"), Tool: "ringtrace " + version()}
	read := tracefile.Options{Think: max(1, durationOf(c, "think").Microseconds())} // 0 there is the default
	for _, id := range c.StringSlice("sql") {
		id = strings.ToLower(strings.TrimSpace(id))
		if id == "" {
			return opt, read, exit.Errorf(exit.Usage, "give --sql 9x825n14bw9r9", "--sql: no SQL id")
		}
		opt.SQL = append(opt.SQL, id)
	}
	if opt.Top < 1 {
		return opt, read, exit.Errorf(exit.Usage, "give --top 20", "--top: %d is not a number of statements", opt.Top)
	}
	if w := c.Int("width"); w < 40 || w > 1000 {
		return opt, read, exit.Errorf(exit.Usage, "give --width 80 or --width 120", "--width: %d columns are out of range", w)
	}
	codes, err := oraerr.ParseList(c.StringSlice("error")...)
	if err != nil {
		return opt, read, exit.Errorf(exit.Usage, "give --error 1555 or --error ORA-01555", "--error: %w", err)
	}
	for _, code := range codes {
		opt.ORA = append(opt.ORA, int64(code.Number))
	}
	if c.String("compat") == formatTKPROF && !c.IsSet("sort") {
		opt.Sort = "line" // tkprof's own order: that of the trace
	}
	if c.IsSet("tail") {
		opt.TailUS = durationOf(c, "tail").Microseconds()
		opt.AllRows = opt.TailUS == 0
	}
	if opt.Redact, err = parseRedact(c.String("redact")); err != nil {
		return opt, read, err
	}
	if read.From, read.FromLocal, err = parseLocalInstant("from", c.String("from")); err != nil {
		return opt, read, err
	}
	if read.To, read.ToLocal, err = parseLocalInstant("to", c.String("to")); err != nil {
		return opt, read, err
	}
	if read.From != 0 && read.To != 0 && read.FromLocal == read.ToLocal && read.From > read.To {
		return opt, read, exit.Errorf(exit.Usage, "exchange them", "--from %s is later than --to %s", c.String("from"), c.String("to"))
	}
	for _, flag := range []string{"session", "module"} {
		for _, v := range c.StringSlice(flag) {
			opt.Read = append(opt.Read, flag+" "+v)
		}
	}
	for _, flag := range []string{"from", "to"} {
		if v := c.String(flag); v != "" {
			opt.Read = append(opt.Read, flag+" "+v)
		}
	}
	if sids := c.StringSlice("session"); len(sids) > 0 {
		read.Session = func(sid string) bool { return matchesSession(sids, sid) }
	}
	if modules := c.StringSlice("module"); len(modules) > 0 {
		read.Module = func(module, _ string) bool {
			for _, m := range modules {
				if m == module {
					return true
				}
			}
			return false
		}
	}
	return opt, read, nil
}

// matchesSession takes SID.SERIAL, SID,SERIAL and SID, and SID.SERIAL@INSTANCE as
// the report writes it: a sid and serial# that two instances share at a time are
// too rare to refuse it.
func matchesSession(want []string, sid string) bool {
	for _, w := range want {
		w, _, _ = strings.Cut(w, "@")
		w = strings.TrimSuffix(strings.ReplaceAll(w, ",", "."), ".")
		if w == sid || !strings.Contains(w, ".") && strings.HasPrefix(sid, w+".") {
			return true
		}
	}
	return false
}

func parseRedact(text string) (report.Redact, error) {
	var r report.Redact
	for _, w := range strings.Split(text, ",") {
		switch strings.TrimSpace(w) {
		case "", "none":
		case "binds":
			r.Binds = true
		case "literals":
			r.Literals = true
		case "names":
			r.Names = true
		default:
			return r, exit.Errorf(exit.Usage, "give --redact binds,literals,names or --redact none", "--redact: %q cannot be taken out", w)
		}
	}
	return r, nil
}

// parseInstant reads a time with zone; without one it is UTC.
func parseInstant(flag, text string) (int64, error) {
	us, _, err := parseLocalInstant(flag, text)
	return us, err
}

// parseLocalInstant reads a time with zone, or without; local says which.
func parseLocalInstant(flag, text string) (us int64, local bool, err error) {
	if text == "" {
		return 0, false, nil
	}
	for _, layout := range []struct {
		form  string
		local bool
	}{
		{time.RFC3339Nano, false},
		{"2006-01-02 15:04:05.999999999Z07:00", false},
		{"2006-01-02T15:04:05.999999999", true},
		{"2006-01-02 15:04:05.999999999", true},
		{"2006-01-02T15:04", true},
		{"2006-01-02 15:04", true},
		{"2006-01-02", true},
	} {
		if t, err := time.Parse(layout.form, text); err == nil {
			return t.UnixMicro(), layout.local, nil
		}
	}
	for _, layout := range []string{"15:04:05.999999999", "15:04"} {
		if _, err := time.Parse(layout, text); err == nil {
			return 0, false, exit.Errorf(exit.Usage, "give the day too, as in --"+flag+" '2026-03-19 "+text+"'; a report without bounds says from when to when the trace is", "--%s: %q has no day", flag, text)
		}
	}
	return 0, false, exit.Errorf(exit.Usage, "give it as 2026-03-19T15:58:52+01:00, or without the zone", "--%s: %q is not a time", flag, text)
}
