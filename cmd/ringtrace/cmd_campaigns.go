package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/campaigns"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

func newCampaignsCommand(rt *runtime) *cli.Command {
	return &cli.Command{
		Name:  "campaigns",
		Usage: "list, show, import, export and resolve campaigns",
		Description: "A campaign is what one enable, watch or generated script did, kept in a journal\n" +
			"below the state directory. ID may be the beginning of a campaign's id, and may\n" +
			"be left out if there is only one, or only one that is open.\n\n" +
			"Example:\n\n    ringtrace campaigns list\n    ringtrace campaigns import manifest.json enable_1_*.log",
		Subcommands: []*cli.Command{
			exits(&cli.Command{
				Name:        "list",
				Usage:       "list the campaigns of this OS user",
				Description: "A journal that cannot be read is listed with its error (exit 3).\n\nExample:\n\n    ringtrace campaigns list -o json",
				Action:      rt.campaignsList,
			}, exit.OK, exit.Partial),
			exits(&cli.Command{
				Name:        "show",
				ArgsUsage:   "[ID]",
				Usage:       "show a campaign: every session's state, runs, what a crash left",
				Description: "Reads the journal only; `ringtrace status` asks the database. ID may be a file,\nsuch as an exported night.jsonl.\n\nExample:\n\n    ringtrace campaigns show 20261130T124726Z-3f9ac1",
				Action:      rt.campaignsShow,
			}, exit.OK, exit.NothingMatch, exit.Journal),
			exits(&cli.Command{
				Name:      "import",
				ArgsUsage: "MANIFEST LOG…",
				Usage:     "make a journal from the logs that generated scripts spooled",
				Description: "Takes the logs of guarded enable scripts, and of their disable scripts, in any\n" +
					"order; parts may follow later. A session counts as armed only if its block holds\n" +
					"the attach reply with our orapid and ospid, and ARMED. What a log does not prove\n" +
					"is taken as armed, so that `disable` visits it; exit 3 says that there is such a\n" +
					"session, or a part without a log.\n\n" +
					"Example:\n\n    ringtrace campaigns import out/manifest.json enable_1_20261130_124800.log",
				Action: rt.campaignsImport,
			}, exit.OK, exit.Partial, exit.Journal),
			exits(&cli.Command{
				Name:      "export",
				ArgsUsage: "[ID]",
				Usage:     "write a journal, to be used on another host",
				Description: "The journal goes out byte for byte (docs/journal-format.md). Give it to\n`ringtrace disable --journal FILE` where the database can be reached.\n\n" +
					"Example:\n\n    ringtrace campaigns export --out night.jsonl",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "out", Value: "-", Usage: "write to `FILE`, - is standard output"},
					&cli.BoolFlag{Name: "force", Usage: "replace FILE if it is there"},
				},
				Action: rt.campaignsExport,
			}, exit.OK, exit.Partial, exit.NothingMatch, exit.Refused, exit.Journal),
			exits(&cli.Command{
				Name:      "resolve",
				ArgsUsage: "[ID]",
				Usage:     "give your word on what a crash left open",
				Description: "A dirty journal (an intent without outcome, a run without end) refuses enable and\n" +
					"watch. `ringtrace disable` cleans it, and is the better way. Where that cannot be,\n" +
					"say here what the sessions concerned are: clean (somebody made sure), or armed or\n" +
					"unknown (disable will visit them).\n\n" +
					"Example:\n\n    ringtrace campaigns resolve --state clean --note \"instance was bounced\" --close",
				Flags: []cli.Flag{
					choiceFlag("state", "", []string{"clean", "armed", "unknown"}, "take the sessions of open intents as `STATE` clean, armed or unknown"),
					&cli.StringFlag{Name: "note", Usage: "how you know, as `TEXT` for the journal"},
					&cli.BoolFlag{Name: "accept-damage", Usage: "go on behind a damaged part of the journal; it stays in the file"},
					&cli.BoolFlag{Name: "close", Usage: "close the campaign afterwards"},
				},
				Action: rt.campaignsResolve,
			}, exit.OK, exit.NothingMatch, exit.Refused, exit.Journal),
		},
	}
}

