package sqlplusd

import (
	"strings"

	"ringtrace/internal/sim/engine"
)

// csvRank is the release from which SQL*Plus writes CSV (facts/views-and-sqlplus.md 3.3:
// 12.2).
const csvRank = 3

// csvMarkup is what SET MARKUP CSV ON [DELIMITER c] [QUOTE ON|OFF] asks for.
// That columns which are no numbers are quoted, NULL is empty, and one heading
// stands on top, is assumed (docs/simulator.md).
type csvMarkup struct {
	delimiter string
	quote     bool
}

// csv returns nil unless CSV is on.
func (in *Interp) csv() *csvMarkup {
	f := strings.Fields(in.set.text("MARKUP"))
	if len(f) < 2 || !strings.EqualFold(f[0], "csv") || !strings.EqualFold(f[1], "on") || in.c.DB.Release.Rank < csvRank {
		return nil
	}
	m := &csvMarkup{delimiter: ",", quote: true}
	for i := 2; i+1 < len(f); i += 2 {
		switch word := strings.ToUpper(f[i]); {
		case len(word) >= 5 && strings.HasPrefix("DELIMITER", word):
			m.delimiter = f[i+1]
		case word == "QUOTE":
			m.quote = !strings.EqualFold(f[i+1], "off")
		}
	}
	return m
}

func (m *csvMarkup) text(s string) string {
	if !m.quote {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// rows prints a result set as CSV.
func (m *csvMarkup) rows(in *Interp, r *engine.Result, shown []int, formats []*columnFormat) {
	cells := make([]string, len(shown))
	in.out.println("")
	if in.set.on("HEADING") && in.set.number("PAGESIZE") > 0 {
		for k, i := range shown {
			cells[k] = m.text(heading(r.Columns[i], formats[i]))
		}
		in.out.println(strings.Join(cells, m.delimiter))
	}
	for _, row := range r.Rows {
		for k, i := range shown {
			cells[k] = in.cell(r.Columns[i], row[i])
			if row[i] != nil && r.Columns[i].Kind != engine.Number {
				cells[k] = m.text(cells[k])
			}
		}
		in.out.println(strings.Join(cells, m.delimiter))
	}
}
