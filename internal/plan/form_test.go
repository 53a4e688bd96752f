package plan_test

import (
	"reflect"
	"strings"
	"testing"

	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
)

func TestFormFlush(t *testing.T) {
	o := plan.DefaultOptions()
	o.Ora, o.Form = []int{942, 1555}, plan.FormFlush
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	events := plan.Events(o)
	want := []string{
		"immediate trace name trace_buffer_on level 256000",
		"sql_trace wait=true, bind=true",
		"942 trace name errorstack level 3, lifetime 3",
		"1555 trace name errorstack level 3, lifetime 3",
	}
	if got := plan.SetLines(events); !reflect.DeepEqual(got, want) {
		t.Errorf("set\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	session, ring, _ := plan.OffLines(events)
	if !reflect.DeepEqual(session, []string{"942 off", "1555 off", "sql_trace off"}) || !reflect.DeepEqual(ring, []string{"immediate trace name trace_buffer_off"}) {
		t.Errorf("off %q, ring %q", session, ring)
	}
	o.NoRing = true
	if got := plan.SetLines(plan.Events(o)); len(got) != 3 || strings.HasPrefix(got[0], "immediate") {
		t.Errorf("without a ring: %q", got)
	}
	o.NoRing, o.Errorstack, o.MaxFires = false, plan.NoErrorstack, 0
	if err := o.Validate(); exit.CodeOf(err) != exit.Usage {
		t.Errorf("without errorstack nothing would write the ring: %v", err)
	}
	o.Form = "other"
	if err := o.Validate(); exit.CodeOf(err) != exit.Usage {
		t.Errorf("a form that is none: %v", err)
	}
}
