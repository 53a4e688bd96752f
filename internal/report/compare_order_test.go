package report_test

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestComparisonIsInTheOrderOfWhatItShows: the figures that statements are ordered
// by stand in their lines.
func TestComparisonIsInTheOrderOfWhatItShows(t *testing.T) {
	trace := func(fast, slow string) string {
		var b strings.Builder
		b.WriteString("*** SESSION ID:(1.2) 2026-03-01T10:00:00.000000+01:00\n")
		at := 1_000_000
		run := func(id, ela string, times int) {
			b.WriteString("PARSING IN CURSOR #" + id + " len=8 dep=0 uid=9 oct=3 lid=9 tim=" + strconv.Itoa(at) + " hv=1 ad='7' sqlid='aaaaaaaaaaaa" + id + "'\nselect " + id + "\nEND OF STMT\n")
			for range times {
				at += 100_000
				b.WriteString("EXEC #" + id + ":c=1,e=" + ela + ",p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim=" + strconv.Itoa(at) + "\n")
			}
		}
		run("1", slow, 1) // a large change of one execution
		run("2", fast, 50)
		return b.String()
	}
	a := load(t, map[string]string{"a.trc": trace("1000", "10000")}, report.Options{})
	c := report.Compare("a", a, "b", load(t, map[string]string{"a.trc": trace("2000", "30000")}, report.Options{}))
	var b bytes.Buffer
	if err := c.WriteText(&b, 80, 20); err != nil {
		t.Fatal(err)
	}
	var last float64
	lines := regexp.MustCompile(`(?m)^aaaaaaaaaaaa\d .*= +([0-9.]+)  B .*= +([0-9.]+)$`).FindAllStringSubmatch(b.String(), -1)
	if len(lines) != 2 {
		t.Fatalf("%d lines in\n%s", len(lines), b.String())
	}
	for i, l := range lines {
		x, _ := strconv.ParseFloat(l[1], 64)
		y, _ := strconv.ParseFloat(l[2], 64)
		if len(l[0]) > 80 || y-x <= 0 || i > 0 && y-x > last {
			t.Errorf("not in their order:\n%s", b.String())
		}
		last = y - x
	}
}
