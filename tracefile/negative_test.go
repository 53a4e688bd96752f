package tracefile_test

import (
	"fmt"
	"testing"
)

// TestProblemK03_TimesBelowZero: a clock that is set back during a call or a wait
// makes its duration negative, printed with or without the sign. It is nothing that
// can be summed.
func TestProblemK03_TimesBelowZero(t *testing.T) {
	exec := func(c, e string, tim int64) string {
		return fmt.Sprintf("EXEC #9:c=%s,e=%s,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=5,tim=%d\n", c, e, tim)
	}
	for name, c := range map[string]struct {
		text     string
		negative int64
		elapsed  int64
		steps    bool
	}{
		"a call":                {exec("10", "20", 7_200_000_000) + exec("10", "-3600000000", 3_600_000_000) + exec("10", "20", 3_600_000_100), 1, 40, true},
		"a wait":                {exec("10", "20", 7_200_000_000) + waitLine(9, "db file sequential read", -500_000, 7_199_500_000) + exec("10", "20", 7_199_500_100), 1, 40, true},
		"32 bits without sign":  {exec("10", "20", 7_200_000_000) + exec("4294967284", "4294967284", 7_200_000_050) + exec("10", "20", 7_200_000_100), 2, 40, false},
		"71 minutes and a half": {exec("10", "20", 7_200_000_000) + exec("10", "4290000000", 11_490_000_050) + exec("10", "20", 11_490_000_100), 0, 4_290_000_040, false},
		"two hours":             {exec("10", "20", 7_200_000_000) + exec("10", "7200000000", 14_400_000_050) + exec("10", "20", 14_400_000_100), 0, 7_200_000_040, false},
	} {
		p := analyse(t, []byte(head19+c.text))
		sum := p.Totals.UnknownCursors.Sum()
		equal(t, name+": elapsed", sum.Elapsed, c.elapsed)
		if sum.CPU < 20 || sum.CPU > 30 {
			t.Errorf("%s: CPU %d us", name, sum.CPU)
		}
		for _, e := range p.Events {
			equal(t, name+": wait", e.Stat.Total, int64(0))
		}
		var told int64
		for _, x := range p.Problems {
			if x.Kind == "negative_time" {
				told += x.Count
			}
		}
		equal(t, name+": durations below zero that are told", told, c.negative)
		equal(t, name+": the clock was set back", problem(p, "clock_step") != nil, c.steps)
		equal(t, name+": damaged", p.Files[0].Damaged, int64(0))
	}
}