// oneCampaign returns the store and the optional ID argument.
func (rt *runtime) oneCampaign(c *cli.Context) (s campaigns.Store, id string, err error) {
	if n := c.NArg(); n > 1 {
		return s, "", exit.Errorf(exit.Usage, "give one ID", "%d campaigns given", n)
	}
	s, err = rt.campaignStore()
	return s, c.Args().First(), err
}

func (rt *runtime) campaignsList(*cli.Context) error {
	s, err := rt.campaignStore()
	if err != nil {
		return err
	}
	l, err := s.List()
	if err != nil {
		return err
	}
	for i := range l.Preparing {
		rt.warnf("%s", sayPreparing(&l.Preparing[i], stopOf(&l.Preparing[i])))
	}
	switch rt.output {
	case outputJSON:
		err = rt.printJSON(l)
	case outputCSV:
		err = campaigns.WriteListCSV(rt.stdout, l)
	default:
		rt.campaignsTable(l)
	}
	if err == nil && l.Summary.Unreadable > 0 {
		err = exit.Errorf(exit.Partial, "see the ERROR lines; `ringtrace campaigns show ID` says more", "%s cannot be read", count(l.Summary.Unreadable, "journal"))
	}
	return err
}

func (rt *runtime) campaignsShow(c *cli.Context) error {
	s, id, err := rt.oneCampaign(c)
	if err != nil {
		return err
	}
	show := s.Show
	if strings.HasSuffix(id, ".jsonl") {
		show = s.ShowFile
	}
	d, err := show(id)
	if err != nil {
		return err
	}
	switch rt.output {
	case outputJSON:
		return rt.printJSON(d)
	case outputCSV:
		return campaigns.WriteSessionsCSV(rt.stdout, d.Sessions)
	}
	rt.campaignText(d)
	return nil
}

func (rt *runtime) campaignsImport(c *cli.Context) error {
	if err := rt.wantOutput("campaigns import", outputText, outputJSON); err != nil {
		return err
	}
	if c.NArg() == 0 {
		return exit.Errorf(exit.Usage, "type: ringtrace campaigns import manifest.json enable_1_*.log", "no manifest given")
	}
	for _, name := range c.Args().Slice() {
		if err := rt.refuseJournal(name); err != nil {
			return err
		}
	}
	s, err := rt.campaignStore()
	if err != nil {
		return err
	}
	do := s.Import
	if rt.dryRun {
		do = s.ImportDry
	}
	out, err := do(c.Args().First(), c.Args().Tail())
	if err != nil {
		return err
	}
	for _, w := range out.Warnings {
		rt.warnf("%s", w)
	}
	if rt.output == outputJSON {
		if err := rt.printJSON(out); err != nil {
			return err
		}
	} else {
		rt.importText(out)
	}
	t := out.Totals
	switch {
	case t.Unknown > 0 || t.Failed > 0:
		hint := "look at them: ringtrace campaigns show " + out.Campaign
		if out.Undo != nil {
			hint += "; this visits them: " + *out.Undo
		}
		return exit.Errorf(exit.Partial, hint,
			"of %s the logs leave %d unknown and %d failed%s", count(t.Selected, "session"), t.Unknown, t.Failed, noLogText(t.NoLog))
	case t.NoLog > 0:
		return exit.Errorf(exit.Partial, "if their script was run, import its log as well", "%d of %s in scripts without a log", t.NoLog, count(t.Selected, "session"))
	}
	return nil
}

// refuseJournal says what an exported journal is for, where an import needs a
// manifest and logs.
func (rt *runtime) refuseJournal(name string) error {
	k, err := journal.Load(name)
	if err != nil || k.Header.Campaign == "" {
		return nil // none: import says what is wrong with it
	}
	return exit.Errorf(exit.Usage, "look at it with: ringtrace campaigns show "+quoteArg(name)+"\ntake it back with: "+rt.undoFrom("", "--journal", name),
		"%s is the journal of campaign %s, which is used as it is; import takes a manifest.json and the logs of scripts", name, k.Header.Campaign)
}

