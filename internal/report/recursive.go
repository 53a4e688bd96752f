package report

import (
	"cmp"
	"fmt"
	"slices"

	"ringtrace/tracefile"
)

// isSYS reports whether a statement is one that SYS ran below another.
func (s *Statement) isSYS() bool {
	return s.Depth > 0 && s.User != nil && *s.User == 0 && s.TextSource == "trace"
}

// recursive sums recursive SYS statements by the statement that they ran below.
// The tree of callers knows how much of each was for whom.
func (b *builder) recursive() {
	b.m.Recursive, b.m.unfolded = []RecursiveSYS{}, b.opt.Recursive
	if b.p.Root == nil {
		return
	}
	type fold struct {
		row  RecursiveSYS
		time map[*Statement]int64
	}
	folds, order := map[int]*fold{}, []int{}
	counted := map[*Statement]CallSet{}
	at := func(parent *Statement) *fold {
		k := 0
		if parent != nil {
			if k = parent.Number; parent.group != 0 {
				k = -parent.group // its likes have one row, too
			}
		}
		f := folds[k]
		if f == nil {
			f = &fold{time: map[*Statement]int64{}}
			if parent != nil {
				f.row.group = parent.group
				f.row.Parent, f.row.Statement = &parent.Name, parent.Number
			}
			folds[k] = f
			order = append(order, k)
		}
		return f
	}
	put := func(f *fold, s *Statement, c CallSet) {
		f.row.Parse, f.row.Exec, f.row.Fetch = sum(f.row.Parse, c.Parse), sum(f.row.Exec, c.Exec), sum(f.row.Fetch, c.Fetch)
		f.time[s] += c.Parse.ElapsedUS + c.Exec.ElapsedUS + c.Fetch.ElapsedUS
	}
	var walk func(n *tracefile.FlameNode, parent *Statement)
	walk = func(n *tracefile.FlameNode, parent *Statement) {
		s := b.names[n.Statement]
		if s != nil && s.isSYS() {
			if n.Own != nil {
				c := callSet(*n.Own)
				put(at(parent), s, c)
				o := counted[s]
				counted[s] = CallSet{sum(o.Parse, c.Parse), sum(o.Exec, c.Exec), sum(o.Fetch, c.Fetch)}
			}
		} else if s != nil {
			parent = s
		}
		for _, c := range n.Children {
			walk(c, parent)
		}
	}
	for _, c := range b.p.Root.Children {
		walk(c, nil)
	}
	// What the tree does not hold, because it keeps so many callees apart only, has
	// no known caller: the rows' sum is that of the statements in any case.
	for i := range b.m.Statements {
		s := &b.m.Statements[i]
		if !s.isSYS() {
			continue
		}
		c := counted[s]
		left := CallSet{minus(s.Parse, c.Parse), minus(s.Exec, c.Exec), minus(s.Fetch, c.Fetch)}
		if left != (CallSet{}) || s.Parse.Count+s.Exec.Count+s.Fetch.Count == 0 {
			put(at(nil), s, left)
		}
	}
	for _, k := range order {
		f := folds[k]
		f.row.SelfUS = f.row.Parse.ElapsedUS + f.row.Exec.ElapsedUS + f.row.Fetch.ElapsedUS
		list := make([]*Statement, 0, len(f.time))
		for s := range f.time {
			list = append(list, s)
		}
		slices.SortFunc(list, func(x, y *Statement) int {
			return cmp.Or(cmp.Compare(f.time[y], f.time[x]), cmp.Compare(x.Number, y.Number))
		})
		f.row.Statements, f.row.Numbers = []string{}, []int{}
		for _, s := range list {
			f.row.Statements = append(f.row.Statements, s.Name)
			f.row.Numbers = append(f.row.Numbers, s.Number)
		}
		b.m.Recursive = append(b.m.Recursive, f.row)
	}
	slices.SortStableFunc(b.m.Recursive, func(x, y RecursiveSYS) int { return cmp.Compare(y.SelfUS, x.SelfUS) })
}

func minus(x, y Calls) Calls {
	return Calls{
		x.Count - y.Count, x.CPUUS - y.CPUUS, x.ElapsedUS - y.ElapsedUS, x.Disk - y.Disk, x.Query - y.Query,
		x.Current - y.Current, x.Rows - y.Rows, x.Misses - y.Misses,
	}
}

// foldsSYS reports whether the ranking shows recursive SYS statements as one row
// for each parent.
func (m *Model) foldsSYS() bool { return !m.unfolded && !m.bySQL && len(m.Recursive) > 0 }

// asStatement makes a row of the ranking of it.
func (r *RecursiveSYS) asStatement() *Statement {
	text := fmt.Sprintf("%s of SYS below %s", count(len(r.Statements), "recursive statement"), r.below())
	text += ": " + r.Some()
	return &Statement{
		Name: "(SYS)", Number: r.Statement, Text: &text, Parse: r.Parse, Exec: r.Exec, Fetch: r.Fetch, ElapsedSelfUS: r.SelfUS,
		InclusiveUS: r.SelfUS, TextSource: "trace", sys: r, Depth: 1,
	}
}

func (r *RecursiveSYS) below() string {
	if r.Parent == nil {
		return "a caller that is not in the trace"
	}
	return *r.Parent
}

// SYS reports whether this row of a table stands for what SYS ran below one
// statement.
func (s Statement) SYS() bool { return s.sys != nil }

// Ref is the statement itself, for templates.
func (s Statement) Ref() *Statement { return &s }

// Below returns what SYS ran below the statement, or below those that it stands
// for; nil if nothing.
func (m *Model) Below(s *Statement) *RecursiveSYS {
	for i := range m.Recursive {
		if r := &m.Recursive[i]; r.Statement != 0 && s.sys == nil && (r.Statement == s.Number || r.group != 0 && r.group == s.group) {
			return r
		}
	}
	return nil
}

// Some names the statements that took longest.
func (r *RecursiveSYS) Some() string {
	const most = 8
	out := ""
	for i, s := range r.Statements {
		if i == most {
			return out + fmt.Sprintf(", %d more", len(r.Statements)-most)
		}
		if i > 0 {
			out += ", "
		}
		out += s
	}
	return out
}
