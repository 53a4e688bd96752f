package tracefile_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

// liveHeap returns the bytes that a profile holds on to, with what it took to make it
// gone.
func liveHeap(t *testing.T, read func(*tracefile.Analyzer)) (*tracefile.Profile, int64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&before)
	a := tracefile.NewAnalyzer(tracefile.Options{})
	read(a)
	p := a.Profile()
	a = nil
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return p, int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// mostLive is what a profile of any number of sessions may hold, beside some hundred
// bytes for each: rows of the story come to 12 MB.
const mostLive = 24 << 20

func execs(b *strings.Builder, n int, tim int64) {
	for i := range n {
		fmt.Fprintf(b, "EXEC #5:c=1,e=2,p=0,cr=1,cu=0,mis=0,r=0,dep=0,og=1,plh=7,tim=%d\n", tim+int64(i)*100)
	}
}

// checkBounded checks that all calls are counted, that the rows which are not kept are
// told, and that those that led to the error are not among them.
func checkBounded(t *testing.T, p *tracefile.Profile, live int64, sessions, calls int) {
	t.Helper()
	if live > mostLive {
		t.Errorf("%d bytes are held, want no more than %d", live, mostLive)
	}
	sum := p.Totals.NonRecursive
	sum.Add(p.Totals.UnknownCursors)
	equal(t, "executions in the totals", sum.Exec.Count, int64(calls))
	equal(t, "sessions", len(p.Sessions), sessions)
	var kept, dropped, elapsed int64
	for _, s := range p.Sessions {
		kept += int64(len(s.Story))
		dropped += s.Dropped
		elapsed += s.CallElapsed
	}
	equal(t, "time of the sessions' calls, us", elapsed, int64(2*calls))
	if kept > 1<<15+1024 || kept < 1<<13 || dropped == 0 {
		t.Errorf("%d rows kept, %d not", kept, dropped)
	}
	told := int64(0)
	for _, n := range p.Notes {
		if n.Kind == "story_rows" {
			told += n.Count
		}
	}
	equal(t, "rows that a note tells of", told, dropped)
	equal(t, "errors", len(p.Errors), 1)
	e := p.Errors[0]
	before := 0
	for _, r := range e.Session.Story {
		if r.Sequence() < e.Row {
			before++
		}
	}
	if before < 20 { // the rows since its session went on last; older ones may be gone by then
		t.Errorf("%d rows are kept of what led to the error, want 20", before)
	}
}

// TestThousandsOfFilesStaySmall: a file that has been read keeps its figures, and rows
// of its story only as far as all files' rows are few.
func TestThousandsOfFilesStaySmall(t *testing.T) {
	const files, each = 300, 500
	p, live := liveHeap(t, func(a *tracefile.Analyzer) {
		for f := range files {
			var b strings.Builder
			b.WriteString(head19)
			tim := int64(1_000_000 + f*1_000_000_000)
			execs(&b, each, tim)
			if f == 3 {
				fmt.Fprintf(&b, "ERROR #5:err=1555 tim=%d\n", tim+each*100)
			}
			if _, err := a.ReadFile(fmt.Sprintf("f%d.trc", f), strings.NewReader(b.String())); err != nil {
				t.Fatal(err)
			}
		}
	})
	equal(t, "files", len(p.Files), files)
	checkBounded(t, p, live, files, files*each)
	runtime.KeepAlive(p)
}

// TestThousandsOfProcessesStaySmall is the same of one file of trcsess, in which any
// process may go on at any time.
func TestThousandsOfProcessesStaySmall(t *testing.T) {
	const processes, each = 3000, 20
	p, live := liveHeap(t, func(a *tracefile.Analyzer) {
		var b strings.Builder
		tim := int64(1_000_000)
		for round := range 2 {
			for n := range processes {
				fmt.Fprintf(&b, "*** [ Unix process pid: %d ]\n", 1000+n)
				execs(&b, each, tim)
				tim += each * 100
				if round == 1 && n == 7 {
					fmt.Fprintf(&b, "ERROR #5:err=1555 tim=%d\n", tim)
				}
			}
		}
		if _, err := a.ReadFile("merged.trc", strings.NewReader(b.String())); err != nil {
			t.Fatal(err)
		}
	})
	checkBounded(t, p, live, processes, 2*processes*each)
	runtime.KeepAlive(p)
}

// TestUnclaimedCallsStaySmall: calls whose callers are not in the trace are summed when
// there are many of all sessions, and none is lost.
func TestUnclaimedCallsStaySmall(t *testing.T) {
	const processes, each = 100, 2000
	p, _ := liveHeap(t, func(a *tracefile.Analyzer) {
		var b strings.Builder
		for n := range processes {
			fmt.Fprintf(&b, "*** [ Unix process pid: %d ]\n", 1000+n)
			for i := range each {
				fmt.Fprintf(&b, "EXEC #5:c=1,e=2,p=0,cr=1,cu=0,mis=0,r=0,dep=1,og=1,plh=7,tim=%d\n", 1_000_000+i*100)
			}
		}
		if _, err := a.ReadFile("merged.trc", strings.NewReader(b.String())); err != nil {
			t.Fatal(err)
		}
	})
	var calls, elapsed int64
	for _, s := range p.Sessions {
		for _, f := range s.InFlight {
			calls, elapsed = calls+f.Children, elapsed+f.Elapsed
		}
	}
	equal(t, "calls without a caller", calls, int64(processes*each))
	equal(t, "their time, us", elapsed, int64(2*processes*each))
}
