package estimate

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"ringtrace/internal/quantity"
)

// size writes bytes for a person.
func size(b float64) string { return quantity.Bytes(int64(math.Round(b))) }

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

// cpuText writes a share of a CPU with as many digits as mean something.
func cpuText(r Range) string {
	digits := func(v float64) string {
		switch {
		case v < 0.01:
			return "0.01"
		case v < 10:
			return strconv.FormatFloat(v, 'g', 2, 64)
		}
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	switch {
	case r.High < 0.01:
		return "less than 0.01 % of a CPU"
	case r.Low < 0.01:
		return "up to " + digits(r.High) + " % of a CPU"
	}
	return digits(r.Low) + " to " + digits(r.High) + " % of a CPU"
}

// maxRows bounds the sessions that are printed one by one.
const maxRows = 40

// WriteText prints the estimate: the busiest sessions first, a chart of the
// history that rings hold, then record types, totals and advice. clean makes
// database text harmless for a terminal.
func (r *Result) WriteText(w io.Writer, clean func(string) string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s over %s, %s; ring of %s\n\n", count(len(r.Sessions), "session"), count(r.Windows, "window"), span(r.WindowS), size(float64(r.Ring)))
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
	fmt.Fprintf(&b, "\nRings:      %s of memory for %s\nUnbuffered: %s an hour\nCPU:        %.2f to %.2f %% of one CPU, at %.1f to %.1f µs a line (%s)\n",
		size(float64(t.RingMemory)), count(len(r.Sessions), "session"), size(float64(t.UnbufferedPerHour)), t.Overhead.Low, t.Overhead.High, r.Cost.LowUS, r.Cost.HighUS, r.Cost.Source)
	if r.Gone > 0 {
		fmt.Fprintf(&b, "%s ended meanwhile, not counted\n", count(r.Gone, "session"))
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

// longest is how far a rate is believed, in seconds: a ring that would last years
// is that of a session that did next to nothing so far.
const longest = 86400

// heldWords says how long rings hold: most of them, and the busiest session's.
func heldWords(median, busiest float64) string {
	switch {
	case busiest > longest:
		return "more than a day (idle)"
	case median > longest:
		return fmt.Sprintf("more than a day (idle; the busiest session about %s)", span(busiest))
	}
	return fmt.Sprintf("about %s (the busiest session %s)", span(median), span(busiest))
}

func held(h *float64) string {
	switch {
	case h == nil:
		return "-"
	case *h > longest:
		return "> 1 day"
	}
	return span(*h)
}

// chart draws for how many sessions the ring holds how long, at their busiest.
func (r *Result) chart(b *strings.Builder) {
	list := r.bars()
	if len(list) == 0 {
		return
	}
	b.WriteString("\nThe ring holds, at the busiest:\n")
	top := most(list)
	for _, x := range list {
		fmt.Fprintf(b, "  %-16s %5d %s\n", x.Label, x.N, strings.Repeat("#", max(1, x.N*40/top)))
	}
}

// records prints the record types of all sessions together.
func (r *Result) records(b *strings.Builder) {
	list, total := r.byKind()
	if total == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-18s %11s %12s %6s\n", "record", "per second", "bytes/s", "%")
	for _, x := range list {
		fmt.Fprintf(b, "%-18s %11.1f %12s %6.1f\n", x.Kind, x.PerS, size(x.BytesPerS), 100*x.BytesPerS/total)
	}
}
