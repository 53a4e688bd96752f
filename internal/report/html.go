package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
)

//go:embed page.html
var pageText string

// WriteHTML writes the report as one self-contained page: no network, inline
// SVG, light and dark, and readable without scripts. Everything from the
// database goes through html/template's escaping.
func (m *Model) WriteHTML(w io.Writer) error {
	t, err := template.New("page").Funcs(htmlFuncs()).Parse(pageText)
	if err != nil {
		return fmt.Errorf("parse page: %w", err)
	}
	if err := t.Execute(w, newView(m)); err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

// view is a model with the geometry of its drawings.
type view struct {
	M     *Model
	Title string
	Shown []Statement
	More  int
	Chart *chartView
	Flame *flameView
}

func newView(m *Model) *view {
	v := &view{M: m, Title: "No error in this trace", Shown: m.Statements[:min(m.Top, len(m.Statements))]}
	if d := m.Verdict; d != nil {
		v.Title = fmt.Sprintf("ORA-%05d", d.ORA)
		if d.Message != nil {
			v.Title += ": " + *d.Message
		} else if d.Meaning != nil {
			v.Title += " (" + *d.Meaning + ")"
		}
		// The failing statement has its card, whatever its rank.
		if d.Statement > len(v.Shown) {
			for _, s := range m.Statements {
				if s.Number == d.Statement {
					v.Shown = append(slices.Clone(v.Shown), s)
				}
			}
		}
	}
	v.More = len(m.Statements) - len(v.Shown)
	v.Chart, v.Flame = drawChart(m.Chart), drawFlame(m.Flame)
	return v
}

type callView struct {
	Name string
	C    Calls
}

func htmlFuncs() template.FuncMap {
	return template.FuncMap{
		"sec": sec, "span": span, "place": place, "words": func(s Statement) string { return firstWords(&s) },
		"inc":   func(n int) int { return n + 1 },
		"add":   func(a, b int64) int64 { return a + b },
		"binds": bindList,
		"total": func(s Statement) Calls { return sum(s.Parse, s.Exec, s.Fetch) },
		"call":  func(name string, c Calls) callView { return callView{name, c} },
		"bar":   func(p float64) string { return fmt.Sprintf("%.1f", min(100, max(p, -p))) },
		"share": func(a, b int64) string { return fmt.Sprintf("%.1f", float64(a)*100/float64(max(1, b))) },
		"offset": func(s *float64) string {
			if s == nil {
				return ""
			}
			return fmt.Sprintf("%.6f", *s)
		},
		"indent":   func(d int64) string { return strings.Repeat("\u2003", int(min(max(d, 0), 12))) },
		"indent64": func(d int) string { return strings.Repeat("\u00a0\u00a0", min(max(d, 0), 30)) },
		"differs":  func(x Execution, p int) bool { return slices.Contains(x.Differs, p) },
	}
}
