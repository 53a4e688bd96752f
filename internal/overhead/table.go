package overhead

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"ringtrace/internal/quantity"
)

// WriteTable prints the classic table: each execution, average and overhead of
// the averages, then median, estimate and interval, database CPU, lines, MB and
// µs a line; below it the verdicts. A simulated instance is named in every line.
func (t *Test) WriteTable(w io.Writer) error {
	var b strings.Builder
	clock := ""
	if t.ClockNS != nil {
		clock = fmt.Sprintf(", clock %.0f ns", *t.ClockNS)
	}
	k := ""
	if t.K > 1 {
		k = fmt.Sprintf(" (K=%d)", t.K)
	}
	fmt.Fprintf(&b, "Test: %s%s   %s, %s, seed %d%s, elapsed in seconds\n", t.Name, k, t.Origin, quantity.Count(t.Rounds, "round"), t.Seed, clock)
	width := 6
	for _, f := range t.States {
		for i := range f.Elapsed {
			width = max(width, len(f.cell(i))+1)
		}
	}
	perRow := false
	for _, f := range t.States {
		perRow = perRow || f.NSPerRow != nil
	}
	fmt.Fprintf(&b, "%-15s", "State")
	for i := range t.columns() {
		fmt.Fprintf(&b, "%*s", width+1, "#"+strconv.Itoa(i+1)+" ")
	}
	fmt.Fprintf(&b, "%9s%8s%9s%9s  %-22s%-26s%10s%8s%9s", "Average", "% ovh", "Median", "% (HL)", "[interval]", "DB CPU % [interval]", "lines", "MB", "us/line")
	if perRow {
		fmt.Fprintf(&b, "%10s  %s", "ns/row", "[interval]")
	}
	b.WriteString("\n")
	for i := range t.States {
		b.WriteString(t.States[i].row(t.columns(), width, perRow))
	}
	for _, f := range t.States {
		if f.State != Off {
			fmt.Fprintf(&b, "%s: %s\n", f.State.Title(), f.Verdict)
		}
	}
	for _, warning := range t.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	if !t.Complete {
		fmt.Fprintf(&b, "warning: it ended before its last round; the figures are of the %s and what the broken one has\n", quantity.Count(t.Rounds, "complete round"))
	}
	text := b.String()
	if t.Simulate {
		var out strings.Builder
		for line := range strings.Lines(text) {
			out.WriteString("simulated | " + line)
		}
		text = out.String()
	}
	_, err := io.WriteString(w, text)
	return err
}

func (t *Test) columns() (n int) {
	for _, f := range t.States {
		n = max(n, len(f.Elapsed))
	}
	return n
}

// cell is an execution, with its mark if it is far off.
func (f *Figure) cell(i int) string {
	mark := " "
	for _, o := range f.Outliers {
		if o == i {
			mark = "*"
		}
	}
	return seconds(f.Elapsed[i]) + mark
}

// seconds keeps three digits that mean something.
func seconds(v float64) string {
	if v != 0 && v < 0.1 {
		return strconv.FormatFloat(v, 'f', 5, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func (f *Figure) row(columns, width int, perRow bool) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%-15s", f.State.Title())
	for i := range columns {
		cell := ""
		if i < len(f.Elapsed) {
			cell = f.cell(i)
		}
		fmt.Fprintf(b, "%*s", width+1, cell)
	}
	precision := 2
	if f.Average != nil && *f.Average < 0.1 {
		precision = 5
	}
	fmt.Fprintf(b, "%9s%8s%9s%9s  %-22s", number(f.Average, precision), number(f.OverheadPct, 2), number(f.Median, precision), number(f.OverheadHLPct, 1), f.interval())
	cpu := "-"
	if f.CPUPct != nil {
		cpu = fmt.Sprintf("%.1f [%.1f, %.1f]", *f.CPUPct, f.CPUCI[0], f.CPUCI[1])
	}
	lines, mb := "-", "-"
	if f.Lines != nil {
		lines, mb = strconv.FormatInt(*f.Lines, 10), strconv.FormatFloat(float64(*f.Bytes)/1e6, 'f', 1, 64)
	}
	fmt.Fprintf(b, "%-26s%10s%8s%9s", cpu, lines, mb, number(f.USPerLine, 1))
	if perRow {
		row := ""
		if f.NSPerRowCI != nil {
			row = fmt.Sprintf("[%.1f, %.1f]", f.NSPerRowCI[0], f.NSPerRowCI[1])
		}
		fmt.Fprintf(b, "%10s  %s", number(f.NSPerRow, 1), row)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

func (f *Figure) interval() string {
	if f.CI == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%% [%.1f, %.1f]", 100**f.Confidence, f.CI[0], f.CI[1])
}

func number(v *float64, digits int) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'f', digits, 64)
}
