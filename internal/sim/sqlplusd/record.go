package sqlplusd

import "strings"

// record prints the cells of a row. Columns that do not fit into LINESIZE go
// on below; text wider than its column is wrapped inside it, and then, with
// RECSEP WRAPPED, an empty line follows.
func (in *Interp) record(cells []string, widths []int, sep string) {
	limit := in.set.number("LINESIZE")
	wrapped := false
	for from := 0; from < len(cells); {
		to, used := from+1, widths[from]
		for to < len(cells) && (limit <= 0 || used+len(sep)+widths[to] <= limit) {
			used += len(sep) + widths[to]
			to++
		}
		wrapped = in.columnsSideBySide(cells[from:to], widths[from:to], sep) || wrapped
		from = to
	}
	if wrapped && strings.EqualFold(in.set.text("RECSEP"), "WRAPPED") {
		in.out.println("")
	}
}

// columnsSideBySide prints columns that fit beside each other and reports
// whether one took more than a line.
func (in *Interp) columnsSideBySide(cells []string, widths []int, sep string) bool {
	pieces := make([][]string, len(cells))
	height := 1
	for i, c := range cells {
		pieces[i] = in.pieces(c, widths[i])
		height = max(height, len(pieces[i]))
	}
	for n := range height {
		line := ""
		for i, p := range pieces {
			s := ""
			if n < len(p) {
				s = p[n]
			}
			if i > 0 {
				line += sep
			}
			line += s + strings.Repeat(" ", max(0, widths[i]-len([]rune(s))))
		}
		in.out.println(strings.TrimRight(line, " "))
	}
	return height > 1
}

// pieces cuts text at its line breaks and at the width; SET WRAP OFF drops
// what is too wide.
func (in *Interp) pieces(text string, width int) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		r := []rune(l)
		for in.set.on("WRAP") && len(r) > width {
			out = append(out, string(r[:width]))
			r = r[width:]
		}
		out = append(out, string(r[:min(len(r), width)]))
	}
	return out
}
