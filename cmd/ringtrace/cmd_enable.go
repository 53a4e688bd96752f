package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/estimate"
	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/sessions"
	"ringtrace/templates"
)

func newEnableCommand(rt *runtime) *cli.Command {
	flags := append(selectorFlags(), traceFlags()...)
	flags = append(flags, stationFlags()...)
	flags = append(flags, formFlag(),
		&cli.StringFlag{Name: "plan", Usage: "run exactly the plan in `FILE`, made with --dry-run -o json; - is standard input"},
		&cli.IntFlag{Name: "max-sessions", Value: plan.DefaultMaxSessions, Usage: "refuse to arm more than `N` sessions"},
		&cli.IntFlag{Name: "max-failures", Value: control.DefaultMaxFailures, Usage: "stop when more than `N` sessions failed or did not answer; -1: never"},
		durationFlag("pace", control.DefaultPace, "pause for `DURATION` between two sessions"),
		&cli.StringFlag{Name: "purpose", Usage: "say in the journal what it is for"},
		&cli.StringFlag{Name: "ticket", Usage: "name the ticket in the journal"},
		&cli.BoolFlag{Name: "wait", Usage: "stay, and disarm at the end of --ttl or at Ctrl-C"},
		durationFlag("ttl", 0, "disarm after `DURATION`; needs --wait"),
		&cli.BoolFlag{Name: "force", Usage: "arm although somebody else's event is there (it is set again by disable); take event numbers as --ora"},
	)
	return exits(&cli.Command{
		Name:  "enable",
		Usage: "arm the matching sessions, prove it, and record it",
		Description: `Arms every matching session through SQL*Plus, one by one: it attaches to the server process, proves that it is still
that session, sets the events, and proves by eventdump that they are there. Every step is on disk before it is done,
so that ringtrace disable can always put everything back. One session goes first, then a tenth, then all.

A session where somebody else has set one of the events already is left alone. One that does not answer in time is
PENDING: the request may still be carried out, so disable visits it.

Example:

    ringtrace enable -c '/ as sysdba' --username APP --ora 1555,60 --purpose 'snapshot too old'
    ringtrace enable -c '/ as sysdba' --all-app --ora 1555 --dry-run -o json > plan.json
    ringtrace enable -c '/ as sysdba' --plan plan.json --yes`,
		Flags:  flags,
		Action: rt.enable,
	}, exit.OK, exit.Partial, exit.NothingMatch, exit.CannotConnect, exit.NotAllowed, exit.Refused, exit.ToolMissing, exit.Journal)
}

func (rt *runtime) enable(c *cli.Context) error {
	if err := rt.wantOutput("enable", outputText, outputJSON); err != nil {
		return err
	}
	if err := rt.checkTTL(c); err != nil {
		return err
	}
	read := rt.selectedPlan
	if c.IsSet("plan") {
		read = rt.givenPlan
	}
	defer rt.unannounce()
	var asks traceAsks
	p, st, err := read(c, &asks)
	if st != nil {
		defer st.close()
	}
	if err != nil {
		return rt.outranked(c.Context, asks, err)
	}
	rt.noteSimulated(st.target, st.simulated(c.Context))
	if rt.dryRun {
		return rt.enableDry(c, p, st)
	}
	if err := rt.preflight(c.Context, p, st); err != nil {
		return rt.outranked(c.Context, asks, err)
	}
	if err := rt.settle(c.Context, asks); err != nil {
		return err
	}
	question := fmt.Sprintf("arm %s on %s, rings of %s, %s in all", count(len(p.file.Sessions), "session"), count(len(p.file.Instances), "instance"),
		templates.Bytes(p.file.RingBytes), templates.Bytes(p.file.RingBytes*int64(len(p.file.Sessions))))
	if err := rt.confirm(c.Context, question); err != nil {
		return err
	}
	return rt.enableRun(c, p, st)
}

// enablePlan is a plan with what only this run knows of it.
type enablePlan struct {
	file    *control.PlanFile
	listed  []sessions.Session // with all columns; what a plan file holds if it came from one
	printer func(io.Writer) error
	request *plan.Request // nil if it came from a file

	expected *estimate.Result // nil if nothing could be told
}

