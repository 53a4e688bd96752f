package overhead

import (
	"strings"
	"testing"
)

func TestOneRoundIsSingular(t *testing.T) {
	for rounds, want := range map[int][2]string{1: {", 1 round, seed", "the 1 complete round and"}, 2: {", 2 rounds, seed", "the 2 complete rounds and"}} {
		var b strings.Builder
		if err := (&Test{Name: "x", Rounds: rounds}).WriteTable(&b); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%d rounds: no %q in\n%s", rounds, w, b.String())
			}
		}
	}
}
