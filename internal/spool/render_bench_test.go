package spool_test

import (
	"io"
	"strconv"
	"testing"
	"time"

	"ringtrace/internal/plan"
	"ringtrace/sessions"
	"ringtrace/templates"
)

const benchSessions = 100_000

// BenchmarkRenderGuarded renders 100,000 sessions in style guarded through the
// template engine, beside a hand-written append loop over the same model that
// writes the same bytes. Aims: 50,000 sessions/s and at most 20 times the loop.
func BenchmarkRenderGuarded(b *testing.B) {
	p, err := plan.New(benchRequest(benchSessions))
	if err != nil {
		b.Fatal(err)
	}
	set, err := templates.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	inst := &p.Instances[0]
	var perSession [2]time.Duration
	run := func(i int, render func(io.Writer, *plan.Script) error) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			start := time.Now()
			for range b.N {
				if err := render(io.Discard, p.Script(inst, inst.Parts[0], plan.Enable)); err != nil {
					b.Fatal(err)
				}
			}
			perSession[i] = time.Since(start) / time.Duration(b.N*benchSessions)
			b.ReportMetric(float64(b.N*benchSessions)/time.Since(start).Seconds(), "sessions/s")
			if i == 1 && perSession[0] > 0 {
				b.ReportMetric(float64(perSession[0])/float64(perSession[1]), "x_template_costs")
			}
		}
	}
	b.Run("template", run(0, func(w io.Writer, s *plan.Script) error { return set.Render(w, "guarded_enable", s) }))
	b.Run("append", run(1, func(w io.Writer, s *plan.Script) error { return appendBlocks(w, s) }))
}

// TestAppendLoopWritesTheSame keeps the benchmark honest: both sides write the
// same blocks.
func TestAppendLoopWritesTheSame(t *testing.T) {
	p := mustPlan(t, benchRequest(50))
	s := p.Script(&p.Instances[0], p.Instances[0].Parts[0], plan.Enable)
	var want, got writeCounter
	if err := mustTemplates(t).Render(&want, "guarded_enable", s); err != nil {
		t.Fatal(err)
	}
	if err := appendBlocks(&got, s); err != nil {
		t.Fatal(err)
	}
	if !contains(want.text, got.text) {
		reportFirstDifference(t, string(want.text), string(got.text))
		t.Fatal("the append loop writes other blocks than the template")
	}
}

// TestRenderMemoryIsFlat: ten times the sessions need no more memory at once.
func TestRenderMemoryIsFlat(t *testing.T) {
	set := mustTemplates(t)
	peak := func(n int) uint64 {
		p := mustPlan(t, benchRequest(n))
		s := p.Script(&p.Instances[0], p.Instances[0].Parts[0], plan.Enable)
		w := &heapWatcher{every: 1 << 20}
		w.begin()
		if err := set.Render(w, "guarded_enable", s); err != nil {
			t.Fatal(err)
		}
		return w.growth
	}
	small, large := peak(1_000), peak(8_000)
	t.Logf("live heap growth: %d bytes for 1,000 sessions, %d for 8,000", small, large)
	if large > small+1<<20 {
		t.Errorf("memory grows with the number of sessions: %d bytes for 1,000, %d for 8,000", small, large)
	}
}

func appendBlocks(w io.Writer, s *plan.Script) error {
	var buf []byte
	add := func(parts ...string) {
		for _, p := range parts {
			buf = append(buf, p...)
		}
	}
	for blk := range s.Blocks {
		var kn [24]byte
		k := strconv.AppendInt(append(strconv.AppendInt(kn[:0], int64(blk.N), 10), '/'), int64(blk.Of), 10)
		add("\n-- ")
		buf = append(buf, k...)
		add(" ", blk.Who, "\nprompt ")
		buf = append(buf, k...)
		add(" ", blk.Label, "\noradebug setmypid\noradebug setorapid ")
		buf = strconv.AppendInt(buf, int64(blk.Orapid), 10)
		add("\ndefine rt=help\nselect case when count(*) = 1\n             and count(case when ", blk.Own,
			" then 1 end) = 1\n            then 'session_event' else 'help' end as rt\n  from v$process p join v$session s on s.paddr = p.addr\n where ", blk.Proof,
			";\nprompt ringtrace: before session\noradebug eventdump session\nprompt ringtrace: before process\noradebug eventdump process")
		for _, spec := range s.Set {
			add("\noradebug ", s.Define, "rt ", spec)
		}
		add("\ndefine rt_outcome=MOVED\nselect case when '", s.Define, "rt' = 'help' then 'SKIPPED'\n            when count(*) = 1\n             and count(case when ", blk.Own,
			" then 1 end) = 1\n            then 'ARMED' else 'MOVED' end as rt_outcome\n  from v$process p join v$session s on s.paddr = p.addr\n where ", blk.Proof,
			";\nprompt ringtrace: ", s.Define, "rt_outcome ")
		buf = append(buf, k...)
		add(" ", blk.Label, "\nprompt ringtrace: tracefile\noradebug tracefile_name\nprompt ringtrace: after session\noradebug eventdump session\noradebug setmypid\n")
		if len(buf) > 64<<10 {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}

func benchRequest(n int) plan.Request {
	req := sampleRequest()
	req.Split, req.MaxSessions = 0, 0
	base := req.Sessions[0]
	req.Sessions = make([]sessions.Session, n)
	for i := range req.Sessions {
		s := base
		s.SID, s.Orapid, s.Ospid = i+1, i%60_000+1, strconv.Itoa(100_000+i)
		req.Sessions[i] = s
	}
	return req
}
