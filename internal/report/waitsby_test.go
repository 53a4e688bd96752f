package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ringtrace/internal/report"
)

// waitsTrace has waits of each kind that a table is made for, a commit, a rollback
// and an error.
func waitsTrace() string {
	var b strings.Builder
	b.WriteString(ringTrace[:strings.Index(ringTrace, "Trace output buffer")])
	tim := 10_000_000
	b.WriteString("=====================\nPARSING IN CURSOR #1 len=9 dep=0 uid=90 oct=6 lid=90 tim=10000000 hv=3005121 ad='7f' sqlid='aaaaaaaaaaaa1'\nupdate t \nEND OF STMT\n")
	wait := func(event, params string, ela int) {
		tim += ela + 5
		fmt.Fprintf(&b, "WAIT #1: nam='%s' ela= %d %s obj#=-1 tim=%d\n", event, ela, params, tim)
	}
	for i := range 12 {
		wait("db file sequential read", fmt.Sprintf("file#=%d block#=%d blocks=1", 4+i%2, 100+i), 100*(i+1))
	}
	wait("enq: TX - row lock contention", "name|mode=1415053318 usn<<16 | slot=2162721 sequence=620", 500_000)
	wait("enq: TX - row lock contention", "name|mode=1415053316 usn<<16 | slot=2162721 sequence=621", 200_000)
	wait("latch: cache buffers chains", "address=1744830464 number=228 tries=0", 900)
	wait("cursor: pin S wait on X", "idn=3005121 value=77 where=5", 800)
	tim += 100
	fmt.Fprintf(&b, "EXEC #1:c=50,e=710000,p=0,cr=1,cu=1,mis=0,r=1,dep=0,og=1,plh=1,tim=%d\n", tim)
	fmt.Fprintf(&b, "XCTEND rlbk=0, rd_only=0, tim=%d\nXCTEND rlbk=1, rd_only=0, tim=%d\nXCTEND rlbk=0, rd_only=1, tim=%d\n", tim+10, tim+20, tim+30)
	fmt.Fprintf(&b, "ERROR #1:err=60 tim=%d\n", tim+40)
	return b.String()
}

// TestWaitsByWhatTheyWereFor: values decoded, sorted by time, in text, page and JSON.
func TestWaitsByWhatTheyWereFor(t *testing.T) {
	m := load(t, map[string]string{"a.trc": waitsTrace()}, report.Options{})
	got := map[string]string{}
	for _, w := range m.Waits {
		for _, tab := range w.For {
			var rows []string
			for _, r := range tab.Rows {
				name := r.Name
				if r.SQLID != nil {
					name += "=" + *r.SQLID
				}
				rows = append(rows, fmt.Sprintf("%s:%d:%d", name, r.Count, r.TotalUS))
			}
			if tab.Others != nil {
				rows = append(rows, fmt.Sprintf("others:%d:%d", tab.Others.Count, tab.Others.TotalUS))
			}
			got[tab.By] = strings.Join(rows, " | ")
		}
	}
	for by, want := range map[string]string{
		"file":          "file 5:6:4200 | file 4:6:3600",
		"lock mode":     "TX mode 6, exclusive:1:500000 | TX mode 4, share:1:200000",
		"lock":          "TX-00210021-0000026C:1:500000 | TX-00210021-0000026D:1:200000",
		"latch":         "latch# 228:1:900",
		"latch address": "latch# 228 at 0x68000000:1:900",
		"idn":           "3005121=aaaaaaaaaaaa1:1:800",
	} {
		equal(t, "by "+by, got[by], want)
	}
	if !strings.HasPrefix(got["block"], "file 5 block 111:1:1200 | file 4 block 110:1:1100 | ") || !strings.HasSuffix(got["block"], " | others:2:300") {
		t.Errorf("by block: %s", got["block"])
	}
	var b bytes.Buffer
	if err := m.WriteText(&b, 120); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, want := range []string{
		"    TX mode 6, exclusive                       1     0.500000   71.4    0.500000\n", "    file 5 block 111   ", "    latch# 228 at 0x68000000 ", "    3005121 = aaaaaaaaaaaa1 ",
		"    <128us 1 (1%)  <256us 1 (3%)  <512us 3 (15%)  <1ms 5 (51%)  <2ms 2 (29%)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("text has no %q in\n%s", want, between(out, "STATEMENT 1", "\nFILES"))
		}
	}
	b.Reset()
	if err := m.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<td>TX-00210021-0000026C</td>", "<td>latch# 228 at 0x68000000</td>", "<summary>by duration</summary>", "<title>1 commit, 1 rollback</title>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// TestChartInText: a line for each step, the marks on the line of their time, and
// no more letters than there is room.
func TestChartInText(t *testing.T) {
	m := load(t, map[string]string{"a.trc": waitsTrace()}, report.Options{})
	for _, width := range []int{80, 120} {
		var b bytes.Buffer
		if err := m.WriteText(&b, width); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(between(b.String(), "\nOVER TIME (", "\nFILES\n")), "\n")
		last := lines[len(lines)-1]
		if f := strings.Fields(last); len(f) < 4 || f[1] != "!" || f[2] != "1" || f[3] != "1" {
			t.Errorf("width %d: the last line is %q", width, last)
		}
		if n := strings.Count(strings.Join(lines, "\n"), "!"); n != 2 { // one explains it
			t.Errorf("width %d: %d marks in\n%s", width, n, strings.Join(lines, "\n"))
		}
		full := strings.Repeat("L", width-37)
		if !strings.Contains(strings.Join(lines, "\n"), full) {
			t.Errorf("width %d: no line is full of lock waits:\n%s", width, strings.Join(lines, "\n"))
		}
	}
}
