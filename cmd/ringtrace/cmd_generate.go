package main

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/internal/quantity"
	"ringtrace/internal/spool"
	"ringtrace/internal/styles"
	"ringtrace/sessions"
	"ringtrace/templates"
)

func newGenerateCommand(rt *runtime) *cli.Command {
	flags := append(selectorFlags(), traceFlags()...)
	flags = append(flags, connectionFlags()...)
	flags = append(flags,
		choiceFlag("style", plan.StyleGuarded, plan.Styles(), "write scripts in this `STYLE`: "+strings.Join(plan.Styles(), ", ")),
		&cli.StringFlag{Name: "template", Usage: "render `FILE` instead of a style's enable script"},
		&cli.StringFlag{Name: "out", Usage: "write into `DIR`; - prints the enable script"},
		&cli.IntFlag{Name: "split", Value: plan.DefaultSplit, Usage: "sessions in one script; 0 is one script an instance"},
		&cli.StringFlag{Name: "expires", Value: "24h", Usage: "arm nothing after `WHEN`: a duration from now, or a time such as 2026-12-01T06:00Z"},
		&cli.StringFlag{Name: "purpose", Usage: "say in the header what it is for"},
		&cli.StringFlag{Name: "ticket", Usage: "name the ticket in the header"},
		&cli.BoolFlag{Name: "header", Usage: "style classic: write comments, too"},
		&cli.IntFlag{Name: "max-sessions", Value: plan.DefaultMaxSessions, Usage: "refuse to name more than `N` sessions"},
		&cli.StringSliceFlag{Name: "db-name", Usage: "an inventory file cannot know: the script runs in database `NAME` only"},
		&cli.StringSliceFlag{Name: "instance-name", Usage: "an inventory file cannot know: only in instance `[INST=]NAME`"},
		&cli.StringSliceFlag{Name: "host", Usage: "an inventory file cannot know: only on host `[INST=]NAME` (V$INSTANCE.HOST_NAME)"},
		&cli.StringSliceFlag{Name: "started", Usage: "an inventory file cannot know: only while the instance that started at `[INST=]TIME` runs (V$INSTANCE.STARTUP_TIME)"},
		&cli.BoolFlag{Name: "force", Usage: "replace files that exist; take event numbers as --ora"},
	)
	flags = append(flags, formFlag())
	return exits(&cli.Command{
		Name:    "generate",
		Aliases: []string{"spool"},
		Usage:   "write scripts that arm, disarm and collect, for review and for others to run",
		Description: `Writes, for each instance, scripts for SQL*Plus: enable (arms the matching sessions), disable (its undo) and collect (the
trace files), and manifest.json. Files appear whole or not at all. Nothing is changed in the database.

Style guarded proves for each session that the process is still the right one, stops when it is run in the wrong place
or too late, and logs one line a session. Style classic is three lines and nothing else.

Example:

    ringtrace generate -c file:sessions.csv --username APP --ora 1555,60 --out case42
    ringtrace generate -c 'sys@db1:1521/sales as sysdba' --all-app --ora 1555 --purpose 'snapshot too old' --out case42
    ringtrace generate -c file:sessions.csv --sid 69,46228 --ora 942 --yes --style classic --out -`,
		Flags:  flags,
		Action: func(c *cli.Context) error { return rt.generate(c) },
	}, exit.OK, exit.Partial, exit.NothingMatch, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing)
}

func (rt *runtime) generate(c *cli.Context) error {
	if err := rt.wantOutput("generate", outputText, outputJSON); err != nil {
		return err
	}
	req, asks, err := rt.planRequest(c)
	if err != nil {
		return err
	}
	if styles.Handles(req.Style) {
		err = rt.generateStyle(c, req, asks)
	} else {
		err = rt.generateScripts(c, req, asks)
	}
	return rt.outranked(c.Context, asks, err)
}

