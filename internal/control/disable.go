package control

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
)

// Disable is one run of the verb over one campaign.
type Disable struct {
	ID    string // of the campaign; or
	File  string // --journal: a journal from elsewhere
	Place *Place
	State *State
	// Runner returns the Runner of an instance.
	Runner func(ctx context.Context, inst int) (Runner, error)
	// Pick limits the run to some sessions; nil: all.
	Pick func(*journal.SessionState) bool
	// Shared: see Controller; sessions of other campaigns are the caller's.
	Shared func(journal.Process) bool
	// Look brings the states up to what can be seen, as Status does, for Rings;
	// nil: the journal has to do.
	Look func(context.Context, *journal.Campaign)
	// Proof looks for the text of rings; nil: nobody does.
	Proof *Proof
	Each  func(Result)
	Say   func(string)

	looked *journal.Campaign                  // with what Look has seen
	fired  map[journal.Session][]journal.Fire // of the sessions of the run
}

// Rings says how many rings Run would release, as a HandOver counts them, how
// many sessions may hold one more, and how many bytes of trace each can write.
func (d *Disable) Rings(ctx context.Context) (n, maybe int, bytes int64, err error) {
	c, err := d.load()
	if err != nil {
		return 0, 0, 0, exit.Errorf(exit.Journal, d.loadHint(), "%w", err)
	}
	if c.Closed || c.Header.RingBytes == 0 {
		return 0, 0, 0, nil
	}
	if d.Look != nil {
		d.Look(ctx, c)
		d.looked = c
	}
	for _, s := range c.OpenSessions() {
		switch {
		case d.Pick != nil && !d.Pick(s):
		case ringOn(s):
			n++
		case s.State == journal.Pending || s.State == journal.Uncertain:
			maybe++
		}
	}
	return n, maybe, c.Header.RingBytes, nil
}

func ringOn(s *journal.SessionState) bool {
	return s.Ring == journal.RingOnAssumed || s.Ring == journal.RingOnProven
}

func (d *Disable) load() (*journal.Campaign, error) {
	if d.File != "" {
		return journal.Load(d.File)
	}
	return d.State.Dir.Load(d.ID)
}

func (d *Disable) loadHint() string {
	if d.File != "" {
		return "check the name; a journal is written for another host by: ringtrace campaigns export --out FILE"
	}
	return "see `ringtrace campaigns list`"
}

func (d *Disable) open() (*journal.Opened, error) {
	if d.File != "" {
		return journal.Open(d.File, d.State.Now, journal.OpenOptions{})
	}
	return d.State.Dir.Open(d.ID, d.State.Now, journal.OpenOptions{})
}

// Run takes back what the journal holds, and closes the campaign when nothing
// is left. The caller holds the database's lock. Running it again does no harm.
func (d *Disable) Run(ctx context.Context, doc *Document) error {
	c, err := d.load()
	if err != nil {
		return exit.Errorf(exit.Journal, d.loadHint(), "%w", err)
	}
	if err := d.Place.check(c); err != nil {
		return err
	}
	if d.File != "" {
		// Its lines are sent to sessions, and its sums tell of damage alone.
		for _, e := range c.Header.Events {
			if err := plan.CheckOff(plan.Kind(e.Kind), e.Ora, e.Off); err != nil {
				return exit.Errorf(exit.Refused, "export it again where it was made: ringtrace campaigns export "+c.Header.Campaign, "%s: %w", d.File, err)
			}
		}
	}
	if c.Closed {
		d.Say(fmt.Sprintf("campaign %s was closed at %s (%s): there is nothing to disarm", c.Header.Campaign, stamp(c.ClosedAt), c.CloseReason))
		return nil
	}
	o, err := d.open()
	if err != nil {
		return d.unreadable(err, c)
	}
	defer o.Journal.Close() //nolint:errcheck // every record is synced
	for _, m := range o.Messages {
		d.Say(m)
	}
	run, err := o.Journal.StartRun(journal.Run{Verb: "disable", By: d.State.Who, Dialogue: d.State.Dialogue})
	if err != nil {
		return err
	}
	if err := d.settle(o); err != nil {
		return err
	}
	if err := d.restarts(o); err != nil {
		return err
	}
	if c, err = d.load(); err != nil { // with what was settled
		return err
	}
	before := len(doc.Sessions)
	undo := d.State.Undo(c.Header.Campaign)
	doc.Undo = &undo
	if err := d.fires(ctx, o.Journal, run, c); err != nil {
		return err
	}
	errs := d.visit(ctx, o.Journal, run, c, doc)
	return d.end(ctx, o.Journal, run, doc, before, errs)
}

