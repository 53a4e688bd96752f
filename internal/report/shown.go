package report

import (
	"cmp"
	"slices"
)

// shown returns the statements that text and HTML show: the first of them, with
// those that differ in literals only summed up in one row.
func (m *Model) shown() []Statement {
	all := m.merged()
	out := make([]Statement, 0, min(len(all), m.Top))
	for _, s := range all[:min(len(all), m.Top)] {
		out = append(out, *s)
	}
	return out
}

// withFailing adds the failing statement, which has its card whatever its rank.
func (m *Model) withFailing(list []Statement) []Statement {
	if m.Verdict == nil || slices.ContainsFunc(list, func(s Statement) bool { return s.Number == m.Verdict.Statement }) {
		return list
	}
	for i := range m.Statements {
		if m.Statements[i].Number == m.Verdict.Statement {
			return append(slices.Clone(list), m.Statements[i])
		}
	}
	return list
}

// merged returns all statements, those that differ in literals only as one,
// which has the name and text of the first, and those of SYS below one statement
// as one. The statements are not copied where
// one stands alone: there may be thousands.
func (m *Model) merged() []*Statement {
	out := make([]*Statement, 0, len(m.Statements))
	at := map[int]int{} // group to index in out
	fold := m.foldsSYS()
	for i := range m.Statements {
		s := &m.Statements[i]
		if fold && s.isSYS() {
			continue
		}
		k, ok := at[s.group]
		if s.group == 0 || !ok {
			if s.group != 0 || s.Merged > 0 && !s.rest {
				at[s.group] = len(out)
				c := *s
				c.grouped = 1 + s.Merged
				s = &c
			}
			out = append(out, s)
			continue
		}
		out[k].join(s)
	}
	for i := range m.Recursive {
		if fold {
			out = append(out, m.Recursive[i].asStatement())
		}
	}
	key := sortKey(m.Sort)
	slices.SortStableFunc(out, func(x, y *Statement) int { return cmp.Compare(key(y), key(x)) })
	return out
}

func (s *Statement) join(o *Statement) {
	s.grouped += 1 + o.Merged
	s.Parse, s.Exec, s.Fetch = sum(s.Parse, o.Parse), sum(s.Exec, o.Exec), sum(s.Fetch, o.Fetch)
	s.Close = sum(s.Close, o.Close)
	s.Closes, s.HardCloses = s.Closes+o.Closes, s.HardCloses+o.HardCloses
	s.Inclusive = CallSet{sum(s.Inclusive.Parse, o.Inclusive.Parse), sum(s.Inclusive.Exec, o.Inclusive.Exec), sum(s.Inclusive.Fetch, o.Inclusive.Fetch)}
	s.ElapsedSelfUS += o.ElapsedSelfUS
	s.InclusiveUS += o.InclusiveUS
	s.Errors += o.Errors
	s.WaitsWithinUS += o.WaitsWithinUS
	if o.MaxCallUS > s.MaxCallUS {
		s.MaxCallUS, s.MaxFile, s.MaxLine = o.MaxCallUS, o.MaxFile, o.MaxLine
	}
	waits := slices.Clone(s.Waits)
	for _, w := range o.Waits {
		i := slices.IndexFunc(waits, func(x Wait) bool { return x.Event == w.Event })
		if i < 0 {
			waits = append(waits, w)
			continue
		}
		waits[i].Count += w.Count
		waits[i].TotalUS += w.TotalUS
		waits[i].WithinUS += w.WithinUS
		waits[i].BetweenUS += w.BetweenUS
		waits[i].MaxUS = max(waits[i].MaxUS, w.MaxUS)
		waits[i].Histogram = joinBuckets(waits[i].Histogram, w.Histogram)
	}
	s.Waits = waits
}
