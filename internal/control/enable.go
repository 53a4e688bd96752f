package control

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/quantity"
)

// Enable is one run of the verb.
type Enable struct {
	Plan     *PlanFile
	Campaign string
	Place    *Place
	State    *State
	Waves    Waves
	Force    bool
	// Proof notes where trace files end; nil: nobody sees them.
	Proof *Proof
	// Runner returns the Runner of an instance.
	Runner func(ctx context.Context, inst int) (Runner, error)
	// Vanishes: the instance ends with this process, and so does the campaign.
	Vanishes bool
	Say      func(string)
}

// Run arms the plan's sessions and records it. The document is complete also
// when an error is returned.
func (e *Enable) Run(ctx context.Context) (*Document, error) {
	if err := e.checkPlace(); err != nil {
		return nil, err
	}
	targets, err := e.Plan.Targets()
	if err != nil {
		return nil, err
	}
	lock, err := e.State.Lock(e.Place.Database)
	if err != nil {
		return nil, err
	}
	defer lock.Release() //nolint:errcheck // it ends with the process anyway
	insts := e.Plan.Insts()
	if err := e.State.CheckClean(e.Place, insts); err != nil {
		return nil, err
	}
	before, err := e.State.Find(e.Place)
	if err != nil {
		return nil, err
	}
	j, err := e.State.Begin("enable", e.header())
	if err != nil {
		return nil, err
	}
	defer j.Close() //nolint:errcheck // every record is synced
	doc := NewDocument()
	path, _ := e.State.Dir.File(e.Campaign)
	undo := e.State.Undo(e.Campaign)
	doc.Campaign, doc.Journal, doc.Undo, doc.PlanHash = &e.Campaign, &path, &undo, e.Plan.Hash
	run, err := j.StartRun(journal.Run{Verb: "enable", By: e.State.Who, Instances: insts, Dialogue: e.State.Dialogue})
	if err != nil {
		return doc, err
	}
	errs := e.arm(ctx, j, run, targets, before, doc)
	return doc, e.end(ctx, j, run, doc, errs)
}

func (e *Enable) header() journal.Header {
	return journal.Header{
		Campaign: e.Campaign, Created: e.State.Now().UTC(), By: e.State.Who, Origin: "enable", Database: e.Place.Database,
		Instances: e.Plan.Instances, Selector: e.Plan.Selector, Purpose: e.Plan.Purpose, Ticket: e.Plan.Ticket,
		Events: e.Plan.Events, RingBytes: e.Plan.RingBytes, PlanHash: e.Plan.Hash,
	}
}

// checkPlace refuses a plan that was made elsewhere, or before a restart.
func (e *Enable) checkPlace() error {
	const hint = "make a new plan here: ringtrace enable … --dry-run -o json > plan.json"
	if same, _ := e.Plan.Database.Same(e.Place.Database); !same {
		return exit.Errorf(exit.Refused, hint, "the plan is for database %s, this is %s", name(e.Plan.Database), name(e.Place.Database))
	}
	for _, rec := range e.Plan.Instances {
		now, ok := e.Place.Instance(rec.InstID)
		if !ok {
			continue // the runner of that instance will say so
		}
		switch relate(rec, now) {
		case journal.OtherInstance:
			return exit.Errorf(exit.Refused, hint, "the plan is for instance %s on %s, this is %s on %s", rec.InstanceName, rec.HostName, now.InstanceName, now.HostName)
		case journal.Restarted:
			return exit.Errorf(exit.Refused, hint, "instance %s was restarted after the plan was made: its sessions are gone", rec.InstanceName)
		}
	}
	return nil
}

// arm goes through the instances; one that cannot be reached leaves its
// sessions untouched, and the others go on.
func (e *Enable) arm(ctx context.Context, j *journal.Journal, run journal.Seq, targets []Target, before *Found, doc *Document) []error {
	var errs []error
	each := e.Waves.Each
	waves := e.Waves
	waves.Each = func(r Result) {
		doc.Add(&r)
		for _, n := range r.Notes {
			e.Say(n)
		}
		if each != nil {
			each(r)
		}
	}
	stop := false
	for _, inst := range e.Plan.Insts() {
		mine := of(targets, inst)
		if stop || ctx.Err() != nil {
			skip(doc, mine, "not_reached")
			continue
		}
		runner, err := e.Runner(ctx, inst)
		if err != nil {
			errs = append(errs, err, unreached(j, run, doc, mine, err))
			continue
		}
		c := &Controller{Runner: runner, Recorder: j, Run: run, Events: e.Plan.Events, RingBytes: e.Plan.RingBytes, Force: e.Force, Proof: e.Proof, Holder: before.Holder(e.Campaign)}
		results, err := waves.Run(ctx, mine, c.Arm)
		if err != nil {
			errs = append(errs, err)
			var dial *DialError
			if errors.As(err, &dial) {
				errs = append(errs, unreached(j, run, doc, mine[len(results):], err))
				continue // another instance may still answer
			}
			skip(doc, mine[len(results):], "not_reached")
			stop = true
		}
	}
	return errs
}

