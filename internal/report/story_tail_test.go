package report_test

import (
	"fmt"
	"testing"

	"ringtrace/internal/report"
)

// TestTailHoldsWhatRanIntoIt: a call that began before the tail and ended in it is
// the likeliest cause of what it holds; one that had ended before is not told.
func TestTailHoldsWhatRanIntoIt(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "select * from t where n=:1")
	p.call("EXEC", 7, 90, 100_000, 1, 0, 0) // over before the tail
	p.wait("SQL*Net message from client", 7, 10_000)
	p.call("EXEC", 7, 90, 30_000_000, 1, 0, 0) // runs into it
	p.parsing(9, "delete from t")
	p.call("EXEC", 9, 90, 1_000, 1, 0, 0)
	fmt.Fprintf(p, "ERROR #9:err=60 tim=%d\n", p.tim)

	m := load(t, map[string]string{"a.trc": p.String()}, report.Options{TailUS: 500_000})
	var got []int64
	for _, r := range m.Timeline {
		if r.Kind == "execution" {
			got = append(got, r.ElapsedUS)
		}
	}
	want := fmt.Sprint([]int64{30_000_000, 1_000})
	equal(t, "executions of the tail", fmt.Sprint(got), want)
	equal(t, "start of the long call", *m.Timeline[0].OffsetS < -30, true)
}
