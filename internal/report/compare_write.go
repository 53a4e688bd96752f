package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"ringtrace/internal/jsontext"

	_ "embed"
)

// WriteJSON writes the comparison as one document.
func (c *Comparison) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(jsontext.Writer(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// WriteText writes the comparison for a terminal.
func (c *Comparison) WriteText(w io.Writer, width, top int) error {
	p := newPrinter(w, max(80, width), nil)
	p.f("A  %s  %s\nB  %s  %s\n", cutFront(c.A, p.width-20), span(c.ElapsedA), cutFront(c.B, p.width-20), span(c.ElapsedB))
	if len(c.Selection) > 0 {
		p.block("", "SELECTED: "+strings.Join(c.Selection, "; "), 4)
	}
	if len(c.Errors) > 0 {
		p.title("ERRORS")
		for _, e := range c.Errors {
			p.f("  %s  A %d  B %d\n", oraName(e.ORA), e.CountA, e.CountB)
		}
	}
	p.hits(c.Hits)
	p.title("STATEMENTS (executions x s = self time, by its change)")
	for i := range c.Statements {
		if i >= top {
			p.f("  … %d more\n", len(c.Statements)-i)
			break
		}
		d := &c.Statements[i]
		p.f("%-14s A %7d x %8s = %8s  B %7d x %8s = %8s\n", cut(d.name, 14), d.ExecsA, sec8(d.PerA), sec8(d.SelfA), d.ExecsB, sec8(d.PerB), sec8(d.SelfB))
		if len(d.Tags) > 0 {
			p.f("    [%s]\n", cut(strings.Join(d.Tags, " "), p.width-6))
		}
		if d.Text != nil {
			p.f("    %s\n", cut(oneLine(*d.Text, p.width), p.width-4))
		}
		for _, x := range d.Detail {
			p.item("    - ", x, 3)
		}
	}
	p.title("WAITS (by change)")
	for i, d := range c.Waits {
		if i >= top {
			break
		}
		p.f("%-32s A %7d %12s   B %7d %12s\n", cut(d.Event, 32), d.CountA, sec(d.TotalA), d.CountB, sec(d.TotalB))
	}
	return p.end()
}

// sec8 formats a time in eight columns, as long as it takes no four months.
func sec8(us int64) string {
	s := fmt.Sprintf("%.6f", float64(us)/1e6)
	return strings.TrimSuffix(s[:min(len(s), max(8, strings.IndexByte(s, '.')))], ".")
}

// cutFront shortens a path to its last n columns, which tell it apart.
func cutFront(s string, n int) string {
	r := []rune(clean(s))
	if len(r) <= n {
		return string(r)
	}
	return "…" + string(r[len(r)-n+1:])
}

// hits prints each error that one trace hit and the other did not.
func (p *printer) hits(list []Hit) {
	for i := range list {
		h := &list[i]
		if i == 0 {
			p.title("HIT AGAINST MISS")
		}
		miss := "B"
		if h.In == "b" {
			miss = "A"
		}
		p.block("  ", fmt.Sprintf("%s was hit in %s (%s), not in %s", oraName(h.ORA), strings.ToUpper(h.In), place(h.File, h.Line), miss), 2)
		if h.Text != nil {
			p.f("    %s\n", cut(deref(h.SQLID)+"  "+oneLine(*h.Text, p.width), p.width-4))
		}
		if b := bindList(h.Binds); b != "" {
			p.f("    hit   %s\n", cut(b, p.width-10))
		}
		for _, x := range h.Misses {
			p.f("    miss  %s\n", cut(fmt.Sprintf("%s  rows %d  e %s  binds %s", place(x.File, x.Line), x.Rows, span(x.ElapsedUS), bindList(x.Binds)), p.width-10))
		}
		if len(h.Misses) == 0 {
			p.f("    %s did not run the statement in the part of its story that was kept\n", miss)
		}
	}
}

// WriteCSV writes statements, waits and errors, one a row; kind tells which
// (RFC 4180, CRLF).
func (c *Comparison) WriteCSV(w io.Writer) error {
	out := newCSVWriter(w)
	out.row("kind", "name", "sql_id", "tags", "count_a", "count_b", "total_a_us", "total_b_us", "per_a_us", "per_b_us", "detail", "text")
	for i := range c.Statements {
		d := &c.Statements[i]
		out.row(
			"statement", d.name, deref(d.SQLID), strings.Join(d.Tags, " "), n(d.ExecsA), n(d.ExecsB), n(d.SelfA), n(d.SelfB), n(d.PerA), n(d.PerB),
			strings.Join(d.Detail, "; "), deref(d.Text),
		)
	}
	for _, d := range c.Waits {
		out.row("wait", d.Event, "", "", n(d.CountA), n(d.CountB), n(d.TotalA), n(d.TotalB), n(d.TotalA/max(1, d.CountA)), n(d.TotalB/max(1, d.CountB)), "", "")
	}
	for _, d := range c.Errors {
		out.row("error", oraName(d.ORA), "", "", n(d.CountA), n(d.CountB), "", "", "", "", "", "")
	}
	return out.flush()
}

//go:embed compare.html
var compareText string

// compareView is a comparison with what its page shows of it.
type compareView struct {
	C       *Comparison
	Style   template.CSS
	Shown   []StatementDelta
	Waits   []WaitDelta
	More    int
	Longest int64 // us, the largest self time: the bars' full length
	Widest  int64 // us, of waits
}

// WriteHTML writes the comparison as one self-contained page.
func (c *Comparison) WriteHTML(w io.Writer, top int) error {
	v := compareView{C: c, Style: template.CSS(pageStyle), Shown: c.Statements[:min(top, len(c.Statements))], Waits: c.Waits[:min(top, len(c.Waits))], Longest: 1, Widest: 1}
	v.More = len(c.Statements) - len(v.Shown)
	for i := range v.Shown {
		v.Longest = max(v.Longest, v.Shown[i].SelfA, v.Shown[i].SelfB)
	}
	for _, d := range v.Waits {
		v.Widest = max(v.Widest, d.TotalA, d.TotalB)
	}
	t, err := template.New("compare").Funcs(htmlFuncs()).Parse(compareText)
	if err != nil {
		return fmt.Errorf("parse page: %w", err)
	}
	return writePage(t, w, v)
}

// Name is the SQL id of a statement, or what stands for it.
func (d *StatementDelta) Name() string { return d.name }
