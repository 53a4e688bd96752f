package report

import "fmt"

// ledTo is how many of the last rows before the error the verdict shows.
const ledTo = 3

// before fills in what the failing session did last, so that the first screen
// tells what led to the error; the story below has the rest.
func (b *builder) before() {
	v := b.m.Verdict
	if v == nil {
		return
	}
	rows := b.m.Timeline
	for i := range rows {
		if rows[i].Failing {
			rows = rows[:i]
			break
		}
	}
	failing := true // the failing execution itself is told by the verdict
	for i := len(rows) - 1; i >= 0 && len(v.Before) < ledTo; i-- {
		r := &rows[i]
		switch {
		case r.Session != v.Session || r.Depth > 0 || r.Kind == "oradebug" || r.Kind == "error":
		case failing && r.Kind == "execution" && r.ORA == v.ORA && r.ORA != 0 && r.Fold == 1:
			failing = false
			n := r.Rows
			v.RowsSoFar = &n
		case r.File == v.File && r.Line > v.Line: // it stands behind the error
		default:
			v.Before = append([]Row{*r}, v.Before...)
		}
	}
}

// Brief tells a row of the story in one line, without its times; of the statement
// the first n characters, so that values and waits are not cut off.
func (r *Row) Brief(n int) string {
	s := oneLine(r.What, n)
	if r.Fold > 1 {
		s = fmt.Sprintf("x %d  %s", r.Fold, s)
	}
	if r.Kind == "gap" || r.Kind == "wait" {
		return s + " " + span(r.ElapsedUS)
	}
	if b := bindList(r.Binds); b != "" {
		s += "  " + b
	}
	if r.LongestUS >= 1000 {
		s += fmt.Sprintf("  (waited %s for %s)", span(r.LongestUS), r.LongestWait)
	}
	if r.ORA != 0 && r.Kind != "error" {
		s += "  " + oraName(r.ORA)
	}
	return s
}
