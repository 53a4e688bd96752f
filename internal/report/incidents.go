package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ringtrace/tracefile"
)

// rowKey names an error's row of the story.
type rowKey struct {
	file *tracefile.File
	line int64
}

// maxIncidents bounds what a hostile trace can make of incidents: each is looked
// for in all errors.
const maxIncidents = 1000

// joinIncidents makes one error of what tells of it in several places: the line
// "Incident N created, dump file: …" with its ORA line, the ERROR line of the call
// behind it, and the dump in the incident's own file (facts/trace-format.md 11).
// The profile stays as it is.
func (b *builder) joinIncidents() {
	b.errs, b.errCount = slices.Clone(b.p.Errors), maps.Clone(b.p.ErrorCount)
	b.hidden = map[rowKey]bool{}
	for _, k := range b.p.Incidents[:min(len(b.p.Incidents), maxIncidents)] {
		at := slices.IndexFunc(b.errs, func(e *tracefile.ErrorInfo) bool {
			return e.File == k.File && e.Line > k.Line && e.ORA == k.ORA && (e.Source == "incident" && e.Line <= k.Line+2 || e.Source != "incident" && e.Message == k.Text && e.Dump == nil)
		})
		if at < 0 {
			continue
		}
		e := *b.errs[at]
		if e.Source == "incident" {
			if i := b.raised(&e); i >= 0 {
				told := e
				e = *b.errs[i]
				e.Message = cmp.Or(e.Message, told.Message)
				b.drop(&told)
				at = slices.IndexFunc(b.errs, func(o *tracefile.ErrorInfo) bool { return o.File == e.File && o.Line == e.Line })
			}
		}
		if i := b.dumpOf(k); i >= 0 {
			d := b.errs[i]
			e.Dump, e.Message = d.Dump, cmp.Or(d.Message, e.Message)
			if d.HasWall {
				e.Wall, e.HasWall, e.Zone, e.Stamped = d.Wall, true, d.Zone, d.Stamped
			}
			if e.Statement == nil {
				e.Statement, e.SQLSource = d.Statement, d.SQLSource
			}
			if len(e.Binds) == 0 {
				e.Binds, e.BindLine = d.Binds, d.BindLine
			}
			b.drop(d)
			at = slices.IndexFunc(b.errs, func(o *tracefile.ErrorInfo) bool { return o.File == e.File && o.Line == e.Line })
		}
		if at >= 0 {
			b.errs[at] = &e
		}
	}
	b.joinGlobals()
}

// joinGlobals drops the error that stands for a graph of LMD0 where a session met
// it: the session's trace tells who it was and with which values.
func (b *builder) joinGlobals() {
	for _, d := range b.p.Deadlocks {
		if !d.Global {
			continue
		}
		own := slices.IndexFunc(b.errs, func(e *tracefile.ErrorInfo) bool {
			return e.ORA == 60 && e.File == d.File && e.Line >= d.Line && e.Line <= d.Line+1
		})
		if own < 0 || !b.errs[own].HasWall {
			continue
		}
		at := b.errs[own].Wall
		if slices.ContainsFunc(b.errs, func(e *tracefile.ErrorInfo) bool {
			return e.ORA == 60 && e.File != d.File && e.HasWall && e.Wall > at-globalWithin && e.Wall < at+globalWithin
		}) {
			b.drop(b.errs[own])
		}
	}
}

// drop takes out an error that another tells of.
func (b *builder) drop(e *tracefile.ErrorInfo) {
	b.errs = slices.DeleteFunc(b.errs, func(o *tracefile.ErrorInfo) bool { return o.File == e.File && o.Line == e.Line && o.ORA == e.ORA })
	if b.errCount[e.ORA]--; b.errCount[e.ORA] <= 0 {
		delete(b.errCount, e.ORA)
	}
	b.hidden[rowKey{e.File, e.Line}] = true
}

// raised finds the ERROR line of an incident: the session's next error, if it is
// of the same number and no more than the failing call ended between.
func (b *builder) raised(e *tracefile.ErrorInfo) int {
	next := -1
	for i, o := range b.errs {
		if o.Session == e.Session && o.File == e.File && o.Line > e.Line && (next < 0 || o.Line < b.errs[next].Line) {
			next = i
		}
	}
	if next < 0 || b.errs[next].ORA != e.ORA || b.errs[next].Dump != nil || !strings.HasSuffix(b.errs[next].Source, "ERROR line") || e.Session == nil {
		return -1
	}
	calls := 0
	for _, r := range e.Session.Story {
		if r.Kind == tracefile.RowExecution && r.Depth == 0 && r.File == e.File && r.LastLine > e.Line && r.LastLine < b.errs[next].Line {
			calls++
		}
	}
	if calls > 1 {
		return -1
	}
	return next
}

// dumpOf finds the error of an incident's own file.
func (b *builder) dumpOf(k tracefile.IncidentLink) int {
	return slices.IndexFunc(b.errs, func(e *tracefile.ErrorInfo) bool {
		return e.Dump != nil && e.ORA == k.ORA && e.File != nil && e.File != k.File && traceName(e.File.Path) == traceName(k.Path)
	})
}

// traceName is the name of a trace wherever it lies now, compressed or not.
func traceName(p string) string {
	p = p[strings.LastIndexAny(p, `/\!`)+1:]
	for _, e := range []string{".gz", ".zst"} {
		p = strings.TrimSuffix(p, e)
	}
	return p
}

// sessionCount counts sessions by what they are called: one that wrote two files,
// such as a trace and an incident's dump, is one.
func (m *Model) sessionCount() int {
	seen, n := map[string]bool{}, 0
	for i := range m.Sessions {
		switch name := m.Sessions[i].Name; {
		case name == "unknown":
			n++
		case !seen[name]:
			seen[name] = true
			n++
		}
	}
	return n
}
