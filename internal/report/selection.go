package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ringtrace/tracefile"
)

// selection narrows the model to what --sql and --error ask for, and says in
// words what is narrowed and what is not. What --session, --module, --from and
// --to refuse was not counted in the first place.
func (b *builder) selection() {
	m := b.m
	b.tellSelection()
	if len(b.opt.Read) > 0 {
		m.Statements = slices.DeleteFunc(m.Statements, func(s Statement) bool {
			return s.Parse.Count+s.Exec.Count+s.Fetch.Count+s.Closes+s.Errors == 0 && len(s.Waits) == 0
		})
	}
	if len(b.opt.ORA) > 0 || len(b.opt.SQL) > 0 {
		kept := []Error{}
		m.met = map[int]bool{}
		for i, e := range b.errs {
			if b.wanted(e) {
				kept = append(kept, m.Errors[i])
				if s := b.names[e.Statement]; s != nil {
					m.met[s.Number] = true
				}
			}
		}
		m.Errors = kept
	}
	if len(b.opt.SQL) > 0 {
		b.bySQL()
	}
	m.noTrace = len(b.errs)+len(b.p.Deadlocks)+len(b.p.Dumps)+len(b.p.LeftOut) == 0
	for _, f := range b.p.Files {
		m.noTrace = m.noTrace && f.TraceRecords() == 0
	}
	m.Nothing = !m.noTrace && len(m.Selection) > 0 && len(m.Statements) == 0 && len(m.Errors) == 0 && len(m.Timeline) == 0 && (len(b.opt.SQL) > 0 || len(m.Dumps) == 0)
	for i := range m.Errors {
		if m.Errors[i].Message != nil {
			m.Errors[i].Message = str(b.hide.message(*m.Errors[i].Message))
		}
	}
}

func (b *builder) tellSelection() {
	m := b.m
	m.covers, m.bounded = b.opt.Covers, len(b.opt.Read) > 0
	m.Selection, m.Narrowed, m.LeftOut = append([]string{}, b.opt.Read...), []string{}, []string{}
	for _, s := range b.opt.SQL {
		m.Selection = append(m.Selection, "sql_id "+s)
	}
	for _, n := range b.opt.ORA {
		m.Selection = append(m.Selection, oraName(n))
	}
	if len(b.opt.Read) > 0 {
		only := "nothing else is counted"
		if len(b.opt.SQL)+len(b.opt.ORA) > 0 { // which do not bound what is counted
			only = "counted is only " + strings.Join(b.opt.Read, ", ")
		}
		m.Narrowed = append(m.Narrowed, only+"; FILES tells of whole files")
	}
	m.Narrowed = append(m.Narrowed, b.unbounded()...)
	if b.opt.ReadOnce {
		m.Narrowed = append(m.Narrowed, "a pipe is read once: what stands before its first time stamp is counted, whenever it was; name a file to have it bounded too")
	}
	if len(b.opt.SQL) > 0 {
		of := "coverage, transactions, sessions and FILES are not narrowed"
		if len(b.opt.Read) > 0 {
			of = "coverage, transactions and sessions are those of all that is counted"
		}
		m.Narrowed = append(m.Narrowed, "errors, story, times, totals, waits and findings are those of these statements; "+of)
	}
	if len(b.opt.ORA) > 0 {
		of := "; times and statements are those of all"
		switch {
		case len(b.opt.SQL) > 0:
			of = "" // said above
		case len(b.opt.Read) > 0:
			of += " that is counted"
		}
		m.Narrowed = append(m.Narrowed, "only errors of these numbers are told"+of)
	}
	for _, l := range b.p.LeftOut {
		if l.Module == "" && slices.ContainsFunc(b.p.LeftOut, func(o tracefile.LeftOut) bool { return o.SID == l.SID && o.Module != "" }) {
			continue
		}
		var w []string
		if l.SID != "" {
			w = append(w, "session "+valid(l.SID))
		}
		if l.Module != "" {
			w = append(w, "module "+valid(b.hide.name(l.Module)))
		}
		m.LeftOut = append(m.LeftOut, strings.Join(w, " "))
	}
}

// unbounded says of which files bounds of time refuse nothing, because none of their
// records has a moment.
func (b *builder) unbounded() []string {
	if !b.p.Bounded {
		return nil
	}
	// Of a file whose records were all refused, as those of another session or of
	// another hour are, the clock is not known either.
	counted := map[*tracefile.File]bool{}
	for _, s := range b.p.Sessions {
		if s.HasTim || s.Dropped > 0 || slices.ContainsFunc(s.Story, func(r *tracefile.Row) bool { return r.Kind != tracefile.RowMarker }) {
			counted[s.File] = true
		}
	}
	var names []string
	for _, f := range b.p.Files {
		if !f.Clock.Known && f.TraceRecords() > 0 && counted[f] {
			names = append(names, path(f))
		}
	}
	const most = 3
	switch n := len(names); {
	case n == 0:
		return nil
	case n > most:
		names = append(names[:most], fmt.Sprintf("%d more", n-most))
	}
	return []string{"no time stamp tells when the records were of " + strings.Join(names, ", ") + ": all are counted, whenever they were"}
}