// selectedPlan makes a plan of the sessions that match.
func (rt *runtime) selectedPlan(c *cli.Context, asks *traceAsks) (*enablePlan, *station, error) {
	sel, err := requiredSelectorOf(c)
	if err != nil {
		return nil, nil, err
	}
	var o plan.Options
	if o, *asks, err = rt.readTraceOptions(c, c.Bool("force")); err != nil {
		return nil, nil, err
	}
	if c.Int("max-sessions") < 1 {
		return nil, nil, exit.Errorf(exit.Usage, "give --max-sessions 1 or more", "--max-sessions %d is out of range", c.Int("max-sessions"))
	}
	st, err := rt.armingStation(c, "enable")
	if err != nil {
		return nil, st, err
	}
	if err := rt.formOf(c, st, &o); err != nil {
		return nil, st, err
	}
	inv, err := st.inventoryOf(c.Context, sel)
	if err != nil {
		return nil, st, err
	}
	sum := inv.Summary()
	if sum.Selected == 0 {
		return nil, st, nothingMatched(sel, sum)
	}
	expected := rt.shortEstimate(c.Context, st.q, st.simulated(c.Context), inv, sel, o)
	now := inv.Now
	if now.IsZero() {
		now = rt.now()
	}
	req := plan.Request{
		Tool: "ringtrace", Version: version(), Now: now, Expires: now.Add(plan.DefaultExpiry), Style: plan.StyleGuarded, Options: o,
		Instances: inv.Instances, Source: inv.Source, Purpose: c.String("purpose"), Ticket: c.String("ticket"), Selector: sel.String(),
		MaxSessions: c.Int("max-sessions"),
	}
	if req.Campaign, err = plan.NewCampaignID(rt.now(), rand.Reader); err != nil {
		return nil, st, err
	}
	for _, r := range inv.Selected() {
		req.Sessions = append(req.Sessions, r.Session)
	}
	p, err := plan.New(req)
	if err != nil {
		return nil, st, err
	}
	rt.warnAll(p.Warnings())
	return &enablePlan{file: control.NewPlanFile(p), listed: p.Sessions, printer: p.PrintLive, request: &req, expected: expected}, st, nil
}

// givenPlan reads --plan.
func (rt *runtime) givenPlan(c *cli.Context, _ *traceAsks) (*enablePlan, *station, error) {
	names := []string{"form", "purpose", "ticket"}
	for _, f := range append(selectorFlags(), traceFlags()...) {
		names = append(names, f.Names()[0])
	}
	for _, name := range names {
		if rt.typed(name) {
			return nil, nil, exit.Errorf(exit.Usage, "leave out --"+name+", or --plan", "--plan says which sessions and events, and what for; --%s would change it", name)
		}
	}
	name := c.String("plan")
	var in io.Reader = rt.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, exit.Errorf(exit.Usage, "make one with: ringtrace enable … --dry-run -o json > plan.json", "%w", err)
		}
		defer f.Close()
		in = f
	}
	file, err := control.ReadPlanFile(name, in)
	if err != nil {
		return nil, nil, err
	}
	if n := c.Int("max-sessions"); len(file.Sessions) > n {
		return nil, nil, exit.Errorf(exit.Refused, fmt.Sprintf("raise the cap: --max-sessions %d", len(file.Sessions)), "the plan has %d sessions, the cap is %d", len(file.Sessions), n)
	}
	st, err := rt.armingStation(c, "enable")
	if err != nil {
		return nil, st, err
	}
	p := &enablePlan{file: file, printer: file.Print}
	for i := range file.Sessions {
		s := &file.Sessions[i]
		p.listed = append(p.listed, sessions.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial})
	}
	return p, st, nil
}

// preflight looks at each instance, over its own conversation, before anything
// is sent to a target.
func (rt *runtime) preflight(ctx context.Context, p *enablePlan, st *station) error {
	for _, inst := range p.file.Insts() {
		pre := st.preflightOf(inst, p.file.RingBytes)
		for i := range p.listed {
			if p.listed[i].InstID == inst {
				pre.Sessions = append(pre.Sessions, p.listed[i])
			}
		}
		notes, err := pre.Run(ctx)
		rt.warnAll(notes)
		var dial *control.DialError
		if errors.As(err, &dial) && inst != st.finder.InstID && ctx.Err() == nil {
			continue // the run tells of it, and leaves a script; the others go on
		}
		if err != nil {
			return connectError(err)
		}
	}
	return nil
}

// preflightOf is what is looked at before sessions of an instance are armed.
func (st *station) preflightOf(inst int, ring int64) *control.Preflight {
	pre := &control.Preflight{
		Query: st.q, Own: st.console(inst).Own, InstID: inst, RingBytes: ring, Version: st.finder.Capability.Release.String(),
	}
	if inst == st.finder.InstID || len(st.simSIDs) > 0 { // another instance has its trace files on another host
		pre.DiskFree = st.diskFree
	}
	return pre
}

// connectError gives an error of opening a conversation the code 5 unless it
// carries one.
func connectError(err error) error {
	var dial *control.DialError
	if errors.As(err, &dial) && exit.CodeOf(err) == exit.Failed {
		return exit.Errorf(exit.CannotConnect, "see `ringtrace doctor`", "%w", err)
	}
	return err
}

func (rt *runtime) enableDry(c *cli.Context, p *enablePlan, st *station) error {
	var talk io.Writer
	if rt.output == outputText {
		if err := p.printer(printableWriter{rt.stdout}); err != nil {
			return err
		}
		fmt.Fprintf(rt.stdout, "\nplan hash %s\n", p.file.Hash)
		if rt.verbose {
			talk = printableWriter{rt.stdout}
		}
	}
	e := &control.Enable{Plan: p.file, Place: st.place}
	doc, err := e.DryRun(c.Context, talk)
	if err != nil || rt.output == outputText {
		return err
	}
	return rt.printJSON(doc)
}

