package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
)

func newStatusCommand(rt *runtime) *cli.Command {
	flags := append(selectorFlags(), stationFlags()...)
	flags = append(flags,
		&cli.StringFlag{Name: "campaign", Usage: "only campaign `ID`, open or closed, or the beginning of it"},
		&cli.BoolFlag{Name: "probe", Usage: "read eventdump in each session; leaves two marker lines in its trace, and so in its ring"},
		choiceFlag("expect", "", []string{"armed", "clean"}, "end with code 10 unless every session is `STATE` armed, or clean"),
	)
	return exits(&cli.Command{
		Name:  "status",
		Usage: "say what is on, since when, what it costs and how to stop it",
		Description: `Shows the open campaigns of this database: the state of every session, from the V$ views, the identity of its process
and its trace file. Nothing is sent to a target unless --probe is given: each ORADEBUG command interrupts its target
and leaves marker lines in its ring.

ARMED: set and proved. FIRED: the trace file holds an error dump. UNBUFFERED: SQL trace reaches the file. LOST: session
or process ended. PENDING: a request was not answered and may still run. UNKNOWN: it cannot be told, or nobody here sees
the trace file (it is read on this host, else through V$DIAG_TRACE_FILE, 12.2 and later); disable visits it.

Campaigns of another operating-system user are not seen.

Example:

    ringtrace status -c '/ as sysdba'
    ringtrace status -c '/ as sysdba' --expect clean`,
		Flags:  flags,
		Action: rt.status,
	}, exit.OK, exit.Partial, exit.CannotConnect, exit.NotAllowed, exit.ToolMissing, exit.Journal, exit.Findings)
}

func (rt *runtime) status(c *cli.Context) error {
	v, err := rt.openVisit(c, nil)
	if err != nil {
		return err
	}
	defer v.close()
	if err := v.choose(c.Context, control.Choice{ID: c.String("campaign"), Any: true}); err != nil {
		return err
	}
	var unprobed error // shown all the same, as far as it can be seen
	if c.Bool("probe") && len(v.ids) > 0 {
		if unprobed = v.probe(c.Context); unprobed != nil && exit.CodeOf(unprobed) != exit.CannotConnect {
			return unprobed
		}
	}
	if err := v.look(c.Context); err != nil {
		return joinExit(unprobed, err)
	}
	if err := rt.printStatus(v.doc, v.unread); err != nil || unprobed != nil {
		return joinExit(unprobed, err)
	}
	if word := c.String("expect"); word != "" {
		return v.expect(word)
	}
	return nil
}

// expect compares the states with what was expected. What cannot be read may
// hold anything, so it is not clean.
func (v *visit) expect(word string) error {
	if err := v.doc.Expect(word); err != nil || word != "clean" {
		return err
	}
	if p := v.doc.Preparing; len(p) > 0 {
		return exit.Errorf(exit.Findings, "see what it arms, or stop it: "+v.rt.complete("ringtrace disable"), "expected clean, and it will not stay so: %s is getting ready to arm sessions", p[0].Who)
	}
	if v.unheard != nil {
		return exit.Errorf(exit.Findings, "see that no ringtrace enable or watch runs (ps), then move that away", "expected clean, and whether it stays so is not known: %w", v.unheard)
	}
	if v.unread != nil {
		return exit.Errorf(exit.Findings, exit.HintOf(v.unread), "expected clean, and it is not known: %w", v.unread)
	}
	for _, k := range v.campaigns {
		if id := k.Header.Campaign; k.Corrupt() && !k.Closed {
			return exit.Errorf(exit.Findings, "look at it: ringtrace campaigns show "+id, "expected clean, and it is not known: the journal of campaign %s is damaged", id)
		}
	}
	return nil
}

