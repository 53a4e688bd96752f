package main

import (
	"context"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/sessions"
)

// visit is what disable, flush and status begin with: a database, the state
// directory, and the campaigns and sessions that are meant.
type visit struct {
	rt    *runtime
	verb  string
	st    *station
	state *control.State
	sel   *sessions.Selector
	doc   *control.Document
	tell  *teller

	campaigns []*journal.Campaign
	ids       []string                         // of campaigns
	pick      func(*journal.SessionState) bool // nil: all sessions
	warned    bool                             // of sessions that are missed narrowly
	unheard   error                            // who is about to arm sessions cannot be told; nil: it can
	unread    error                            // a journal that may hold anything, if none was named; nil: all were read
}

// openVisit connects, after all refusals that need no database. check looks at
// the verb's own flags; nil if there is nothing to check.
func (rt *runtime) openVisit(c *cli.Context, check func(*sessions.Selector) error) (*visit, error) {
	if err := rt.wantOutput(c.Command.Name, outputText, outputJSON); err != nil {
		return nil, err
	}
	v := &visit{rt: rt, verb: c.Command.Name, doc: control.NewDocument(), tell: rt.newTeller()}
	var err error
	if v.sel, err = selectorOf(c); err != nil {
		return nil, err
	}
	if check != nil {
		if err := check(v.sel); err != nil {
			return nil, err
		}
	}
	if v.state, err = rt.stateToRead(); err != nil {
		return nil, err
	}
	if v.st, err = rt.openStation(c); err != nil {
		return nil, err
	}
	return v, nil
}

func (v *visit) close() { v.st.close() }

// choose finds the campaigns and sessions that are meant, and names the
// campaigns in the document.
func (v *visit) choose(ctx context.Context, ch control.Choice) error {
	found, err := v.state.Find(v.st.place)
	if err != nil {
		return err
	}
	for _, p := range found.Problems {
		v.rt.warnf("%v", p)
	}
	if v.campaigns, err = found.Choose(ch); err != nil {
		return err
	}
	if ch.ID == "" {
		v.unread = found.Unread()
	}
	v.name()
	v.state.Way = v.rt.way() + v.st.wayTo(v.campaigns)
	now, err := v.st.seenNow(ctx, v.sel)
	if err != nil || now == nil {
		return err
	}
	v.pick = func(s *journal.SessionState) bool { return v.sel.Match(now(s)) }
	v.near(now)
	if ch.Some {
		err = v.narrow()
	}
	return err
}

// near warns once of armed sessions that the selector misses narrowly: by
// letter case, or by the serial# of another session with that sid.
func (v *visit) near(now func(*journal.SessionState) *sessions.Session) {
	if v.warned {
		return
	}
	v.warned = true
	notes := sessions.NewNotes(v.sel)
	for _, k := range v.campaigns {
		for _, s := range k.OpenSessions() {
			row := sessions.Row{Session: *now(s), Reason: sessions.NotMatched}
			if v.sel.Match(&row.Session) {
				row.Reason = sessions.Matched
			}
			notes.Add(&row)
		}
	}
	v.rt.warnAll(notes.Warnings())
}

// narrow keeps, of several campaigns, those that hold a session which the
// selector picks; none is exit 4. A single campaign is always kept, because a
// watch may arm more sessions in it meanwhile.
func (v *visit) narrow() error {
	if v.pick == nil || len(v.campaigns) < 2 {
		return nil
	}
	var hold []*journal.Campaign
	for _, k := range v.campaigns {
		if slices.ContainsFunc(k.OpenSessions(), v.pick) {
			hold = append(hold, k)
		}
	}
	if len(hold) == 0 {
		return noneArmed()
	}
	v.campaigns = hold
	v.name()
	return nil
}

func noneArmed() error {
	return exit.Errorf(exit.NothingMatch, "these are: ringtrace status", "no armed session matches")
}

// name puts the campaigns that are meant into the document.
func (v *visit) name() {
	v.ids, v.doc.Campaign, v.doc.Journal, v.doc.Campaigns = nil, nil, nil, nil
	for _, k := range v.campaigns {
		v.ids = append(v.ids, k.Header.Campaign)
	}
	if len(v.ids) != 1 {
		v.doc.Campaigns = v.ids
		return
	}
	if path, err := v.state.Dir.File(v.ids[0]); err == nil {
		v.doc.Campaign, v.doc.Journal = &v.ids[0], &path
	}
}

// lookTime bounds a look that a disable takes for the sake of a number.
const lookTime = 5 * time.Second

// see brings the states of a campaign up to what can be seen, as status does.
func (v *visit) see(ctx context.Context, k *journal.Campaign) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	view, err := v.st.view(ctx, true)
	if err != nil {
		v.rt.debugf("the states are those of the journal: %v", err)
		return
	}
	view.Of(ctx, k, control.NewDocument(), v.pick)
}

// view is what status looks through. files says whether trace files matter.
func (st *station) view(ctx context.Context, files bool) (*control.Status, error) {
	inv, err := st.finder.Inventory(ctx, &sessions.Selector{AllApp: true})
	if err != nil {
		return nil, err
	}
	s := st.sight()
	if files {
		if err := s.Refresh(ctx); err != nil {
			st.rt.warnf("%v", err) // the files of this host can be seen all the same
		}
	}
	return &control.Status{Rows: inv.Rows, Sight: s, Place: st.place}, nil
}

// chosen reads --campaign and --all, and whether there is a selector.
func (v *visit) chosen(c *cli.Context) control.Choice {
	return control.Choice{ID: c.String("campaign"), All: c.Bool("all"), Some: v.sel.AllApp || !v.sel.IsZero()}
}
