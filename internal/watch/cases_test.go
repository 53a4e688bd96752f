package watch_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sight"
	"ringtrace/internal/sim/scenario"
	"ringtrace/internal/watch"
	"ringtrace/sessions"
)

// append writes into the trace directory of the simulated instance.
func (w *world) append(name, text string) {
	if err := w.db.Store.Append(name, []byte(text), w.clock); err != nil {
		w.t.Fatal(err)
	}
}

// TestProblemO12_GlobalDeadlock: a cluster tells of a deadlock in the alert
// log and not as ORA-60; both are recognised, and one deadlock counts once.
func TestProblemO12_GlobalDeadlock(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	alert := w.db.Instances[0].AlertLog()
	w.append(alert, "2026-03-14T14:00:00.000000+00:00\nGlobal Enqueue Services Deadlock detected. More info in file\n /x/ORCL_lmd0_1.trc.\n")
	c := w.config(60, 1555)
	_ = w.run(c, nothing,
		func() {
			w.append(alert, "2026-03-14T15:00:07.000000+00:00\nGlobal Enqueue Services Deadlock detected. More info in file\n /x/ORCL_lmd0_1.trc.\n")
		},
		func() { w.gen.Fail(w.app(0), 60) }, nothing)
	fired := w.want(watch.LineFired, 2)
	if fired[0].Session != nil || *fired[0].Ora != 60 || *fired[0].Reason != "alert_log" {
		t.Errorf("%+v", fired[0])
	}
	if hits := w.of(watch.LineSummary)[0].Summary.Hits; hits != 1 {
		t.Errorf("%d hits, it was one deadlock", hits)
	}
	if path.Dir(alert) != path.Dir(*fired[1].Session.Tracefile) {
		t.Errorf("the alert log %s is not beside %s", alert, *fired[1].Session.Tracefile)
	}
}

// TestOtherParty: the ring of the other party of a deadlock is written too, if
// it is ours, and the session stays armed.
func TestOtherParty(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	_ = w.run(w.config(60), nothing, func() {
		me, other := w.app(0), w.app(1)
		w.gen.Work(other, 30)
		w.append(me.Proc.TracePath(), fmt.Sprintf("DEADLOCK DETECTED ( ORA-00060 )\n\nDeadlock graph:\nsession %d: DID 0001-0022-00000003\tsession %d: DID 0001-0024-00000004\nRows waited on:\n  Session %d: obj - rowid = 00011DAC - AAAR2s\n  Session %d: obj - rowid = 00011DAC - AAAR2t\n",
			me.SID, other.SID, me.SID, other.SID))
		w.gen.Fail(me, 60)
	}, nothing)
	other := w.app(1)
	f := w.want(watch.LineFlushed, 1)[0]
	if f.Session.SID != other.SID || *f.Reason != "deadlock" || f.Session.State != "ARMED" {
		t.Errorf("%+v", f.Session)
	}
	data, err := w.db.Store.ReadFile(other.Proc.TracePath())
	if err != nil || !bytes.Contains(data, []byte("PARSING IN CURSOR")) || !bytes.Contains(data, []byte("Error Stack Dump")) {
		t.Errorf("the ring of the other party is not in its file (%v)", err)
	}
	w.want(watch.LineFired, 1)
	if s := w.on()[fmt.Sprintf("%d,%d,@1", other.SID, other.Serial)]; s.Ring == nil {
		t.Error("the other party has no ring any more")
	}
}

// TestProblemT16_StackCountsOnce: one problem prints a stack of ORA lines.
func TestProblemT16_StackCountsOnce(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	dump := "\n*** 2026-03-14T15:00:06.000000+00:00\ndbkedDefDump(): Starting a non-incident diagnostic dump (flags=0x0, level=3, mask=0x0)\n----- Error Stack Dump -----\n" +
		"ORA-12012: error on auto execute of job 27\nORA-01089: immediate shutdown or close in progress - no operations are permitted\n" +
		"ORA-06512: at \"SYS.DBMS_IJOB\", line 406\nORA-06512: at line 1\n----- Current SQL Statement for this session (sql_id=9k37k1dgsxm6q) -----\nselect 1\n"
	_ = w.run(w.config(1089, 6512), nothing, func() { w.append(w.app(0).Proc.TracePath(), dump) }, nothing)
	fired := w.want(watch.LineFired, 1)
	if *fired[0].Ora != 1089 {
		t.Errorf("counted as ORA-%05d", *fired[0].Ora)
	}
}

// spy notes the statements that are asked.
type spy struct {
	sessions.Querier
	asked *[]string
}

func (s spy) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	*s.asked = append(*s.asked, q)
	return s.Querier.QueryContext(ctx, q, args...)
}

var fromView = regexp.MustCompile(`(?i)\b(?:from|join)\s+([a-z_$]+)`)

