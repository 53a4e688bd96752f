package report

import (
	"fmt"
	"strings"
)

func (p *printer) resources() {
	if len(p.m.Profile) == 0 || p.m.Time.ElapsedUS == 0 {
		return
	}
	if p.m.bySQL {
		p.title("WHERE THE TIME WENT (in the selected statements alone)")
	} else {
		p.title("WHERE THE TIME WENT (of the sessions' elapsed time)")
	}
	wide := p.width >= 120
	name := 32
	if wide {
		name = 36
	}
	p.f("%-*s %14s %6s %8s %11s", name, "component", "seconds", "%", "count", "mean s")
	if wide {
		p.f(" %11s %11s %11s", "p50 s", "p95 s", "max s")
	}
	p.f("\n")
	for _, c := range p.m.Profile {
		if c.Total {
			p.f("%s\n", strings.Repeat("-", name+15+7))
		} else if c.TimeUS == 0 && c.Count == 0 {
			continue
		}
		p.f("%-*s %14s %6s", name, cut(c.Name, name), sec(c.TimeUS), percent(c.PercentR))
		if c.Count > 0 {
			p.f(" %8d %11s", c.Count, sec(c.MeanUS))
			if wide && c.MaxUS > 0 {
				p.f(" %11s %11s %11s", sec(c.P50US), sec(c.P95US), sec(c.MaxUS))
			}
		}
		p.f("\n")
	}
	p.block("", "CPU is counted by another clock than elapsed time, so an unaccounted-for row may be negative.", 3)
}

func (p *printer) statements() {
	if len(p.m.Statements) == 0 {
		return
	}
	p.title("STATEMENTS (self time: without the recursive calls below" + p.m.ByOrder() + ")")
	wide := p.width >= 120
	p.f("%3s %-14s %8s %12s %6s %12s %9s %9s", "#", "sql_id", "execs", "self s", "%", "CPU s", "gets", "rows")
	if wide {
		p.f(" %12s %8s %6s %6s", "incl. s", "reads", "misses", "errors")
	}
	p.f("\n")
	all := max(1, p.m.Time.ElapsedUS)
	list, folded := p.m.merged(), false
	shown := list[:min(len(list), p.m.Top)]
	for i := range shown {
		s := shown[i]
		t := sum(s.Parse, s.Exec, s.Fetch)
		number := n(int64(s.Number))
		if s.sys != nil {
			number, folded = "-", true
		}
		p.f("%3s %-14s %8d %12s %6s %12s %9d %9d", number, cut(s.Name, 14), s.Exec.Count, sec(s.ElapsedSelfUS),
			percent(float64(s.ElapsedSelfUS)*100/float64(all)), sec(t.CPUUS), t.Query+t.Current, t.Rows)
		if wide {
			p.f(" %12s %8d %6d %6d", sec(s.InclusiveUS), t.Disk, t.Misses, s.Errors)
		}
		p.f("\n    %s\n", cut(failWords(s)+likeWords(s), p.width-4))
	}
	if k := len(list) - len(shown); k > 0 {
		p.f("  … %d more; see them with --top %d\n", k, len(list))
	}
	if folded {
		p.f("  (SYS) is what SYS ran below one statement; --recursive lists it one by one\n")
	}
	if p.m.bySQL {
		return // the cards below hold the figures
	}
	p.totals()
}

func sum(list ...Calls) Calls {
	var t Calls
	for _, c := range list {
		t.Count += c.Count
		t.CPUUS += c.CPUUS
		t.ElapsedUS += c.ElapsedUS
		t.Disk += c.Disk
		t.Query += c.Query
		t.Current += c.Current
		t.Rows += c.Rows
		t.Misses += c.Misses
	}
	return t
}

func (p *printer) totals() {
	t := &p.m.Totals
	p.title("TOTALS (tkprof's counting rule)")
	p.callTable("non-recursive (depth 0)", t.NonRecursive)
	p.callTable("recursive", t.Recursive)
	if sum(t.UnknownCursors.Parse, t.UnknownCursors.Exec, t.UnknownCursors.Fetch).Count > 0 {
		p.callTable("cursors without SQL text, which tkprof drops", t.UnknownCursors)
	}
}

