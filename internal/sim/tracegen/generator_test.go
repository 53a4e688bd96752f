package tracegen

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim/debugger"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
	"ringtrace/oradebug"
	"ringtrace/tracefile"
)

func fixedNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }

func build(t testing.TB, name string, sessions int) (*instance.Database, *instance.Session) {
	t.Helper()
	r, err := release.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	db := instance.New(instance.Config{Release: r, Sessions: sessions, Seed: 1, Now: fixedNow, ErrorText: func(int) string { return "simulated" }})
	db.Quiet(sessions)
	var s *instance.Session
	db.Locked(func() {
		for _, x := range db.Instances[0].Sessions() {
			if x.Username == "APP" && s == nil {
				s = x
			}
		}
	})
	return db, s
}

func arm(t testing.TB, db *instance.Database, s *instance.Session, events ...string) {
	t.Helper()
	self, err := db.Logon(db.Instances[0], instance.Logon{User: "SYS", Sysdba: true, Bequeath: true})
	if err != nil {
		t.Fatal(err)
	}
	g := debugger.New(db, self)
	for _, c := range append([]string{fmt.Sprintf("setorapid %d", s.Proc.Orapid)}, events...) {
		if r := g.Do(context.Background(), c); r.Failed {
			t.Fatalf("%s: %v", c, r.Lines)
		}
	}
}

// TestOwnReaderAccepts: what the simulator writes is read back by the trace
// reader without a problem, for every release, with and without a ring.
func TestOwnReaderAccepts(t *testing.T) {
	for _, rel := range []string{"11.2", "12.1", "12.2", "19c", "21c", "23ai"} {
		for _, trace := range []string{"sql_trace wait=true, bind=true", "sql_trace wait=true, bind=true trace_buffer_on(20000)"} {
			t.Run(rel+"/"+trace, func(t *testing.T) {
				db, s := build(t, rel, 10)
				arm(t, db, s, "session_event "+trace, "session_event 1555 trace name trace_buffer_off; name errorstack level 3")
				g := New(db, 1)
				g.Work(s, 200)
				fired := g.Fail(s, 1555)
				if strings.Join(fired, " ") != "trace_buffer_off errorstack" {
					t.Errorf("fired %v", fired)
				}
				g.Work(s, 5)
				data, err := db.Store.ReadFile(s.Proc.TracePath())
				if err != nil {
					t.Fatal(err)
				}
				ring := strings.Contains(trace, "trace_buffer_on")
				a := tracefile.NewAnalyzer(tracefile.Options{})
				f, err := a.ReadFile("x.trc", bytes.NewReader(data))
				if err != nil {
					t.Fatal(err)
				}
				if f.Damaged != 0 || f.Unknown > 1 || f.TraceRecords() < 20 || f.PID == 0 || f.OraPID != int64(s.Proc.Orapid) {
					t.Errorf("damaged %d, unknown lines %d, records %d, pid %d, orapid %d", f.Damaged, f.Unknown, f.TraceRecords(), f.PID, f.OraPID)
				}
				prof := a.Profile()
				for _, p := range prof.Problems {
					t.Errorf("line %d: %s: %s", p.Line, p.Kind, p.Message)
				}
				if prof.ErrorCount[1555] != 1 {
					t.Errorf("the reader found errors %v, want one ORA-01555", prof.ErrorCount)
				}
				if got := strings.Contains(string(data), "Trace output buffer of 20000 bytes wrapped"); got != ring {
					t.Errorf("wrap marker: %v, ring: %v", got, ring)
				}
				if ring && len(data) > 60_000 {
					t.Errorf("the file has %d bytes; a ring of 20000 was on", len(data))
				}
			})
		}
	}
}

// TestIdleIsAWait: the time between two calls of a session is a wait for its
// client, as in a real trace, however long it is, and ends where the next call
// begins; what is closed is closed by that call.
func TestIdleIsAWait(t *testing.T) {
	for _, rel := range []string{"11.2", "19c", "23ai"} {
		t.Run(rel, func(t *testing.T) {
			db, s := build(t, rel, 5)
			arm(t, db, s, "session_event sql_trace wait=true, bind=true")
			g := New(db, 3)
			for range 4 {
				g.Work(s, 20)
				db.Advance(30 * time.Second)
				g.Fail(s, 1722)
				db.Advance(45 * time.Second)
				g.Fail(s, 942)
				db.Advance(15 * time.Second)
			}
			g.Work(s, 1)
			data, err := db.Store.ReadFile(s.Proc.TracePath())
			if err != nil {
				t.Fatal(err)
			}
			a := tracefile.NewAnalyzer(tracefile.Options{})
			if _, err := a.ReadFile("x.trc", bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
			var idle, left int64
			for _, s := range a.Profile().Sessions {
				idle += s.Idle
				left += s.Elapsed - s.CallElapsed - s.WaitsBetween - s.Idle
			}
			if idle < 350e6 || left < 0 || left > 1e6 {
				t.Errorf("%d us of waiting for the client, %d us that nothing tells of; want about 6 minutes and less than a second", idle, left)
			}
		})
	}
}

// BenchmarkThousandSessions lets 1,000 sessions trace into their rings; MB/s
// beside BenchmarkRing/memcpy of package ring is what the simulator costs.
func BenchmarkThousandSessions(b *testing.B) {
	db, _ := build(b, "19c", 1000)
	var all []*instance.Process
	db.Locked(func() {
		for _, s := range db.Instances[0].Sessions() {
			if s.Eligible {
				all = append(all, s.Proc)
			}
		}
	})
	spec, err := oradebug.ParseSpec("sql_trace wait=true, bind=true trace_buffer_on(256000)")
	if err != nil {
		b.Fatal(err)
	}
	db.Locked(func() {
		for _, p := range all {
			p.Set(instance.OfSession, spec)
		}
	})
	text := strings.Repeat("WAIT #140000002862864: nam='SQL*Net message to client' ela= 3 driver id=1413697536 #bytes=1 p3=0 obj#=-1 tim=32680631714495\n", 8)
	plain := make([]struct {
		buf []byte
		at  int
	}, len(all))
	for i := range plain {
		plain[i].buf = make([]byte, 256000)
	}
	var ours, floor time.Duration
	for b.Loop() {
		start := time.Now()
		for _, p := range all {
			db.Emit(p, text)
		}
		mid := time.Now()
		for i := range plain {
			f := &plain[i]
			if f.at+len(text) > len(f.buf) {
				f.at = 0
			}
			f.at += copy(f.buf[f.at:], text)
		}
		ours += mid.Sub(start)
		floor += time.Since(mid)
	}
	if _, used, _, ok := all[0].Ring(); !ok || used == 0 {
		b.Fatal("nothing went into the rings")
	}
	bytes := float64(b.N) * float64(len(all)) * float64(len(text))
	b.ReportMetric(bytes/ours.Seconds()/1e6, "MB/s")
	b.ReportMetric(bytes/floor.Seconds()/1e6, "memcpy-MB/s")
	b.ReportMetric(float64(ours)/float64(floor), "x-memcpy")
}
