package report_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// TestTkprofOverallWaits: tkprof lists waits and misses below each of its totals,
// those of statements at depth 0 and those below apart.
func TestTkprofOverallWaits(t *testing.T) {
	p := &tape{tim: 1_000_000}
	p.parsing(7, "select y from u where id = :1")
	p.parsing(8, "select y from v where id = 1234")
	below := &tape{tim: p.tim}
	below.parsing(9, "select name from obj$ where a = :1")
	p.WriteString(strings.Replace(below.String(), "dep=0", "dep=1", 1))
	for _, cur := range []int{7, 8} {
		p.wait("read by other session", cur, 20_000)
		p.call("EXEC", cur, 9, 30_000, 1, 1, 1)
	}
	p.wait("read by other session", 9, 5_000)
	p.tim += 6_000
	fmt.Fprintf(p, "EXEC #9:c=9,e=6000,p=0,cr=1,cu=0,mis=0,r=1,dep=1,og=4,plh=5,tim=%d\n", p.tim)
	p.wait("read by other session", 77, 70_000) // a cursor without text, which tkprof drops
	m := load(t, map[string]string{"x.trc": p.String()}, report.Options{Sort: "line"})
	var b strings.Builder
	if err := m.WriteTkprof(&b); err != nil {
		t.Fatal(err)
	}
	_, overall, _ := strings.Cut(b.String(), "OVERALL TOTALS FOR ALL NON-RECURSIVE")
	user, internal, ok := strings.Cut(overall, "OVERALL TOTALS FOR ALL RECURSIVE")
	if !ok {
		t.Fatal(b.String())
	}
	for _, c := range []struct{ what, in, want string }{
		{"waits of both user statements", user, "read by other session                           2        0.02          0.04\n"},
		{"misses", user, "Misses in library cache during execute: 2\n"},
		{"waits below", internal, "read by other session                           1        0.00          0.00\n"},
		{"counts", internal, "       3  SQL statements in trace file.\n"},
	} {
		if !strings.Contains(c.in, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.what, c.want, c.in)
		}
	}
	if strings.Contains(internal, "Misses in library cache during execute") {
		t.Error("misses that were none")
	}
}
