package control

import (
	"context"
	"errors"
	"fmt"

	"ringtrace/internal/journal"
	"ringtrace/oradebug"
)

// Controller changes sessions of one instance within one run. It is not safe
// for concurrent use; the Runner is locked anyway.
type Controller struct {
	Runner   Runner
	Recorder Recorder
	Run      journal.Seq // of the run record that intents name

	Events    []journal.Event // what is set, in order
	RingBytes int64           // 0: no ring
	// Force arms although somebody else's event of the same id is there; its
	// text is recorded and set again by Disarm.
	Force bool
	// Holder names the open campaign that has armed a target already; empty: none
	// has. Such a target is skipped, with Force too: the disable of this campaign
	// would set again what the other one's has taken away. nil: never.
	Holder func(Target) string
	// Proof looks for the text of rings; nil: nobody does.
	Proof *Proof
	// Shared reports whether the ring of a process belongs to another session
	// that is still armed, and so has to stay. nil: never.
	Shared func(journal.Process) bool
	// Heir reports whether a session that came after one in its process was armed
	// too, so that what it has is its own. nil: never.
	Heir func(journal.Process) bool

	known *ours // of Events
	lines []string
}

// ours are the events, ready to be compared.
func (c *Controller) ours() *ours {
	if c.known == nil {
		c.known = newOurs(c.Events)
	}
	return c.known
}

// Result is what became of one session.
type Result struct {
	Key      journal.Session
	Process  journal.Process
	Username string
	journal.Outcome

	Notes []string // worth a line on stderr
}

// op is one operation on one session: it turns what happens into an outcome.
type op struct {
	c *Controller
	t Target
	// was is the session as the journal holds it; nil when it is armed.
	was *journal.SessionState
	seq journal.Seq
	// ring is what became of the ring, where that was looked at.
	ring ringWas
	out  Result
}

// begin records the intent.
func (c *Controller) begin(kind journal.Op, t Target, commands []string) (*op, error) {
	seq, err := c.Recorder.Begin(journal.Intent{
		Run: c.Run, Op: kind, Session: t.Key, Process: t.Process, Username: t.Username, Commands: commands,
	})
	if err != nil {
		return nil, err
	}
	o := &op{c: c, t: t, seq: seq}
	o.out.Key, o.out.Process, o.out.Username = t.Key, t.Process, t.Username
	o.out.Outcome = journal.Outcome{Intent: seq, Op: kind}
	return o, nil
}

// finish records the outcome. err is what Hold returned.
func (o *op) finish(err error) (Result, error) {
	fatal := o.classify(err)
	if o.ring.holds && o.out.Detail == "" {
		o.out.Detail = stillThere
	}
	if o.out.State == "" { // said aloud: the run's document has no journal behind it
		prior := journal.Clean
		if o.was != nil {
			prior = o.was.State
		}
		o.out.State = journal.DefaultState(o.out.Op, prior, o.out.Result, o.out.Reason)
	}
	if rerr := o.c.Recorder.Finish(o.out.Outcome); rerr != nil {
		return o.out, rerr
	}
	return o.out, fatal
}

// fatalError ends the run: the journal cannot be written, or no conversation
// can be opened.
type fatalError struct{ err error }

func (e *fatalError) Error() string { return e.err.Error() }
func (e *fatalError) Unwrap() error { return e.err }

