package oradebug

import (
	"slices"
	"strings"
	"testing"
)

// facts/oradebug.md 3.6.
func TestTurnOff(t *testing.T) {
	cases := []struct {
		text string
		want string // joined by " / "
	}{
		{"sql_trace wait=true, bind=true trace_buffer_on(256000)", "sql_trace off / immediate trace name trace_buffer_off"},
		{"sql_trace wait=true, bind=true", "sql_trace off"},
		{"sql_trace [sql: g3yc1js3g2689] wait=true", "sql_trace [sql: g3yc1js3g2689] off"},
		{"942 errorstack(3)", "942 off"},
		{"942 {occurence:1,1} trace_buffer_off(1) errorstack(3)", "942 off"},
		{"942 trace name errorstack level 3", "942 off / 942 trace name errorstack off"},
		{"942 trace name trace_buffer_off; name errorstack level 3", "942 off / 942 trace name trace_buffer_off off / 942 trace name errorstack off"},
		{"10046 trace name context forever, level 12", "10046 off / 10046 trace name context off"},
		{"deadlock errorstack(1)", "60 off"},
		{"0x291b level 1", "10523 off"},
		{"trace[rdbms.SQL_Optimizer.*] disk=high", "trace[rdbms.SQL_Optimizer.*] off"},
		{"wait_event[\"log file sync\"] errorstack(1)", "wait_event[\"log file sync\"] off"},
		{"immediate trace name trace_buffer_on level 65536", "immediate trace name trace_buffer_off"},
		{"immediate trace name errorstack level 3", ""},
		{"942 off", ""},
		{"sql_trace wait=true trace_buffer_on(65536):942 errorstack(3)", "942 off / sql_trace off / immediate trace name trace_buffer_off"},
		{"942 debugger after 3 times", "942 off / 942 debugger off"},
	}
	for _, c := range cases {
		s := must(t, c.text)
		got := s.TurnOff()
		if strings.Join(got, " / ") != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.text, strings.Join(got, " / "), c.want)
		}
		for _, off := range got {
			o := must(t, off)
			if off == ringOff {
				if !o.Events[0].RingOff() {
					t.Errorf("%s does not release the ring", off)
				}
				continue
			}
			if !o.Events[0].Off {
				t.Errorf("%s is not an off form", off)
			}
			if !slices.ContainsFunc(s.Events, func(e Event) bool { return MatchOff(&e, &o.Events[0]) != OffNone }) {
				t.Errorf("%s turns nothing of %s off", off, c.text)
			}
		}
	}
	s := must(t, "10046 trace name context forever, level 12")
	if got := s.TurnOffFor(Release{10, 2}); len(got) != 1 || got[0] != "10046 trace name context off" {
		t.Errorf("10.2: %q", got)
	}
}

func TestMatchOff(t *testing.T) {
	cases := []struct {
		on, off string
		want    OffMatch
	}{
		{"942 trace name errorstack level 3", "942 off", OffFull},
		{"942 trace name errorstack level 3", "942 trace name errorstack off", OffFull},
		{"942 trace name errorstack level 3", "942 trace name context off", OffDoubtful},
		{"942 errorstack(3)", "942 trace name errorstack off", OffFull},
		{"942 trace name trace_buffer_off; name errorstack level 3", "942 trace name errorstack off", OffPart},
		{"942 trace name trace_buffer_off; name errorstack level 3", "942 off", OffFull},
		{"942 trace name errorstack level 3", "1555 off", OffNone},
		{"10046 trace name context forever, level 12", "10046 trace name context off", OffFull},
		{"10046 trace name context forever, level 12", "sql_trace off", OffFull},
		{"sql_trace wait=true", "10046 off", OffFull},
		{"sql_trace wait=true", "10046 trace name context off", OffFull},
		{"sql_trace [sql: g3yc1js3g2689]", "sql_trace off", OffNone},
		{"sql_trace [sql: g3yc1js3g2689]", "sql_trace [sql: g3yc1js3g2689] off", OffFull},
		{"trace[SQL_Optimizer.*]", "trace[rdbms.sql_optimizer.*] off", OffFull},
		{"10053 level 1", "trace[rdbms.SQL_Optimizer.*] off", OffFull},
		{"deadlock errorstack(1)", "60 off", OffFull},
		{"10704 level 10", "10704 trace name context off", OffFull},
		{"942 errorstack(3)", "942 errorstack(3)", OffNone},
		{"immediate trace name errorstack level 3", "942 off", OffNone},
	}
	for _, c := range cases {
		on, off := must(t, c.on), must(t, c.off)
		if got := MatchOff(&on.Events[0], &off.Events[0]); got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.on, c.off, got, c.want)
		}
	}
}

func TestRing(t *testing.T) {
	cases := []struct {
		text      string
		bytes     uint64
		given, on bool
	}{
		{"sql_trace wait=true trace_buffer_on(256000)", 256000, true, true},
		{"immediate trace name trace_buffer_on level 102400", 102400, true, true},
		{"immediate trace name trace_buffer_on", 1, false, true},
		{"sql_trace trace_buffer_on", 1, false, true},
		{"sql_trace trace_buffer_on(&ring)", 0, true, true},
		{"942 trace name trace_buffer_off", 0, false, false},
	}
	for _, c := range cases {
		s := must(t, c.text)
		n, given, on := s.Events[0].RingBytes()
		if n != c.bytes || given != c.given || on != c.on {
			t.Errorf("%s: %d, %v, %v", c.text, n, given, on)
		}
	}
	for text, want := range map[string]bool{
		"942 trace name errorstack level 3":                                        false,
		"942 trace name errorstack level 3, lifetime 3":                            true,
		"942 trace name trace_buffer_off; name errorstack level 3":                 false,
		"942 trace name trace_buffer_off; name errorstack level 3, lifetime 3":     true,
		"942 trace name trace_buffer_off":                                          true,
		"942 {occurence:1,1} errorstack(3)":                                        true,
		"942 {occurence: start_after 5} errorstack(3)":                             false,
		"942 errorstack(3)":                                                        false,
		"942 level 1":                                                              false,
		"942 trace name errorstack level 3, lifetime 1; name processstate level 1": false,
	} {
		s := must(t, text)
		if got := s.Events[0].Bounded(); got != want {
			t.Errorf("%s: bounded %v", text, got)
		}
	}
}
