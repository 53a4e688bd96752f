package report

import (
	"cmp"
	"fmt"
	"slices"
)

// resources makes the resource profile (facts/report-ideal.md 8): every
// microsecond of the sessions' elapsed time is in exactly one row, and the last
// row is their sum. Rows can be negative: CPU time comes from another clock.
func (b *builder) resources() {
	var r, e0, c0, within, between, idle int64
	var calls int64
	for _, s := range b.p.Sessions {
		r += s.Elapsed
		e0 += s.CallElapsed
		c0 += s.CallCPU
		within += s.WaitsWithin
		between += s.WaitsBetween
		idle += s.Idle
	}
	for _, t := range []CallSet{b.m.Totals.NonRecursive, b.m.Totals.Recursive, b.m.Totals.UnknownCursors} {
		calls += t.Parse.Count + t.Exec.Count + t.Fetch.Count
	}
	rows := []Component{}
	for _, w := range b.m.Waits {
		if w.ThinkUS > 0 {
			rows = append(rows, Component{
				Name: "think time (client, " + thinkSpan(b.p.ThinkThreshold) + " or more)", Class: "idle", TimeUS: w.ThinkUS,
				Count: w.Thinks, MeanUS: w.ThinkUS / max(1, w.Thinks), MaxUS: w.MaxUS, P95US: w.P95US,
			})
			w.WithinUS, w.BetweenUS = w.WithinUS+w.BetweenUS-w.ThinkUS, 0
			w.Count, w.TotalUS = w.Count-w.Thinks, w.TotalUS-w.ThinkUS
			w.MaxUS, w.P95US, w.P50US = 0, 0, 0
		}
		if w.WithinUS != 0 || w.BetweenUS != 0 {
			rows = append(rows, Component{
				Name: w.Event, Class: w.Class, TimeUS: w.WithinUS + w.BetweenUS, Count: w.Count, MeanUS: w.TotalUS / max(1, w.Count),
				P50US: w.P50US, P95US: w.P95US, MaxUS: w.MaxUS,
			})
		}
	}
	rows = append(rows,
		Component{Name: "unaccounted for within calls", Class: "unaccounted", TimeUS: e0 - c0 - within},
		Component{Name: unaccountedBetween, Class: "unaccounted", TimeUS: r - e0 - between - idle})
	slices.SortStableFunc(rows, func(x, y Component) int { return cmp.Compare(y.TimeUS, x.TimeUS) })
	cpu := Component{Name: "CPU", Class: "CPU", TimeUS: c0, Count: calls, MeanUS: c0 / max(1, calls)}
	rows = append([]Component{cpu}, rows...)
	total := Component{Name: "TOTAL", TimeUS: r, Total: true}
	for i := range rows {
		if r > 0 {
			rows[i].PercentR = float64(rows[i].TimeUS) * 100 / float64(r)
		}
	}
	if r > 0 {
		total.PercentR = 100
	}
	b.m.Profile = append(rows, total)
}

func (b *builder) coverage() {
	c := &b.m.Coverage
	for _, r := range b.p.Rings {
		c.RingBytes = max(c.RingBytes, r.Bytes)
		c.Wrapped += r.Wrapped
		c.SkippedBytes += r.Skipped
	}
	for _, f := range b.p.Files {
		c.Headless = c.Headless || f.Headless
		c.SkippedBytes += f.Skipped
		c.headless += f.Skipped
		c.UnknownLines += f.Unknown
		c.DamagedRecords += f.Damaged
	}
	c.CoveredUS = b.m.Time.ElapsedUS
	var all int64
	for i := range b.m.Statements {
		s := &b.m.Statements[i]
		c.Statements++
		all += s.ElapsedSelfUS
		if s.TextSource != "trace" && !s.rest {
			c.UnknownStatements++
			c.UnknownUS += s.ElapsedSelfUS
			if s.TextSource != "none" {
				c.Named++
			}
		}
	}
	if all > 0 {
		c.UnknownPercent = float64(c.UnknownUS) * 100 / float64(all)
	}
	c.DuplicateRecords = b.p.DuplicateRecords
}

// unaccountedBetween names a row of the profile.
const unaccountedBetween = "unaccounted for between calls"

// thinkSpan formats the think-time threshold shortly: 1 s, 0.005 s; 1 us is the
// least there is, which stands for none.
func thinkSpan(us int64) string {
	if us <= 1 {
		return "0 s"
	}
	return fmt.Sprintf("%g s", float64(us)/1e6)
}
