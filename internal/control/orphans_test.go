package control_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
	"ringtrace/sessions"
)

// TestOrphansBesideWhatIsNotReached: an instance that nobody reaches, and a
// session that does not answer, do not keep the others from being cleaned, and
// are told of.
func TestOrphansBesideWhatIsNotReached(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 20, Seed: 1, Instances: 2})
	p := w.plan(user("APP"), options(1555))
	for i := range p.Sessions {
		s, err := w.db.Find(fmt.Sprintf("%d,%d,@%d", p.Sessions[i].SID, p.Sessions[i].Serial, p.Sessions[i].InstID))
		if err != nil {
			t.Fatal(err)
		}
		w.setForeign(s, "60 trace name trace_buffer_off; name errorstack level 3, lifetime 3")
	}
	here, deaf := 0, 0
	for i := range p.Sessions {
		if p.Sessions[i].InstID == 1 {
			if here++; deaf == 0 {
				deaf = p.Sessions[i].Orapid
			}
		}
	}
	_, inv := w.inventory(user("APP"))
	o := &control.Orphans{
		Place: w.place(), State: &w.state, Campaign: "o", Rows: inv.Selected(), Runner: func(ctx context.Context, inst int) (control.Runner, error) {
			if inst == 2 {
				return nil, exit.Errorf(exit.CannotConnect, "give --instance-connect", "no way to instance 2")
			}
			return w.runner(ctx, inst)
		},
		List: func(l []control.Orphan) {
			if len(l) != here-1 {
				t.Errorf("%d listed, %d are reached and answer", len(l), here-1)
			}
		},
		Ask: func(control.Orphan) (bool, error) { return true, nil },
	}
	held := ""
	w.timeout = time.Second
	w.wrap = func(c control.Conversation) control.Conversation {
		return &deafTo{Conversation: c, attach: fmt.Sprintf("oradebug setorapid %d", deaf), held: &held}
	}
	doc, err := o.Run(context.Background())
	if exit.CodeOf(err) != exit.CannotConnect || exit.HintOf(err) == "" || !strings.Contains(err.Error(), "instance 2 was not looked at, ") || !strings.Contains(err.Error(), "no way to instance 2") {
		t.Errorf("%v, hint %q", err, exit.HintOf(err))
	}
	if doc.Summary.Done != here-1 || doc.Summary.Unknown != 1 || doc.Summary.Selected != here {
		t.Errorf("%+v, %d on this instance", doc.Summary, here)
	}
	left := 0
	for k := range w.truth() {
		if k[0] == 1 {
			left++
		}
	}
	if left != 1 { // the deaf one
		t.Errorf("left: %v", w.truth())
	}
	// Nothing found, or nobody to ask, hides nothing.
	o.List = func([]control.Orphan) {}
	o.DryRun = true
	if doc, err := o.Run(context.Background()); exit.CodeOf(err) != exit.CannotConnect || doc.Summary.Unknown != 1 {
		t.Errorf("dry run: %v, %+v", err, doc.Summary)
	}
	o.Runner = w.runner
	o.Rows = slices.DeleteFunc(o.Rows, func(r sessions.Row) bool { return r.InstID == 2 })
	if _, err := o.Run(context.Background()); exit.CodeOf(err) != exit.Partial {
		t.Errorf("one that did not answer: %v", err)
	}
}

// deafTo is a conversation in which one process does not answer a command.
type deafTo struct {
	control.Conversation
	attach string
	held   *string
}

func (d *deafTo) Do(ctx context.Context, command string) ([]string, error) {
	if strings.Contains(command, " set") {
		*d.held = command
	} else if *d.held == d.attach && strings.HasPrefix(command, "oradebug ") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return d.Conversation.Do(ctx, command)
}