func (rt *runtime) enableRun(c *cli.Context, p *enablePlan, st *station) error {
	state, err := rt.controlState()
	if err != nil {
		return err
	}
	id, err := plan.NewCampaignID(rt.now(), rand.Reader)
	if err != nil {
		return err
	}
	stays := c.Bool("wait")
	if st.vanishes {
		rt.warnf("%s is an instance in this process: it ends with it, and so does the campaign; ringtrace sim up --dir DIR makes one that stays", rt.connect)
	}
	tell := rt.newTeller()
	e := &control.Enable{
		Plan: p.file, Campaign: id, Place: st.place, State: state, Runner: st.runner, Force: c.Bool("force"), Proof: st.proof(),
		Vanishes: st.vanishes && !stays, Say: func(s string) { rt.warnf("%s", s) },
		Waves: control.Waves{
			MaxFailures: c.Int("max-failures"), Pace: durationOf(c, "pace"), Sleep: sleep,
			Check: st.betweenWaves, Each: tell.result,
		},
	}
	doc, err := e.Run(c.Context)
	err = rt.noRoom(err, doc.Name()...)
	tell.rest()
	if p.expected != nil && doc != nil && doc.Campaign != nil {
		rt.keepRecord(context.WithoutCancel(c.Context), estimateRecords, *doc.Campaign, p.expected)
	}
	rt.scriptsForUnreached(context.WithoutCancel(c.Context), p, doc, state.Dir.Path)
	if stays && doc != nil && doc.Summary.Done > 0 && doc.Undo != nil {
		return rt.enableWait(c, st, state, doc, err)
	}
	return rt.printRun(doc, err)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// betweenWaves looks whether what was armed is well before more are armed: the
// canary lives, and nobody waits for a request.
func (st *station) betweenWaves(ctx context.Context, armed []control.Result) error {
	return control.Healthy(ctx, st.q, armed, st.proof())
}

// enableWait stays until --ttl is over or Ctrl-C, and disarms.
func (rt *runtime) enableWait(c *cli.Context, st *station, state *control.State, doc *control.Document, err error) error {
	if rt.output == outputText {
		shown := *doc
		if st.vanishes {
			shown.Undo = nil // nobody else reaches it
		}
		rt.printDocument(&shown)
	}
	ttl := durationOf(c, "ttl")
	end := "Ctrl-C"
	if ttl > 0 {
		end = fmt.Sprintf("%s (%s), or Ctrl-C", rt.now().Add(ttl).Format(time.RFC3339), ttl)
	}
	rt.notef("armed; it is taken back at %s", end)
	ctx := c.Context
	if ttl <= 0 {
		<-ctx.Done()
	} else {
		_ = sleep(ctx, ttl) // interrupted or over: the way back is the same
	}
	v := &visit{rt: rt, verb: "disable", st: st, state: state, doc: control.NewDocument(), tell: rt.newTeller(), ids: []string{*doc.Campaign}}
	out := v.doc
	out.Campaign, out.Journal = doc.Campaign, doc.Journal
	derr := rt.noRoom(rt.disarm(context.WithoutCancel(ctx), v, control.Choice{ID: *doc.Campaign}), *doc.Campaign)
	if rt.output == outputJSON {
		doc = out
	}
	derr = rt.printRun(out, derr)
	if !st.vanishes {
		v.sayClosed(true)
	}
	if derr == nil {
		err = takenBack(err)
	}
	return errors.Join(err, derr)
}

// takenBack changes the hint of an error whose way back has been gone already.
func takenBack(err error) error {
	before, _, found := strings.Cut(exit.HintOf(err), "undo with: ")
	if err == nil || !found {
		return err
	}
	if before = strings.TrimSuffix(before, "; then "); before == "" {
		before = "what was armed has been taken back"
	}
	return exit.Errorf(exit.CodeOf(err), before, "%w", err)
}

// checkTTL refuses --ttl without a process that stays (--wait), and offers a
// command line instead: it arms now and schedules the undo line that enable
// prints. Only that line names this very campaign; by then another one may be
// open.
func (rt *runtime) checkTTL(c *cli.Context) error {
	ttl := durationOf(c, "ttl")
	if ttl <= 0 || c.Bool("wait") {
		return nil
	}
	words := []string{rt.sameAgain("enable", "ttl", "output", "quiet")}
	if !rt.typed("ttl") { // it would come back from where it is
		words = append(words, "--ttl 0s")
	}
	undo := strings.Join(words, " ") + ` | tee /dev/stderr | sed -n 's/^undo: //p'`
	return exit.Errorf(exit.Usage, fmt.Sprintf("give --wait; or arm now, and let the undo line that enable prints, which names this very campaign, run later:\n%s | at now + %d minutes\n"+
		"or (first: loginctl enable-linger, or it ends when you log out): systemd-run --user --on-active=%ds -p WorkingDirectory=\"$PWD\" %s sh -c \"$(%s)\"",
		undo, max(1, int(ttl.Minutes())), int(ttl.Seconds()), rt.passEnviron(), undo), "--ttl needs a process that stays")
}
