package drill

import (
	"strings"
	"testing"
)

// TestDecide: the safer form is taken only where all of it is proved.
func TestDecide(t *testing.T) {
	needs := []string{RingCarriesSQLTrace, ErrorstackFlushes, RingSurvivesErrorstack, DumpReachesFile}
	for missing := -1; missing < len(needs); missing++ {
		for _, other := range []string{No, Unknown} {
			r := &Record{}
			for i, id := range needs {
				a := Answer{ID: id, Answer: Yes}
				if i == missing {
					a.Answer = other
				}
				r.Answers = append(r.Answers, a)
			}
			r.decide()
			want := FormFlush
			if missing >= 0 {
				want = FormFounding
			}
			if r.Form != want || missing >= 0 && !strings.Contains(r.Why, needs[missing]) {
				t.Errorf("without number %d (%s): form %s, %s", missing, other, r.Form, r.Why)
			}
		}
	}
	r := &Record{}
	if r.decide(); r.Form != FormFounding {
		t.Errorf("nothing was asked, and the form is %s", r.Form)
	}
}