func (p *printer) callTable(title string, c CallSet) {
	p.f("%s\n", title)
	p.f("%-7s %8s %12s %12s %9s %9s %8s %8s\n", "call", "count", "cpu s", "elapsed s", "disk", "query", "current", "rows")
	p.callRow("Parse", c.Parse)
	p.callRow("Execute", c.Exec)
	p.callRow("Fetch", c.Fetch)
	p.callRow("total", sum(c.Parse, c.Exec, c.Fetch))
}

func (p *printer) callRow(name string, v Calls) {
	p.f("%-7s %8d %12s %12s %9d %9d %8d %8d\n", name, v.Count, sec(v.CPUUS), sec(v.ElapsedUS), v.Disk, v.Query, v.Current, v.Rows)
}

// card prints what stands below the call table of a statement.
func (p *printer) card(s *Statement) {
	if incl := sum(s.Inclusive.Parse, s.Inclusive.Exec, s.Inclusive.Fetch); incl.ElapsedUS != s.ElapsedSelfUS {
		p.callRow("+ below", incl)
	}
	p.f("misses: parse %d, execute %d; closed %s, %d for good, %s s\n", s.Parse.Misses, s.Exec.Misses, count(s.Closes, "time"), s.HardCloses, sec(s.Close.ElapsedUS))
	if a, ok := s.Average(); ok {
		p.f("an execution: %.6f s, CPU %.6f s, %.1f gets, %.1f reads, %.1f rows\n", a.ElapsedS, a.CPUS, a.Gets, a.Reads, a.Rows)
		if a.HasRows {
			p.f("a row: %.6f s, %.1f gets\n", a.RowElapsedS, a.RowGets)
		}
	}
	for k, w := range s.Waits {
		if k == 0 {
			p.f("%-37s %6s %9s %12s %12s\n", "waits", "%", "count", "total s", "max s")
		}
		if k < 10 {
			p.f("%-37s %6s %9d %12s %12s\n", cut(w.Event, 37), percent(float64(w.TotalUS)*100/float64(max(1, s.OwnUS()))), w.Count, sec(w.TotalUS), sec(w.MaxUS))
			if l := w.durations(); l != "" && p.width >= 120 {
				p.block("    ", l, 2)
			}
		}
	}
	if r := p.m.Below(s); r != nil {
		t := sum(r.Parse, r.Exec, r.Fetch)
		p.block("", fmt.Sprintf("SYS ran below it: %s, %s, %s s, %d gets: %s", count(len(r.Statements), "statement"), count(r.Exec.Count, "execution"), sec(r.SelfUS), t.Query+t.Current, r.Some()), 3)
	}
	for k, r := range s.LastRuns {
		if k == 0 {
			p.f("last bind sets\n")
		}
		failed := ""
		if r.ORA != 0 {
			failed = oraName(r.ORA) + "  "
		}
		p.f("  %s\n", cut(p.place(r.File, r.Line)+"  "+failed+bindList(r.Binds), p.width-2))
	}
}

// likeWords begins with how many statements a row stands for.
func likeWords(s *Statement) string {
	if s.grouped > 1 {
		return fmt.Sprintf("(%d alike) %s", s.grouped, firstWords(s))
	}
	return firstWords(s)
}

// failWords begins with how often a statement failed, if it did: there is no room
// for a column that is mostly empty.
func failWords(s *Statement) string {
	if s.Errors == 0 {
		return ""
	}
	return "! " + count(s.Errors, "error") + "  "
}

// details prints a card for each of the first statements.
func (p *printer) details() {
	shown := p.m.withFailing(p.m.shown())
	for i := range shown {
		s := &shown[i]
		if s.sys != nil {
			continue
		}
		if s.Parse.Count+s.Exec.Count+s.Fetch.Count == 0 && len(s.Plans) == 0 {
			continue
		}
		p.title(fmt.Sprintf("STATEMENT %d  %s", s.Number, s.Name))
		if s.Text != nil {
			p.block("  ", *s.Text, 30)
		} else {
			p.f("  SQL text not in the trace (cursor opened before its first line)\n")
		}
		var facts []string
		if s.Inferred {
			facts = append(facts, "named by inference from "+s.TextSource)
		}
		facts = append(facts, fmt.Sprintf("depth %d", s.Depth))
		if s.User != nil {
			facts = append(facts, fmt.Sprintf("uid %d", *s.User))
		}
		if s.Command != "" {
			facts = append(facts, s.Command)
		}
		facts = append(facts, "first "+p.place(s.File, s.Line))
		if s.MaxLine > 0 {
			facts = append(facts, fmt.Sprintf("longest call %s %s", span(s.MaxCallUS), p.place(s.MaxFile, s.MaxLine)))
		}
		if s.Similar > 1 {
			facts = append(facts, fmt.Sprintf("%d statements differ in literals only", s.Similar))
		}
		if s.Errors > 0 {
			facts = append(facts, count(s.Errors, "error"))
		}
		if len(s.Parents) > 0 {
			facts = append(facts, "called by "+strings.Join(s.Parents, ", "))
		}
		if len(s.Children) > 0 {
			facts = append(facts, "calls "+strings.Join(s.Children, ", "))
		}
		p.block("  ", strings.Join(facts, "; "), 6)
		p.callTable("", CallSet{s.Parse, s.Exec, s.Fetch})
		p.card(s)
		for _, pl := range s.Plans {
			p.plan(&pl)
		}
	}
}

