package journal

import (
	"errors"
	"fmt"
)

// apply folds one record into the campaign. An error means that the record
// contradicts the ones before; what it says is used as far as it makes sense.
func (c *Campaign) apply(rec Record) error {
	switch rec.Kind {
	case KindCampaign:
		return c.applyHeader(rec)
	case KindInstance:
		var i Instance
		if err := rec.Decode(&i); err != nil {
			return err
		}
		c.applyInstance(i)
	case KindRun:
		var r Run
		if err := rec.Decode(&r); err != nil {
			return err
		}
		c.Runs = append(c.Runs, RunState{Seq: rec.Seq, At: rec.At, Run: r})
		c.dirt = append(c.dirt, Dirt{Seq: rec.Seq, Kind: KindRun, At: rec.At, Verb: r.Verb, Insts: r.Instances, By: r.By})
	case KindEnd:
		return c.applyEnd(rec)
	case KindIntent:
		return c.applyIntent(rec)
	case KindEvidence:
		return c.applyEvidence(rec)
	case KindOutcome:
		return c.applyOutcome(rec)
	case KindObserved:
		return c.applyObserved(rec)
	case KindImport:
		var i Import
		if err := rec.Decode(&i); err != nil {
			return err
		}
		c.Imports = append(c.Imports, i)
	case KindResolve:
		return c.applyResolve(rec)
	case KindRepair: // the Reader holds them
	case KindClose:
		var cl Close
		if err := rec.Decode(&cl); err != nil {
			return err
		}
		c.Closed, c.CloseReason, c.ClosedAt = true, cl.Reason, rec.At
	default:
		c.UnknownKinds[rec.Kind]++
	}
	return nil
}

func (c *Campaign) applyHeader(rec Record) error {
	if c.Records != 1 {
		return errors.New("a second campaign record")
	}
	if err := rec.Decode(&c.Header); err != nil {
		return err
	}
	for _, i := range c.Header.Instances {
		c.Instances[i.InstID] = i
	}
	return nil
}

// applyInstance closes every open session of a restarted instance as gone:
// events and rings live in memory.
func (c *Campaign) applyInstance(i Instance) {
	old, known := c.Instances[i.InstID]
	c.Instances[i.InstID] = i
	if !known || old.Relate(i) != Restarted {
		return
	}
	for _, s := range c.Sessions {
		if s.Session.InstID == i.InstID && s.Open() {
			s.State, s.Ring, s.Outcome, s.Reason = Lost, RingNone, Done, "restarted"
		}
	}
}

func (c *Campaign) applyEnd(rec Record) error {
	var e End
	if err := rec.Decode(&e); err != nil {
		return err
	}
	if !c.settle(e.Run, KindRun) {
		return fmt.Errorf("end of run %d, which is not open", e.Run)
	}
	for i := range c.Runs {
		if r := &c.Runs[i]; r.Seq == e.Run {
			r.Ended, r.EndedAt, r.Exit = true, rec.At, e.Exit
		}
	}
	return nil
}

func (c *Campaign) applyIntent(rec Record) error {
	var i Intent
	if err := rec.Decode(&i); err != nil {
		return err
	}
	s := c.session(i.Session)
	s.Process, s.op, s.prior = i.Process, i.Op, s.State
	switch i.Op {
	case OpArm:
		s.UndoBegun = false
	case OpDisarm:
		s.UndoBegun = true
	}
	if i.Username != "" {
		s.Username = i.Username
	}
	if i.Op != OpProbe {
		// Until an outcome stands behind it, anything may have happened.
		s.State = Uncertain
	}
	c.intents[rec.Seq] = s
	k := s.Session
	c.dirt = append(c.dirt, Dirt{Seq: rec.Seq, Kind: KindIntent, At: rec.At, Op: i.Op, Session: &k, Insts: []int{k.InstID}})
	return nil
}

func (c *Campaign) applyEvidence(rec Record) error {
	var e Evidence
	if err := rec.Decode(&e); err != nil {
		return err
	}
	s := c.intents[e.Intent]
	if s == nil {
		return fmt.Errorf("evidence for intent %d, which is not open", e.Intent)
	}
	if s.op == OpArm && s.prior != Armed {
		s.BeforeSession, s.BeforeProcess = e.BeforeSession, e.BeforeProcess
	}
	s.Overrode = append(s.Overrode, e.Overrode...)
	return nil
}

