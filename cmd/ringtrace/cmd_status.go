package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/sessions"
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
	if err := rt.wantOutput("status", outputText, outputJSON); err != nil {
		return err
	}
	sel, err := selectorOf(c)
	if err != nil {
		return err
	}
	state, err := rt.stateToRead()
	if err != nil {
		return err
	}
	st, err := rt.openStation(c)
	if err != nil {
		return err
	}
	defer st.close()
	doc := control.NewDocument()
	found, err := state.Find(st.place)
	if err != nil {
		return err
	}
	for _, p := range found.Problems {
		rt.warnf("%v", p)
	}
	list, err := found.Choose(control.Choice{ID: c.String("campaign"), Any: true})
	if err != nil {
		return err
	}
	var ids []string
	for _, k := range list {
		ids = append(ids, k.Header.Campaign)
	}
	rt.nameCampaigns(doc, state, ids)
	pick, err := st.pick(c.Context, sel)
	if err != nil {
		return err
	}
	if c.Bool("probe") && len(ids) > 0 {
		if list, err = rt.probe(c.Context, st, state, list, pick); err != nil {
			return err
		}
	}
	if err := rt.look(c, st, state, list, pick, doc); err != nil {
		return err
	}
	if err := rt.printStatus(doc, list); err != nil {
		return err
	}
	if word := c.String("expect"); word != "" {
		return doc.Expect(word)
	}
	return nil
}

// probe reads eventdump in every open session, and loads the journals again.
func (rt *runtime) probe(ctx context.Context, st *station, state *control.State, list []*journal.Campaign, pick func(*journal.SessionState) bool) ([]*journal.Campaign, error) {
	rt.notef("--probe leaves two marker lines for each command in the trace of each session, which push out as much of its ring")
	do := func(ctx context.Context, c *control.Controller, s *journal.SessionState) (control.Result, error) {
		return c.Probe(ctx, s)
	}
	var ids []string
	for _, k := range list {
		if !k.Closed {
			ids = append(ids, k.Header.Campaign)
		}
	}
	err := rt.touch(ctx, st, state, ids, "status", pick, control.NewDocument(), do)
	if code := exit.CodeOf(err); err != nil && code != exit.NothingMatch && code != exit.Partial && code != exit.Failed {
		return nil, err
	}
	var out []*journal.Campaign
	for _, k := range list {
		again, err := state.Dir.Load(k.Header.Campaign)
		if err != nil {
			return nil, err
		}
		out = append(out, again)
	}
	return out, nil
}

// look brings the states up to what the views and files show.
func (rt *runtime) look(c *cli.Context, st *station, state *control.State, list []*journal.Campaign, pick func(*journal.SessionState) bool, doc *control.Document) error {
	inv, err := st.finder.Inventory(c.Context, &sessions.Selector{AllApp: true})
	if err != nil {
		return err
	}
	files := st.sight()
	if len(list) > 0 {
		if err := files.Refresh(c.Context); err != nil {
			rt.warnf("%v", err) // the files of this host can be seen all the same
		}
	}
	view := &control.Status{Rows: inv.Rows, Sight: files, Place: st.place}
	var undo string
	for _, k := range list {
		view.Of(c.Context, k, doc, pick)
		doc.HandOver = append(doc.HandOver, control.NewHandOver(k, state.Undo(k.Header.Campaign)))
		if len(k.OpenSessions()) > 0 {
			undo = state.Undo(k.Header.Campaign)
		}
	}
	if len(list) > 1 && undo != "" {
		undo = "ringtrace disable " + strings.TrimSpace(rt.way()+" --all")
	}
	if undo != "" {
		doc.Undo = &undo
	}
	doc.Sources = control.Sources(c.Context, st.q)
	return nil
}

func (rt *runtime) printStatus(doc *control.Document, list []*journal.Campaign) error {
	if rt.output == outputJSON {
		return rt.printJSON(doc)
	}
	if len(list) == 0 {
		fmt.Fprintln(rt.stdout, "no campaign of this database is open in this state directory; campaigns of other OS users are not seen")
	}
	for _, h := range doc.HandOver {
		if err := h.Print(rt.stdout); err != nil {
			return err
		}
		fmt.Fprintln(rt.stdout)
	}
	rt.printDocument(doc)
	for _, s := range doc.Sources {
		fmt.Fprintf(rt.stdout, "%s says: %s (%s)\n", s.Name, cell(s.Says), s.Explain)
	}
	return nil
}
