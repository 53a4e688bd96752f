package report

import (
	"cmp"
	"fmt"
	"slices"

	"ringtrace/tracefile"
)

// charts makes the stacked chart and the flame graph.
func (b *builder) charts() {
	if sl := b.p.Slices; sl != nil {
		c := &Chart{File: path(sl.File), WidthUS: sl.Width, First: wall(sl.Clock, sl.Begin), ErrorsAt: []int{}, Commits: []int64{}, Rollbacks: []int64{}}
		used := 0
		for k := range sl.Time {
			for _, v := range sl.Time[k] {
				if v != 0 {
					used = k + 1
				}
			}
		}
		for _, l := range [][]int64{sl.Commits, sl.Rollbacks} {
			for k, v := range l {
				if v != 0 {
					used = max(used, k+1)
				}
			}
		}
		if len(sl.Commits) > 0 {
			c.Commits = sl.Commits[:used]
		}
		if len(sl.Rollbacks) > 0 {
			c.Rollbacks = sl.Rollbacks[:used]
		}
		for i := range tracefile.NumClasses {
			series := make([]int64, used)
			any := false
			for k := range used {
				series[k] = sl.Time[k][i]
				any = any || series[k] != 0
			}
			if any {
				c.Classes = append(c.Classes, i.String())
				c.Series = append(c.Series, series)
			}
		}
		for _, e := range b.errs {
			if e.File == sl.File && e.Tim >= sl.Begin {
				if k := int((e.Tim - sl.Begin) / sl.Width); k < used && !slices.Contains(c.ErrorsAt, k) {
					c.ErrorsAt = append(c.ErrorsAt, k)
				}
			}
		}
		for _, s := range b.p.Sessions {
			if s.File == sl.File {
				c.sessions = append(c.sessions, b.session(s))
			}
		}
		if used > 0 {
			b.m.Chart = c
		}
	}
	if b.p.Root != nil && len(b.p.Root.Children) > 0 {
		b.m.Flame = b.flame(b.p.Root, 0)
		b.m.Flame.Name = "all sessions"
	}
}

// chartOf says whose time the chart is of: one file's, which need not be the
// error's.
func (m *Model) chartOf() string {
	c := m.Chart
	who := count(len(c.sessions), "session")
	if len(c.sessions) == 1 {
		who = "session " + c.sessions[0]
	}
	of := fmt.Sprintf("of %s in %s", who, base(c.File))
	if len(m.Files) > 1 {
		of += " alone"
	}
	if v := m.Verdict; v != nil && v.File != c.File {
		of += "; the error is in another file, " + base(v.File)
	}
	return of
}

const (
	maxFlameDepth    = 40
	maxFlameChildren = 60
)

func (b *builder) flame(n *tracefile.FlameNode, depth int) *Flame {
	f := &Flame{SelfUS: max(0, n.Self), Count: n.Count}
	switch st := b.names[n.Statement]; {
	case st != nil:
		if st.boxName == "" { // most statements stand in many places
			st.boxName = st.Name + " " + oneLine(firstWords(st), 60)
		}
		f.Name, f.Statement = st.boxName, st.Number
	case n.Statement != nil:
		f.Name = n.Statement.Text
	}
	if depth < maxFlameDepth {
		for _, c := range n.Children {
			f.Children = append(f.Children, b.flame(c, depth+1))
		}
	}
	slices.SortStableFunc(f.Children, func(x, y *Flame) int { return cmp.Compare(y.TotalUS, x.TotalUS) })
	f.TotalUS = f.SelfUS
	for _, c := range f.Children {
		f.TotalUS += c.TotalUS
	}
	if len(f.Children) > maxFlameChildren {
		rest := &Flame{Name: "(others)"}
		for _, c := range f.Children[maxFlameChildren:] {
			rest.TotalUS += c.TotalUS
			rest.SelfUS += c.TotalUS
			rest.Count += c.Count
		}
		f.Children = append(f.Children[:maxFlameChildren], rest)
	}
	return f
}