// probe reads eventdump in every open session, and loads the journals again.
func (v *visit) probe(ctx context.Context) error {
	v.rt.notef("--probe leaves two marker lines for each command in the trace of each session, which push out as much of its ring")
	err := v.touch(ctx, control.NewDocument(), func(ctx context.Context, c *control.Controller, s *journal.SessionState) (control.Result, error) {
		return c.Probe(ctx, s)
	})
	code := exit.CodeOf(err)
	if err != nil && code != exit.NothingMatch && code != exit.Partial && code != exit.Failed && code != exit.CannotConnect {
		return err
	}
	for i, id := range v.ids {
		var lerr error
		if v.campaigns[i], lerr = v.state.Dir.Load(id); lerr != nil {
			return lerr
		}
	}
	if code == exit.CannotConnect {
		return err
	}
	return nil
}

// journalsSource is what the journals are called among the sources.
const journalsSource = "journals"

// look brings the states up to what the views and files show.
func (v *visit) look(ctx context.Context) error {
	view, err := v.st.view(ctx, len(v.campaigns) > 0)
	if err != nil {
		return err
	}
	owner, err := journal.Owner(v.state.Dir.LockPath(v.st.place.Database))
	if err != nil {
		v.rt.debugf("%v", err)
	}
	var undo string
	for _, k := range v.campaigns {
		view.Of(ctx, k, v.doc, v.pick)
		card := control.NewHandOver(k, v.state.Undo(k.Header.Campaign))
		card.Runs(k, owner, v.watchAgain(k))
		v.doc.HandOver = append(v.doc.HandOver, card)
		if len(k.OpenSessions()) > 0 {
			undo = v.state.Undo(k.Header.Campaign)
		}
	}
	if len(v.campaigns) > 1 && undo != "" {
		undo = v.state.UndoAll()
	}
	if undo != "" {
		v.doc.Undo = &undo
	}
	v.doc.Preparing = v.preparing()
	v.doc.Sources = append([]control.Source{{
		Name: journalsSource, Says: fmt.Sprintf("%s of this database looked at, in %s", count(len(v.campaigns), "campaign"), v.state.Dir.Path),
		Explain: "campaigns of other OS users, or in another --state-dir, are not seen",
	}}, control.Sources(ctx, v.st.q)...)
	return nil
}

// watchAgain is the line that goes on with a watch; its other options have to be
// given again.
func (v *visit) watchAgain(k *journal.Campaign) string {
	words := []string{"ringtrace watch"}
	for _, w := range []string{v.state.Way, k.Header.Selector} {
		if w != "" {
			words = append(words, w)
		}
	}
	var codes []string
	for _, e := range k.Header.Events {
		if e.Kind == string(plan.KindError) {
			codes = append(codes, strconv.Itoa(e.Ora))
		}
	}
	if len(codes) > 0 {
		words = append(words, "--ora "+strings.Join(codes, ","))
	}
	return strings.Join(append(words, "--resume"), " ") + " (and the other options that it was given)"
}

func (rt *runtime) printStatus(doc *control.Document, unread error) error {
	if rt.output == outputJSON {
		return rt.printJSON(doc)
	}
	if len(doc.HandOver) == 0 {
		text := "no campaign of this database is open"
		if unread != nil {
			text += ", of those that can be read: there is a journal that cannot, and may hold anything; see " + rt.complete("ringtrace campaigns list")
		}
		fmt.Fprintln(rt.stdout, text)
	}
	for i := range doc.Preparing {
		fmt.Fprintln(rt.stdout, sayPreparing(&doc.Preparing[i], rt.complete("ringtrace disable")))
	}
	for _, h := range doc.HandOver {
		if err := h.Print(printableWriter{rt.stdout}, rt.now()); err != nil {
			return err
		}
		fmt.Fprintln(rt.stdout)
	}
	rt.printDocument(doc)
	for _, s := range doc.Sources {
		says := "says"
		if s.Name == journalsSource {
			says = "say"
		}
		fmt.Fprintf(rt.stdout, "%s %s: %s (%s)\n", s.Name, says, oneLine(s.Says), s.Explain)
	}
	return nil
}