func (p *printer) plan(pl *Plan) {
	p.f("plan %d, printed %s (%s)\n", pl.PlanHash, count(pl.Count, "time"), p.place(pl.File, pl.Line))
	wide := p.width >= 120
	head := fmt.Sprintf("%8s %9s %10s %8s %7s  ", "rows", "estimate", "self s", "gets", "reads")
	if wide {
		head += fmt.Sprintf("%8s  ", "starts")
	}
	p.f("%soperation\n", head)
	clamped, off := false, false
	for _, s := range pl.Steps {
		est := "-"
		if s.Est > 0 {
			est = fmt.Sprint(s.Est)
		}
		if s.Off() {
			est, off = est+"!", true
		}
		self := sec(s.SelfUS)
		if s.Clamped {
			self, clamped = "*", true
		}
		row := fmt.Sprintf("%8d %9s %10s %8d %7d  ", s.Rows, est, self, s.CR, s.PR)
		if wide {
			starts := ""
			if s.Starts != nil {
				starts = fmt.Sprint(*s.Starts)
			}
			row += fmt.Sprintf("%8s  ", starts)
		}
		p.item(row, strings.Repeat(" ", min(s.Level, 16))+s.Operation, 3)
	}
	if off {
		p.f("! ten times off, rows against estimate for each start\n")
	}
	if clamped {
		p.block("", "* the rows below took longer than the row itself: parallel slaves worked at the same time, or clocks differ", 2)
	}
}

// longest is a line of the longest calls. Its place is what one looks for: where
// there is no room, the event and then the file are cut, not the line number.
func (p *printer) longest(l *Longest) string {
	at := p.place(l.File, l.Line)
	room := p.width - 2 - 12 - 2 - 1 - 14 - 1 - len([]rune(at))
	what := min(30, max(12, room))
	head := fmt.Sprintf("  %12s  %-*s %-14s ", sec(l.TimeUS), what, cut(l.What, what), cut(l.Name, 14))
	return head + cutFront(at, p.width-len([]rune(head)))
}

func (p *printer) skew() {
	if len(p.m.Longest) > 0 {
		p.title("LONGEST SINGLE CALLS AND WAITS")
		for i, l := range p.m.Longest {
			if i >= 10 {
				break
			}
			p.f("%s\n", p.longest(&l))
		}
	}
	n := 0
	for i := range p.m.Waits {
		w := &p.m.Waits[i]
		if w.Count < 10 || n >= 5 {
			continue
		}
		if n == 0 {
			p.title("WAITS BY DURATION")
		}
		n++
		p.f("%s\n", cut(w.Event, p.width))
		p.block("  ", fmt.Sprintf("%s, %s s, p50 %s, p95 %s, longest %s", count(w.Count, "wait"), sec(w.TotalUS), sec(w.P50US), sec(w.P95US), p.place(w.MaxFile, w.MaxLine)), 2)
		for _, b := range w.Histogram {
			bar := strings.Repeat("#", int(b.TotalUS*30/max(1, w.TotalUS)))
			p.f("  < %10d us %9d %12s %5.1f%%  %s\n", b.ToUS, b.Count, sec(b.TotalUS), float64(b.TotalUS)*100/float64(max(1, w.TotalUS)), bar)
		}
	}
}

func (p *printer) findings() {
	if len(p.m.Findings) == 0 {
		return
	}
	p.title("FINDINGS")
	for _, f := range p.m.Findings {
		p.f("* %s", f.Title)
		if f.SavingUS > 0 {
			p.f(" (%s)", f.Worth())
		}
		p.f("\n")
		p.block("  ", f.Detail, 5)
		if len(f.Evidence) > 0 {
			p.item("  evidence: ", strings.Join(f.Evidence, ", "), 6)
		}
	}
}

