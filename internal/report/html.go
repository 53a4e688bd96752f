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

// pageStyle is the style of every page: light, dark, phone and paper.
//
//go:embed page.css
var pageStyle string

// WriteHTML writes the report as one self-contained page: no network, inline
// SVG, light and dark, and readable without scripts. Everything from the
// database goes through html/template's escaping.
func (m *Model) WriteHTML(w io.Writer) error {
	sessions, files := m.sessionCount(), m.fileCount()
	m, left := m.forPage()
	v := newView(m)
	v.Left, v.Sessions, v.Files = left, sessions, files
	t, err := template.New("page").Funcs(htmlFuncs()).Funcs(template.FuncMap{"aliases": func(n int) []int { return v.aliases[n] }}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("parse page: %w", err)
	}
	return writePage(t, w, v)
}

// writePage executes a page's template.
func writePage(t *template.Template, w io.Writer, data any) error {
	p := &plainWriter{w: w, page: true}
	err := t.Execute(p, data)
	if err == nil {
		err = p.Flush()
	}
	if err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

// view is a model with the geometry of its drawings.
type view struct {
	M         *Model
	Style     template.CSS
	Title     string
	Mood      string // class of the head: "ok" for no error, "none" for nothing to tell of
	Blank     bool   // nothing was read: no story, no times
	Shown     []Statement
	More      int
	Folded    bool      // there are rows of recursive SYS statements
	Earlier   []rowView // of the story, folded away
	Recent    []rowView // of the story, up to the error and what follows
	Many      bool      // sessions
	Sessions  int       // all of them
	Files     int
	Left      string        // what the page has not
	Elsewhere []int         // statements that links name and no card shows
	aliases   map[int][]int // by the number of the card that stands for them
	Chart     *chartView
	Flame     *flameView
}

func newView(m *Model) *view {
	v := &view{M: m, Style: template.CSS(pageStyle), Title: "No error in this trace", Shown: m.shown()}
	if m.Verdict == nil && m.DamagedErrors() == "" {
		v.Mood = "ok"
	}
	switch {
	case m.noTrace:
		v.Title, v.Mood, v.Blank = "No SQL trace in what was read", "none", true
	case m.Nothing:
		v.Title, v.Mood, v.Blank = "Nothing in these files is selected", "none", true
	case len(m.Selection) > 0:
		v.Title = "No error in what is selected"
	}
	if d := m.Verdict; d != nil {
		v.Title = d.Head()
		v.Shown = m.withFailing(v.Shown)
	}
	v.Folded = slices.ContainsFunc(v.Shown, Statement.SYS)
	v.More = max(0, len(m.merged())-len(v.Shown))
	v.story()
	v.anchors()
	v.Chart, v.Flame = drawChart(m.Chart), drawFlame(m.Flame)
	if v.Chart != nil {
		v.Chart.Of = m.chartOf()
	}
	return v
}

// rowView is a row of the story, with the session where there are several.
type rowView struct {
	Row
	Many bool
}

func (v *view) story() {
	v.Many = v.M.sessionCount() > 1
	rows, earlier := v.M.told()
	for i := range rows {
		r := rowView{rows[i], v.Many}
		if r.Kind == "oradebug" {
			r.What = "ORADEBUG " + rows[i].commands()
		}
		if i < earlier {
			v.Earlier = append(v.Earlier, r)
		} else {
			v.Recent = append(v.Recent, r)
		}
	}
}

type callView struct {
	Name string
	C    Calls
}

func htmlFuncs() template.FuncMap {
	return template.FuncMap{
		"sec": sec, "span": span, "some": func(n int, noun string) string { return count(n, noun) },
		"some64": func(n int64, noun string) string { return count(n, noun) }, "lower": strings.ToLower, "place": place, "words": func(s Statement) string { return failWords(&s) + likeWords(&s) },
		"short": short, "time": shownTime, "side": func(v *Verdict, i int) *DeadlockSide { return &v.Sides[i] }, "shortTime": shortTime,
		"ora": oraName[int64], "bind": bindName,
		"add":   func(a, b int64) int64 { return a + b },
		"base":  base,
		"binds": bindList, "long": long, "longText": func(s string) string { return long(&s) }, "words1": func(s *string) string { return oneLine(*s, 120) }, "think": thinkSpan,
		"total": func(s Statement) Calls { return sum(s.Parse, s.Exec, s.Fetch) },
		"below": func(s Statement) Calls { return sum(s.Inclusive.Parse, s.Inclusive.Exec, s.Inclusive.Fetch) },
		"average": func(s Statement) *Averages {
			if a, ok := s.Average(); ok {
				return &a
			}
			return nil
		},
		"apart": ApartWords, "sessionTimes": func() string { return sessionTimes },
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

// anchors makes every link lead somewhere: to the card of a statement, to that of
// the statements it is summed up with, or to the line that counts the rest.
func (v *view) anchors() {
	v.aliases = map[int][]int{}
	card, byGroup := map[int]bool{}, map[int]int{}
	for _, s := range v.Shown {
		if s.SYS() {
			continue
		}
		card[s.Number] = true
		if s.group != 0 {
			byGroup[s.group] = s.Number
		}
	}
	group := map[int]int{}
	for _, s := range v.M.Statements {
		group[s.Number] = s.group
	}
	below := map[int]int{}
	for i := len(v.M.Recursive) - 1; i >= 0 && v.M.foldsSYS(); i-- {
		for _, k := range v.M.Recursive[i].Numbers {
			below[k] = v.M.Recursive[i].Statement
		}
	}
	done := map[int]bool{}
	refer := func(n int) {
		if n == 0 || card[n] || done[n] {
			return
		}
		done[n] = true
		if k := byGroup[group[n]]; group[n] != 0 && k != 0 {
			v.aliases[k] = append(v.aliases[k], n)
			return
		}
		// What SYS ran is told of in the card of its caller.
		if k := below[n]; k != 0 && card[k] {
			v.aliases[k] = append(v.aliases[k], n)
			return
		}
		v.Elsewhere = append(v.Elsewhere, n)
	}
	for _, s := range v.Shown { // the rows of SYS link to their caller
		if s.SYS() {
			refer(s.Number)
		}
	}
	for _, r := range v.M.Timeline {
		refer(r.Statement)
	}
	for _, f := range v.M.Findings {
		refer(f.Statement)
	}
	for i := range v.M.Failures {
		refer(v.M.Failures[i].Statement)
	}
	var walk func(f *Flame)
	walk = func(f *Flame) {
		refer(f.Statement)
		for _, c := range f.Children {
			walk(c)
		}
	}
	if v.M.Flame != nil {
		walk(v.M.Flame)
	}
}
