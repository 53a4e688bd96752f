package instance

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ringtrace/oradebug"
)

func set(t interface{ Fatal(...any) }, d *Database, p *Process, scope Scope, text string) {
	spec, err := oradebug.ParseSpec(text)
	if err != nil {
		t.Fatal(text, err)
	}
	d.Locked(func() { p.Set(scope, spec) })
}

// TestRingNeverLosesNewerBytes: for random schedules of writing, firing,
// flushing and re-arming, what reaches the file of a process is in order,
// nothing twice, and what a ring dropped is always older than what it kept.
func TestRingNeverLosesNewerBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := testDB(rt, 1, 5, 1)
		var s *Session
		d.Locked(func() {
			for _, x := range d.Instances[0].Sessions() {
				if x.Eligible {
					s = x
				}
			}
		})
		p := s.Proc
		size := rapid.IntRange(64, 4096).Draw(rt, "ring")
		ringOn := fmt.Sprintf("sql_trace trace_buffer_on(%d)", size)
		set(rt, d, p, OfSession, ringOn)
		set(rt, d, p, OfSession, "942 trace name trace_buffer_off; name errorstack level 1")
		n := 0
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0, 1:
				for range rapid.IntRange(1, 60).Draw(rt, "lines") {
					n++
					d.Emit(p, fmt.Sprintf("LINE %08d\n", n))
				}
			case 2:
				d.Raise(s, 942)
			case 3:
				set(rt, d, p, OfSession, ringOn)
			}
		}
		set(rt, d, p, OfSession, "immediate trace name trace_buffer_off")
		data, err := d.Store.ReadFile(p.TracePath())
		if err != nil {
			if n == 0 {
				return
			}
			rt.Fatal(err)
		}
		last, seen := 0, 0
		for _, l := range strings.Split(string(data), "\n") {
			var k int
			if c, _ := fmt.Sscanf(l, "LINE %08d", &k); c != 1 || len(l) != len("LINE 00000000") {
				continue // a line cut at the ring's start, or not ours
			}
			if k <= last {
				rt.Fatalf("line %d stands behind line %d", k, last)
			}
			last = k
			seen++
		}
		if last != n {
			rt.Fatalf("the newest line is %d, want %d; %d lines were kept", last, n, seen)
		}
		if _, _, _, ok := p.Ring(); ok {
			rt.Fatal("the ring is still there after trace_buffer_off")
		}
		if bytes.Count(data, []byte("Trace file ")) != 1 {
			rt.Fatal("not one header")
		}
	})
}

// TestOffLeavesNothing: whatever mix of forms armed a session, the forms that
// turn it off leave it as it was.
func TestOffLeavesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := testDB(rt, 1, 5, 1)
		var s *Session
		d.Locked(func() {
			for _, x := range d.Instances[0].Sessions() {
				if x.Eligible {
					s = x
				}
			}
		})
		foreign := rapid.Bool().Draw(rt, "foreign")
		if foreign {
			set(rt, d, s.Proc, OfSession, "1461 trace name context forever, level 4")
		}
		before := strings.Join(s.Events.Lines(), "\n")
		codes := rapid.SliceOfDistinct(rapid.SampledFrom([]int{1, 54, 60, 942, 1555}), func(i int) int { return i }).Draw(rt, "codes")
		set(rt, d, s.Proc, OfSession, rapid.SampledFrom([]string{
			"sql_trace wait=true, bind=true trace_buffer_on(4096)", "10046 trace name context forever, level 12", "sql_trace level 8",
		}).Draw(rt, "trace"))
		for _, c := range codes {
			set(rt, d, s.Proc, OfSession, fmt.Sprintf(rapid.SampledFrom([]string{
				"%d trace name trace_buffer_off; name errorstack level 3", "%d errorstack(3)", "%d trace name errorstack level 3, lifetime 3",
			}).Draw(rt, "form"), c))
		}
		for range rapid.IntRange(0, 5).Draw(rt, "fires") {
			if len(codes) > 0 {
				d.Raise(s, rapid.SampledFrom(codes).Draw(rt, "fire"))
			}
		}
		for _, c := range codes {
			set(rt, d, s.Proc, OfSession, fmt.Sprintf("%d off", c))
		}
		set(rt, d, s.Proc, OfSession, rapid.SampledFrom([]string{"sql_trace off", "10046 off", "10046 trace name context off"}).Draw(rt, "off"))
		set(rt, d, s.Proc, OfSession, "immediate trace name trace_buffer_off")
		if after := strings.Join(s.Events.Lines(), "\n"); after != before {
			rt.Fatalf("before %q, after %q", before, after)
		}
		if _, _, _, ok := s.Proc.Ring(); ok {
			rt.Fatal("the ring is still there")
		}
	})
}
