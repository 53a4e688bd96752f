package sqlplusd

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ringtrace/internal/sim/engine"
)

// cell formats one value as text, without padding.
func (in *Interp) cell(c engine.Column, v any) string {
	switch x := v.(type) {
	case nil:
		return in.set.text("NULL")
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		s := strconv.FormatFloat(x, 'g', 10, 64)
		if f := strconv.FormatFloat(x, 'f', -1, 64); len(f) <= 40 {
			s = f
		}
		if strings.HasPrefix(s, "0.") {
			s = s[1:]
		}
		return strings.Replace(s, "-0.", "-.", 1)
	case []byte:
		return fmt.Sprintf("%X", x)
	case time.Time:
		if c.Kind == engine.Timestamp {
			return strings.ToUpper(x.Format("02-Jan-06 03.04.05.000000 PM +00:00"))
		}
		return in.conn.sql.FormatDate(x)
	}
	return fmt.Sprint(v)
}

// width is how wide a column is printed: text never wider than LINESIZE.
func (in *Interp) width(c engine.Column, f *columnFormat) int {
	w := in.fullWidth(c, f)
	if limit := in.set.number("LINESIZE"); limit > 0 && c.Kind != engine.Number {
		w = min(w, limit)
	}
	return w
}

func (in *Interp) fullWidth(c engine.Column, f *columnFormat) int {
	head := len(heading(c, f))
	switch {
	case f != nil && f.width > 0:
		return f.width
	case f != nil && f.mask != "":
		return len(f.mask) + 1
	case c.Kind == engine.Number:
		return max(in.set.number("NUMWIDTH"), head)
	case c.Kind == engine.Date:
		return max(9, head, len(in.conn.sql.FormatDate(time.Unix(0, 0))))
	case c.Kind == engine.Timestamp:
		return max(35, head)
	case c.Kind == engine.Raw:
		return max(2*c.Size, head)
	case c.Kind == engine.Clob:
		return max(in.set.number("LONG"), head)
	}
	return max(c.Size, head, 1)
}

func heading(c engine.Column, f *columnFormat) string {
	if f != nil && f.heading != "" {
		return f.heading
	}
	return c.Name
}

// print prints a result set as SQL*Plus lays it out.
func (in *Interp) print(r *engine.Result, count bool) {
	sep := in.set.text("COLSEP")
	if sep == "" {
		sep = " "
	}
	var shown []int
	var widths []int
	formats := make([]*columnFormat, len(r.Columns))
	for i, c := range r.Columns {
		f := in.columns[strings.ToUpper(c.Name)]
		if f != nil && f.off {
			f = nil
		}
		if f != nil && f.hidden {
			continue
		}
		formats[i] = f
		shown = append(shown, i)
		widths = append(widths, in.width(c, f))
	}
	if len(r.Rows) == 0 {
		if count && in.feedbackOn() {
			in.out.println("")
			in.out.println("no rows selected")
			in.out.println("")
		}
		return
	}
	if m := in.csv(); m != nil {
		m.rows(in, r, shown, formats)
	} else {
		in.table(r, shown, widths, formats, sep)
	}
	if !count {
		return
	}
	if in.set.number("PAGESIZE") > 0 || in.set.number("FEEDBACK") > 0 {
		in.out.println("")
	}
	if f := in.set.number("FEEDBACK"); f > 0 && len(r.Rows) >= f {
		s := "s"
		if len(r.Rows) == 1 {
			s = ""
		}
		in.out.println(fmt.Sprintf("%d row%s selected.", len(r.Rows), s))
		in.out.println("")
	}
}

// table prints the rows in columns, with a heading on each page.
func (in *Interp) table(r *engine.Result, shown, widths []int, formats []*columnFormat, sep string) {
	page := in.set.number("PAGESIZE")
	for n, row := range r.Rows {
		if page > 0 && (n == 0 || in.set.on("HEADING") && page > 3 && n%(page-3) == 0) {
			in.head(r, shown, widths, formats, sep)
		}
		cells := make([]string, len(shown))
		for k, i := range shown {
			cells[k] = in.cell(r.Columns[i], row[i])
			if r.Columns[i].Kind == engine.Number {
				cells[k] = number(cells[k], widths[k])
			}
		}
		in.record(cells, widths, sep)
	}
}

func (in *Interp) head(r *engine.Result, shown, widths []int, formats []*columnFormat, sep string) {
	if n := in.set.text("NEWPAGE"); !strings.EqualFold(n, "none") {
		for range atoi(n, 1) {
			in.out.println("")
		}
	}
	if !in.set.on("HEADING") {
		return
	}
	names, lines := make([]string, len(shown)), make([]string, len(shown))
	for k, i := range shown {
		c := r.Columns[i]
		h := heading(c, formats[i])
		if c.Kind == engine.Number {
			names[k] = fmt.Sprintf("%*.*s", widths[k], widths[k], h)
		} else {
			names[k] = fmt.Sprintf("%-*.*s", widths[k], widths[k], h)
		}
		lines[k] = strings.Repeat("-", widths[k])
	}
	in.record(names, widths, sep)
	in.record(lines, widths, sep)
}

// number puts a number at the right; one that does not fit is hashes.
func number(s string, width int) string {
	if len(s) > width {
		return strings.Repeat("#", width)
	}
	return fmt.Sprintf("%*s", width, s)
}
