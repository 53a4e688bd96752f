package main

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"ringtrace/internal/estimate"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/adr"
	"ringtrace/internal/sim/debugger"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/tracegen"
	"ringtrace/sessions"
)

// world is a simulated database whose trace files are on disk, with one session
// that works.
type world struct {
	t    *testing.T
	d    *instance.Database
	dir  string
	db   *sql.DB
	s    *instance.Session
	dbg  *debugger.Debugger
	work *tracegen.Generator
}

func newWorld(t *testing.T, release, user string, seed int64) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	now := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	var err error
	w.d, err = sim.New(sim.Spec{Release: release, Instances: 1, Sessions: 20, Seed: seed}, func() time.Time { return now }, &adr.Dir{Root: w.dir, Mode: 0o640}, w.dir)
	must(t, err)
	w.db, err = sim.Connect(w.d, w.d.Instances[0])
	must(t, err)
	t.Cleanup(func() { _ = w.db.Close() })
	w.d.Locked(func() {
		for _, x := range w.d.Instances[0].Sessions() {
			if x.Username == user && x.Eligible && w.s == nil {
				w.s = x
			}
		}
	})
	if w.s == nil {
		t.Fatalf("no session of %s", user)
	}
	self, err := w.d.Logon(w.d.Instances[0], instance.Logon{User: "SYS", Sysdba: true, Bequeath: true})
	must(t, err)
	w.dbg = debugger.New(w.d, self)
	w.work = tracegen.New(w.d, seed)
	return w
}

func (w *world) debug(commands ...string) {
	w.t.Helper()
	for _, c := range append([]string{fmt.Sprintf("setorapid %d", w.s.Proc.Orapid)}, commands...) {
		if r := w.dbg.Do(w.t.Context(), c); r.Failed {
			w.t.Fatalf("%s: %v", c, r.Lines)
		}
	}
}

// onDisk is the bytes of all trace files.
func (w *world) onDisk() (n int64) {
	err := filepath.Walk(w.dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && filepath.Ext(path) == ".trc" {
			n += info.Size()
		}
		return err
	})
	must(w.t, err)
	return n
}

func (w *world) snapshot(r *estimate.Reader) estimate.Snapshot {
	w.t.Helper()
	s, err := r.Snapshot(w.t.Context())
	must(w.t, err)
	s.At = w.d.Now()
	return s
}

func (w *world) row() sessions.Session {
	return sessions.Session{InstID: 1, SID: w.s.SID, Serial: w.s.Serial, Username: w.s.Username}
}

