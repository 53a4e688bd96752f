package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
)

// printer writes the text form. Its first error sticks.
type printer struct {
	w     *bufio.Writer
	plain *plainWriter // behind w; nil for pieces that are printed again
	width int
	m     *Model
}

// WriteText writes the report for a terminal of width columns, at least 80.
// Sections and their order are those of facts/report-ideal.md: first what
// failed, then what led to it, then where the time went.
func (m *Model) WriteText(w io.Writer, width int) error {
	p := newPrinter(w, max(80, width), m)
	if m.noTrace {
		p.f("NO SQL TRACE in what was read.\n")
		for _, l := range m.Empties() {
			p.block("", l, 8)
		}
		for i := range m.Passed {
			p.block("", m.Passed[i].Words(), 4)
		}
		p.reference()
		return p.end()
	}
	p.verdict()
	p.coverage()
	p.story()
	p.history()
	p.failures()
	p.transaction()
	p.deadlocks()
	p.resources()
	p.statements()
	p.details()
	p.skew()
	p.waitsFor()
	p.findings()
	p.chart()
	p.sessions()
	p.clients()
	p.reference()
	p.words()
	return p.end()
}

func newPrinter(w io.Writer, width int, m *Model) *printer {
	plain := &plainWriter{w: w}
	return &printer{bufio.NewWriter(plain), plain, width, m}
}

func (p *printer) end() error {
	err := p.w.Flush()
	if err == nil {
		err = p.plain.Flush()
	}
	if err != nil {
		return fmt.Errorf("write text report: %w", err)
	}
	return nil
}

func (p *printer) f(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

func (p *printer) title(s string) { p.f("\n%s\n%s\n", s, strings.Repeat("-", len([]rune(s)))) }

// place names a line; where there is one file, its name adds nothing.
func (p *printer) place(file string, line int64) string {
	if p.m != nil && len(p.m.Files) == 1 {
		return fmt.Sprintf("L%d", line)
	}
	return place(file, line)
}

// cut shortens a text to n columns.
func cut(s string, n int) string {
	r := []rune(clean(s))
	if len(r) <= n {
		return string(r)
	}
	if n < 2 {
		return ""
	}
	return string(r[:n-1]) + "…"
}

// item prints a text with a mark before its first line.
func (p *printer) item(mark, text string, limit int) {
	var b strings.Builder
	q := &printer{w: bufio.NewWriter(&b), width: p.width, m: p.m}
	q.block(strings.Repeat(" ", len([]rune(mark))), text, limit)
	_ = q.w.Flush() // to memory
	p.f("%s%s", mark, strings.TrimPrefix(b.String(), strings.Repeat(" ", len([]rune(mark)))))
}

// block prints a text indented, wrapped at the width, at most limit lines.
func (p *printer) block(indent, text string, limit int) {
	lines := 0
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		r := []rune(clean(strings.TrimRight(l, " \t\r")))
		for {
			if lines >= limit {
				p.f("%s…\n", indent)
				return
			}
			room := p.width - len([]rune(indent))
			part := r
			if len(r) > room {
				at := room
				for k := room; k > room/2; k-- {
					if r[k] == ' ' {
						at = k
						break
					}
				}
				part = r[:at]
			}
			p.f("%s%s\n", indent, string(part))
			lines++
			r = r[len(part):]
			if len(r) == 0 {
				break
			}
			if r[0] == ' ' {
				r = r[1:]
			}
		}
	}
}

func (p *printer) pairs(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			p.f("  %-12s %s\n", pairs[i], cut(pairs[i+1], p.width-15))
		}
	}
}

// selected says what the report is about, where it is not about all, and what
// else there would be.
func (p *printer) selected() {
	m := p.m
	if len(m.Selection) == 0 {
		return
	}
	p.block("", "SELECTED: "+strings.Join(m.Selection, "; "), 4)
	for _, n := range m.Narrowed {
		p.block("  ", n, 4)
	}
	if m.Nothing {
		p.f("NOTHING in these files is selected.\n")
		if m.covers != "" {
			p.block("", "They cover "+m.covers+".", 3)
		}
		if len(m.LeftOut) > 0 {
			p.block("", "They hold "+strings.Join(m.LeftOut, ", ")+".", 8)
		}
	}
}

// noError says so, and which errors a selection has left out.
func (p *printer) noError() {
	if len(p.m.Selection) == 0 {
		p.f("NO ERROR in this trace.\n")
		return
	}
	if !p.m.Nothing {
		p.f("NO ERROR in what is selected.\n")
	}
	if l := p.m.Others(); l != "" {
		p.block("", "Others were met: "+l+".", 3)
	}
}