func (p *printer) reference() {
	if len(p.m.Files) == 0 {
		return
	}
	if len(p.m.Selection) > 0 {
		p.title("FILES (whole, whatever is selected)")
	} else {
		p.title("FILES")
	}
	for _, f := range p.m.Files {
		p.f("%s\n", cut(f.Path, p.width))
		p.block("  ", fmt.Sprintf("%d bytes, %d lines; release %s, instance %s, host %s", f.Bytes, f.Lines, orUnknown(f.OracleVersion), orUnknown(f.Instance), orUnknown(f.Host)), 3)
		var kinds []string
		for _, r := range f.Records {
			kinds = append(kinds, fmt.Sprintf("%s %d", r.Kind, r.Count))
		}
		p.block("  ", strings.Join(kinds, ", "), 4)
		p.block("  ", "clock: "+f.Clock.Why, 3)
		if see := f.SeeLine(); see != "" {
			p.f("  a line of it  %s\n", see) // in one line, to be copied
		}
		if f.Error != nil {
			p.block("  ", "NOT READ TO ITS END: "+*f.Error, 3)
		}
	}
	if len(p.m.Dumps) > 0 {
		p.title("DUMPS")
		for i, d := range p.m.Dumps {
			if i >= 20 {
				p.f("  … %d more\n", len(p.m.Dumps)-i)
				break
			}
			p.f("  %s\n", cut(fmt.Sprintf("%s, lines %d to %d, %d bytes, %s %s", d.Kind, d.Line, d.EndLine, d.Bytes, p.place(d.File, d.Line), shortTime(d.At)), p.width-2))
			for _, l := range d.Stack {
				p.f("    %s\n", cut(l, p.width-4))
			}
			p.digest(&d)
		}
	}
	for i, k := range p.m.Incidents {
		if i == 0 {
			p.title("INCIDENTS")
		}
		p.f("  %s\n    %s\n", cut(fmt.Sprintf("%d  %s  %s", k.Number, oraName(k.ORA), p.place(k.File, k.Line)), p.width-2), cutFront(k.Path, p.width-4))
	}
	p.problems("PROBLEMS", p.m.Problems)
	p.problems("NOTES", p.m.Notes)
	if len(p.m.Problems) == 0 && len(p.m.Notes) == 0 {
		return
	}
}

func (p *printer) problems(title string, list []Problem) {
	if len(list) == 0 {
		return
	}
	p.title(title)
	for _, x := range list {
		times := ""
		if x.Count > 1 {
			times = fmt.Sprintf(" (x %d)", x.Count)
		}
		where := p.place(x.File, x.Line)
		if x.File == "" && x.Line == 0 {
			where = place("", 0)
		}
		p.block("  ", fmt.Sprintf("%s %s: %s%s", where, x.Kind, x.Message, times), 3)
	}
}

func orUnknown(s *string) string {
	if s == nil {
		return "unknown"
	}
	return *s
}

// ByOrder names the order of statements where it is not the usual one.
func (m *Model) ByOrder() string {
	if m.Sort == sortKeys[0].name {
		return ""
	}
	return "; by " + m.Sort
}

// digest tells what stands in a dump, with the lines of its parts.
func (p *printer) digest(d *Dump) {
	if d.SQLText != nil {
		p.f("    %s\n", cut("current SQL "+deref(d.SQLID)+"  "+oneLine(*d.SQLText, p.width), p.width-4))
	}
	if len(d.PLSQL) > 0 {
		p.block("    ", "PL/SQL "+strings.Join(d.PLSQL, " < "), 3)
	}
	if len(d.Frames) > 0 {
		p.block("    ", "called from "+strings.Join(d.Frames, " < "), 3)
	}
	shown := 0
	for _, c := range d.Cursors {
		if b := bindList(c.Binds); b != "" && shown < 5 {
			shown++
			p.f("    %s\n", cut(fmt.Sprintf("cursor %d %s L%d: %s", c.Number, c.State, c.Line, b), p.width-4))
		}
	}
	var parts []string
	for _, s := range d.Sections {
		parts = append(parts, fmt.Sprintf("L%d %s", s.Line, s.Title))
	}
	if len(parts) > 0 {
		p.block("    ", "parts: "+strings.Join(parts, " · "), 4)
	}
}
