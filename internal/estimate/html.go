package estimate

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
)

//go:embed page.html
var pageText string

// maxHTMLRows bounds the table of sessions of the page.
const maxHTMLRows = 500

// page is an estimate with the geometry of its drawings.
type page struct {
	R        *Result
	Title    string
	Basis    string
	Bars     []barView
	Height   int // of the chart
	Kinds    []kindView
	Totals   [][2]string
	Sessions []Session
	More     int
	Tool     string
}

// barView is a bar of the chart; lengths are in the units of the view box.
type barView struct {
	bar
	Y, TextY, Width, NumberX int
}

type kindView struct {
	Record
	Percent float64
	X, W    float64
	Class   int // of the colour
}

// Geometry of the chart: labels stand left of barX, the longest bar ends at
// barX + barMax.
const (
	barX, barMax, barStep = 130, 520, 24
	stackWidth            = 700.0
)

// WriteHTML writes the estimate as one self-contained page: no network, no
// script, inline SVG, light and dark, on screen and on paper. Text of the
// database is escaped. tool names the program and its version.
func (r *Result) WriteHTML(w io.Writer, tool string) error {
	return r.execute(w, "page", &page{R: r, Title: "Estimate of SQL trace for " + count(len(r.Sessions), "session"), Tool: tool})
}

// Section returns the estimate as a part of another page: chart, totals and
// record types, without names of users. The page defines the colours --fg,
// --dim, --line and --c0 to --c9.
func (r *Result) Section() (template.HTML, error) {
	var b bytes.Buffer
	if err := r.execute(&b, "section", &page{R: r}); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil //nolint:gosec // html/template made it
}

func (r *Result) execute(w io.Writer, name string, p *page) error {
	t, err := template.New("estimate").Funcs(template.FuncMap{
		"size": size, "held": held, "f1": func(v float64) string { return fmt.Sprintf("%.1f", v) }, "f2": func(v float64) string { return fmt.Sprintf("%.2f", v) },
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("parse page: %w", err)
	}
	p.draw()
	if err := t.ExecuteTemplate(w, name, p); err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

func (p *page) draw() {
	r := p.R
	p.Basis = fmt.Sprintf("over %s, %s", count(r.Windows, "window"), span(r.WindowS))
	if r.Basis == SinceLogonBasis {
		p.Basis = "by the sessions' activity since logon; a busy hour exceeds it"
	}
	if !r.At.IsZero() {
		p.Basis += ", " + r.At.UTC().Format(time.RFC3339)
	}
	list := r.bars()
	for i, b := range list {
		width := max(2, b.N*barMax/most(list))
		p.Bars = append(p.Bars, barView{b, i * barStep, i*barStep + 14, width, barX + width + 6})
	}
	p.Height = len(list) * barStep
	records, total := r.byKind()
	x := 0.0
	for i, k := range records {
		w := k.BytesPerS / total * stackWidth
		p.Kinds = append(p.Kinds, kindView{k, 100 * k.BytesPerS / total, x, w, i % 10})
		x += w
	}
	t := r.Totals
	p.Totals = [][2]string{
		{"Rings", fmt.Sprintf("%s of memory for %s, %d bytes each", size(float64(t.RingMemory)), count(len(r.Sessions), "session"), r.Ring)},
		{"Unbuffered", size(float64(t.UnbufferedPerHour)) + " an hour"},
		{"CPU", fmt.Sprintf("%.2f to %.2f %% of one CPU, at %.1f to %.1f µs a line (%s)", t.Overhead.Low, t.Overhead.High, r.Cost.LowUS, r.Cost.HighUS, r.Cost.Source)},
	}
	if r.Gone > 0 {
		p.Totals = append(p.Totals, [2]string{"Not counted", count(r.Gone, "session") + " that ended meanwhile"})
	}
	p.Sessions = r.Sessions[:min(len(r.Sessions), maxHTMLRows)]
	p.More = len(r.Sessions) - len(p.Sessions)
}

// Describe is the chart in words, for those who do not see it.
func (p *page) Describe() string {
	var b strings.Builder
	for i, x := range p.Bars {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s", x.Label, count(x.N, "session"))
	}
	return b.String()
}