// Covers says from when to when the traces are, where they were bounded in time.
func (m *Model) Covers() string { return m.covers }

// BySQL reports whether times are those of selected statements only.
func (m *Model) BySQL() bool { return m.bySQL }

// Others lists the numbers of errors, each with its count.
func (m *Model) Others() string {
	var out []string
	for i, e := range m.ErrorCount {
		if i == 10 {
			out = append(out, fmt.Sprintf("%d more", len(m.ErrorCount)-i))
			break
		}
		out = append(out, fmt.Sprintf("%s (%d)", oraName(e.ORA), e.Count))
	}
	return strings.Join(out, ", ")
}

// What of a long statement stands on the first screen, in lines; its card has the
// rest. What led to the error must not be pushed off it.
const (
	firstText        = 14
	firstTextBesides = 6
	firstBinds       = 14
)

func (p *printer) verdict() {
	v := p.m.Verdict
	p.selected()
	if v == nil {
		p.noError()
		if d := p.m.DamagedErrors(); d != "" {
			p.block("", d+".", 2)
		}
		if p.m.Time.First != nil && !p.m.Nothing {
			p.block("", fmt.Sprintf("It covers %s from %s to %s.", p.m.covered(), shortTime(p.m.Time.First), shownTime(p.m.Time.Last)), 2)
		}
		return
	}
	p.block("", v.Head(), 3)
	at := shownTime(v.At)
	if at != "" && v.AccuracyUS > 0 {
		at += " (within " + span(v.AccuracyUS) + ")"
	}
	p.pairs("when", at, "where", fmt.Sprintf("%s (%s)", place(v.File, v.Line), v.Source))
	if v.DumpFile != nil {
		p.pairs("dump", place(*v.DumpFile, v.DumpLine))
	}
	if v.Apart != "" {
		p.block("  ", "NOT CAUGHT by the campaign: "+ApartWords(v.Apart)+"; it caught nothing in these traces", 2)
	}
	p.made()
	var info []string
	for _, k := range v.SessionInfo {
		info = append(info, k.Name+" "+k.Value)
	}
	if len(info) > 0 {
		p.f("  who\n")
		p.block("    ", strings.Join(info, ", "), 4)
	}
	for i, l := range v.PLSQL {
		if i == 0 {
			p.f("  PL/SQL call stack\n")
		}
		if i < 8 {
			p.f("    %s\n", cut(l, p.width-4))
		}
	}
	if v.Text != nil || v.SQLID != nil || v.Name != "" {
		name := cmp.Or(deref(v.SQLID), v.Name, "no SQL id")
		how := v.SQLSource
		if v.Inferred {
			how += ", inferred"
		}
		exec := ""
		if v.Execution > 0 {
			exec = fmt.Sprintf("execution %d under its cursor", v.Execution)
		}
		if v.RowsSoFar != nil {
			exec += ", " + count(*v.RowsSoFar, "row") + " so far"
		}
		if v.PlanHash != 0 {
			exec += fmt.Sprintf(", plan %d", v.PlanHash)
		}
		exec = strings.TrimPrefix(exec, ", ")
		p.f("  statement    %s\n", cut(fmt.Sprintf("%s (%s)", name, how), p.width-15))
		if exec != "" {
			p.f("               %s\n", cut(exec, p.width-15))
		}
		if v.Took != nil {
			p.block(strings.Repeat(" ", 15), v.Took.Told(), 3)
		}
		if v.Text != nil {
			lines := firstText
			if v.WithValues != nil {
				lines = firstTextBesides // it comes again with its values
			}
			p.block("    ", *v.Text, lines)
		} else {
			p.f("    SQL text not in the trace\n")
		}
	} else {
		p.f("  statement    not in the trace\n")
	}
	if len(v.Binds) > 0 {
		p.f("  bind values  L%d\n", v.BindLine)
		for i, b := range v.Binds {
			if i >= firstBinds {
				p.f("    … %d more, from L%d on\n", len(v.Binds)-i, v.BindLine)
				break
			}
			p.f("    %s\n", cut(fmt.Sprintf("%-4s %-14s %s", bindName(b.Position), b.Type, b.Value), p.width-4))
		}
	}
	if v.WithValues != nil {
		p.f("  with values\n")
		p.block("    ", *v.WithValues, firstText)
	}
	p.caller()
	p.deadlock()
	if len(v.Before) > 0 {
		p.f("  just before\n")
		for i := range v.Before {
			r := &v.Before[i]
			at := "            "
			if r.OffsetS != nil {
				at = fmt.Sprintf("%+12.6f", *r.OffsetS)
			}
			at += fmt.Sprintf("  %-7s ", fmt.Sprintf("L%d", r.Line))
			p.f("  %s%s\n", at, r.Brief(p.width-2-len(at)))
		}
	}
	if len(v.Stack) > 1 {
		p.f("  error stack\n")
		for _, l := range v.Stack {
			p.f("    %s\n", cut(l, p.width-4))
		}
	}
	if len(v.InFlight) > 0 {
		p.f("  in flight when the trace ended\n")
		for _, f := range v.InFlight {
			what := f.What
			if f.Children > 0 {
				what += fmt.Sprintf("; %s below it took %s", count(f.Children, "call"), span(f.ElapsedUS))
			}
			at := fmt.Sprintf("  L%d", f.Line)
			p.f("    %s%s\n", cut(fmt.Sprintf("depth %d  %s", f.Depth, what), p.width-4-len(at)), at)
		}
	}
	if v.Others > 0 {
		p.f("  all errors   %s\n", cut(p.m.Others(), p.width-15))
	}
	if n := p.m.besides(); n > 0 {
		p.f("  besides      %s: see FAILURES below\n", count(n, "other failure"))
	}
}

