package control

import (
	"context"
	"strconv"

	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/oradebug"
)

func itoa(n int) string { return strconv.Itoa(n) }

// FlushOptions say how a ring is written without an error.
type FlushOptions struct {
	// Errorstack adds a dump at this level; plan.NoErrorstack: none.
	Errorstack int
	// Rearm allocates the ring again afterwards.
	Rearm bool
}

// Flush writes the ring of an armed session to its trace file. The ring is
// gone then (inferred), and unless it is armed again the session goes on
// writing to its file.
func (c *Controller) Flush(ctx context.Context, s *journal.SessionState, f FlushOptions) (Result, error) {
	t, err := TargetOf(s)
	if err != nil {
		return Result{}, err
	}
	kind := journal.OpFlush
	if f.Rearm {
		kind = journal.OpRearm
	}
	commands := c.flushCommands(f)
	o, err := c.begin(kind, t, append([]string{"setorapid " + itoa(t.Process.Orapid)}, commands...))
	if err != nil {
		return Result{}, err
	}
	o.was = s
	return o.finish(c.Runner.Hold(ctx, o.t, func(h Held) error { return o.flush(ctx, h, s, commands, f.Rearm) }))
}

func (c *Controller) flushCommands(f FlushOptions) []string {
	var out []string
	for _, e := range c.Events {
		if e.Kind == string(plan.KindRing) && len(e.Off) > 0 {
			out = append(out, "session_event "+e.Off[0])
		}
	}
	if f.Errorstack != plan.NoErrorstack {
		out = append(out, "session_event immediate trace name errorstack level "+itoa(f.Errorstack))
	}
	out = append(out, "flush")
	if f.Rearm {
		for _, e := range c.Events {
			if e.Kind == string(plan.KindSQLTrace) || e.Kind == string(plan.KindRing) && plan.Immediate(e.Spec) {
				out = append(out, "session_event "+e.Spec)
			}
		}
	}
	return out
}

func (o *op) flush(ctx context.Context, h Held, s *journal.SessionState, commands []string, rearm bool) error {
	before, err := dump(ctx, h, "session")
	if err != nil {
		return o.answer(err)
	}
	events := o.c.ours()
	if !events.anyMine(before, s.Events, s.BeforeSession) {
		o.set(journal.Skipped, "refused", "eventdump shows nothing of this campaign")
		o.out.State = s.State
		return nil
	}
	mark := o.c.Proof.begin(ctx, o.t, s, o.c.Events)
	for _, text := range commands {
		if _, err := send(ctx, h, text); err != nil {
			return o.answer(err)
		}
		if text == "flush" && o.c.RingBytes > 0 {
			o.ring = mark.read(ctx, commands[0], text)
		}
	}
	after, err := dump(ctx, h, "session")
	if err != nil {
		return o.answer(err)
	}
	id, err := h.Identify(ctx)
	if err != nil {
		return err
	}
	if err := o.t.check(id); err != nil {
		o.set(journal.Unknown, "moved", err.Error())
		o.out.State = journal.Uncertain
		return nil
	}
	o.out.After, o.out.Events = after, events.filter(after)
	if r, err := send(ctx, h, "tracefile_name"); err == nil && r.Kind == oradebug.ReplyTracefile {
		o.out.Tracefile = r.Path
	} else if err != nil && transport(err) {
		return err
	}
	o.set(journal.Done, "", "")
	o.out.State, o.out.Ring = journal.Unbuffered, o.ring.off()
	if rearm || o.c.RingBytes == 0 {
		o.out.State, o.out.Ring = journal.Armed, o.ringOn()
		o.out.TraceBytes = o.c.Proof.size(ctx, o.t, o.out.Tracefile)
	}
	if rearm && o.ring.written {
		o.out.Ring = journal.RingOnProven
	}
	return nil
}

// Probe reads what is set in a session: two marker lines for each of the two
// dumps go into its trace, and so into its ring.
func (c *Controller) Probe(ctx context.Context, s *journal.SessionState) (Result, error) {
	t, err := TargetOf(s)
	if err != nil {
		return Result{}, err
	}
	o, err := c.begin(journal.OpProbe, t, []string{"setorapid " + itoa(t.Process.Orapid), "eventdump session"})
	if err != nil {
		return Result{}, err
	}
	o.was = s
	return o.finish(c.Runner.Hold(ctx, o.t, func(h Held) error {
		lines, err := dump(ctx, h, "session")
		if err != nil {
			return o.answer(err)
		}
		o.out.After, o.out.Events = lines, c.ours().filter(lines)
		o.set(journal.Done, "", "")
		o.out.State, o.out.Ring = s.State, s.Ring
		if len(o.out.Events) > 0 && (s.State == journal.Pending || s.State == journal.Uncertain) {
			o.out.State = journal.Armed
		}
		return nil
	}))
}
