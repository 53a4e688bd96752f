package control_test

import (
	"context"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
	"ringtrace/internal/sim"
)

// said is a trace file.
type said string

func (said) Refresh(context.Context) error { return nil }

func (s said) Look(_ context.Context, _ sight.File, from int64) (sight.Piece, error) {
	next := min(from+100_000, int64(len(s))) // small pieces
	return sight.Piece{Data: []byte(s[from:next]), Next: next, Size: int64(len(s)), Seen: true, More: next < int64(len(s))}, nil
}

// TestOldTraceIsNoLeak: what an earlier campaign's ring left in the file of a
// pooled session stands before the markers of our own commands, and does not
// stop the run; what comes behind them does.
func TestOldTraceIsNoLeak(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 5, Seed: 1})
	db, err := sim.Connect(w.db, w.db.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := w.plan(user("APP"), options(60)).Sessions[0]
	armed := []control.Result{{Key: journal.Session{InstID: s.InstID, SID: s.SID, Serial: s.Serial}}}
	armed[0].Ring, armed[0].Tracefile = journal.RingOnAssumed, "x.trc"
	const record = "PARSE #1:c=0,e=1,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=0,tim=1\n"
	const marker = "Finished processing ORADEBUG command (#1) 'eventdump session'\n"
	for text, stops := range map[string]bool{
		"":                                 false,
		record:                             true,
		marker:                             false,
		record + marker:                    false,
		marker + record:                    true,
		record + marker + record + marker:  false,
		record + marker + record:           true,
		strings.Repeat(record, 10_000):     true, // more than one piece
		strings.Repeat(marker+record, 9e3): true,
		strings.Repeat(record+marker, 9e3): false,
	} {
		if err := control.Healthy(context.Background(), db, armed, &control.Proof{Ends: said(text)}); (err != nil) != stops {
			t.Errorf("%.200q: %v", text, err)
		}
	}
}