// chosen reports whether --sql names a statement: its SQL id, or what the report
// calls one that has none.
func (b *builder) chosen(st *tracefile.Statement) bool {
	s := b.names[st]
	return s != nil && slices.Contains(b.opt.SQL, s.Name)
}

// bySQL narrows to the selected statements.
func (b *builder) bySQL() {
	m := b.m
	numbers, names := map[int]bool{}, map[string]bool{}
	m.Statements = slices.DeleteFunc(m.Statements, func(s Statement) bool {
		if !slices.Contains(b.opt.SQL, s.Name) {
			return true
		}
		numbers[s.Number], names[s.Name] = true, true
		return false
	})
	m.bySQL = true
	m.Totals = totalsOf(m.Statements)
	m.Findings = slices.DeleteFunc(m.Findings, func(f Finding) bool { return !numbers[f.Statement] })
	m.Longest = slices.DeleteFunc(m.Longest, func(l Longest) bool { return !names[l.Name] })
	m.Chart = nil // its slices do not know statements
	if m.Flame != nil && !m.Flame.keepOnly(numbers) {
		m.Flame = nil
	}
	m.Waits = statementWaits(m.Statements)
	m.Profile = statementProfile(m.Statements, m.Waits)
}

// totalsOf adds up statements, so that totals are those of what is listed beside
// them, as they are without a selection.
func totalsOf(list []Statement) Totals {
	var t Totals
	for i := range list {
		s := &list[i]
		to := &t.UnknownCursors
		switch {
		case s.TextSource != "trace":
		case s.Depth == 0:
			to = &t.NonRecursive
		default:
			to = &t.Recursive
		}
		to.Parse, to.Exec, to.Fetch = sum(to.Parse, s.Parse), sum(to.Exec, s.Exec), sum(to.Fetch, s.Fetch)
	}
	return t
}

// OnlyFailed leaves the statements that met the errors which --error asks for, for
// forms that list statements and no errors. It reports whether there are any.
func (m *Model) OnlyFailed() bool {
	m.Statements = slices.DeleteFunc(m.Statements, func(s Statement) bool { return !m.met[s.Number] })
	m.Totals = totalsOf(m.Statements)
	if m.Flame != nil && !m.Flame.keepOnly(m.met) {
		m.Flame = nil
	}
	return len(m.Statements) > 0
}

// keepOnly drops the branches without a selected statement.
func (f *Flame) keepOnly(numbers map[int]bool) bool {
	if numbers[f.Statement] {
		return true
	}
	f.Children = slices.DeleteFunc(f.Children, func(c *Flame) bool { return !c.keepOnly(numbers) })
	f.SelfUS, f.TotalUS = 0, 0
	for _, c := range f.Children {
		f.TotalUS += c.TotalUS
	}
	return len(f.Children) > 0
}

func statementWaits(list []Statement) []Wait {
	out := []Wait{}
	for i := range list {
		for _, w := range list[i].Waits {
			k := slices.IndexFunc(out, func(o Wait) bool { return o.Event == w.Event })
			if k < 0 {
				out = append(out, w)
				continue
			}
			o := &out[k]
			o.Count, o.TotalUS, o.MaxUS = o.Count+w.Count, o.TotalUS+w.TotalUS, max(o.MaxUS, w.MaxUS)
			o.WithinUS, o.BetweenUS = o.WithinUS+w.WithinUS, o.BetweenUS+w.BetweenUS
			o.Histogram = joinBuckets(o.Histogram, w.Histogram)
		}
	}
	for i := range out {
		if len(out[i].Histogram) > 0 {
			out[i].P50US, out[i].P95US = out[i].percentile(0.5), out[i].percentile(0.95)
		}
	}
	slices.SortStableFunc(out, func(x, y Wait) int { return cmp.Compare(y.TotalUS, x.TotalUS) })
	return out
}

// statementProfile is the resource profile of statements: their own calls,
// without those below, and the waits between calls on their cursors.
func statementProfile(list []Statement, waits []Wait) []Component {
	var cpu, elapsed, calls, within, between int64
	for i := range list {
		t := sum(list[i].Parse, list[i].Exec, list[i].Fetch)
		cpu, elapsed, calls = cpu+t.CPUUS, elapsed+t.ElapsedUS, calls+t.Count
	}
	rows := []Component{}
	for _, w := range waits {
		within, between = within+w.WithinUS, between+w.BetweenUS
		rows = append(rows, Component{Name: w.Event, Class: w.Class, TimeUS: w.TotalUS, Count: w.Count, MeanUS: w.TotalUS / max(1, w.Count), MaxUS: w.MaxUS})
	}
	rows = append(rows, Component{Name: "unaccounted for within calls", Class: "unaccounted", TimeUS: elapsed - cpu - within})
	slices.SortStableFunc(rows, func(x, y Component) int { return cmp.Compare(y.TimeUS, x.TimeUS) })
	rows = append([]Component{{Name: "CPU", Class: "CPU", TimeUS: cpu, Count: calls, MeanUS: cpu / max(1, calls)}}, rows...)
	total := Component{Name: "TOTAL", TimeUS: elapsed + between, Total: true}
	for i := range rows {
		if total.TimeUS > 0 {
			rows[i].PercentR = float64(rows[i].TimeUS) * 100 / float64(total.TimeUS)
		}
	}
	if total.TimeUS > 0 {
		total.PercentR = 100
	}
	return append(rows, total)
}