func noLogText(n int) string {
	if n == 0 {
		return ""
	}
	return "; " + count(n, "session") + " in scripts without a log"
}

func (rt *runtime) campaignsExport(c *cli.Context) error {
	if err := rt.wantOutput("campaigns export", outputText, outputJSON); err != nil {
		return err
	}
	s, id, err := rt.oneCampaign(c)
	if err != nil {
		return err
	}
	out := c.String("out")
	if out == "-" && rt.output == outputJSON {
		return exit.Errorf(exit.Usage, "give --out FILE, or leave out -o json", "a journal is no single JSON document")
	}
	var buf bytes.Buffer
	id, damaged, err := s.Export(id, &buf)
	if err != nil {
		return err
	}
	switch {
	case out == "-":
		_, err = io.Copy(rt.stdout, &buf)
	case rt.dryRun:
		rt.notef("would write %d bytes to %s", buf.Len(), out)
	default:
		err = atomicfile.WriteFile(c.Context, out, buf.Bytes(), atomicfile.Options{Force: c.Bool("force")})
	}
	if err != nil {
		return err
	}
	if rt.output == outputJSON {
		sum := sha256.Sum256(buf.Bytes())
		err = rt.printJSON(struct {
			Campaign string `json:"campaign"`
			Out      string `json:"out"`
			Bytes    int    `json:"bytes"`
			SHA256   string `json:"sha256"`
			Damaged  bool   `json:"damaged"`
		}{id, filepath.Clean(out), buf.Len(), hex.EncodeToString(sum[:]), damaged})
	} else if out != "-" && !rt.dryRun {
		rt.notef("campaign %s written to %s", id, out)
	}
	if err == nil && damaged {
		err = exit.Errorf(exit.Partial, "ringtrace campaigns show "+id+" says where", "the journal is damaged, and was exported as it stands")
	}
	return err
}

func (rt *runtime) campaignsResolve(c *cli.Context) error {
	if err := rt.wantOutput("campaigns resolve", outputText, outputJSON); err != nil {
		return err
	}
	s, id, err := rt.oneCampaign(c)
	if err != nil {
		return err
	}
	r := campaigns.Resolution{
		State: journal.State(strings.ToUpper(c.String("state"))), Note: c.String("note"),
		AcceptDamage: c.Bool("accept-damage"), Close: c.Bool("close"), DryRun: rt.dryRun,
	}
	if r.State == "" {
		return exit.Errorf(exit.Usage, "give --state clean (somebody made sure that nothing is on), or armed or unknown (disable will visit them)", "a resolution needs a state")
	}
	if err := campaigns.CheckResolution(r); err != nil {
		return err
	}
	d, err := s.Show(id)
	if err != nil {
		return err
	}
	if !r.DryRun {
		accepted := ""
		if r.AcceptDamage {
			accepted = fmt.Sprintf("accept %s of damage and ", count(len(d.Damage), "place"))
		}
		question := accepted + fmt.Sprintf("take %s of campaign %s as %s", count(len(d.Dirty), "open piece"), d.Campaign, strings.ToLower(string(r.State)))
		if err := rt.confirm(c.Context, question); err != nil {
			return err
		}
	}
	out, err := s.ResolveCampaign(d.Campaign, r)
	if out != nil {
		for _, m := range out.Messages {
			rt.notef("%s", m)
		}
	}
	if err != nil {
		return rt.noRoom(err)
	}
	if rt.output == outputJSON {
		return rt.printJSON(out)
	}
	verb := "resolved"
	if r.DryRun {
		verb = "would resolve"
	}
	fmt.Fprintf(rt.stdout, "campaign %s: %s %s and %s as %s; %s to disarm%s\n",
		out.Campaign, verb, count(out.Intents, "intent"), count(out.Runs, "run"), strings.ToLower(string(r.State)), count(out.Open, "session"), map[bool]string{true: "; closed", false: ""}[out.Closed])
	return nil
}
