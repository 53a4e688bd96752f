package control

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/quantity"
	"ringtrace/oradebug"
	"ringtrace/sessions"
)

// Orphan is a session of no open campaign in which events stand that have the
// forms that ringtrace writes.
type Orphan struct {
	Target Target
	Lines  []string

	tracefile string
}

func (o Orphan) String() string { return strings.Join(o.Lines, "; ") }

// Orphans looks for such sessions, lists them, and takes away what a person
// agrees to, session by session. It visits only sessions that may be targets,
// and leaves two marker lines for each command in their traces.
type Orphans struct {
	Place    *Place
	State    *State
	Campaign string // id for the record of what is done
	Rows     []sessions.Row
	Runner   func(ctx context.Context, inst int) (Runner, error)
	// Proof looks for the text of rings; nil: nobody does.
	Proof *Proof
	List  func([]Orphan)
	Ask   func(Orphan) (bool, error)
	// Refuse says why nobody can be asked about n of them; nil: somebody can.
	Refuse func(n int) error
	DryRun bool
}

// Run lists and asks. The caller holds the database's lock.
func (o *Orphans) Run(ctx context.Context) (*Document, error) {
	doc := NewDocument()
	doc.DryRun = o.DryRun
	found, err := o.State.Find(o.Place)
	if err != nil {
		return doc, err
	}
	known := map[journal.Session]bool{}
	for _, c := range found.Open() {
		for _, s := range c.OpenSessions() {
			known[plainKey(s.Session)] = true
		}
	}
	list, unseen, err := o.find(ctx, known, doc)
	if err != nil {
		return doc, err
	}
	o.List(list)
	var refused error
	if o.Refuse != nil && !o.DryRun && len(list) > 0 {
		refused = o.Refuse(len(list))
	}
	if o.DryRun || len(list) == 0 || refused != nil {
		for i := range list {
			r := Result{Key: list[i].Target.Key, Process: list[i].Target.Process, Username: list[i].Target.Username}
			r.Result, r.State, r.Events = journal.Skipped, journal.Uncertain, list[i].Lines
			if refused != nil {
				r.Reason, r.Detail = "refused", "nobody could be asked"
			}
			doc.Add(&r)
		}
		return doc, worst(append(unseen, refused, o.missed(doc))...)
	}
	return doc, o.remove(ctx, list, doc, unseen)
}

// missed is the error of sessions that did not answer, where nothing was asked.
func (o *Orphans) missed(doc *Document) error {
	n := doc.Summary.Unknown
	if n == 0 {
		return nil
	}
	return exit.Errorf(exit.Partial, "run it again later: what they hold is not known", "%s did not answer", quantity.Count(n, "session"))
}

// plainKey leaves the logon time out, which not every source knows.
func plainKey(s journal.Session) journal.Session {
	return journal.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial}
}

// find looks into every session that may be a target. An instance that nobody
// reaches is in unseen, once; a session that does not answer is in doc.
func (o *Orphans) find(ctx context.Context, known map[journal.Session]bool, doc *Document) (list []Orphan, unseen []error, err error) {
	down := map[int]error{}
	missing := map[int]int{}
	for i := range o.Rows {
		if err := ctx.Err(); err != nil {
			return list, nil, err
		}
		t, err := NewTarget(&o.Rows[i].Session)
		if err != nil || known[plainKey(t.Key)] {
			continue
		}
		inst := t.Key.InstID
		var lines []string
		if down[inst] == nil {
			lines, err = o.look(ctx, t)
		}
		var dial *DialError
		switch {
		case down[inst] != nil:
			missing[inst]++
		case asDial(err, &dial) || exit.CodeOf(err) == exit.CannotConnect:
			down[inst] = err
			missing[inst]++
		case err != nil:
			o.unanswered(doc, t, err)
		case len(lines) > 0:
			list = append(list, Orphan{Target: t, Lines: lines, tracefile: o.Rows[i].Tracefile})
		}
	}
	for _, inst := range slices.Sorted(maps.Keys(down)) {
		err := down[inst]
		unseen = append(unseen, exit.Errorf(exit.CannotConnect, exit.HintOf(err), "instance %d was not looked at, %s there may hold something: %w", inst, quantity.Count(missing[inst], "session"), err))
	}
	return list, unseen, nil
}

func (o *Orphans) look(ctx context.Context, t Target) (lines []string, err error) {
	runner, err := o.Runner(ctx, t.Key.InstID)
	if err != nil {
		return nil, err
	}
	err = runner.Hold(context.WithoutCancel(ctx), t, func(h Held) error {
		all, err := dump(ctx, h, "session")
		lines = OurForms(all)
		return err
	})
	return lines, err
}

// unanswered lists a session of which nothing is known; one that has ended holds
// nothing.
func (o *Orphans) unanswered(doc *Document, t Target, err error) {
	r := Result{Key: t.Key, Process: t.Process, Username: t.Username}
	r.Result, r.State, r.Detail = journal.Unknown, journal.Uncertain, err.Error()
	var wrong *WrongTargetError
	switch {
	case errors.Is(err, errGone), errors.As(err, &wrong) && wrong.Reason == "gone":
		return
	case errors.As(err, &wrong):
		r.Reason = wrong.Reason
	case errors.Is(err, ErrTimedOut):
		r.Reason = "timed_out"
	default:
		r.Reason = "lost_contact"
	}
	doc.Add(&r)
}

