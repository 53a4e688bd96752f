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

// TestTkprofRefusedParses: a statement that failed in parse has no calls to count;
// tkprof prints it with its error where it stands in the trace.
func TestTkprofRefusedParses(t *testing.T) {
	p := &tape{tim: 1_000_000}
	refused := func(text string, ora int) {
		fmt.Fprintf(p, "PARSE ERROR #6:len=%d dep=0 uid=30 oct=3 lid=30 tim=%d err=%d\n%s\nCLOSE #6:c=0,e=1,dep=0,type=0,tim=%d\n", len(text)+1, p.tim, ora, text, p.tim+1)
		p.tim += 10
	}
	p.parsing(7, "select 1 from dual")
	p.call("EXEC", 7, 9, 300, 1, 0, 1)
	refused("select * from nosuch", 942)
	refused("select nothing\nfrom dual", 904)
	refused("select * from nosuch", 942)
	p.parsing(8, "select 22 from dual")
	p.call("EXEC", 8, 9, 300, 1, 0, 1)
	const first, second = "The following statement encountered a error during parse:\n\nselect * from nosuch\n\nError encountered: ORA-00942\n****", "parse:\n\nselect nothing\nfrom dual\n\nError encountered: ORA-00904\n****"
	for _, c := range []struct {
		sort  string
		order []string
	}{
		{"line", []string{"select 1 from", first, second, "select 22 from", "OVERALL"}},
		{"self", []string{"select 1 from", "select 22 from", first, second, "OVERALL"}},
	} {
		m := load(t, map[string]string{"x.trc": p.String()}, report.Options{Sort: c.sort})
		var b strings.Builder
		if err := m.WriteTkprof(&b); err != nil {
			t.Fatal(err)
		}
		rest := b.String()
		equal(t, "times", strings.Count(rest, "encountered a error"), 2)
		for _, want := range c.order {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Fatalf("by %s: %q is not where it belongs in\n%s", c.sort, want, b.String())
			}
			rest = after
		}
	}
	m := load(t, map[string]string{"x.trc": p.String()}, report.Options{Sort: "line", ORA: []int64{904}})
	var b strings.Builder
	if err := m.WriteTkprof(&b); err != nil {
		t.Fatal(err)
	}
	equal(t, "only the number asked for", strings.Count(b.String(), "encountered a error"), 1)
}