// classify turns an error of Hold into an outcome where work has set none. It
// returns what has to end the run.
func (o *op) classify(err error) error {
	var wrong *WrongTargetError
	var fatal *fatalError
	switch {
	case err == nil:
		if o.out.Result == "" { // every path of work sets one
			o.set(journal.Failed, "bug", "no outcome")
		}
		return nil
	case errors.As(err, &fatal):
		o.set(journal.Failed, "", err.Error())
		return fatal.err
	case errors.As(err, &wrong):
		o.wrong(wrong)
		return nil
	case errors.Is(err, ErrTimedOut):
		o.set(journal.Unknown, "timed_out", err.Error())
		o.out.State = journal.Pending
		return nil
	case errors.Is(err, ErrLost):
		o.set(journal.Unknown, "lost_contact", err.Error())
		o.out.State = journal.Pending
		return nil
	case errors.Is(err, errGone):
		o.gone(err.Error())
		return nil
	}
	var dial *DialError
	if errors.As(err, &dial) {
		o.set(journal.Failed, "no_connection", err.Error())
		o.out.State = o.before()
		if o.was != nil { // it stays what it was
			o.out.Ring, o.out.Events, o.out.Tracefile = o.was.Ring, o.was.Events, o.was.Tracefile
		}
		return err
	}
	// An answer that nobody understands.
	o.set(journal.Failed, "refused", err.Error())
	o.out.State = o.before()
	if o.out.Ring != "" {
		o.out.State = journal.Uncertain // events went out
	}
	return nil
}

// before is the state of a session that no command has reached.
func (o *op) before() journal.State {
	if o.out.Op == journal.OpArm {
		return journal.Clean
	}
	return ""
}

// wrong sets the outcome of a target that was not the one meant.
func (o *op) wrong(w *WrongTargetError) {
	if w.Reason == "gone" {
		o.gone(w.Detail)
		return
	}
	res := journal.Skipped
	if o.out.Op != journal.OpArm {
		res = journal.Failed
	}
	o.set(res, w.Reason, w.Detail)
	o.out.State = o.before()
}

// gone sets the outcome of a session whose process has ended: events and ring
// ended with it.
func (o *op) gone(detail string) {
	res := journal.Skipped
	if o.out.Op == journal.OpDisarm {
		res = journal.Done
	}
	o.set(res, "gone", detail)
	o.out.Ring = journal.RingNone
	if o.out.Op == journal.OpArm {
		o.out.State = journal.Clean
		if o.out.Events != nil || o.out.After != nil { // it was armed for a moment
			o.out.State = journal.Lost
		}
	}
}

func (o *op) set(r journal.Result, reason, detail string) {
	o.out.Result, o.out.Reason, o.out.Detail = r, reason, detail
}

// errGone says that the process ended while it was held.
var errGone = errors.New("the process ended while it was held")

// refusal is an answer of Oracle that is an error.
type refusal struct {
	command string
	reply   oradebug.Reply
}

func (e *refusal) Error() string {
	text := ""
	for i, l := range e.reply.Errors {
		if i > 0 {
			text += "; "
		}
		text += l.String()
	}
	return fmt.Sprintf("%s: %s", e.command, text)
}

// send sends one command to the target; an ORA- or SP2- answer is an error:
// errGone when the process has ended, else a *refusal.
func send(ctx context.Context, h Held, command string) (oradebug.Reply, error) {
	r, err := h.Send(ctx, command)
	if err != nil {
		return r, err
	}
	if r.HasError(72) || r.HasError(75) {
		return r, fmt.Errorf("%w: %s", errGone, r.Errors[0])
	}
	if r.Kind == oradebug.ReplyFailed {
		return r, &refusal{command, r}
	}
	return r, nil
}

// dump reads the events of a group: session or process.
func dump(ctx context.Context, h Held, group string) ([]string, error) {
	r, err := send(ctx, h, "eventdump "+group)
	if err != nil {
		return nil, err
	}
	lines, ok := dumpLines(&r)
	if !ok {
		return nil, fmt.Errorf("%w: eventdump %s was answered by %q", errUnreadable, group, r.Lines)
	}
	return lines, nil
}

// errUnreadable says that an answer is none that we know.
var errUnreadable = errors.New("answer not understood")

// transport reports whether err is about the conversation or the process, and
// not an answer of Oracle.
func transport(err error) bool {
	return errors.Is(err, ErrTimedOut) || errors.Is(err, ErrLost) || errors.Is(err, errGone)
}
