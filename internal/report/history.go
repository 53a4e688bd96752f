package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ringtrace/tracefile"
)

// Of the failing statement so many executions are listed, and of those so many
// that began after the error.
const (
	maxHistory = 20
	maxAfter   = 5
)

// history lists the last executions of the failing statement with their binds, of
// all sessions in the order of their start.
func (b *builder) history() {
	b.m.History = []Execution{}
	v := b.m.Verdict
	if v == nil || v.Statement == 0 {
		return
	}
	e := b.errs[v.ErrorIndex]
	type item struct {
		row   *tracefile.Row
		at    int64
		after bool
	}
	var list []item
	for _, s := range b.p.Sessions {
		latest := int64(0) // a session's own are in order, whatever its clock did
		for _, r := range s.Story {
			if r.Kind != tracefile.RowExecution || r.Statement != e.Statement || r.Execs == 0 {
				continue
			}
			at, ok := s.Clock.Wall(r.Start)
			if !ok {
				at = r.Start
			}
			after := r.File == e.File && r.Line > e.Line
			if r.File != e.File {
				after = ok && e.HasWall && at > e.Wall
			}
			latest = max(latest, at)
			list = append(list, item{r, latest, after})
		}
	}
	slices.SortStableFunc(list, func(x, y item) int { return cmp.Compare(x.at, y.at) })
	var before, after []item
	for _, x := range list {
		if x.after {
			after = append(after, x)
		} else {
			before = append(before, x)
		}
	}
	after = after[:min(len(after), max(maxAfter, maxHistory-len(before)))]
	before = before[max(0, len(before)-(maxHistory-len(after))):]
	for _, x := range append(before, after...) {
		b.m.History = append(b.m.History, b.execution(x.row, v))
	}
}

func (b *builder) execution(r *tracefile.Row, v *Verdict) Execution {
	x := Execution{
		At: wall(r.Session.Clock, r.Start), File: path(r.File), Line: r.Line, Session: b.session(r.Session), ORA: r.ORA, Rows: r.Rows,
		ElapsedUS: r.Elapsed, Binds: b.binds(r.Binds()), Differs: []int{},
	}
	for i, o := range x.Binds {
		if i < len(v.Binds) && v.Binds[i].Value != o.Value {
			x.Differs = append(x.Differs, o.Position)
		}
	}
	return x
}

// HistoryOf says what must be told of each execution besides its line: its session
// where there are several, its file where one session wrote several.
func (m *Model) HistoryOf() (of struct{ Sessions, Files bool }) {
	files := map[string]string{}
	for i := range m.History {
		x := &m.History[i]
		of.Sessions = of.Sessions || x.Session != m.History[0].Session
		if f, ok := files[x.Session]; ok && f != x.File {
			of.Files = true
		}
		files[x.Session] = x.File
	}
	return of
}

func (p *printer) history() {
	if len(p.m.History) < 2 {
		return
	}
	p.title("EXECUTIONS OF THE FAILING STATEMENT (* differs from the failing one)")
	of := p.m.HistoryOf()
	for _, x := range p.m.History {
		state := "ok"
		if x.ORA != 0 {
			state = oraName(x.ORA)
		}
		var binds []string
		for i, b := range x.Binds {
			if i >= 10 {
				binds = append(binds, "…")
				break
			}
			mark := ""
			if slices.Contains(x.Differs, b.Position) {
				mark = "*"
			}
			binds = append(binds, fmt.Sprintf("%s%s=%s", bindName(b.Position), mark, oneLine(b.Value, 30)))
		}
		at := fmt.Sprintf("L%-8d", x.Line)
		if of.Files {
			at = place(x.File, x.Line)
		}
		if of.Sessions {
			at = "[" + x.Session + "] " + at
		}
		p.f("  %s\n", cut(strings.TrimRight(fmt.Sprintf("%s %-9s rows %-6d %s  %s", at, state, x.Rows, span(x.ElapsedUS), strings.Join(binds, " ")), " "), p.width-2))
	}
}
