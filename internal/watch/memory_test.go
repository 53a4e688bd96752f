package watch_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/watch"
	"ringtrace/sessions"
)

// pga answers what a Preflight asks for memory: a limit that leaves room for so
// many rings in all, of which those that are on are taken.
type pga struct {
	w     *world
	rings int
	asked int
}

func (p *pga) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	const ring = 256000
	switch {
	case strings.Contains(query, "gv$system_parameter"):
		return nil, errors.New("ORA-00942: table or view does not exist")
	case strings.Contains(query, "gv$parameter"):
		p.asked++
		return p.w.q.QueryContext(ctx, fmt.Sprintf("select %d from dual", 4*ring*p.rings))
	case strings.Contains(query, "gv$process"):
		return p.w.q.QueryContext(ctx, fmt.Sprintf("select %d from dual", ring*len(p.w.on())))
	}
	return p.w.q.QueryContext(ctx, query, args...)
}

func (p *pga) room(ctx context.Context, inst int, armed map[string]int) *control.Room {
	return (&control.Preflight{Query: p, InstID: inst, RingBytes: 256000, Version: "19.0.0.0.0"}).Room(ctx, armed)
}

// TestNoMemoryForNewcomers: rings never take more than their share; who does
// not fit waits, which is said once, and is armed when there is room.
func TestNoMemoryForNewcomers(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	p := &pga{w: w, rings: 4}
	c := w.config(1555)
	c.Room = p.room
	_ = w.run(c, nothing, func() {
		for range 3 {
			w.logon()
		}
	}, nothing, nothing, func() {
		if len(w.on()) != 4 {
			t.Errorf("%d rings are on, 4 fit\n%s", len(w.on()), w.text())
		}
		if e := w.of(watch.LineError); len(e) != 1 || *e[0].Reason != "memory" || !strings.Contains(*e[0].Detail, "PGA_AGGREGATE_LIMIT of instance 1") {
			t.Errorf("it is not said once: %s", w.text())
		}
		w.db.Logoff(w.app(0))
	}, nothing, nothing)
	w.want(watch.LineArmed, 5)
	w.want(watch.LineSkipped, 0)
	if len(w.on()) != 4 {
		t.Errorf("%d rings are on, 4 fit\n%s", len(w.on()), w.text())
	}
	w.want(watch.LineError, 2) // full, room for one, full again
	if p.asked == 0 || p.asked > 8 {
		t.Errorf("memory was asked for %d times", p.asked)
	}
}

// TestPreflightRefuses: nothing was begun, so nothing has to be undone.
func TestPreflightRefuses(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(1555)
	var got []int
	c.Preflight = func(_ context.Context, inst int, list []sessions.Session) error {
		got = append(got, inst, len(list))
		return exit.Errorf(exit.Refused, "give a smaller --ring", "too much")
	}
	if err := w.run(c); exit.CodeOf(err) != exit.Refused {
		t.Errorf("%v", err)
	}
	if fmt.Sprint(got) != "[1 3]" {
		t.Errorf("looked at %v", got)
	}
	if ids, err := w.state.Dir.IDs(); err != nil || len(ids) != 0 {
		t.Errorf("campaigns %v, %v", ids, err)
	}
	w.nothingOn()
	// Those that an earlier run has armed hold their rings already.
	c = w.config(1555)
	_ = w.run(c, nothing)
	w.logon()
	c = w.config(1555)
	c.Campaign = "w2"
	got = nil
	c.Preflight = func(_ context.Context, inst int, list []sessions.Session) error {
		got = append(got, inst, len(list))
		return nil
	}
	_ = w.run(c, nothing)
	if fmt.Sprint(got) != "[1 1]" || len(w.on()) != 4 {
		t.Errorf("looked at %v, %d armed", got, len(w.on()))
	}
}
