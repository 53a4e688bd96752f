package spool_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/plan"
	"ringtrace/internal/sim/instance"
)

// What the undo sends and says after something happened to the first session:
// events only to our session alone on its process, the ring, FLUSH and
// CLOSE_TRACE only to a process that is still ours, and nothing else is a word
// but help.
func TestUndoSendsWhatIsProved(t *testing.T) {
	other := instance.Logon{User: "OTHER", Program: "other", Machine: "web9"}
	cases := []struct {
		name                         string
		change                       func(*instance.Database, *instance.Session)
		want                         string
		events, rings, flush, closes int
	}{
		{"nothing happened", func(*instance.Database, *instance.Session) {}, "DISARMED", 4, 1, 1, 2},
		{"gone", func(d *instance.Database, s *instance.Session) { d.Logoff(s) }, "GONE", 0, 0, 0, 0},
		{"another session instead", func(d *instance.Database, s *instance.Session) { d.SwitchSession(s, other) }, "RING_ONLY", 0, 1, 1, 2},
		{"another session beside it", func(d *instance.Database, s *instance.Session) { d.AddSession(s, other) }, "MOVED", 0, 0, 0, 0},
	}
	for _, c := range cases {
		for _, known := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, process known %v", c.name, known), func(t *testing.T) {
				db, d, p := onSimulated(t, "?sessions=10", func(r *plan.Request) {
					r.Sessions = r.Sessions[:1]
					r.Options.Ora = []int{60, 1555, 4031}
					if !known {
						r.Sessions[0].ProcessSerial, r.Sessions[0].Ospid, r.Sessions[0].Stid = 0, "", ""
					}
				})
				s := p.Sessions[0]
				live, err := d.Find(fmt.Sprintf("%d,%d", s.SID, s.Serial))
				if err != nil {
					t.Fatal(err)
				}
				c.change(d, live)
				m := newMiniPlus(t, db)
				m.run(script(t, p, plan.Disable))
				if m.exit != "exit" || m.lastErr != nil {
					t.Fatalf("ended by %q, %v", m.exit, m.lastErr)
				}
				want, rings, flush, closes := c.want, c.rings, c.flush, c.closes
				if !known && want == "RING_ONLY" { // the slot alone does not prove whose process it is
					want, rings, flush, closes = "GONE", 0, 0, 0
				}
				if got := strings.Join(m.outcomes(), " "); got != want {
					t.Errorf("outcome %s, want %s", got, want)
				}
				sent := m.oradebug[:lastIndex(m.oradebug, "setmypid")] // what follows is for the own session
				offs := 0
				for _, l := range sent {
					if strings.HasPrefix(l, "session_event ") && strings.HasSuffix(l, " off") && !strings.Contains(l, "trace name") {
						offs++
					}
				}
				if n := countPrefix(sent, "session_event immediate trace name trace_buffer_off"); n != rings {
					t.Errorf("the ring is released %d times, want %d", n, rings)
				}
				if n := countPrefix(sent, "flush"); n != flush {
					t.Errorf("flush is sent %d times, want %d", n, flush)
				}
				if n := countPrefix(sent, "close_trace"); n != closes {
					t.Errorf("close_trace is sent %d times, want %d", n, closes)
				}
				if offs != c.events {
					t.Errorf("%d events are turned off, want %d: %q", offs, c.events, sent)
				}
			})
		}
	}
}

// A proof that had no answer is neither DISARMED nor GONE.
func TestUndoWithoutAnAnswer(t *testing.T) {
	db, p := onSimulator(t, "?sessions=10", func(r *plan.Request) { r.Sessions = r.Sessions[:1] })
	text := script(t, p, plan.Disable)
	first := strings.Index(text, "end as rt,")
	if first < 0 {
		t.Fatal("the script has no first proof")
	}
	m := newMiniPlus(t, db)
	m.run(text[:first] + "end as rt, no_such_function(1)," + text[first+len("end as rt,"):])
	if got := strings.Join(m.outcomes(), " "); got != "MOVED" {
		t.Errorf("outcome %s, want MOVED", got)
	}
	if n := countPrefix(m.oradebug, "flush") + countPrefix(m.oradebug, "close_trace"); n != 0 {
		t.Errorf("flush and close_trace were sent %d times", n)
	}
}

func lastIndex(list []string, word string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == word {
			return i
		}
	}
	return 0
}
