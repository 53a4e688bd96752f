package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/quantity"
	"ringtrace/internal/sight"
)

func (w *Watch) instIDs() []int {
	var out []int
	for _, in := range w.place.Instances {
		out = append(out, in.InstID)
	}
	slices.Sort(out)
	return out
}

// open begins a campaign, or goes on with one: with the one that enable, or a
// watch that was stopped, left armed for the same selector and events. After a
// crash that takes --resume, because somebody should have looked first.
func (w *Watch) open(ctx context.Context) error {
	if !w.Resume {
		if err := w.State.CheckClean(&w.place, w.instIDs()); err != nil {
			if exit.CodeOf(err) == exit.Journal {
				return exit.Errorf(exit.Journal, exit.HintOf(err)+"; or, if that was a watch like this one, give --resume", "%w", err)
			}
			return err
		}
	}
	c, err := w.earlier()
	if err != nil {
		return err
	}
	if c != nil {
		return w.resume(ctx, c)
	}
	if err := w.State.CheckClean(&w.place, w.instIDs()); err != nil {
		return err
	}
	j, err := w.State.Begin("watch", journal.Header{
		Campaign: w.Campaign, Created: w.Now().UTC(), By: w.State.Who, Origin: "watch", Database: w.place.Database, Instances: w.place.Instances,
		Selector: w.Selector, Purpose: w.Purpose, Ticket: w.Ticket, Events: w.Events, RingBytes: w.RingBytes,
	})
	if err != nil {
		return err
	}
	return w.begin(j)
}

func (w *Watch) begin(j *journal.Journal) error {
	w.journal, w.rec = j, &tap{Journal: j}
	found, err := w.State.Find(&w.place)
	if err != nil {
		return err
	}
	w.holder = found.Holder(w.Campaign)
	for _, in := range w.place.Instances {
		if _, known := w.recorded(in.InstID); !known {
			w.note(in)
		}
	}
	run, err := j.StartRun(journal.Run{Verb: "watch", By: w.State.Who, Instances: w.instIDs(), Dialogue: w.State.Dialogue})
	w.run = run
	return err
}

// earlier finds the open campaign that this watch goes on with: the newest of
// enable or of a watch with the same selector and events.
func (w *Watch) earlier() (*journal.Campaign, error) {
	found, err := w.State.Find(&w.place)
	if err != nil {
		return nil, err
	}
	if len(found.Problems) > 0 {
		return nil, exit.Errorf(exit.Journal, "see `ringtrace campaigns list`, and move the file away if it is no journal", "%w", found.Problems[0])
	}
	open := found.Open()
	for i := len(open) - 1; i >= 0; i-- {
		h := &open[i].Header
		if (h.Origin == "watch" || h.Origin == "enable") && h.Selector == w.Selector && h.RingBytes == w.RingBytes && sameEvents(h.Events, w.Events) {
			return open[i], nil
		}
	}
	return nil, nil
}

func sameEvents(a, b []journal.Event) bool {
	return slices.EqualFunc(a, b, func(x, y journal.Event) bool { return x.Kind == y.Kind && x.Ora == y.Ora && x.Spec == y.Spec })
}

// resume goes on with a campaign: what a crash left open is settled, what is
// uncertain is taken back, the rest is watched on.
func (w *Watch) resume(ctx context.Context, c *journal.Campaign) error {
	id := c.Header.Campaign
	o, err := w.State.GoOn("watch", id)
	var corrupt *journal.CorruptError
	if errors.As(err, &corrupt) {
		return exit.Errorf(exit.Journal, "look at it: ringtrace campaigns show "+id+"; then ringtrace campaigns resolve --accept-damage "+id, "%w", err)
	}
	if err != nil {
		return err
	}
	w.Campaign = id
	for _, m := range o.Messages {
		w.Say(m)
	}
	if err := control.Settle(o, w.Say); err != nil {
		return err
	}
	if err := control.NoteRestarts(o, &w.place, w.Say); err != nil {
		return err
	}
	if c, err = w.State.Dir.Load(id); err != nil {
		return err
	}
	for _, in := range c.Instances {
		w.note(in)
	}
	if err := w.begin(o.Journal); err != nil {
		return err
	}
	w.Say(fmt.Sprintf("going on with campaign %s: %s", id, quantity.Count(len(c.OpenSessions()), "session")))
	for _, s := range c.OpenSessions() {
		w.adopt(ctx, s)
	}
	return w.fatal
}

