package report

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteTkprof writes the statements in the form of tkprof, for old eyes and
// scripts: self values, times cut (not rounded) to hundredths, and the totals
// that tkprof prints. What tkprof would have dropped is said at the end.
func (m *Model) WriteTkprof(w io.Writer) error {
	p := newPrinter(w, 80, m)
	rule := strings.Repeat("*", 80)
	p.f("count    = number of times the call was made\ncpu      = cpu time in seconds\nelapsed  = elapsed time in seconds\n" +
		"disk     = physical reads\nquery    = buffers gotten for consistent read\ncurrent  = buffers gotten in current mode\nrows     = rows of the call\n")
	refused := m.refusedParses()
	for i := range m.Statements {
		s := &m.Statements[i]
		if m.Sort == "line" { // tkprof's own order
			refused = p.tkRefused(refused, rule, s.Line)
		}
		if s.TextSource != "trace" && !s.rest || s.Parse.Count+s.Exec.Count+s.Fetch.Count == 0 {
			continue
		}
		p.f("%s\n\n", rule)
		if s.SQLID != nil && !s.Inferred {
			p.f("SQL ID: %s Plan Hash: %d\n\n", *s.SQLID, first(s.PlanHashes))
		}
		if s.rest {
			p.f("%s\n\n", firstWords(s))
		} else {
			p.f("%s\n\n", cleanLines(deref(s.Text)))
		}
		p.tkTable(CallSet{s.Parse, s.Exec, s.Fetch})
		p.f("\nMisses in library cache during parse: %d\n", s.Parse.Misses)
		if s.Exec.Misses > 0 {
			p.f("Misses in library cache during execute: %d\n", s.Exec.Misses)
		}
		if s.OptimizerMode != nil {
			p.f("Optimizer mode: %s\n", *s.OptimizerMode)
		}
		if s.User != nil {
			p.f("Parsing user id: %d", *s.User)
		}
		if s.Depth > 0 {
			p.f("     (recursive depth: %d)", s.Depth)
		}
		p.f("\n")
		if n := planCount(s.Plans); n > 0 {
			p.f("Number of plan statistics captured: %d\n", n)
		}
		for _, pl := range s.Plans {
			p.f("\nRows (1st) Rows (avg) Rows (max)  Row Source Operation\n---------- ---------- ----------  ---------------------------------------------------\n")
			for _, st := range pl.Steps {
				p.f("%10d %10d %10d  %s%s (cr=%d pr=%d pw=%d time=%d us%s)\n", st.FirstRows, st.Rows/max(1, pl.Count), st.MaxRows,
					strings.Repeat(" ", st.Level), clean(st.Operation), st.CR/max(1, pl.Count), st.PR/max(1, pl.Count), st.PW/max(1, pl.Count), st.TimeUS/max(1, pl.Count), st.estimates())
			}
		}
		p.tkWaits(s.Waits)
		p.f("\n")
	}
	p.tkRefused(refused, rule, math.MaxInt64)
	p.f("%s\n\nOVERALL TOTALS FOR ALL NON-RECURSIVE STATEMENTS\n\n", rule)
	p.tkOverall(m.Totals.NonRecursive, func(s *Statement) bool { return s.Depth == 0 })
	p.f("\n\nOVERALL TOTALS FOR ALL RECURSIVE STATEMENTS\n\n")
	p.tkOverall(m.Totals.Recursive, func(s *Statement) bool { return s.Depth > 0 })
	p.f("\n")
	if u := m.Totals.UnknownCursors; sum(u.Parse, u.Exec, u.Fetch).Count > 0 {
		p.f("\n%s\nNOT COUNTED ABOVE, as tkprof does not: calls on cursors whose SQL text is not in\nthe trace\n\n", rule)
		p.tkTable(u)
	}
	p.tkTrailer()
	return p.end()
}