// TestEstimateAgainstWhatIsWritten: the estimate from the views, beside the
// bytes that the simulated instance then really has on disk. Nine of ten
// scenarios within 10 %. The two share no table: the sizes of the estimate are
// those of public trace files, the simulator writes its own records.
func TestEstimateAgainstWhatIsWritten(t *testing.T) {
	scenarios := []struct {
		release, user string
		events        string
		options       estimate.Options
		statements    int
		pause         time.Duration
	}{
		{"19c", "APP", "wait=true, bind=true", estimate.Options{Release: 19, Waits: true, Binds: true}, 30, time.Second},
		{"19c", "BATCH", "wait=true, bind=true", estimate.Options{Release: 19, Waits: true, Binds: true}, 20, time.Second},
		{"19c", "REPORT", "wait=true, bind=true", estimate.Options{Release: 19, Waits: true, Binds: true}, 30, 3 * time.Second},
		{"19c", "APP", "wait=true, bind=false", estimate.Options{Release: 19, Waits: true}, 30, time.Second},
		{"19c", "APP", "wait=false, bind=false", estimate.Options{Release: 19}, 60, time.Second},
		{"12.2", "APP", "wait=true, bind=true", estimate.Options{Release: 12, Waits: true, Binds: true}, 30, time.Second},
		{"11.2", "APP", "wait=true, bind=false", estimate.Options{Release: 11, Waits: true}, 30, time.Second},
		{"23ai", "BATCH", "wait=true, bind=false", estimate.Options{Release: 23, Waits: true}, 50, 2 * time.Second},
		{"21c", "APP", "wait=true, bind=true, plan_stat=never", estimate.Options{Release: 21, Waits: true, Binds: true, PlanStat: "never"}, 30, time.Second},
		{"19c", "APP", "wait=true, bind=true", estimate.Options{Release: 19, Waits: true, Binds: true}, 3, 20 * time.Second},
	}
	within := 0
	for i, c := range scenarios {
		w := newWorld(t, c.release, c.user, int64(i+1))
		w.debug("session_event sql_trace " + c.events)
		w.work.Work(w.s, 3) // opens the file: its header is no part of the rate
		r := estimate.NewReader(w.db, []sessions.Session{w.row()})
		before, snaps := w.onDisk(), []estimate.Snapshot{w.snapshot(r)}
		for range 3 {
			for range 20 {
				w.work.Work(w.s, c.statements)
				w.d.Advance(c.pause)
			}
			snaps = append(snaps, w.snapshot(r))
		}
		wrote := float64(w.onDisk() - before)
		cursors, err := r.Cursors(t.Context(), snaps[3])
		must(t, err)
		statements, warnings := r.Statements(t.Context(), cursors)
		if len(warnings) > 0 || len(statements) == 0 {
			t.Fatalf("statements %v, warnings %q", statements, warnings)
		}
		got, err := estimate.Compute(estimate.Input{
			Snapshots: snaps, Rows: []sessions.Session{w.row()}, Cursors: cursors, Statements: statements,
			Options: c.options, Cost: estimate.PublishedCost(), History: 30, Share: 0.95,
		})
		must(t, err)
		want := wrote / got.WindowS
		off := float64(got.Totals.UnbufferedPerHour)/3600/want - 1
		if math.Abs(off) <= 0.10 {
			within++
		}
		t.Logf("%-5s %-6s %-38s estimated %8.0f B/s, on disk %8.0f B/s: %+.1f %%", c.release, c.user, c.events, float64(got.Totals.UnbufferedPerHour)/3600, want, 100*off)
	}
	if within < 9 {
		t.Errorf("%d of %d estimates are within 10 %%", within, len(scenarios))
	}
}

var timOf = regexp.MustCompile(`tim=(\d+)`)

// TestRingHistoryAgainstTheRing: how long a ring holds, beside the time between
// the first and the last record that the simulated ring still has.
func TestRingHistoryAgainstTheRing(t *testing.T) {
	const ring = 400_000
	const pause = 8 * time.Second // longer than the statements take by the trace's clock
	w := newWorld(t, "19c", "APP", 7)
	w.debug(fmt.Sprintf("session_event sql_trace wait=true, bind=true trace_buffer_on(%d)", ring))
	w.work.Work(w.s, 1)
	r := estimate.NewReader(w.db, []sessions.Session{w.row()})
	snaps := []estimate.Snapshot{w.snapshot(r)}
	for range 2 {
		for range 60 {
			w.work.Work(w.s, 30)
			w.d.Advance(pause)
		}
		snaps = append(snaps, w.snapshot(r))
	}
	cursors, err := r.Cursors(t.Context(), snaps[2])
	must(t, err)
	statements, _ := r.Statements(t.Context(), cursors)
	got, err := estimate.Compute(estimate.Input{
		Snapshots: snaps, Rows: []sessions.Session{w.row()}, Cursors: cursors, Statements: statements,
		Options: estimate.Options{Release: 19, Waits: true, Binds: true, Ring: ring}, Cost: estimate.PublishedCost(), History: 30, Share: 0.95,
	})
	must(t, err)
	w.debug("session_event immediate trace name trace_buffer_off")
	data, err := w.d.Store.ReadFile(w.s.Proc.TracePath())
	must(t, err)
	tims := timOf.FindAllSubmatch(data, -1)
	if len(tims) < 100 || len(data) < ring {
		t.Fatalf("the flushed ring has %d bytes and %d records", len(data), len(tims))
	}
	first, _ := strconv.ParseInt(string(tims[0][1]), 10, 64)
	last, _ := strconv.ParseInt(string(tims[len(tims)-1][1]), 10, 64)
	held := float64(last-first)/1e6 + pause.Seconds() // up to now, not to the last record
	told := got.Sessions[0].History
	if told == nil || math.Abs(*told/held-1) > 0.10 {
		t.Fatalf("told %v s, the ring held %.1f s", told, held)
	}
	t.Logf("told %.1f s, the ring held %.1f s", *told, held)
}