// generateScripts writes the styles that name sessions.
func (rt *runtime) generateScripts(c *cli.Context, req plan.Request, asks traceAsks) error {
	sel, err := requiredSelectorOf(c)
	if err != nil {
		return err
	}
	own, err := rt.ownTemplate(c.String("template"))
	if err != nil {
		return err
	}
	simulated := false
	inv, err := rt.inventory(c, sel, func(d *door, inv *sessions.Inventory) {
		simulated = isSimulated(c.Context, d.target, d)
		rt.noteSimulated(d.target, simulated)
		rt.shortEstimate(c.Context, d, simulated, inv, sel, req.Options)
	})
	if err != nil {
		return err
	}
	if err := rt.fillFromInventory(c, &req, inv, sel, simulated); err != nil {
		return err
	}
	if c.String("out") == "-" {
		if err := spool.OneScript(req.Sessions, req.Split); err != nil {
			return err
		}
	}
	p, err := plan.New(req)
	if err != nil {
		return err
	}
	rt.warnAll(p.Warnings())
	if err := rt.settle(c.Context, asks); err != nil {
		return err
	}
	builtin, err := templates.Builtin()
	if err != nil {
		return err
	}
	if err := rt.writePlan(c, p, builtin, own); err != nil {
		return err
	}
	return partialError(inv)
}

// planRequest reads everything that needs no database.
func (rt *runtime) planRequest(c *cli.Context) (plan.Request, traceAsks, error) {
	req := plan.Request{
		Tool: "ringtrace", Version: version(), Now: rt.now(), Style: c.String("style"), Header: c.Bool("header"),
		Purpose: c.String("purpose"), Ticket: c.String("ticket"), Split: c.Int("split"), MaxSessions: c.Int("max-sessions"),
	}
	var asks traceAsks
	out := c.String("out")
	switch {
	case out == "" && !rt.dryRun:
		return req, asks, exit.Errorf(exit.Usage, "give --out DIR, or --out - to see the enable script", "generate needs a place to write to")
	case out == "-" && rt.output == outputJSON:
		return req, asks, exit.Errorf(exit.Usage, "leave out one of the two", "--out - prints a script, and -o json a manifest")
	case req.MaxSessions < 1:
		return req, asks, exit.Errorf(exit.Usage, "give --max-sessions 1 or more", "--max-sessions %d is out of range", req.MaxSessions)
	case req.Split < 0:
		return req, asks, exit.Errorf(exit.Usage, "give --split 50, or --split 0 for one file an instance", "--split %d is negative", req.Split)
	case c.String("form") == plan.FormFlush && req.Style != plan.StyleGuarded:
		return req, asks, exit.Errorf(exit.Usage, "leave out --form, or give --style guarded", "style %s writes the founding form", req.Style)
	case c.IsSet("template") && c.IsSet("style"):
		return req, asks, exit.Errorf(exit.Usage, "leave out one of the two", "--template takes the place of --style")
	case req.Style == plan.StyleClassic && rt.typed("max-fires"):
		return req, asks, exit.Errorf(exit.Usage, "leave out --max-fires, or give --style guarded",
			"style classic writes the founding lines, which have no bound")
	}
	if c.IsSet("template") {
		req.Style = plan.StyleTemplate
	}
	if err := checkTimes(c); err != nil {
		return req, asks, err
	}
	var err error
	if req.Options, asks, err = rt.readTraceOptions(c, c.Bool("force")); err != nil {
		return req, asks, err
	}
	if req.Style == plan.StyleClassic {
		if req.Options.MaxFires > 0 {
			rt.notef("style classic has no --max-fires: every error of these codes writes a dump; style guarded writes at most %d for each error and session", req.Options.MaxFires)
		}
		req.Options.MaxFires = 0
	}
	req.Campaign, err = plan.NewCampaignID(req.Now, rand.Reader)
	return req, asks, err
}

// fillFromInventory adds what only the inventory tells.
func (rt *runtime) fillFromInventory(c *cli.Context, req *plan.Request, inv *sessions.Inventory, sel *sessions.Selector, simulated bool) error {
	sum := inv.Summary()
	if sum.Selected == 0 {
		return noneSelected(sel, inv)
	}
	for _, r := range inv.Selected() {
		req.Sessions = append(req.Sessions, r.Session)
	}
	req.Source, req.Selector, req.Unverified = inv.Source, sel.String(), inv.Unverified
	clock := rt.now()
	if !inv.Now.IsZero() {
		clock = inv.Now
	}
	req.Now = clock
	var err error
	if req.Expires, err = expiry(c.String("expires"), clock); err != nil {
		return err
	}
	if req.Instances, err = placeFacts(c, inv, req.Sessions); err != nil {
		return err
	}
	return rt.generateForm(c, req, simulated)
}

