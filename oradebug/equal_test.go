package oradebug

import "testing"

func must(t *testing.T, text string) Spec {
	t.Helper()
	s, err := ParseSpec(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// facts/oradebug.md 6 (what was set, what eventdump shows) and 3.3, 5.
func TestEqual(t *testing.T) {
	same := [][2]string{
		{"10046 level 12", "sql_trace level=12"},
		{"10046 trace name context forever, level 12", "sql_trace level=12"},
		{"10046 level 1", "sql_trace level=1"},
		{"10046", "10046 level 1"},
		{"sql_trace wait=true", "SQL_TRACE WAIT = TRUE"},
		{"sql_trace wait=true, bind=false", "sql_trace bind=false,wait=true"},
		{"sql_trace[sql: av3nyus5dkhb1] wait=true, bind=false", "sql_trace [sql:av3nyus5dkhb1] bind=false, wait=true"},
		{"1461 trace name context forever, level 4", "1461 trace name CONTEXT level 4, forever"},
		{"8103 trace name errorstack level 3", "8103 TRACE NAME ERRORSTACK LEVEL 3"},
		{"942 errorstack", "942 errorstack(1)"},
		{"942 errorstack(level=3)", "942 errorstack (3)"},
		{"deadlock errorstack(1)", "60 errorstack(1)"},
		{"0x291b level 1", "10523 level=1"},
		{"kg_event[942] errorstack(3)", "942 errorstack(3)"},
		{"trace[SQL_Optimizer.*]", "trace[rdbms.SQL_Optimizer.*]"},
		{"trace [RDBMS.SQL_OPTIMIZER]", "trace[sql_optimizer]"},
		{"10053 level 1", "trace[rdbms.SQL_Optimizer.*]"},
		{"10046 off", "sql_trace off"},
		{"10046 trace name context off", "sql_trace off"},
		{"942 {occurence:1,1} errorstack(3)", "942 {occurence: start_after 1, end_after 1} errorstack(3)"},
		{"wait_event[\"log file sync\"] off", "wait_event[log file sync] off"},
		{"942 errorstack(3);", "942 errorstack(3)"},
		{"942 trace name errorstack lifetime 3, level 3", "942 trace name errorstack level 3, life 3"},
		{"10046 trace name context level 12, after 5 occurrences", "10046 trace name context after 5 times, level 12"},
	}
	for _, c := range same {
		a, b := must(t, c[0]), must(t, c[1])
		if !a.Equal(b) || !b.Equal(a) {
			t.Errorf("%s and %s should be equal:\n %s\n %s", c[0], c[1], a.Events[0].Normal(), b.Events[0].Normal())
		}
	}
	different := [][2]string{
		{"942 errorstack(3)", "942 errorstack(2)"},
		{"942 errorstack(3)", "943 errorstack(3)"},
		{"942 errorstack(3)", "942 off"},
		{"942 errorstack(3)", "942 {occurence:1,1} errorstack(3)"},
		{"942 trace name errorstack level 3", "942 trace name errorstack level 3, lifetime 3"},
		{"942 trace name errorstack level 3, lifetime 3", "942 trace name errorstack level 3, lifetime 4"},
		{"942 trace name trace_buffer_off; name errorstack level 3", "942 trace name errorstack level 3; name trace_buffer_off"},
		{"942 incident(\"A\")", "942 incident(\"a\")"},
		{"sql_trace wait=true", "sql_trace wait=true, bind=true"},
		{"sql_trace", "sql_trace [sql: av3nyus5dkhb1]"},
		{"sql_trace wait=true:942 errorstack(3)", "sql_trace wait=true"},
		{"10046 trace name errorstack level 3", "sql_trace level=3"},
		{"trace[SQL_Optimizer]", "trace[SQL_Optimizer.*]"},
	}
	for _, c := range different {
		if a, b := must(t, c[0]), must(t, c[1]); a.Equal(b) {
			t.Errorf("%s and %s should differ: %s", c[0], c[1], a.Events[0].Normal())
		}
	}
}

func TestMapped(t *testing.T) {
	cases := []struct {
		text, want string
		ok         bool
	}{
		{"10046 level 12", "sql_trace level=12", true},
		{"10046 trace name context forever, level 8", "sql_trace level=8", true},
		{"10046", "sql_trace level=1", true},
		{"10046 off", "sql_trace off", true},
		{"10053", "trace[rdbms.SQL_Optimizer.*]", true},
		{"10053 off", "trace[rdbms.SQL_Optimizer.*] off", true},
		{"10298 level 1", "trace[OFS.*]", true},
		{"10299 level 1", "trace[MBR] disk=high", true},
		{"10730 level 1", "trace[rdbms.VPD.*] disk=highest", true},
		{"10730 off", "trace[rdbms.VPD.*] off", true},
		{"942 errorstack(3)", "", false},
		{"10046 trace name errorstack level 3", "", false},
		{"sql_trace level 12", "", false},
	}
	for _, c := range cases {
		s := must(t, c.text)
		if got, ok := s.Events[0].Mapped(); got != c.want || ok != c.ok {
			t.Errorf("%s: %q, %v; want %q, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}
