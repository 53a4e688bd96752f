package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
)

// progress returns what shows the progress on a terminal, on one line.
func (rt *runtime) progress() func(collect.Progress) {
	start, last, doing := rt.now(), time.Time{}, ""
	return func(p collect.Progress) {
		now := rt.now()
		if p.Doing != doing {
			start, doing = now, p.Doing
		}
		if now.Sub(last) < 200*time.Millisecond {
			return
		}
		last = now
		fmt.Fprint(rt.stderr, "\r\x1b[K"+progressLine(p, now.Sub(start)))
	}
}

// progressLine fits a terminal of 80 columns.
func progressLine(p collect.Progress, took time.Duration) string {
	line := p.Doing
	if p.Done > 0 {
		line += " " + quantity.Bytes(p.Done)
		if p.Total >= p.Done {
			line += " of " + quantity.Bytes(p.Total)
		}
		line += ", " + quantity.Bytes(int64(float64(p.Done)/max(took.Seconds(), 0.001))) + "/s"
	}
	name := []rune(oneLine(p.File))
	if room := 78 - len(line); len(name) > room {
		name = append([]rune("…"), name[len(name)-room+1:]...)
	}
	return line + " " + string(name)
}

func (rt *runtime) endProgress() {
	if isTerminal(rt.stderr) && !rt.quiet {
		fmt.Fprint(rt.stderr, "\r\x1b[K")
	}
}

// oneLine makes a text of names and notes safe to show as one line.
func oneLine(s string) string {
	return printable(strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s))
}

// maxRows bounds how many rows of one status the text shows; -o json has all.
const maxRows = 20

func (rt *runtime) collectText(d *collectDocument, job *collectJob) error {
	w := rt.stdout
	s := d.Summary
	fmt.Fprintf(w, "%s; %s, %s\n", sessionCounts(d.Files), count(s.Files, "trace"), quantity.Bytes(s.Bytes))
	for _, status := range []bundle.Status{bundle.Collected, bundle.Partial, bundle.Denied, bundle.Missing, bundle.Skipped} {
		shown := 0
		for i := range d.Files {
			f := &d.Files[i]
			if f.Status != status {
				continue
			}
			if shown++; shown > maxRows {
				continue
			}
			line := fmt.Sprintf("%-9s %d,%d,@%d", f.Status, f.SID, f.Serial, f.InstID)
			if f.Name != nil {
				line += " " + *f.Name
			}
			if f.Bytes != nil && status != bundle.Skipped {
				line += fmt.Sprintf(" (%s, %s)", quantity.Bytes(*f.Bytes), f.Via)
			}
			if f.Note != nil {
				line += ": " + *f.Note
			}
			fmt.Fprintln(w, oneLine(line))
		}
		if shown > maxRows {
			fmt.Fprintf(w, "%-9s and %d more; -o json lists all\n", status, shown-maxRows)
		}
	}
	for _, n := range d.Notes {
		if n != simulatedText { // that has been said
			rt.notef("%s", n)
		}
	}
	if what := d.Redacted.What; len(what) > 0 {
		fmt.Fprintf(w, "redacted %s: %s replaced, %s of dumps blanked; the key stays in the state folder\n", strings.Join(what, ", "), quantity.Count(d.Redacted.Values, "value"), quantity.Bytes(d.Redacted.Blanked))
	}
	for _, r := range d.Removed {
		word := "kept   "
		if r.Removed {
			word = "deleted"
		}
		fmt.Fprintln(w, oneLine(strings.TrimSuffix(fmt.Sprintf("%s %s: %s", word, r.Path, r.Note), ": ")))
	}
	if rt.dryRun {
		fmt.Fprintf(w, "dry run: %s was not written\n", oneLine(d.Bundle))
		return nil
	}
	if s.Skipped > 0 && s.Collected+s.Partial+s.Missing+s.Denied == 0 {
		rt.notef("%s", whyNothing(job))
	}
	fmt.Fprintf(w, "wrote %s; read it with: ringtrace report %s\n", oneLine(d.Bundle), printable(quoteArg(d.Bundle)))
	return nil
}

