package event

import (
	"strconv"
	"strings"

	"ringtrace/oradebug"
)

// optimizerTree is what 10053 stands for, in the order `eventdump` prints it
// after `10053 level 1` (facts/oradebug.md 6, tree in 3.3). The order inside
// is not in the facts beyond its two ends.
func optimizerTree() []string {
	return []string{
		"SQL_Quarantine", "AQP", "SQL_Optimizer_Stats_Advisor", "SQL_Optimizer_Stats",
		"SQL_Plan_Directive", "SQL_Plan_Management", "Vector_Processing",
		"SQL_Parallel_Optimization", "SQL_Costing", "SQL_APA", "SQL_Virtual",
		"SQL_VMerge", "SQL_MVRW", "SQL_Transform", "SQL_OPTIMIZER",
	}
}

// lines is what eventdump prints for one armed event.
func (a *Armed) lines() []string {
	if a.Optimizer {
		tree := optimizerTree()
		out := make([]string, 0, len(tree))
		for i := range tree {
			name := tree[i]
			if a.Reverse {
				name = tree[len(tree)-1-i]
			}
			out = append(out, "trace [RDBMS."+name+"]")
		}
		return out
	}
	return []string{render(&a.Event)}
}

// render prints an event as eventdump does (facts/oradebug.md 6): old style
// as typed with CONTEXT in capitals and the level first, new style with
// `name=value` parameters.
func render(e *oradebug.Event) string {
	var b strings.Builder
	b.WriteString(idText(e.ID))
	if len(e.Target) > 0 {
		b.WriteString(" [" + valueList(e.Target) + "]")
	}
	if e.Scope != nil {
		b.WriteString(" [" + e.Scope.Name + ":" + valueList(e.Scope.Values) + "]")
	}
	for _, f := range e.Filters {
		b.WriteString(" {" + filterText(f) + "}")
	}
	if len(e.Params) > 0 {
		b.WriteString(" " + params(e.Params))
	}
	if e.Verb != "" {
		b.WriteString(" " + e.Verb + " ")
		for i := range e.Actions {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(oldAction(&e.Actions[i]))
		}
		return b.String()
	}
	for i := range e.Actions {
		b.WriteString(" " + newAction(&e.Actions[i]))
	}
	return b.String()
}

func idText(id oradebug.EventID) string {
	switch id.Kind {
	case oradebug.KindAlias:
		return strings.ToLower(id.Alias)
	case oradebug.KindNumber:
		return strconv.Itoa(id.Number)
	}
	return id.Name
}

func valueList(vs []oradebug.Value) string {
	out := make([]string, len(vs))
	for i := range vs {
		out[i] = value(vs[i])
	}
	return strings.Join(out, " | ")
}

func value(v oradebug.Value) string {
	switch {
	case v.Call != nil:
		return newAction(v.Call)
	case v.Quoted:
		return `"` + v.Text + `"`
	}
	return v.Text
}

func params(ps []oradebug.Param) string {
	out := make([]string, len(ps))
	for i, p := range ps {
		switch {
		case p.Flag:
			out[i] = p.Name
		case p.Positional && p.Name != "level":
			out[i] = value(p.Value)
		default:
			out[i] = p.Name + "=" + value(p.Value)
		}
	}
	return strings.Join(out, ", ")
}

func filterText(f oradebug.Filter) string {
	out := make([]string, len(f.Alternatives))
	for i, t := range f.Alternatives {
		out[i] = t.Name + ": " + params(t.Args)
	}
	return strings.Join(out, " | ")
}

func newAction(a *oradebug.Action) string {
	name := a.Name
	if a.Library != "" {
		name = a.Library + "." + name
	}
	if !a.Parens && len(a.Args) == 0 {
		return name
	}
	out := make([]string, len(a.Args))
	for i, p := range a.Args {
		out[i] = value(p.Value)
		if !p.Positional {
			out[i] = p.Name + "=" + out[i]
		}
	}
	return name + "(" + strings.Join(out, ", ") + ")"
}

// oldAction prints `name X level n, qualifiers`.
func oldAction(a *oradebug.Action) string {
	name := a.Name
	if name == "context" {
		name = "CONTEXT"
	}
	first, rest := "", []string{}
	for _, p := range a.Args {
		switch {
		case p.Name == "level":
			first = " level " + p.Value.Text
		case p.Flag:
			rest = append(rest, p.Name)
		default:
			rest = append(rest, p.Name+" "+p.Value.Text)
		}
	}
	s := "name " + name + first
	if len(rest) > 0 {
		sep := ", "
		if first == "" {
			sep = " "
		}
		s += sep + strings.Join(rest, ", ")
	}
	return s
}
