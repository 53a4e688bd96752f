package estimate

import (
	"fmt"
	"io"
	"strings"
)

// size writes bytes for a person.
func size(b float64) string {
	switch {
	case b >= 1e9:
		return fmt.Sprintf("%.1f GB", b/1e9)
	case b >= 1e6:
		return fmt.Sprintf("%.1f MB", b/1e6)
	case b >= 1e4:
		return fmt.Sprintf("%.0f kB", b/1e3)
	}
	return fmt.Sprintf("%.0f B", b)
}

// span writes seconds for a person.
func span(s float64) string {
	switch {
	case s >= 2*86400:
		return fmt.Sprintf("%.1f days", s/86400)
	case s >= 2*3600:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 120:
		return fmt.Sprintf("%.0f min", s/60)
	case s >= 10:
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.1f s", s)
}

// maxRows bounds the sessions that are printed one by one.
const maxRows = 40

// WriteText prints the estimate: the busiest sessions first, a chart of the
// history that rings hold, then record types, totals and advice. clean makes
// database text harmless for a terminal.
func (r *Result) WriteText(w io.Writer, clean func(string) string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d sessions over %d windows, %s; ring of %d bytes\n\n", len(r.Sessions), r.Windows, span(r.WindowS), r.Ring)
	if len(r.Sessions) > 0 {
		fmt.Fprintf(&b, "%4s %7s %7s %-14s %9s %11s %11s %10s %10s  %s\n", "inst", "sid", "serial#", "user", "lines/s", "bytes/s", "busiest", "history", "busiest", "CPU %")
	}
	for i, s := range r.Sessions {
		if i == maxRows {
			fmt.Fprintf(&b, "… and %d quieter sessions (-o json has all)\n", len(r.Sessions)-i)
			break
		}
		fmt.Fprintf(&b, "%4d %7d %7d %-14s %9.1f %11s %11s %10s %10s  %.2f to %.2f\n", s.InstID, s.SID, s.Serial, clean(s.Username), s.LinesPerS,
			size(s.BytesPerS), size(s.BusiestBytes), held(s.History), held(s.HistoryBusiest), s.Overhead.Low, s.Overhead.High)
	}
	r.chart(&b)
	r.records(&b)
	t := r.Totals
	fmt.Fprintf(&b, "\nRings:      %s of memory for %d sessions\nUnbuffered: %s an hour\nCPU:        %.2f to %.2f %% of one CPU, at %.1f to %.1f µs a line (%s)\n",
		size(float64(t.RingMemory)), len(r.Sessions), size(float64(t.UnbufferedPerHour)), t.Overhead.Low, t.Overhead.High, r.Cost.LowUS, r.Cost.HighUS, r.Cost.Source)
	if r.Gone > 0 {
		fmt.Fprintf(&b, "%d sessions ended meanwhile and are not counted\n", r.Gone)
	}
	for _, x := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", clean(x))
	}
	for _, a := range r.Advice {
		fmt.Fprintf(&b, "advice: %s\n", a)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func held(h *float64) string {
	if h == nil {
		return "-"
	}
	return span(*h)
}

// historySteps are the classes of the chart, in seconds.
var historySteps = []float64{1, 10, 30, 60, 300, 1800, 3600}

// chart draws for how many sessions the ring holds how long, at their busiest.
func (r *Result) chart(b *strings.Builder) {
	if len(r.Sessions) == 0 {
		return
	}
	counts := make([]int, len(historySteps)+1)
	quiet, most := 0, 0
	for _, s := range r.Sessions {
		if s.HistoryBusiest == nil {
			quiet++
			continue
		}
		class := len(historySteps)
		for i, limit := range historySteps {
			if *s.HistoryBusiest < limit {
				class = i
				break
			}
		}
		counts[class]++
	}
	for _, n := range append(counts, quiet) {
		most = max(most, n)
	}
	b.WriteString("\nThe ring holds, at the busiest:\n")
	bar := func(label string, n int) {
		if n > 0 {
			fmt.Fprintf(b, "  %-16s %5d %s\n", label, n, strings.Repeat("#", max(1, n*40/most)))
		}
	}
	for i, n := range counts {
		if i == len(historySteps) {
			bar("longer", n)
			continue
		}
		bar("below "+span(historySteps[i]), n)
	}
	bar("nothing written", quiet)
}

// records prints the record types of all sessions together.
func (r *Result) records(b *strings.Builder) {
	var all [kinds]Record
	total := 0.0
	for _, s := range r.Sessions {
		for _, rec := range s.Records {
			for k := range kinds {
				if k.String() == rec.Kind {
					all[k].PerS += rec.PerS
					all[k].BytesPerS += rec.BytesPerS
					total += rec.BytesPerS
				}
			}
		}
	}
	if total == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-18s %11s %12s %6s\n", "record", "per second", "bytes/s", "%")
	for k := range kinds {
		if all[k].PerS > 0 {
			fmt.Fprintf(b, "%-18s %11.1f %12s %6.1f\n", k, all[k].PerS, size(all[k].BytesPerS), 100*all[k].BytesPerS/total)
		}
	}
}