// tkOverall prints totals with the waits of the statements they are of.
func (p *printer) tkOverall(c CallSet, of func(*Statement) bool) {
	p.tkTable(c)
	p.f("\nMisses in library cache during parse: %d\n", c.Parse.Misses)
	if c.Exec.Misses > 0 {
		p.f("Misses in library cache during execute: %d\n", c.Exec.Misses)
	}
	var list []Statement
	for _, s := range p.m.Statements {
		if s.TextSource == "trace" && of(&s) {
			list = append(list, s)
		}
	}
	p.tkWaits(statementWaits(list))
}

// planCount is how many executions told their plan.
func planCount(plans []Plan) int64 {
	var n int64
	for i := range plans {
		n += plans[i].Count
	}
	return n
}

// estimates are the optimizer's figures of a row source, as tkprof shows them.
func (s *PlanStep) estimates() string {
	if s.Cost == 0 && s.Size == 0 && s.Est == 0 {
		return ""
	}
	return fmt.Sprintf(" cost=%d size=%d card=%d", s.Cost, s.Size, s.Est)
}

// tkTrailer prints the counts of the trace, as at tkprof's end: user statements
// ran at depth 0, internal ones below.
func (p *printer) tkTrailer() {
	m := p.m
	var user, internal, lines int64
	for i := range m.Statements {
		s := &m.Statements[i]
		switch {
		case s.TextSource != "trace" || s.Parse.Count+s.Exec.Count+s.Fetch.Count == 0:
		case s.Depth == 0:
			user++
		default:
			internal++
		}
	}
	for _, f := range m.Files {
		lines += f.Lines
	}
	p.f("%s\n", strings.Repeat("*", 80))
	for _, f := range m.Files {
		p.f("Trace file: %s\n", clean(f.Path))
	}
	p.f("Sort options: %s\n\n", m.Sort)
	for _, c := range []struct {
		n    int64
		what string
	}{
		{int64(len(m.Sessions)), "session in tracefile."},
		{user, "user  SQL statements in trace file."},
		{internal, "internal SQL statements in trace file."},
		{user + internal, "SQL statements in trace file."},
		{user + internal, "unique SQL statements in trace file."},
		{lines, "lines in trace file."},
		{m.Time.ElapsedUS / 1e6, "elapsed seconds in trace file."},
	} {
		p.f("%8d  %s\n", c.n, c.what)
	}
}

func first(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	return list[0]
}

// cleanLines cleans a text of several lines.
func cleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// hundredths cuts a time to two decimals, as tkprof does (facts/trace-format.md
// 15).
func hundredths(us int64) string {
	sign := ""
	if us < 0 {
		sign, us = "-", -us
	}
	return fmt.Sprintf("%s%d.%02d", sign, us/1e6, us/1e4%100)
}

func (p *printer) tkTable(c CallSet) {
	p.f("call     count       cpu    elapsed       disk      query    current        rows\n")
	line := "------- ------  -------- ---------- ---------- ---------- ----------  ----------\n"
	p.f("%s", line)
	row := func(name string, v Calls) {
		p.f("%-7s %6d  %8s %10s %10d %10d %10d  %10d\n", name, v.Count, hundredths(v.CPUUS), hundredths(v.ElapsedUS), v.Disk, v.Query, v.Current, v.Rows)
	}
	row("Parse", c.Parse)
	row("Execute", c.Exec)
	row("Fetch", c.Fetch)
	p.f("%s", line)
	row("total", sum(c.Parse, c.Exec, c.Fetch))
}

func (p *printer) tkWaits(waits []Wait) {
	if len(waits) == 0 {
		return
	}
	p.f("\nElapsed times include waiting on following events:\n  Event waited on                             Times   Max. Wait  Total Waited\n" +
		"  ----------------------------------------   Waited  ----------  ------------\n")
	for _, w := range waits {
		p.f("  %-41s %7d %11s %13s\n", cut(w.Event, 41), w.Count, hundredths(w.MaxUS), hundredths(w.TotalUS))
	}
}
