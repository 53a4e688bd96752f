package control

import (
	"context"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
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
	list, err := o.find(ctx, known)
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
		return doc, refused
	}
	return doc, o.remove(ctx, list, doc)
}

// plainKey leaves the logon time out, which not every source knows.
func plainKey(s journal.Session) journal.Session {
	return journal.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial}
}

func (o *Orphans) find(ctx context.Context, known map[journal.Session]bool) ([]Orphan, error) {
	var out []Orphan
	for i := range o.Rows {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		t, err := NewTarget(&o.Rows[i].Session)
		if err != nil || known[plainKey(t.Key)] {
			continue
		}
		runner, err := o.Runner(ctx, t.Key.InstID)
		if err != nil {
			return out, err
		}
		var lines []string
		err = runner.Hold(context.WithoutCancel(ctx), t, func(h Held) error {
			all, err := dump(ctx, h, "session")
			lines = OurForms(all)
			return err
		})
		var dial *DialError
		if asDial(err, &dial) {
			return out, err
		}
		if err == nil && len(lines) > 0 {
			out = append(out, Orphan{Target: t, Lines: lines, tracefile: o.Rows[i].Tracefile})
		}
	}
	return out, nil
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
func (o *Orphans) remove(ctx context.Context, list []Orphan, doc *Document) error {
	var j *journal.Journal
	var run journal.Seq
	var errs []error
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
