package tracegen

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/instance"
	"ringtrace/tracefile"
)

func analyse(t *testing.T, db *instance.Database, sessions ...*instance.Session) *tracefile.Profile {
	t.Helper()
	a := tracefile.NewAnalyzer(tracefile.Options{})
	for _, s := range sessions {
		data, err := db.Store.ReadFile(s.Proc.TracePath())
		if err != nil {
			t.Fatal(err)
		}
		f, err := a.ReadFile(s.Proc.TracePath(), bytes.NewReader(data))
		if err != nil || f.Damaged != 0 {
			t.Fatalf("%d damaged records, %v", f.Damaged, err)
		}
	}
	return a.Profile()
}

// TestDeadlock: the graph and both sides of the story are read back, on one
// clock, with the bind values of both.
func TestDeadlock(t *testing.T) {
	for _, rel := range []string{"11.2", "12.1", "12.2", "19c", "21c", "23ai"} {
		t.Run(rel, func(t *testing.T) {
			db, victim := build(t, rel, 10)
			var other *instance.Session
			db.Locked(func() {
				for _, s := range db.Instances[0].Sessions() {
					if s.Username == "APP" && s != victim {
						other = s
					}
				}
			})
			const trace = "session_event sql_trace wait=true, bind=true trace_buffer_on(200000)"
			arm(t, db, victim, trace, "session_event 60 trace name trace_buffer_off; name errorstack level 3")
			arm(t, db, other, trace)
			g := New(db, 1)
			g.Work(victim, 5)
			g.Work(other, 5)
			if fired := g.Fail(victim, 60); strings.Join(fired, " ") != "trace_buffer_off errorstack" {
				t.Errorf("fired %v", fired)
			}
			arm(t, db, other, "session_event immediate trace name trace_buffer_off")
			p := analyse(t, db, victim, other)
			for _, x := range p.Problems {
				t.Errorf("%s line %d: %s: %s", x.File.Path, x.Line, x.Kind, x.Message)
			}
			if len(p.Errors) != 1 || p.Errors[0].ORA != 60 || p.Errors[0].Dump == nil || len(p.Errors[0].Binds) != 2 {
				t.Fatalf("errors %+v, want one ORA-60 with a dump and two bind values", p.Errors)
			}
			if len(p.Deadlocks) != 1 || len(p.Deadlocks[0].Edges) != 2 || len(p.Deadlocks[0].Rows) != 2 || len(p.Deadlocks[0].SQL) != 2 {
				t.Fatalf("deadlocks %+v", p.Deadlocks)
			}
			d := p.Deadlocks[0]
			if b := d.Edges[0].Blocker; b.Session != int64(victim.SID) || b.Process != int64(victim.Proc.Orapid) || b.Mode != "X" {
				t.Errorf("first blocker %+v", b)
			}
			if w := d.Edges[0].Waiter; w.Session != int64(other.SID) || w.Process != int64(other.Proc.Orapid) || w.Mode != "X" {
				t.Errorf("first waiter %+v", w)
			}
			if rel == "23ai" && (d.Edges[0].Blocker.Serial != int64(victim.Serial) || strings.Count(d.Edges[0].Resource, "-") != 4) {
				t.Errorf("long form: %+v", d.Edges[0])
			}
			var locks []string
			for _, e := range p.Events {
				if strings.HasPrefix(e.Name, "enq: TX") {
					for i := range e.Params.Second {
						locks = append(locks, e.Params.Second[i].LockName())
					}
				}
			}
			for _, e := range d.Edges {
				if !strings.Contains(strings.Join(locks, " "), e.Resource[:20]) {
					t.Errorf("nobody waited for %s: %v", e.Resource, locks)
				}
			}
			// The other one's wait lasts until the victim has rolled back.
			var rolledBack, went int64
			for _, s := range p.Sessions {
				for _, r := range s.Story {
					switch {
					case r.Kind == tracefile.RowTransaction && r.Rollback:
						rolledBack, _ = s.Clock.Wall(r.End)
					case r.Kind == tracefile.RowExecution && r.Elapsed > 2_000_000 && r.ORA == 0:
						went, _ = s.Clock.Wall(r.End)
					}
				}
			}
			const stampsAre = 2000 // to the millisecond, up to 12.1
			if rolledBack == 0 || went < rolledBack-stampsAre || went > rolledBack+100_000 {
				t.Errorf("rolled back at %d, the other went on at %d", rolledBack, went)
			}
		})
	}
}

// TestStampsAgreeWithTim: however fast the clock goes, or does not go, the time
// stamps of a trace and the tim of its records tell of one clock.
func TestStampsAgreeWithTim(t *testing.T) {
	for _, rel := range []string{"11.2", "19c"} {
		for _, pace := range []time.Duration{0, 100 * time.Millisecond, 30 * time.Second} {
			t.Run(rel+" "+pace.String(), func(t *testing.T) {
				db, s := build(t, rel, 10)
				arm(t, db, s, "session_event sql_trace wait=true, bind=true", "session_event 1555 trace name errorstack level 3")
				g := New(db, 1)
				for range 10 {
					g.Work(s, 20)
					db.Advance(pace)
				}
				g.Fail(s, 1555)
				p := analyse(t, db, s)
				c := p.Files[0].Clock
				if !c.Known || c.Anchors < 1 || c.Accuracy > 2000 {
					t.Errorf("clock %+v", c)
				}
				e := p.Errors[0]
				if at, _ := c.Wall(e.Tim); !e.Dump.Stamp.Valid || at < e.Dump.Stamp.UTC() || at > e.Dump.Stamp.UTC()+2000 {
					t.Errorf("ERROR at %d us, its dump at %d", at, e.Dump.Stamp.UTC())
				}
			})
		}
	}
}
