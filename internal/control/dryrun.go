package control

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ringtrace/internal/journal"
	"ringtrace/oradebug"
	"ringtrace/templates"
)

// DryRunner is a Runner that talks to nobody: it writes down the commands and
// answers as a healthy target would, in which Set is set beforehand.
type DryRunner struct {
	W io.Writer // gets one line a command; nil: none
	// Set gives what is set in a session to begin with; nil: nothing.
	Set func(journal.Session) []string
}

// Hold implements Runner.
func (d *DryRunner) Hold(ctx context.Context, t Target, work func(Held) error) error {
	h := &dryHeld{d: d, t: t}
	if d.Set != nil {
		h.events = append(h.events, d.Set(t.Key)...)
	}
	const width = 130
	d.write(fmt.Sprintf("-- %s %s", t.Key, templates.Comment(templates.DefaultDefine, width, t.Username))) // somebody may paste it
	d.write("oradebug setmypid")
	d.write(fmt.Sprintf("oradebug setorapid %d", t.Process.Orapid))
	d.write(t.IdentityQuery() + ";")
	err := work(h)
	d.write("oradebug setmypid")
	return err
}

func (d *DryRunner) write(line string) {
	if d.W != nil {
		fmt.Fprintln(d.W, strings.TrimRight(line, " "))
	}
}

type dryHeld struct {
	d      *DryRunner
	t      Target
	events []string
}

func (h *dryHeld) Identity() Identity { return Identity{Process: true, Sessions: 1, Own: true} }

func (h *dryHeld) Identify(context.Context) (Identity, error) {
	h.d.write(h.t.IdentityQuery() + ";")
	return h.Identity(), nil
}

func (h *dryHeld) Send(_ context.Context, command string) (oradebug.Reply, error) {
	h.d.write("oradebug " + command)
	text, isEvent := strings.CutPrefix(command, "session_event ")
	spec, err := oradebug.ParseSpec(text)
	switch {
	case command == "eventdump session" && len(h.events) > 0:
		return oradebug.Reply{Kind: oradebug.ReplyEvents, Events: append([]string{}, h.events...)}, nil
	case isEvent && err == nil && !spec.Events[0].Immediate:
		kept := h.events[:0:0]
		for _, e := range h.events {
			if readShown(e).id != readShown(text).id {
				kept = append(kept, e)
			}
		}
		if !spec.Events[0].Off && !strings.HasSuffix(text, " off") {
			kept = append(kept, text)
		}
		h.events = kept
	}
	return oradebug.Reply{Kind: oradebug.ReplyProcessed}, nil
}

// DryRecorder is a Recorder that keeps nothing.
type DryRecorder struct{ n journal.Seq }

// Begin implements Recorder.
func (d *DryRecorder) Begin(journal.Intent) (journal.Seq, error) {
	d.n++
	return d.n, nil
}

// Note implements Recorder.
func (d *DryRecorder) Note(journal.Evidence) error { return nil }

// Finish implements Recorder.
func (d *DryRecorder) Finish(journal.Outcome) error { return nil }

// Observe implements Recorder.
func (d *DryRecorder) Observe(journal.Observed) error { return nil }

// DryRun goes through the plan as Run does, and touches neither the database
// nor the state directory.
func (e *Enable) DryRun(ctx context.Context, w io.Writer) (*Document, error) {
	targets, err := e.Plan.Targets()
	if err != nil {
		return nil, err
	}
	c := &Controller{Runner: &DryRunner{W: w}, Recorder: &DryRecorder{}, Events: e.Plan.Events, RingBytes: e.Plan.RingBytes}
	doc := NewDocument()
	doc.DryRun, doc.PlanHash, doc.Plan = true, e.Plan.Hash, e.Plan
	for _, t := range targets {
		r, err := c.Arm(ctx, t)
		if err != nil {
			return doc, err
		}
		r.State, r.Tracefile = journal.Clean, ""
		r.Ring = journal.RingNone
		doc.Add(&r)
	}
	return doc, nil
}

// DryRun lists what Run would send.
func (d *Disable) DryRun(ctx context.Context, doc *Document, w io.Writer) error {
	c, err := d.load()
	if err != nil {
		return err
	}
	if err := d.Place.check(c); err != nil {
		return err
	}
	set := func(k journal.Session) []string {
		if s := c.Find(k); s != nil {
			return s.Events
		}
		return nil
	}
	ctl := &Controller{Runner: &DryRunner{W: w, Set: set}, Recorder: &DryRecorder{}, Events: c.Header.Events, RingBytes: c.Header.RingBytes}
	doc.DryRun = true
	for _, s := range c.OpenSessions() {
		if d.Pick != nil && !d.Pick(s) {
			continue
		}
		r, err := ctl.Disarm(ctx, s, c.Header.Origin == "import")
		if err != nil {
			return err
		}
		r.State, r.Ring = s.State, s.Ring
		doc.Add(&r)
	}
	return nil
}
