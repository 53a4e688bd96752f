package tracefile_test

import (
	"fmt"
	"strings"
	"testing"

	"ringtrace/tracefile"
)

func eventOf(tb testing.TB, trace, name string) *tracefile.Event {
	tb.Helper()
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("x", strings.NewReader(trace)); err != nil {
		tb.Fatal(err)
	}
	for _, e := range a.Profile().Events {
		if e.Name == name {
			return e
		}
	}
	tb.Fatalf("no event %q", name)
	return nil
}

func paramWait(event, params string, ela, tim int) string {
	return fmt.Sprintf("WAIT #1: nam='%s' ela= %d %s obj#=-1 tim=%d\n", event, ela, params, tim)
}

// TestWaitsByParameters: what the parameters of a wait name, for every form that
// the facts show.
func TestWaitsByParameters(t *testing.T) {
	for _, c := range []struct {
		event, params string
		kind          tracefile.ParamKind
		name          string
		first, second tracefile.ParamStat
	}{
		{"db file sequential read", "file#=4 block#=171 blocks=1", tracefile.ParamsBlock, "file#", tracefile.ParamStat{P1: 4}, tracefile.ParamStat{P1: 4, P2: 171}},
		{"direct path read", "file number=4 first dba=128 block cnt=32", tracefile.ParamsBlock, "file number", tracefile.ParamStat{P1: 4}, tracefile.ParamStat{P1: 4, P2: 128}},
		{"buffer busy waits", "file#=4 block#=9 class#=1", tracefile.ParamsBlock, "file#", tracefile.ParamStat{P1: 4}, tracefile.ParamStat{P1: 4, P2: 9}},
		{"enq: TX - row lock contention", "name|mode=1415053318 usn<<16 | slot=2162721 sequence=620", tracefile.ParamsLock, "name|mode", tracefile.ParamStat{P1: 1415053318}, tracefile.ParamStat{P1: 0x5458<<32 | 2162721, P2: 620}},
		{"latch: cache buffers chains", "address=1744830464 number=228 tries=0", tracefile.ParamsLatch, "number", tracefile.ParamStat{P1: 228}, tracefile.ParamStat{P1: 228, P2: 1744830464}},
		{"cursor: pin S wait on X", "idn=3005121 value=77 where=5", tracefile.ParamsValue, "idn", tracefile.ParamStat{P1: 3005121}, tracefile.ParamStat{}},
		{"library cache lock", "handle address=99 lock address=98 100*mode+namespace=-4288151550", tracefile.ParamsValue, "handle address", tracefile.ParamStat{P1: 99}, tracefile.ParamStat{}},
	} {
		t.Run(c.event, func(t *testing.T) {
			e := eventOf(t, paramWait(c.event, c.params, 300, 1000)+paramWait(c.event, c.params, 500, 2000), c.event)
			p := e.Params
			if p == nil || p.Kind != c.kind || p.Name != c.name || p.Sampled || len(p.First) != 1 {
				t.Fatalf("table %+v", p)
			}
			c.first.Count, c.first.Total, c.first.Max = 2, 800, 500
			if p.First[0] != c.first {
				t.Errorf("first %+v, want %+v", p.First[0], c.first)
			}
			if c.kind == tracefile.ParamsValue {
				if len(p.Second) != 0 {
					t.Errorf("pairs %+v", p.Second)
				}
				return
			}
			c.second.Count, c.second.Total, c.second.Max = 2, 800, 500
			if len(p.Second) != 1 || p.Second[0] != c.second {
				t.Errorf("pairs %+v, want %+v", p.Second, c.second)
			}
			if c.kind == tracefile.ParamsLock {
				if got := p.Second[0].LockName(); got != "TX-00210021-0000026C" {
					t.Errorf("lock %s", got)
				}
			}
		})
	}
	for _, c := range [][2]string{
		{"SQL*Net message to client", "driver id=1413697536 #bytes=1 p3=0"}, {"log file parallel write", "files=1 blocks=2 requests=1"}, {"log file sync", "buffer#=4012 sync scn=1 p3=0"},
	} {
		if e := eventOf(t, paramWait(c[0], c[1], 3, 1000), c[0]); e.Params != nil {
			t.Errorf("%s: %+v", c[0], e.Params)
		}
	}
	nine := "WAIT #1: nam='db file sequential read' ela= 2 p1=3 p2=77 p3=1\n"
	if p := eventOf(t, nine, "db file sequential read").Params; p == nil || p.Kind != tracefile.ParamsBlock || p.Second[0].P1 != 3 || p.Second[0].P2 != 77 {
		t.Errorf("9i: %+v", p)
	}
}

// TestHotBlockAmongMany: memory is bounded, nothing is lost, and the block that
// takes a tenth of the time comes first, though a hundred thousand others come.
func TestHotBlockAmongMany(t *testing.T) {
	var b strings.Builder
	tim, total := 1000, 0
	for i := range 100_000 {
		ela, block := 100+i%7, i
		if i%10 == 3 {
			block = 4711
		}
		tim += ela + 10
		total += ela
		b.WriteString(paramWait("db file sequential read", fmt.Sprintf("file#=%d block#=%d blocks=1", 1+i%3, block), ela, tim))
	}
	e := eventOf(t, b.String(), "db file sequential read")
	p := e.Params
	if !p.Sampled || len(p.Second) > 1024 {
		t.Fatalf("sampled %v, %d pairs", p.Sampled, len(p.Second))
	}
	if e.Stat.Total != int64(total) {
		t.Errorf("the event's own sum is %d, want %d", e.Stat.Total, total)
	}
	near := func(what string, got, want int64) {
		if got < want*85/100 || got > want*115/100 {
			t.Errorf("%s: %d us, want about %d", what, got, want)
		}
	}
	for i, f := range p.First {
		near(fmt.Sprintf("file %d", f.P1), f.Total, int64(total/3))
		if i > 2 {
			t.Errorf("%d files", len(p.First))
		}
	}
	var hot, pairs int64
	for i, s := range p.Second {
		pairs += s.Total
		if s.P2 == 4711 {
			hot += s.Total
			if i > 2 {
				t.Errorf("the hot block is number %d", i)
			}
		}
	}
	near("the hot block", hot, int64(total/10))
	near("all blocks", pairs+p.SecondRest.Total, int64(total))
}

// TestHistogramOfStatement: a statement's waits add up in its histogram.
func TestHistogramOfStatement(t *testing.T) {
	const sql = "select 1 from t"
	trace := head19 + parsing(1, 0, 1000, sql) + waitLine(1, "db file sequential read", 1, 2000) + waitLine(1, "db file sequential read", 5, 3000) +
		waitLine(1, "db file sequential read", 7, 4000) + waitLine(1, "db file sequential read", 60_000_000, 70_000_000) + call("FETCH", 1, 0, 1, 70_001_000)
	a := tracefile.NewAnalyzer(tracefile.Options{})
	if _, err := a.ReadFile("x", strings.NewReader(trace)); err != nil {
		t.Fatal(err)
	}
	h := stmt(t, a.Profile(), sql).Waits[0].Histogram
	if h == nil || h[0].Count != 1 || h[2].Count != 2 || h[2].Time != 12 || h[24].Count != 1 || h[24].Time != 60_000_000 {
		t.Errorf("histogram %+v", h)
	}
}