func (d *Disable) unreadable(err error, c *journal.Campaign) error {
	var corrupt *journal.CorruptError
	if errors.As(err, &corrupt) && d.File != "" {
		return exit.Errorf(exit.Journal, "export it again where it was made, and copy it whole: ringtrace campaigns export --out FILE; without it, look for what is on: ringtrace disable --orphans", "%w", err)
	}
	if errors.As(err, &corrupt) {
		id := c.Header.Campaign
		return exit.Errorf(exit.Journal, "look at it: ringtrace campaigns show "+id+"; then ringtrace campaigns resolve --accept-damage --state unknown --note damaged "+id+"; then disable again", "%w", err)
	}
	return err
}

// settle ends what a crash left open: nobody knows what became of those
// sessions, so they are visited.
func (d *Disable) settle(o *journal.Opened) error {
	for _, dirt := range o.Campaign.Dirty() {
		var err error
		if dirt.Kind == journal.KindIntent {
			err = o.Journal.Finish(journal.Outcome{
				Intent: dirt.Seq, Result: journal.Unknown, Reason: "crashed", State: journal.Uncertain, Detail: "the run ended before its outcome was known",
			})
		} else {
			err = o.Journal.EndRun(journal.End{Run: dirt.Seq, Exit: int(exit.Failed), Result: "crashed"})
		}
		if err != nil {
			return err
		}
		d.Say("left open by a crash: " + dirt.String())
	}
	return nil
}

// restarts writes down instances that were restarted since: nothing that we
// set is left there.
func (d *Disable) restarts(o *journal.Opened) error {
	for id, rec := range o.Campaign.Instances {
		now, ok := d.Place.Instance(id)
		if !ok || relate(rec, now) != journal.Restarted {
			continue
		}
		d.Say(fmt.Sprintf("instance %d was restarted at %s: its sessions count as gone", id, digits(now.StartupTime)))
		if err := o.Journal.Instance(now); err != nil {
			return err
		}
	}
	return nil
}

// visit disarms the open sessions, instance by instance. What a restart has
// closed is listed as done.
func (d *Disable) visit(ctx context.Context, j *journal.Journal, run journal.Seq, c *journal.Campaign, doc *Document) []error {
	var errs []error
	controllers := map[int]*Controller{}
	down := map[int]error{}
	for _, s := range c.Sessions {
		if d.Pick != nil && !d.Pick(s) {
			continue
		}
		if !s.Open() {
			if s.State == journal.Lost && s.Reason == "restarted" {
				d.add(doc, gone(s, "restarted"))
			}
			continue
		}
		inst := s.Session.InstID
		if ctx.Err() != nil {
			d.add(doc, left(s, journal.Skipped, "not_reached", ""))
			continue
		}
		ctl := controllers[inst]
		if ctl == nil && down[inst] == nil {
			runner, err := d.Runner(ctx, inst)
			if err != nil {
				down[inst] = err
				errs = append(errs, err)
			} else {
				ctl = &Controller{Runner: runner, Recorder: j, Run: run, Events: c.Header.Events, RingBytes: c.Header.RingBytes, Proof: d.Proof, Shared: d.shared(c, s), Heir: d.heir(c, s)}
				controllers[inst] = ctl
			}
		}
		if err := down[inst]; err != nil {
			d.add(doc, left(s, journal.Failed, reasonOf(err), err.Error()))
			continue
		}
		ctl.Shared, ctl.Heir = d.shared(c, s), d.heir(c, s)
		r, err := ctl.Disarm(context.WithoutCancel(ctx), s, c.Header.Origin == "import")
		if r.Key != (journal.Session{}) {
			d.add(doc, r)
		} else {
			d.add(doc, left(s, journal.Failed, reasonOf(err), err.Error()))
		}
		if err != nil {
			errs = append(errs, err)
			down[inst] = err
		}
	}
	return errs
}