// adopt takes over a session of an earlier run.
func (w *Watch) adopt(ctx context.Context, s *journal.SessionState) {
	m := &member{state: *s, armedAt: s.ArmedAt, known: map[journal.Fire]bool{}}
	m.file = sight.File{InstID: s.Session.InstID, Path: s.Tracefile, Host: w.host(s.Session.InstID), Ospid: s.Process.Ospid}
	m.scan.Zone = w.zone(s.Session.InstID)
	w.members[key(s.Session)] = m
	if !m.armed() {
		w.takeBack(ctx, m, "uncertain")
		if m.state.State == journal.Clean {
			delete(w.members, key(s.Session)) // armed anew as a newcomer
		}
		return
	}
	for _, f := range s.Fired {
		m.known[fireKey(f.Ora, f.At)] = true
		m.hits = append(m.hits, f.At)
	}
	const tolerance = 5 * time.Second // between two clocks
	if m.from = s.TraceFrom; m.from == 0 {
		m.since = s.ArmedAt.Add(w.skew - tolerance)
	}
	m.done = len(s.Fired) > 0 && w.OnFire == Leave
}

func fireKey(ora int, at time.Time) journal.Fire {
	return journal.Fire{Ora: ora, At: at.UTC().Round(0)}
}

func (w *Watch) host(inst int) string {
	in, _ := w.place.Instance(inst)
	return in.HostName
}

func (w *Watch) zone(inst int) *time.Location {
	in, _ := w.place.Instance(inst)
	return sight.Zone(in.StartupTime)
}

// end ends the run: the sessions are taken back unless it was interrupted.
func (w *Watch) end(ctx context.Context, ended string) error {
	w.totals.Ended = ended
	if c, err := w.State.Dir.Load(w.Campaign); err == nil && w.Further != nil {
		w.State.Way += w.Further([]*journal.Campaign{c})
	}
	var err error
	switch {
	case w.fatal != nil:
		err = w.fatal
	case ended == "interrupted":
		err = exit.Errorf(exit.Interrupted, w.undoHint(), "%s", w.Totals().Sentence())
	}
	totals := w.Totals()
	if rerr := w.journal.EndRun(journal.End{Run: w.run, Exit: int(exit.CodeOf(err)), Result: ended}); rerr != nil {
		w.journal.Close() //nolint:errcheck // it failed already
		undo := w.State.Undo(w.Campaign)
		w.emit(Line{Kind: LineSummary, Summary: totals, Undo: &undo})
		if err == nil || ended == "interrupted" {
			err = rerr // else it is why the watch was given up
		}
		return exit.Errorf(exit.Journal, undo, "%w", err)
	}
	left := w.leftOpen()
	if ended == "interrupted" && !left && !w.Vanishes {
		// Nothing is on: an open campaign would only stand in the way of disable.
		err = errors.Join(err, w.journal.CloseCampaign(journal.Close{Reason: "nothing is on", By: w.State.Who}))
	}
	if w.Vanishes {
		err = errors.Join(err, w.journal.CloseCampaign(journal.Close{Reason: "simulated instance ended", By: w.State.Who}))
		left = false
	}
	if cerr := w.journal.Close(); cerr != nil && err == nil {
		err = cerr
	}
	if w.fatal == nil && ended != "interrupted" && !w.Vanishes {
		var derr error
		if left, derr = w.takeAllBack(ctx); derr != nil && err == nil {
			err = derr
		}
		totals = w.Totals() // with what could not be taken back
	}
	l := Line{Kind: LineSummary, Summary: totals}
	if left {
		undo := w.State.Undo(w.Campaign)
		l.Undo = &undo
	}
	w.emit(l)
	if w.fatal != nil && err == nil {
		err = w.fatal
	}
	return err
}

// leftOpen reports whether anything of the campaign may be left on.
func (w *Watch) leftOpen() bool {
	c, err := w.State.Dir.Load(w.Campaign)
	return err != nil || len(c.OpenSessions()) > 0
}

// undoHint is empty where the instance ends with this process.
func (w *Watch) undoHint() string {
	if w.Vanishes {
		return ""
	}
	return "undo with: " + w.State.Undo(w.Campaign)
}

// takeAllBack is what `disable` would do with the campaign.
func (w *Watch) takeAllBack(ctx context.Context) (left bool, err error) {
	doc := control.NewDocument()
	d := &control.Disable{
		ID: w.Campaign, Place: &w.place, State: w.State, Runner: w.Runner, Say: w.Say, Proof: w.proof(),
		Each: func(r control.Result) {
			if m := w.members[key(r.Key)]; m != nil {
				m.take(&r, nil)
			}
			kind := LineDisarmed
			if r.Result != journal.Done {
				kind = LineError
			}
			w.emit(Line{Kind: kind, Session: docOf(&r, nil), Reason: text(r.Reason), Detail: text(r.Detail)})
		},
	}
	err = d.Run(ctx, doc)
	return doc.Undo != nil, err
}

// proof looks for the text of rings that are told to go.
func (w *Watch) proof() *control.Proof {
	return &control.Proof{Sight: w.Sight, Ends: w.Ends, Place: &w.place, Say: w.Say}
}

// Sentence is the totals for a person.
func (t *Totals) Sentence() string {
	return fmt.Sprintf("%s armed, %s seen, %d pending", quantity.Count(t.Watched, "session"), quantity.Count(t.Hits, "fire"), t.Pending)
}