func (p *printer) coverage() {
	c := &p.m.Coverage
	p.title("COVERAGE")
	for _, r := range p.m.Rings {
		p.block("  ", fmt.Sprintf("ring of %d bytes, wrapped %s: %s of history from L%d to L%d; %d bytes before its first whole record skipped (%s)",
			r.Bytes, count(r.Wrapped, "time"), span(r.HorizonUS), r.FirstRecordLine, r.EndLine, r.SkippedBytes, p.place(r.File, r.Line)), 4)
	}
	p.f("  covered      %s in %s\n", p.m.covered(), count(p.m.fileCount(), "file"))
	p.sessionFiles()
	if c.UnknownStatements > 0 {
		p.block("  ", fmt.Sprintf("%s no SQL text in the trace (%.1f %% of the time)%s; tkprof drops them, this report does not",
			c.Textless(), c.UnknownPercent, named(c.Named)), 3)
	}
	p.made()
	for _, l := range append(p.m.Lacks(), p.m.Empties()...) {
		p.block("  ", l, 3)
	}
	for i := range p.m.Bundles {
		b := &p.m.Bundles[i]
		if l := b.Rest(); l != "" {
			p.block("  ", l, 4)
			for _, c := range b.Fetch() {
				p.f("    %s\n", clean(c)) // in one line, to be copied
			}
		}
	}
	for i := range p.m.Passed {
		p.block("  ", p.m.Passed[i].Words(), 4)
	}
	for _, f := range p.m.Files {
		if f.Error != nil {
			p.block("  ", fmt.Sprintf("NOT READ to its end: %s: %s", f.Path, *f.Error), 4)
		}
	}
	if c.Headless {
		p.f("  the trace begins without a header: text before its first line is lost\n")
		if c.headless > 0 {
			p.f("  %d bytes before its first record skipped\n", c.headless)
		}
	}
	if c.DuplicateRecords > 0 {
		p.f("  %s twice (one ring, written again): counted once\n", some(c.DuplicateRecords, "record stands there", "records stand there"))
	}
	if c.DamagedRecords+c.UnknownLines > 0 {
		p.f("  %s: see the end\n", p.m.damaged())
	}
}

// made says what of the traces is not what a database wrote.
func (p *printer) made() {
	for _, t := range []string{p.m.Simulated(), p.m.Tokens()} {
		if t != "" {
			p.block("  ", t, 3)
		}
	}
}

func named(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them named by inference", n)
}

// span formats a time for reading: seconds with six digits below one second.
func span(us int64) string {
	s := float64(us) / 1e6
	switch {
	case s < 1 && s > -1:
		return fmt.Sprintf("%.6f s", s)
	case s < 100 && s > -100:
		return fmt.Sprintf("%.3f s", s)
	}
	return fmt.Sprintf("%.1f s", s)
}

// sec formats a time for a column.
func sec(us int64) string {
	s := float64(us) / 1e6
	if s < 1000 && s > -100 {
		return fmt.Sprintf("%.6f", s)
	}
	return fmt.Sprintf("%.3f", s)
}

// percent formats a share for a column of six. Of damaged traces a part can be
// many times the whole.
func percent(p float64) string {
	switch {
	case p >= 10000:
		return ">9999"
	case p <= -1000:
		return "<-999"
	}
	return fmt.Sprintf("%.1f", p)
}
