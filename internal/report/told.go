package report

import (
	"fmt"
	"slices"
	"strings"
)

// recentRows is how much of the story text and page show before the error without
// being asked for more: what led to an error is mostly in its last rows, and the
// rest of the report should not lie ten screens below.
const recentRows = 40

// told returns the rows of the story as people read them: commands of ORADEBUG
// that follow each other are one row, and an error is not told again behind the
// execution that met it. JSON keeps them all. earlier is how many of the rows
// come before the recent ones.
func (m *Model) told() (rows []Row, earlier int) {
	failing := -1
	for i := range m.Timeline {
		r := m.Timeline[i]
		if n := len(rows); n > 0 {
			last := &rows[n-1]
			if last.Kind == "oradebug" && r.Kind == "oradebug" && last.Session == r.Session {
				last.Fold += r.Fold
				last.LastLine = max(last.LastLine, r.Line)
				continue
			}
			if r.Kind == "error" && !r.Failing && last.Kind == "execution" && last.ORA == r.ORA && last.Statement == r.Statement && last.Session == r.Session && r.ORA != 0 {
				if bare := oraName(r.ORA); r.What == bare || r.What == "" {
					continue
				}
			}
		}
		if r.Failing {
			failing = len(rows)
		}
		rows = append(rows, r)
	}
	if m.tailAsked {
		return rows, 0
	}
	end := len(rows)
	if failing >= 0 {
		end = failing + 1
	}
	return rows, max(0, end-recentRows)
}

// ownRows is how many rows of the failing session are shown at least, where other
// sessions' would push them out of the recent ones.
const ownRows = 20

// ownBefore returns which of the earlier rows are shown all the same: the failing
// session's last ones, unless the recent rows hold enough of it.
func (m *Model) ownBefore(rows []Row, earlier int) []int {
	if m.Verdict == nil {
		return nil
	}
	var own []int
	last := len(rows) - 1
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Failing }); i >= 0 {
		last = i
	}
	for i := last; i >= 0 && len(own) < ownRows; i-- {
		if r := &rows[i]; r.Session == m.Verdict.Session && r.Kind != "oradebug" {
			own = append(own, i)
		}
	}
	slices.Reverse(own)
	n, _ := slices.BinarySearch(own, earlier)
	return own[:n]
}

// commands says what a row of ORADEBUG commands holds.
func (r *Row) commands() string { return r.commandsIn(100) }

// commandsIn says it in n columns: the command is cut, not the last line's number.
func (r *Row) commandsIn(n int) string {
	if r.Fold < 2 {
		return r.What
	}
	to := fmt.Sprintf("… %d commands to L%d", r.Fold, r.LastLine)
	what := oneLine(r.What, max(2, min(40, n-len([]rune(to))-1)))
	return strings.TrimRight(strings.TrimSuffix(what, "…"), " ") + " " + to
}

// Unshown says how many rows of the story the model leaves out, and where.
func (m *Model) Unshown() string { return m.unshown(0) }

// unshown says it with so many earlier rows more.
func (m *Model) unshown(earlier int64) string {
	var w []string
	if n := m.Omitted["timeline_rows"] - m.rowsBehind + earlier; n > 0 {
		w = append(w, count(n, "row")+" before")
	}
	if m.rowsBehind > 0 {
		w = append(w, count(m.rowsBehind, "row")+" after")
	}
	return strings.Join(w, " and ")
}

// count puts a number before a noun: 1 file, 2 files.
func count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// oraName is the name of an error. A negative number, which a damaged line can
// hold, is no error of Oracle and is shown as it is; 0 is one that is not known.
func oraName[N int | int64](n N) string {
	switch {
	case n < 0:
		return fmt.Sprintf("error %d", n)
	case n == 0:
		return "ORA-?????"
	}
	return fmt.Sprintf("ORA-%05d", n)
}

// bindName is a bind variable by its position, as SQL has it. A damaged trace
// can hold a negative one, which is shown as it is there.
func bindName(position int) string {
	if position < 0 {
		return fmt.Sprintf("Bind#%d", position)
	}
	return fmt.Sprintf(":%d", position+1)
}

// DamagedErrors says where ERROR lines are that could not be read, so that a trace
// that was cut at its error is not taken for one without.
func (m *Model) DamagedErrors() string {
	for _, p := range m.Problems {
		if p.Kind == "damaged" && (strings.HasPrefix(p.Message, "error:") || strings.HasPrefix(p.Message, "parse error:")) {
			return "But an ERROR line is damaged: " + place(p.File, p.Line)
		}
	}
	return ""
}