// TestProblemT13_PollsMakeNoTraceFiles: a day of polls every five seconds asks
// V$SESSION, V$PROCESS and V$DIAG_TRACE_FILE alone (and the names of the
// containers), and leaves not one trace file of its own.
func TestProblemT13_PollsMakeNoTraceFiles(t *testing.T) {
	w := newWorld(t, "?sessions=2")
	conn, err := w.q.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var asked []string
	sel := &sessions.Selector{}
	if err := sel.Add(sessions.FieldUsername, "APP"); err != nil {
		t.Fatal(err)
	}
	src := &watch.Finder{Selector: sel, Open: func(context.Context) (sessions.Querier, error) { return spy{conn, &asked}, nil }}
	views := &sight.Views{Q: spy{conn, &asked}, InstID: 1}
	ctx := context.Background()
	poll := func() {
		l, err := src.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := views.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		for _, r := range l.Rows {
			if !r.Selected {
				continue
			}
			if _, err := views.Look(ctx, sight.File{InstID: 1, Path: r.Tracefile}, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	poll()
	asked = nil
	const day = 17280 / 60 // every step of five seconds for a day would be 60 times as many, alike
	files := w.traceFiles()
	for range day {
		w.clock = w.clock.Add(5 * time.Minute)
		poll()
	}
	if len(asked) < 2*day {
		t.Fatalf("%d statements in %d polls", len(asked), day)
	}
	allowed := map[string]bool{"v$session": true, "v$process": true, "gv$session": true, "gv$process": true, "v$diag_trace_file": true, "v$containers": true}
	for _, q := range asked {
		for _, m := range fromView.FindAllStringSubmatch(q, -1) {
			if !allowed[strings.ToLower(m[1])] {
				t.Fatalf("a poll asks %s", m[1])
			}
		}
	}
	if n := w.traceFiles(); n != files {
		t.Errorf("%d trace files, before the polls %d", n, files)
	}
}

func (w *world) traceFiles() int {
	infos, err := w.db.Store.List(w.db.TraceDir(w.db.Instances[0]))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(infos)
}

// TestThroughViews: with nothing but V$DIAG_TRACE_FILE a fire is seen, and
// markers are none.
func TestThroughViews(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	w.seen = sight.Chain{&sight.Local{}, &sight.Views{Q: w.q, InstID: 1}}
	_ = w.run(w.config(1555), nothing, nothing, func() { w.gen.Fail(w.app(0), 1555) }, nothing, nothing)
	w.want(watch.LineFired, 1)
	w.want(watch.LineDisarmed, 1)
	w.want(watch.LineError, 0)
}

// TestNobodySees: on 11.2 from another host no fire can be noticed, and that is
// said at once.
func TestNobodySees(t *testing.T) {
	w := newWorld(t, "?sessions=5&release=11.2")
	w.seen = sight.Chain{&sight.Local{}, &sight.Views{Q: w.q, InstID: 1}}
	_ = w.run(w.config(1555), nothing, nothing)
	for _, l := range w.want(watch.LineError, 3) {
		if *l.Reason != "unseen" || l.Session.State != "UNKNOWN" {
			t.Errorf("%+v", l.Session)
		}
	}
	w.want(watch.LineArmed, 3)
}

// TestRingHoldsNothing: on a release where SQL trace does not go through the
// ring, that is told, and is no fire.
func TestRingHoldsNothing(t *testing.T) {
	w := newWorld(t, "?sessions=5&assume=ring-carries-sql-trace:off")
	_ = w.run(w.config(1555), nothing, func() { w.gen.Work(w.app(0), 10) }, nothing, func() { w.gen.Work(w.app(0), 10) }, nothing)
	w.want(watch.LineFired, 0)
	if e := w.want(watch.LineError, 1); *e[0].Reason != "unbuffered" || e[0].Session.State != "UNBUFFERED" {
		t.Errorf("%+v", e[0].Session)
	}
}

// TestForeignEvent: a session in which somebody else has set our event is left
// alone, and told of once.
func TestForeignEvent(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	s := w.app(0)
	w.set(s, "1555 trace name errorstack level 2")
	_ = w.run(w.config(1555), nothing, nothing, nothing)
	if l := w.want(watch.LineSkipped, 1); *l[0].Reason != "foreign_event" {
		t.Errorf("%+v", l[0])
	}
	w.want(watch.LineArmed, 2)
	for _, x := range scenario.Show(w.db).Sessions {
		if x.SID == s.SID && (len(x.Events) != 1 || x.Ring != nil) {
			t.Errorf("the other one's session: %v", x.Events)
		}
	}
}

// TestSnapshot: the open cursors of a session that fired are kept, because
// their texts may have fallen out of the ring.
func TestSnapshot(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	c := w.config(1555)
	c.Snapshot = func(ctx context.Context, inst, sid int) ([]watch.Cursor, error) {
		return watch.Cursors(ctx, w.q, inst, sid)
	}
	var got []watch.Cursor
	c.SaveCursors = func(campaign string, s journal.Session, at time.Time, list []watch.Cursor) error {
		if campaign != "w1" || s.SID != w.app(0).SID || !at.Equal(w.clock) {
			t.Errorf("saved for %s, session %s, at %v", campaign, s, at)
		}
		got = append(got, list...)
		return nil
	}
	_ = w.run(c, func() { w.gen.Fail(w.app(0), 1555) }, nothing)
	if len(got) != 1 || got[0].SQLID != w.app(0).SQLID || got[0].Text != w.app(0).SQLText {
		t.Errorf("%+v\n%s", got, w.text())
	}
}

// TestFormFlush: a ring of its own event is armed, and taken back, as the other
// form is; after a fire the session is buffered still.
func TestFormFlush(t *testing.T) {
	w := newWorld(t, "?sessions=5")
	o := plan.DefaultOptions()
	o.Ora, o.Form = []int{1555}, plan.FormFlush
	c := w.config(1555)
	c.Events, c.OnFire, c.For = control.EventsOf(plan.Events(o)), watch.Leave, 20*time.Second
	err := w.run(c, nothing, func() {
		w.gen.Work(w.app(0), 20)
		w.gen.Fail(w.app(0), 1555)
		if s := w.on()[fmt.Sprintf("%d,%d,@1", w.app(0).SID, w.app(0).Serial)]; s.Ring == nil || s.Ring.Bytes != 256000 {
			t.Error("the ring is gone after the fire")
		}
	}, nothing, nothing, nothing, nothing, nothing)
	if err != nil {
		t.Fatal(err)
	}
	w.want(watch.LineArmed, 3)
	w.want(watch.LineDisarmed, 3)
	w.nothingOn()
}
