package event

import (
	"strings"
	"testing"

	"ringtrace/internal/sim/assume"
	"ringtrace/oradebug"
)

func apply(t *testing.T, tab *Table, sw assume.Set, text string) {
	t.Helper()
	spec, err := oradebug.ParseSpec(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, e := range spec.Events {
		tab.Apply(e, sw)
	}
}

func names(dos []Do) string {
	var out []string
	for _, d := range dos {
		out = append(out, d.Name)
	}
	return strings.Join(out, " ")
}

// TestPost: what a raised error does, fire by fire.
func TestPost(t *testing.T) {
	off := func(s assume.Switch) assume.Set { set, _ := assume.Set{}.With(s, false); return set }
	for _, c := range []struct {
		name, event string
		sw          assume.Set
		want        []string // by posting
	}{
		{"repeats", "942 trace name errorstack level 3", assume.Set{}, []string{"errorstack", "errorstack", "errorstack"}},
		{"two specs in order", "942 trace name trace_buffer_off; name errorstack level 3", assume.Set{}, []string{"trace_buffer_off errorstack"}},
		{"other order", "942 trace name trace_buffer_off; name errorstack level 3", off(assume.ActionsInOrder), []string{"errorstack trace_buffer_off"}},
		{"lifetime of one spec", "942 trace name trace_buffer_off; name errorstack level 3, lifetime 2", assume.Set{}, []string{"trace_buffer_off errorstack", "trace_buffer_off errorstack", "trace_buffer_off"}},
		{"lifetime ignored", "942 trace name errorstack level 3, lifetime 1", off(assume.LifetimeCounts), []string{"errorstack", "errorstack"}},
		{"once", "942 {occurence:1,1} errorstack(1)", assume.Set{}, []string{"errorstack", "", ""}},
		{"end after 2", "942 {occurence:end_after 2} errorstack(1)", assume.Set{}, []string{"errorstack", "errorstack", ""}},
		{"new style chain", "942 trace_buffer_off(1) errorstack(3)", assume.Set{}, []string{"trace_buffer_off errorstack"}},
		{"alias", "deadlock errorstack(1)", assume.Set{}, []string{""}}, // 942 is not 60
	} {
		t.Run(c.name, func(t *testing.T) {
			var tab Table
			apply(t, &tab, c.sw, c.event)
			for i, want := range c.want {
				if got := names(tab.Post(942, c.sw)); got != want {
					t.Errorf("posting %d did %q, want %q", i+1, got, want)
				}
			}
		})
	}
}

func TestOffForms(t *testing.T) {
	set := func(s assume.Switch, on bool) assume.Set { x, _ := assume.Set{}.With(s, on); return x }
	for _, c := range []struct {
		on, off string
		sw      assume.Set
		left    int
	}{
		{"942 trace name errorstack level 3", "942 off", assume.Set{}, 0},
		{"942 trace name errorstack level 3", "942 trace name errorstack off", assume.Set{}, 0},
		{"942 trace name errorstack level 3", "942 trace name context off", assume.Set{}, 1},
		{"942 trace name errorstack level 3", "942 trace name context off", set(assume.ContextOffRemovesAll, true), 0},
		{"942 trace name trace_buffer_off; name errorstack level 3", "942 trace name errorstack off", assume.Set{}, 1},
		{"10046 level 12", "sql_trace off", assume.Set{}, 0},
		{"10046 level 12", "sql_trace off", set(assume.OffCrosswise, false), 1},
		{"sql_trace level 12", "sql_trace off", set(assume.OffCrosswise, false), 0},
		{"sql_trace [sql: g3yc1js3g2689] level 4", "sql_trace off", assume.Set{}, 1},
		{"trace[SQL_Optimizer.*]", "10053 off", assume.Set{}, 0},
	} {
		var tab Table
		apply(t, &tab, c.sw, c.on)
		apply(t, &tab, c.sw, c.off)
		if got := len(tab.armed); got != c.left {
			t.Errorf("%s, then %s: %d events are left, want %d", c.on, c.off, got, c.left)
		}
	}
}

func TestSQLTraceLevels(t *testing.T) {
	for text, want := range map[string]Trace{
		"10046 level 1": {On: true},
		"10046 level 4": {On: true, Binds: true},
		"10046 level 8": {On: true, Waits: true},
		"10046 trace name context forever, level 12":       {On: true, Waits: true, Binds: true},
		"sql_trace wait=true, bind=false, plan_stat=never": {On: true, Waits: true, PlanStat: "never"},
		"1461 trace name context forever, level 4":         {},
	} {
		var tab Table
		apply(t, &tab, assume.Set{}, text)
		if got := tab.SQLTrace(); got.On != want.On || got.Waits != want.Waits || got.Binds != want.Binds || got.PlanStat != want.PlanStat {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}