func of(targets []Target, inst int) []Target {
	var out []Target
	for _, t := range targets {
		if t.Key.InstID == inst {
			out = append(out, t)
		}
	}
	return out
}

func skip(doc *Document, targets []Target, reason string) {
	for _, t := range targets {
		r := Result{Key: t.Key, Process: t.Process, Username: t.Username}
		r.Result, r.State, r.Reason = journal.Skipped, journal.Clean, reason
		doc.Add(&r)
	}
}

// unreached writes down the sessions of an instance that no conversation reaches,
// so that they are counted by those who look later.
func unreached(j *journal.Journal, run journal.Seq, doc *Document, targets []Target, cause error) error {
	for _, t := range targets {
		r := Result{Key: t.Key, Process: t.Process, Username: t.Username}
		r.Outcome = journal.Outcome{Op: journal.OpArm, Session: t.Key, Process: t.Process, Result: journal.Failed, State: journal.Clean, Reason: "no_connection", Detail: cause.Error()}
		doc.Add(&r)
		seq, err := j.Begin(journal.Intent{Run: run, Op: journal.OpArm, Session: t.Key, Process: t.Process, Username: t.Username})
		if err != nil {
			return err
		}
		r.Intent = seq
		if err := j.Finish(r.Outcome); err != nil {
			return err
		}
	}
	return nil
}

// end records the end of the run, closes a campaign with nothing on, and gives
// the error of the run as a person reads it.
func (e *Enable) end(ctx context.Context, j *journal.Journal, run journal.Seq, doc *Document, errs []error) error {
	err := runError(ctx, doc, errs, "armed")
	if rerr := j.EndRun(journal.End{Run: run, Exit: int(exit.CodeOf(err))}); rerr != nil {
		return exit.Errorf(exit.Journal, *doc.Undo, "%w", rerr)
	}
	left := 0
	for i := range doc.Sessions {
		if doc.Sessions[i].mayHold() {
			left++
		}
	}
	switch {
	case left == 0:
		doc.Undo = nil
		return errors.Join(err, j.CloseCampaign(journal.Close{Reason: "nothing armed", By: e.State.Who}))
	case e.Vanishes:
		doc.Undo = nil
		return errors.Join(err, j.CloseCampaign(journal.Close{Reason: "simulated instance ended", By: e.State.Who}))
	}
	return err
}

// runError makes one error of how a run ended: interruption first, then what
// broke it off, then what the outcomes say.
func runError(ctx context.Context, doc *Document, errs []error, did string) error {
	s := &doc.Summary
	counts := fmt.Sprintf("%d of %s %s, %d skipped, %d failed, %d unknown", s.Done, quantity.Count(s.Selected, "session"), did, s.Skipped, s.Failed, s.Unknown)
	undo := "the list says why"
	if doc.Campaign != nil {
		undo += "; so does: ringtrace campaigns show " + *doc.Campaign
	}
	if doc.Undo != nil && slices.ContainsFunc(doc.Sessions, SessionDoc.mayHold) {
		undo = "undo with: " + *doc.Undo
	}
	for _, err := range errs {
		if hint := exit.HintOf(err); hint != "" { // what is in the way comes first
			undo = hint + "; then " + undo
			break
		}
	}
	if ctx.Err() != nil {
		return exit.Errorf(exit.Interrupted, undo, "%s", counts)
	}
	codes := []exit.Code{s.Exit()}
	var first error
	for _, err := range errs {
		if err == nil {
			continue
		}
		var abort *AbortError
		if errors.As(err, &abort) {
			codes = append(codes, exit.Partial)
			if s.Done == 0 {
				codes = append(codes, exit.Failed)
			}
		} else {
			codes = append(codes, codeOfRun(err))
		}
		if first == nil {
			first = err
		}
	}
	code := exit.Worst(codes...)
	switch {
	case code == exit.OK:
		return nil
	case first != nil:
		return exit.Errorf(code, undo, "%w: %s", first, counts)
	}
	return exit.Errorf(code, undo, "%s", counts)
}

func codeOfRun(err error) exit.Code {
	var dial *DialError
	if c := exit.CodeOf(err); c != exit.Failed || !errors.As(err, &dial) {
		return c
	}
	return exit.CannotConnect
}