// verifyDocument is what collect verify and list print.
type verifyDocument struct {
	Bundle   string           `json:"bundle"`
	OK       bool             `json:"ok"`
	Entries  []bundle.Entry   `json:"entries"`
	Problems []bundle.Problem `json:"problems"`
	Files    []bundle.File    `json:"files"`
	Summary  *bundle.Summary  `json:"summary"`
}

func (rt *runtime) inspectBundle(c *cli.Context, verb string) (*verifyDocument, error) {
	if err := rt.wantOutput(verb, outputText, outputJSON); err != nil {
		return nil, err
	}
	if c.NArg() != 1 {
		return nil, exit.Errorf(exit.Usage, "ringtrace "+verb+" BUNDLE", "%s takes one bundle", verb)
	}
	name := c.Args().First()
	look := bundle.Inspect
	if verb == "collect verify" {
		look = bundle.Verify
	}
	found, err := look(c.Context, name)
	if err != nil {
		if c.Context.Err() != nil {
			return nil, c.Context.Err()
		}
		return nil, exit.Errorf(exit.Failed, "give a .zip, .tar.gz or .tar.zst that ringtrace collect wrote", "%s cannot be read as a bundle: %w", name, err)
	}
	d := &verifyDocument{Bundle: name, OK: len(found.Problems) == 0, Entries: found.Entries, Problems: found.Problems, Files: []bundle.File{}}
	if d.Problems == nil {
		d.Problems = []bundle.Problem{}
	}
	if found.Manifest != nil {
		d.Files, d.Summary = found.Manifest.Files, &found.Manifest.Summary
	}
	return d, nil
}

func (rt *runtime) collectVerify(c *cli.Context) error {
	return rt.showBundle(c, "collect verify", "do not rely on it; fetch it again, or collect again", func(d *verifyDocument) {
		rt.bundleProblems(d)
		if d.OK {
			fmt.Fprintf(rt.stdout, "%s: %s as its manifest says\n", printable(d.Bundle), entries(len(d.Entries)))
		}
	})
}

func (rt *runtime) collectList(c *cli.Context) error {
	return rt.showBundle(c, "collect list", "do not unpack it where it could do harm", func(d *verifyDocument) {
		fmt.Fprintf(rt.stdout, "%12s %s\n", "BYTES", "NAME")
		for _, e := range d.Entries {
			fmt.Fprintf(rt.stdout, "%12d %s\n", e.Bytes, oneLine(e.Name))
		}
		for i := range d.Files {
			if f := &d.Files[i]; f.Status != bundle.Collected && f.Note != nil {
				fmt.Fprintln(rt.stdout, oneLine(fmt.Sprintf("%-12s %d,%d,@%d: %s", f.Status, f.SID, f.Serial, f.InstID, *f.Note)))
			}
		}
		rt.bundleProblems(d)
	})
}

// showBundle prints what was found in a bundle, as text does it or as JSON.
// Problems are exit 1, with hint.
func (rt *runtime) showBundle(c *cli.Context, verb, hint string, text func(*verifyDocument)) error {
	d, err := rt.inspectBundle(c, verb)
	if err != nil {
		return err
	}
	if rt.output != outputJSON {
		text(d)
	} else if err := rt.printJSON(d); err != nil {
		return err
	}
	if !d.OK {
		return exit.Errorf(exit.Failed, hint, "%s: %s", d.Bundle, count(len(d.Problems), "problem"))
	}
	return nil
}

func (rt *runtime) bundleProblems(d *verifyDocument) {
	for _, p := range d.Problems {
		fmt.Fprintln(rt.stdout, oneLine(strings.TrimPrefix(fmt.Sprintf("%s: %s: %s", p.Name, p.Kind, p.Message), ": ")))
	}
}

func entries(n int) string {
	if n == 1 {
		return "1 entry is"
	}
	return fmt.Sprintf("%d entries are", n)
}