// fires writes down what has fired and stands in no record yet: nobody looks into
// the trace files again when the campaign is closed.
func (d *Disable) fires(ctx context.Context, j *journal.Journal, run journal.Seq, c *journal.Campaign) error {
	d.fired = map[journal.Session][]journal.Fire{}
	if d.looked == nil && d.Look != nil {
		var err error
		if d.looked, err = d.load(); err != nil {
			return err
		}
		d.Look(ctx, d.looked)
	}
	for _, s := range c.Sessions {
		d.fired[s.Session] = s.Fired
		if d.looked == nil || !s.Open() || d.Pick != nil && !d.Pick(s) {
			continue
		}
		seen := d.looked.Find(s.Session)
		if seen == nil {
			continue
		}
		fresh := allFires(s.Fired, seen.Fired)[len(s.Fired):]
		if len(fresh) == 0 {
			continue
		}
		if err := j.Observe(journal.Observed{Run: run, Session: s.Session, Fired: fresh}); err != nil {
			return exit.Errorf(exit.Journal, d.State.Undo(c.Header.Campaign), "%w", err)
		}
		d.fired[s.Session] = append(slices.Clone(s.Fired), fresh...)
	}
	return nil
}

// reasonOf says why the sessions of an instance are not visited: nobody reaches
// it, or what would be done cannot be written down.
func reasonOf(err error) string {
	var dial *DialError
	if errors.As(err, &dial) || exit.CodeOf(err) == exit.CannotConnect {
		return "no_connection"
	}
	return "not_reached"
}

// shared tells whether another session that stays armed owns the ring of the
// same process: one of this campaign that this run does not visit, or one of
// another campaign.
func (d *Disable) shared(c *journal.Campaign, this *journal.SessionState) func(journal.Process) bool {
	return func(p journal.Process) bool {
		for _, s := range c.Sessions {
			if s != this && s.Session.InstID == this.Session.InstID && s.Open() && s.Process.Same(p) &&
				s.Session != this.Session && s.ArmedAt.After(this.ArmedAt) && d.Pick != nil && !d.Pick(s) {
				return true
			}
		}
		return d.Shared != nil && d.Shared(p)
	}
}

// heir tells whether another session in the same process is on record as armed,
// in this campaign or an open one.
func (d *Disable) heir(c *journal.Campaign, this *journal.SessionState) func(journal.Process) bool {
	return func(p journal.Process) bool {
		for _, s := range c.Sessions {
			if s != this && s.Session != this.Session && s.Session.InstID == this.Session.InstID && s.Open() && s.Process.Same(p) {
				return true
			}
		}
		return d.Shared != nil && d.Shared(p)
	}
}

func (d *Disable) add(doc *Document, r Result) {
	doc.Add(&r)
	doc.Sessions[len(doc.Sessions)-1].addFires(d.fired[r.Key])
	for _, n := range r.Notes {
		d.Say(n)
	}
	if d.Each != nil {
		d.Each(r)
	}
}

// left is a session that was not visited: it stays what it was.
func left(s *journal.SessionState, res journal.Result, reason, detail string) Result {
	r := Result{Key: s.Session, Process: s.Process, Username: s.Username}
	r.Result, r.State, r.Ring, r.Reason, r.Detail = res, s.State, s.Ring, reason, detail
	r.Events, r.Tracefile = s.Events, s.Tracefile
	return r
}

func gone(s *journal.SessionState, reason string) Result {
	r := left(s, journal.Done, reason, "")
	r.State, r.Ring, r.Events = journal.Lost, journal.RingNone, nil
	return r
}

func (d *Disable) end(ctx context.Context, j *journal.Journal, run journal.Seq, doc *Document, before int, errs []error) error {
	err := runError(ctx, doc, errs, "disarmed")
	if rerr := j.EndRun(journal.End{Run: run, Exit: int(exit.CodeOf(err))}); rerr != nil {
		return exit.Errorf(exit.Journal, "run it again: ringtrace disable", "%w", rerr)
	}
	c, lerr := d.load()
	if lerr != nil {
		return lerr
	}
	if len(c.OpenSessions()) > 0 || len(c.Dirty()) > 0 {
		return err
	}
	if cerr := j.CloseCampaign(journal.Close{Reason: "clean", By: d.State.Who}); cerr != nil {
		return cerr
	}
	doc.Undo = nil
	return err
}
