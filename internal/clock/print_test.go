package clock

import (
	"bytes"
	"strings"
	"testing"
)

// TestOwnOutputReadsBack: what is printed in PostgreSQL's layouts is read as
// such, with the same numbers.
func TestOwnOutputReadsBack(t *testing.T) {
	h := filled(25, 600, 26, 390, 5000, 10)
	r := &Result{AverageNS: 75.39, Histogram: h.Bins(), Host: "db1", cutoff: 99.99, Micros: micros(filled(0, 960, 1, 39, 5, 1), 75_390)}
	r.Micros.AverageNS = 75.39
	r.Observed, r.gap = h.Observed(99)
	var text, pg bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	p := pasted(t, text.String())
	if p.Layout != layout19 || p.Loops != 1000 || deref(p.AverageNS) != 75.39 || deref(p.TypicalNS) != h.Median() {
		t.Errorf("read back %+v", p)
	}
	if !strings.Contains(text.String(), "...\n      5000       1.0000     100.0000           10\n") {
		t.Errorf("the largest is missing:\n%s", text.String())
	}
	if err := r.WritePG(&pg); err != nil {
		t.Fatal(err)
	}
	p = pasted(t, pg.String())
	if p.Layout != layout1018 || p.Loops != 1000 || deref(p.TypicalNS) != 39 {
		t.Errorf("read back %+v", p)
	}
	want := "Per loop time including overhead: 75.39 ns\nHistogram of timing durations:\n  < us   % of total      count\n     1     96.00000        960\n"
	if !strings.Contains(pg.String(), want) {
		t.Errorf("layout\n%s", pg.String())
	}
}