func (c *Campaign) applyOutcome(rec Record) error {
	var o Outcome
	if err := rec.Decode(&o); err != nil {
		return err
	}
	s := c.intents[o.Intent]
	var orphan error
	if s == nil || !c.settle(o.Intent, KindIntent) {
		// The intent is damaged, but what was done to the session still counts.
		orphan = fmt.Errorf("outcome of intent %d, which is not open", o.Intent)
		if o.Session == (Session{}) {
			return orphan
		}
		s = c.session(o.Session)
		s.Process, s.op, s.prior = o.Process, o.Op, s.State
	}
	delete(c.intents, o.Intent)
	s.Outcome, s.Reason, s.Detail = o.Result, o.Reason, o.Detail
	s.State = o.State
	if s.op == OpArm && o.Result == Skipped {
		// "Nothing was set" is about this attempt: what an earlier one set is on.
		s.State = s.prior
	}
	if s.State == "" {
		s.State = DefaultState(s.op, s.prior, o.Result, o.Reason)
	}
	if s.State == Lost && s.op == OpDisarm {
		s.Ring = RingNone
	}
	if o.Ring != "" {
		s.Ring = o.Ring
	}
	if o.Tracefile != "" {
		s.Tracefile = o.Tracefile
	}
	if (s.op == OpArm || s.op == OpRearm) && o.Result == Done {
		s.Events, s.ArmedAt, s.TraceFrom = o.Events, rec.At, o.TraceBytes
		if s.FirstArmed.IsZero() {
			s.FirstArmed = rec.At
		}
	}
	return orphan
}

func (c *Campaign) applyObserved(rec Record) error {
	var o Observed
	if err := rec.Decode(&o); err != nil {
		return err
	}
	s := c.Find(o.Session)
	if s == nil {
		return fmt.Errorf("observation of session %s, which this campaign never touched", o.Session)
	}
	if o.State != "" {
		s.State = o.State
	}
	if o.Ring != "" {
		s.Ring = o.Ring
	}
	if o.Reason != "" {
		s.Reason = o.Reason
	}
	if o.Tracefile != "" {
		s.Tracefile = o.Tracefile
	}
	s.Fired = append(s.Fired, o.Fired...)
	return nil
}

func (c *Campaign) applyResolve(rec Record) error {
	var r Resolve
	if err := rec.Decode(&r); err != nil {
		return err
	}
	var bad error
	for _, q := range r.Intents {
		s := c.intents[q]
		if s == nil || !c.settle(q, KindIntent) {
			bad = fmt.Errorf("resolves intent %d, which is not open", q)
			continue
		}
		delete(c.intents, q)
		s.State, s.Reason = r.State, "resolved"
	}
	for _, q := range r.Runs {
		if !c.settle(q, KindRun) {
			bad = fmt.Errorf("resolves run %d, which is not open", q)
		}
	}
	return bad
}

// DefaultState is the state an outcome leads to when it names none. A failure
// in the middle of arming leaves the session uncertain; whatever was skipped
// leaves it as it was.
func DefaultState(op Op, prior State, res Result, reason string) State {
	if res == Unknown {
		return Pending
	}
	if reason == "gone" || reason == "restarted" {
		if prior == Clean {
			return Clean // nothing of ours was there to lose
		}
		return Lost
	}
	switch {
	case res == Done && (op == OpArm || op == OpRearm):
		return Armed
	case res == Done && op == OpDisarm:
		return Clean
	case res == Done && op == OpFlush:
		return Unbuffered // the ring is flushed and freed, sql_trace stays on
	case res == Failed && (op == OpArm || op == OpRearm):
		return Uncertain
	}
	return prior
}

func (c *Campaign) session(k Session) *SessionState {
	if s := c.byKey[key(k)]; s != nil {
		return s
	}
	s := &SessionState{Session: k, State: Clean, Ring: RingNone}
	c.byKey[key(k)] = s
	c.Sessions = append(c.Sessions, s)
	return s
}

// settle removes the dirt of one record; false when there is none.
func (c *Campaign) settle(q Seq, k Kind) bool {
	for i, d := range c.dirt {
		if d.Seq == q && d.Kind == k {
			c.dirt = append(c.dirt[:i], c.dirt[i+1:]...)
			return true
		}
	}
	return false
}
