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
			v.Took = &Took{r.ElapsedUS, r.CPUUS, str(r.LongestWait), r.LongestUS}
		case r.File == v.File && r.Line > v.Line: // it stands behind the error
		default:
			v.Before = append([]Row{*r}, v.Before...)
		}
	}
}

// Brief tells a row of the story in one line of n characters, without its times.
// The statement makes room for what it waited for and for its error, and these
// come before its values, of which there may be many.
func (r *Row) Brief(n int) string {
	head, tail := "", ""
	if r.Fold > 1 {
		head = fmt.Sprintf("x %d  ", r.Fold)
	}
	if r.Kind == "gap" || r.Kind == "wait" {
		return head + oneLine(r.What, n) + " " + span(r.ElapsedUS)
	}
	if r.ORA != 0 && r.Kind != "error" {
		tail += "  " + oraName(r.ORA)
	}
	if r.LongestUS >= 1000 {
		tail += fmt.Sprintf("  waited %s: %s", span(r.LongestUS), r.LongestWait)
	}
	if b := bindList(r.Binds); b != "" {
		tail += "  " + b
	}
	const least = 28 // of the statement
	room := n - len([]rune(head+tail))
	return cut(head+oneLine(r.What, max(room, least))+tail, n)
}
