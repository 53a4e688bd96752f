package plan

import "testing"

// eventsOfAllOptions calls f with the events of every way to ask for them.
func eventsOfAllOptions(f func(Options, []Event)) {
	bools := []bool{false, true}
	for _, form := range []string{FormFounding, FormFlush} {
		for _, noRing := range bools {
			for _, level := range []int{NoErrorstack, 0, 3} {
				for _, fires := range []int{0, 3} {
					for _, stat := range append(PlanStats(), "") {
						o := DefaultOptions()
						o.Form, o.NoRing, o.Errorstack, o.MaxFires, o.PlanStat = form, noRing, level, fires, stat
						o.Ora = []int{1, 942, 600, 20999}
						o.Waits = fires == 0
						if o.Validate() == nil {
							f(o, Events(o))
						}
					}
				}
			}
		}
	}
}

// TestKnownEvents: what Events writes is known, and a changed one is not.
func TestKnownEvents(t *testing.T) {
	seen := 0
	eventsOfAllOptions(func(o Options, events []Event) {
		for _, e := range events {
			seen++
			ora := 0
			if e.Ora != nil {
				ora = *e.Ora
			}
			if err := CheckEvent(e.Kind, ora, e.Spec, e.Off); err != nil {
				t.Errorf("%+v: %v", o, err)
			}
			for _, spec := range []string{e.Spec + "\noradebug call x", e.Spec + "; crash()", e.Spec + " crash()", "crash", ""} {
				if CheckEvent(e.Kind, ora, spec, e.Off) == nil {
					t.Errorf("%q is accepted", spec)
				}
			}
			for _, off := range []string{"crash", "10046 off", e.Off[0] + "\nexit", "943 off"} {
				if CheckEvent(e.Kind, ora, e.Spec, append(e.Off[:1:1], off)) == nil {
					t.Errorf("%q turns %s off", off, e.Spec)
				}
			}
		}
	})
	if seen < 200 {
		t.Fatalf("%d events looked at", seen)
	}
	if CheckEvent(KindSQLTrace, 0, "sql_trace wait=true, bind=true", nil) == nil {
		t.Error("an event without a way back is accepted")
	}
}
