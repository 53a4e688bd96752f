package plan

import (
	"slices"
	"strings"
	"testing"

	"ringtrace/oradebug"
)

// everyOption yields options of each kind that Validate lets pass.
func everyOption(yield func(Options)) {
	for _, noRing := range []bool{false, true} {
		for _, stack := range []int{NoErrorstack, 0, 1, 2, 3} {
			for _, fires := range []int{0, 1, 3} {
				for _, word := range append(PlanStats(), "") {
					for _, waits := range []bool{false, true} {
						o := Options{
							Ora: []int{942, 1555, 20999}, Ring: DefaultRing, NoRing: noRing, Waits: waits, Binds: !waits,
							PlanStat: word, Errorstack: stack, MaxFires: fires,
						}
						if stack == NoErrorstack {
							o.MaxFires = 0
						}
						if o.Validate() == nil {
							yield(o)
						}
					}
				}
			}
		}
	}
}

// Every text we send is one that our own parser of Oracle's language accepts,
// prints back, and turns off with the texts we send for that.
func TestEventTextsAreOracles(t *testing.T) {
	n := 0
	everyOption(func(o Options) {
		for _, e := range Events(o) {
			if e.Kind == KindRing {
				continue // an action of the sql_trace text
			}
			n++
			on, err := oradebug.ParseSpec(e.Spec)
			if err != nil {
				t.Fatalf("%q: %v", e.Spec, err)
			}
			if len(on.Events) != 1 {
				t.Fatalf("%q is %d events", e.Spec, len(on.Events))
			}
			again, err := oradebug.ParseSpec(on.String())
			if err != nil || !again.Equal(on) {
				t.Fatalf("%q prints as %q, which is another event (%v)", e.Spec, on.String(), err)
			}
			for i, text := range e.Off {
				off, err := oradebug.ParseSpec(text)
				if err != nil {
					t.Fatalf("off form %q: %v", text, err)
				}
				grade := oradebug.MatchOff(&on.Events[0], &off.Events[0])
				if i == 0 && grade != oradebug.OffFull || grade == oradebug.OffNone || grade == oradebug.OffDoubtful {
					t.Errorf("%q does not turn off %q: %v", text, e.Spec, grade)
				}
			}
			if e.Kind == KindError {
				if want := on.TurnOff(); !slices.Equal(e.Off, want) {
					t.Errorf("%q is turned off by %q, the language package says %q", e.Spec, e.Off, want)
				}
			}
		}
	})
	if n < 500 {
		t.Fatalf("only %d texts were looked at", n)
	}
}

// The ring that sql_trace asks for is the one that was asked for.
func TestRingIsInTheText(t *testing.T) {
	everyOption(func(o Options) {
		spec, err := oradebug.ParseSpec(Events(o)[0].Spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := spec.Events[0].RingOn(); got == o.NoRing {
			t.Errorf("%q: ring %v, asked for %v", spec, got, !o.NoRing)
		}
	})
}

func TestStepsCoverTheEvents(t *testing.T) {
	p, err := New(request(3))
	if err != nil {
		t.Fatal(err)
	}
	var sent []string
	for _, s := range p.Steps() {
		if s.Name == "" || s.Verify == "" || s.Risk == "" || len(s.Undo) == 0 && s.Name != "record" && s.Name != "detach" {
			t.Errorf("step %+v lacks something", s)
		}
		for _, line := range s.Do {
			if _, err := oradebug.ParseCommand("oradebug " + line); err != nil && line != "setorapid <orapid>" {
				t.Errorf("%q: %v", line, err)
			}
			if spec, ok := strings.CutPrefix(line, "session_event "); ok {
				sent = append(sent, spec)
			}
		}
	}
	if want := SetLines(p.Events); !slices.Equal(sent, want) {
		t.Errorf("steps send %q, scripts %q", sent, want)
	}
}
