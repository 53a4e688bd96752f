package report

import (
	"cmp"
	"slices"
)

// refusedParses are the errors of statements that failed in parse, each text with
// its number once, in the order of their lines.
func (m *Model) refusedParses() []*Error {
	type key struct {
		text string
		ora  int64
	}
	seen := map[key]bool{}
	var out []*Error
	for i := range m.Errors {
		e := &m.Errors[i]
		if k := (key{deref(e.Text), e.ORA}); e.ParseError && e.Text != nil && !seen[k] {
			seen[k] = true
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(x, y *Error) int { return cmp.Compare(x.Line, y.Line) })
	return out
}

// tkRefused prints those before a line as tkprof does, which counts them nowhere,
// and returns the others.
func (p *printer) tkRefused(list []*Error, rule string, line int64) []*Error {
	for len(list) > 0 && list[0].Line < line {
		e := list[0]
		list = list[1:]
		p.f("%s\n\nThe following statement encountered a error during parse:\n\n%s\n\nError encountered: %s\n", rule, cleanLines(*e.Text), oraName(e.ORA))
	}
	return list
}
