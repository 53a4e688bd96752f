package control_test

import (
	"context"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim"
)

// A connection that leads to another instance (a service that is spread over
// several, a wrong --instance-connect) is refused before any command.
func TestProblemS06_ConversationOnAnotherInstance(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 6, Instances: 2, Seed: 1})
	place := w.place()
	talk := func(inst int) control.Conversation {
		e, err := w.pool.Get(w.db.Instance(inst))
		if err != nil {
			t.Fatal(err)
		}
		conv, err := sim.Converse(e)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conv.Close() })
		return conv
	}
	ctx := context.Background()
	for inst := 1; inst <= 2; inst++ {
		if err := place.Prove(ctx, talk(inst), inst); err != nil {
			t.Errorf("instance %d is its own: %v", inst, err)
		}
	}
	err := place.Prove(ctx, talk(1), 2)
	if exit.CodeOf(err) != exit.CannotConnect || !strings.Contains(err.Error(), "instance 1 (") || !strings.Contains(err.Error(), "not to instance 2 (") {
		t.Errorf("instance 1 taken for 2: %v", err)
	}
	if !strings.Contains(exit.HintOf(err), "leads to that instance alone") {
		t.Errorf("hint %q", exit.HintOf(err))
	}
	// The same number in another database, and a renamed instance.
	other := &control.Place{Database: journal.Database{UniqueName: "SHOP", DBID: 7}}
	if err := other.Prove(ctx, talk(1), 1); exit.CodeOf(err) != exit.CannotConnect || !strings.Contains(err.Error(), "SHOP (dbid 7)") {
		t.Errorf("another database: %v", err)
	}
	renamed := &control.Place{Instances: []journal.Instance{{InstID: 1, InstanceName: "SHOP1"}}}
	if err := renamed.Prove(ctx, talk(1), 1); exit.CodeOf(err) != exit.CannotConnect || !strings.Contains(err.Error(), "1 (SHOP1)") {
		t.Errorf("another instance of that number: %v", err)
	}
	if err := (&control.Place{}).Prove(ctx, mute{}, 1); exit.CodeOf(err) != exit.CannotConnect || !strings.Contains(err.Error(), "ORA-01034") {
		t.Errorf("no answer: %v", err)
	}
}

// mute answers every query with an error.
type mute struct{}

func (mute) Do(context.Context, string) ([]string, error) {
	return []string{"ORA-01034: ORACLE not available"}, nil
}
func (mute) Close() error { return nil }
