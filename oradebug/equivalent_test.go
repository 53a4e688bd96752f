package oradebug

import "testing"

// facts/oradebug.md 5 (RDS equivalences), 3.5 and 3.8.
func TestEquivalentForms(t *testing.T) {
	cases := []struct{ text, oldForm, newForm string }{
		{"942 trace name errorstack level 3", "=", "942 errorstack(3)"},
		{"942 trace name trace_buffer_off; name errorstack level 3", "=", "942 trace_buffer_off(1) errorstack(3)"},
		{"942 trace name trace_buffer_off; name errorstack level 3, lifetime 3", "=", "942 {occurence: end_after=3} trace_buffer_off(1) errorstack(3)"},
		{"10704 trace name context forever, level 10", "=", "10704 level=10"},
		{"942 errorstack(3)", "942 trace name errorstack level 3", "="},
		{"10704 level 10", "10704 trace name context forever, level 10", "="},
		{"sql_trace wait=true, bind=true", "10046 trace name context forever, level 12", "="},
		{"sql_trace wait=true, bind=false", "10046 trace name context forever, level 8", "="},
		{"sql_trace wait=true, bind=true, plan_stat=all_executions", "10046 trace name context forever, level 28", "="},
		{"sql_trace wait=true, bind=true trace_buffer_on(256000)", "10046 trace name context forever, level 12 | immediate trace name trace_buffer_on level 256000", "="},
		{"sql_trace level 4", "10046 trace name context forever, level 4", "="},
		{"sql_trace off", "10046 trace name context off", "="},
		{"sql_trace wait=true", "", "="},
		{"942 {occurence: end_after=3} errorstack(3)", "942 trace name errorstack level 3, lifetime 3", "="},
		{"942 {process: 14534} errorstack(3)", "", "="},
		{"942 incident(\"x\")", "", "="},
		{"wait_event[all] errorstack(1)", "", "="},
		{"60 trace name latches level 5, after 3 times", "=", ""},
		{"60 trace name heapdump level 1, lifetime 1; name latches level 5, lifetime 2", "=", ""},
		{"immediate trace name errorstack level 3", "=", "immediate errorstack(3)"},
		{"immediate errorstack(3)", "immediate trace name errorstack level 3", "="},
		{"942 debugger after 3 times", "=", ""},
		{"942 trace name errorstack off", "=", "942 off"},
	}
	for _, c := range cases {
		s := must(t, c.text)
		e := &s.Events[0]
		want := func(w string) string {
			if w == "=" {
				return e.String()
			}
			return w
		}
		gotNew := ""
		if n, ok := e.NewForm(); ok {
			gotNew = n.String()
			must(t, gotNew)
		}
		gotOld := ""
		if os, ok := e.OldForm(); ok {
			for i := range os {
				if i > 0 {
					gotOld += " | "
				}
				gotOld += os[i].String()
				if _, err := ParseSpecFor(os[i].String(), Release{10, 2}); err != nil {
					t.Errorf("%s: old form %s is refused by 10.2: %v", c.text, os[i].String(), err)
				}
			}
		}
		if gotNew != want(c.newForm) || gotOld != want(c.oldForm) {
			t.Errorf("%s\n new %q, want %q\n old %q, want %q", c.text, gotNew, want(c.newForm), gotOld, want(c.oldForm))
		}
	}
}
