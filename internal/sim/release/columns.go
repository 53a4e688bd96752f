package release

import (
	_ "embed" // the data file
	"fmt"
	"strconv"
	"strings"
)

//go:embed columns.tsv
var columnsTSV string

// moreTSV holds views that facts/views.tsv does not list: general knowledge.
//
//go:embed columns_more.tsv
var moreTSV string

// Column is one column of a view.
type Column struct {
	Name string
	Type string // Oracle type, e.g. VARCHAR2(64), NUMBER, RAW(8), DATE
}

// View is a view with the columns that a release has, in order.
type View struct {
	Name    string
	Columns []Column
}

// Views returns every view that the release has. A GV$ view is its V$ view
// with INST_ID in front (facts/views-and-sqlplus.md 1).
func (r *Release) Views() ([]View, error) {
	var order []string
	byName := map[string]*View{}
	for _, data := range []string{columnsTSV, moreTSV} {
		for n, line := range strings.Split(strings.TrimSpace(data), "\n") {
			f := strings.Split(line, "\t")
			if n == 0 || len(f) != 4 {
				continue
			}
			rank, err := strconv.Atoi(f[3])
			if err != nil {
				return nil, fmt.Errorf("columns.tsv line %d: %w", n+1, err)
			}
			if rank > r.Rank {
				continue
			}
			v := byName[f[0]]
			if v == nil {
				v = &View{Name: f[0]}
				byName[f[0]] = v
				order = append(order, f[0])
			}
			v.Columns = append(v.Columns, Column{Name: f[1], Type: f[2]})
		}
	}
	out := make([]View, 0, len(order))
	for _, name := range order {
		v := *byName[name]
		if base, ok := strings.CutPrefix(name, "G"); ok && strings.HasPrefix(base, "V$") {
			b := byName[base]
			if b == nil {
				continue // the release has not got the V$ view either
			}
			v.Columns = append([]Column{}, v.Columns...)
			for _, c := range b.Columns {
				if c.Name != "INST_ID" {
					v.Columns = append(v.Columns, c)
				}
			}
		}
		out = append(out, v)
	}
	return out, nil
}