// OurForms returns the eventdump lines that have a form which only ringtrace
// and the founding script write: an error whose first action is
// trace_buffer_off, and sql_trace with trace_buffer_on or beside such an error.
func OurForms(lines []string) []string {
	var errors, traces []string
	ring := false
	for _, l := range lines {
		spec, err := oradebug.ParseSpec(l)
		if err != nil || len(spec.Events) != 1 {
			continue
		}
		e := &spec.Events[0]
		switch {
		case e.RingOffOnFire() && len(e.Actions) > 0 && e.Actions[0].Name == "trace_buffer_off":
			errors = append(errors, l)
		case e.ID.Name == "sql_trace" && e.Scope == nil && len(e.Filters) == 0:
			traces = append(traces, l)
			ring = ring || e.RingOn()
		}
	}
	if len(errors) > 0 || ring {
		return append(errors, traces...)
	}
	return nil
}

// remove takes away what was agreed to, each with an intent and an outcome. The
// record of it begins with the first.
func (o *Orphans) remove(ctx context.Context, list []Orphan, doc *Document, errs []error) error {
	var j *journal.Journal
	var run journal.Seq
	for i := range list {
		yes, err := o.Ask(list[i])
		if err != nil {
			errs = append(errs, err)
			break
		}
		if !yes {
			skip(doc, []Target{list[i].Target}, "refused")
			doc.Sessions[len(doc.Sessions)-1].State = string(journal.Uncertain)
			doc.Sessions[len(doc.Sessions)-1].Events = list[i].Lines
			continue
		}
		if j == nil {
			if j, run, err = o.record(doc); err != nil {
				return err
			}
			defer j.Close() //nolint:errcheck // every record is synced
		}
		r, err := o.one(ctx, j, run, &list[i])
		var dial *DialError
		if asDial(err, &dial) { // another instance may still answer
			errs = append(errs, err)
			r = Result{Key: list[i].Target.Key, Process: list[i].Target.Process, Username: list[i].Target.Username}
			r.Result, r.State, r.Reason, r.Detail, r.Events = journal.Failed, journal.Uncertain, "no_connection", err.Error(), list[i].Lines
			doc.Add(&r)
			continue
		}
		if err != nil {
			errs = append(errs, err)
			break
		}
		doc.Add(&r)
	}
	err := runError(ctx, doc, errs, "disarmed")
	if j == nil {
		return err
	}
	if rerr := j.EndRun(journal.End{Run: run, Exit: int(exit.CodeOf(err))}); rerr != nil {
		return rerr
	}
	return firstOf(err, j.CloseCampaign(journal.Close{Reason: "orphans", By: o.State.Who}))
}

// record begins the journal of what is taken away.
func (o *Orphans) record(doc *Document) (*journal.Journal, journal.Seq, error) {
	j, err := o.State.Dir.Create(journal.Header{
		Campaign: o.Campaign, Created: o.State.Now().UTC(), By: o.State.Who, Origin: "orphans", Database: o.Place.Database, Instances: o.Place.Instances,
	}, o.State.Now)
	if err != nil {
		return nil, 0, err
	}
	path, _ := o.State.Dir.File(o.Campaign)
	doc.Campaign, doc.Journal = &o.Campaign, &path
	run, err := j.StartRun(journal.Run{Verb: "disable", By: o.State.Who, Note: "orphans", Dialogue: o.State.Dialogue})
	if err != nil {
		j.Close() //nolint:errcheck // it failed already
		return nil, 0, err
	}
	return j, run, nil
}

func (o *Orphans) one(ctx context.Context, j *journal.Journal, run journal.Seq, orphan *Orphan) (Result, error) {
	t := orphan.Target
	runner, err := o.Runner(ctx, t.Key.InstID)
	if err != nil {
		return Result{}, err
	}
	events, bytes := eventsOfLines(orphan.Lines)
	c := &Controller{Runner: runner, Recorder: j, Run: run, Events: events, RingBytes: bytes, Proof: o.Proof}
	return c.Disarm(context.WithoutCancel(ctx), &journal.SessionState{
		Session: t.Key, Process: t.Process, Username: t.Username, State: journal.Armed, Events: orphan.Lines, BeforeSession: []string{}, Tracefile: orphan.tracefile,
	}, false)
}

// eventsOfLines makes events, with what turns them off, of eventdump lines.
func eventsOfLines(lines []string) (events []journal.Event, ringBytes int64) {
	ringOff := ""
	for _, l := range lines {
		spec, err := oradebug.ParseSpec(l)
		if err != nil || len(spec.Events) != 1 {
			continue
		}
		e := journal.Event{Kind: string(plan.KindError), Spec: l}
		if spec.Events[0].ID.Name == "sql_trace" {
			e.Kind = string(plan.KindSQLTrace)
		} else {
			e.Ora = spec.Events[0].ID.Number
		}
		for _, off := range spec.TurnOff() {
			if strings.HasPrefix(off, "immediate ") {
				ringOff = off
				continue
			}
			e.Off = append(e.Off, off)
		}
		events = append(events, e)
	}
	if ringOff == "" {
		ringOff = "immediate trace name trace_buffer_off"
	}
	return append(events, journal.Event{Kind: string(plan.KindRing), Spec: "trace_buffer_on", Off: []string{ringOff}}), 1
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