// generateForm resolves --form: what a drill proved wins in the scripts, too.
// Style classic is the founding lines to the byte.
func (rt *runtime) generateForm(c *cli.Context, req *plan.Request, simulated bool) error {
	if req.Style == plan.StyleClassic {
		return nil
	}
	var versions []string
	for i := range req.Instances {
		if v := req.Instances[i].Version; v != "" && !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	return rt.resolveForm(c, versions, simulated, &req.Options)
}

// checkTimes reads --expires and --started for their form alone, before
// anybody is asked for sessions.
func checkTimes(c *cli.Context) error {
	if _, err := expiry(c.String("expires"), time.Time{}); err != nil {
		return err
	}
	for _, value := range c.StringSlice("started") {
		if _, after, ok := strings.Cut(value, "="); ok {
			value = after
		}
		if err := setStarted(&sessions.Instance{}, value); err != nil {
			return err
		}
	}
	return nil
}

// expiry reads --expires: a duration from now, or a time with its zone (UTC
// without one).
func expiry(text string, now time.Time) (time.Time, error) {
	hint := "give --expires 24h, or a time such as --expires 2026-12-01T06:00Z"
	if d, err := quantity.ParseDuration(text); err == nil {
		if d <= 0 {
			return time.Time{}, exit.Errorf(exit.Usage, hint, "--expires %s is over at once", text)
		}
		return now.Add(d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04"} {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if !t.After(now) {
			return t, exit.Errorf(exit.Usage, hint, "--expires %s is over already", text)
		}
		return t, nil
	}
	return time.Time{}, exit.Errorf(exit.Usage, hint, "--expires %q is neither a duration nor a time", text)
}

// ownTemplate reads and parses --template.
func (rt *runtime) ownTemplate(name string) (*templates.Template, error) {
	if name == "" {
		return nil, nil
	}
	text, err := rt.templateText(name)
	if err != nil {
		return nil, err
	}
	return templates.Parse(name, text)
}

func (rt *runtime) writePlan(c *cli.Context, p *plan.Plan, builtin *templates.Set, own *templates.Template) error {
	out := c.String("out")
	if rt.dryRun {
		if rt.output == outputJSON {
			return rt.printJSON(spool.NewManifest(p, []spool.FileItem{}))
		}
		return p.Print(rt.stdout)
	}
	if out == "-" {
		return spool.Print(c.Context, rt.stdout, p, builtin, own)
	}
	files, err := spool.Write(c.Context, p, builtin, spool.Options{Dir: out, Force: c.Bool("force"), Template: own})
	if err != nil {
		return err
	}
	rt.tellWritten(p, out, files)
	rt.warnOfLeftovers(out, files)
	if rt.output == outputJSON {
		return rt.printJSON(spool.NewManifest(p, files[:len(files)-1]))
	}
	return nil
}

// tellWritten says what was written, what to run next and how to undo it.
func (rt *runtime) tellWritten(p *plan.Plan, dir string, files []spool.FileItem) {
	rt.notef("wrote %d files to %s: %s on %s, rings of %s, %s in all", len(files), dir,
		count(len(p.Sessions), "session"), count(len(p.Instances), "instance"), templates.Bytes(p.RingBytes()), templates.Bytes(p.MemoryBytes()))
	for i := range p.Instances {
		inst := &p.Instances[i]
		where := fmt.Sprintf("instance %d", inst.InstID)
		if inst.InstanceName != "" {
			where += " (" + inst.InstanceName + ")"
		}
		name := func(kind plan.ScriptKind) string {
			first := plan.FileName(string(kind), inst.InstID, inst.Parts[0], ".sql")
			if n := len(inst.Parts); n > 1 {
				first += " to " + plan.FileName(string(kind), inst.InstID, inst.Parts[n-1], ".sql")
			}
			return first
		}
		rt.notef("on %s run %s once, as SYSDBA, before %s UTC", where, name(plan.Enable), p.Expires.UTC().Format(time.DateTime))
		rt.notef("undo with %s, then fetch traces with %s", name(plan.Disable), name(plan.Collect))
	}
	rt.notef("check it: ringtrace lint %s", quoteArg(dir))
	if t, err := rt.target(); err == nil && t.Kind == connect.Sim {
		// Only the simulated instance itself has the sessions of its scripts.
		rt.notef("try it first: ringtrace rehearse -c %s %s", quoteArg(rt.connect), quoteArg(filepath.Join(dir, files[0].Name)))
	}
}

func count(n int, what string) string { return quantity.Count(n, what) }
