package report

import (
	"fmt"
	"strconv"

	"ringtrace/tracefile"
)

// rest fills in what the reader may look up.
func (b *builder) rest() {
	m, p := b.m, b.p
	m.Problems, m.Notes = b.problems(p.Problems), b.problems(p.Notes)
	m.Sessions = make([]Session, 0, len(p.Sessions))
	for _, s := range p.Sessions {
		if len(b.opt.Read) > 0 && !s.HasTim && len(s.Story) == 0 && s.Dropped == 0 {
			continue // nothing of it was selected
		}
		o := Session{
			Name: b.session(s), PID: s.PID, File: path(s.File), Service: valid(b.hide.name(s.Service)), Module: valid(b.hide.name(s.Module)),
			Action: valid(b.hide.name(s.Action)), ClientID: valid(b.hide.name(s.ClientID)), Driver: valid(s.Driver),
			Container: valid(b.hide.name(s.Container)), ElapsedUS: s.Elapsed, CallsUS: s.CallElapsed, CPUUS: s.CallCPU,
			WaitsWithinUS: s.WaitsWithin, WaitsBetweenUS: s.WaitsBetween, IdleUS: s.Idle, Clients: []Client{}, Gaps: []Gap{}, InFlight: b.flights(s),
		}
		if s.HasTim {
			o.First, o.Last = wall(s.Clock, s.First), wall(s.Clock, s.Last)
		}
		for _, c := range s.Clients {
			o.Clients = append(o.Clients, Client{
				valid(b.hide.name(c.ID)), valid(b.hide.name(c.Module)), valid(b.hide.name(c.Action)), c.Executions, c.Elapsed,
			})
		}
		for _, g := range s.Gaps {
			o.Gaps = append(o.Gaps, Gap{g.Line, g.Time})
		}
		m.Sessions = append(m.Sessions, o)
	}
	m.Incidents = []Incident{}
	for _, i := range p.Incidents {
		m.Incidents = append(m.Incidents, Incident{path(i.File), i.Line, i.Number, valid(i.Path), i.ORA, valid(i.Text)})
	}
	m.Markers = []Marker{}
	for _, k := range p.Markers {
		m.Markers = append(m.Markers, Marker{path(k.File), k.Line, k.Number, valid(k.Command), k.State})
	}
	m.LOB = []LOB{}
	for _, l := range p.Lobs {
		m.LOB = append(m.LOB, LOB{l.Name, l.Bytes, calls(l.Values), path(l.File), l.Line})
	}
	m.Longest = []Longest{}
	for _, t := range p.Top {
		l := Longest{File: path(t.File), Line: t.Line, TimeUS: t.Time, What: t.Kind.String()}
		if t.Event != nil {
			l.What = valid(t.Event.Name)
		}
		if st := b.names[t.Statement]; st != nil {
			l.Name = st.Name
		}
		m.Longest = append(m.Longest, l)
	}
	if p.FoldedStatements > 0 {
		m.Omitted["folded_statements"] = p.FoldedStatements
	}
}

func (b *builder) problems(list []*tracefile.Problem) []Problem {
	out := []Problem{}
	for _, p := range list {
		message := p.Message
		switch p.Kind {
		case "unknown_lines", "ora_message": // they quote the trace
			message = b.hide.message(message)
		}
		out = append(out, Problem{path(p.File), p.Line, p.Kind, valid(message), p.Count})
	}
	return out
}

func (b *builder) dumps() {
	m := b.m
	m.Dumps = []Dump{}
	for _, d := range b.p.Dumps {
		o := Dump{
			File: path(d.File), Line: d.Line, EndLine: d.EndLine, Bytes: d.Bytes, Kind: d.Kind, Level: d.Level, At: clockStamp(d.Stamp, d.File),
			Stack: []string{}, SQLID: str(d.SQLID), SQLText: str(b.hide.sql(d.SQLText)), PLSQL: []string{}, Frames: []string{},
			Cursors: []Cursor{}, Sections: []Place{},
		}
		for _, l := range d.Stack {
			o.Stack = append(o.Stack, b.oraLine(l.Code, l.Text))
		}
		for _, f := range d.PLSQL {
			o.PLSQL = append(o.PLSQL, valid(fmt.Sprintf("%s, line %d", f.Unit, f.Line)))
		}
		for _, f := range d.Frames {
			o.Frames = append(o.Frames, valid(f))
		}
		for _, c := range d.Cursors {
			o.Cursors = append(o.Cursors, Cursor{c.Number, c.State, c.Line, b.binds(c.Binds)})
		}
		for _, s := range d.Section {
			o.Sections = append(o.Sections, Place{valid(s.Title), s.Line})
		}
		m.Dumps = append(m.Dumps, o)
	}
	m.Deadlocks = []Deadlock{}
	for _, d := range b.p.Deadlocks {
		o := Deadlock{
			File: path(d.File), Line: d.Line, At: clockStamp(d.Stamp, d.File), Global: d.Global,
			Edges: []DeadlockEdge{}, Rows: []DeadlockRow{}, SQL: []DeadlockSQL{},
		}
		for _, e := range d.Edges {
			o.Edges = append(o.Edges, DeadlockEdge{valid(e.Resource), party(e.Blocker), party(e.Waiter), valid(e.Blocker.Mode), valid(e.Waiter.Mode)})
		}
		for _, r := range d.Rows {
			o.Rows = append(o.Rows, DeadlockRow{r.Session, r.Object, valid(r.ROWID), r.File, r.Block, r.Slot})
		}
		for _, q := range d.SQL {
			x := DeadlockSQL{Session: q.Session, SQLID: q.SQLID, Text: valid(b.hide.sql(q.Text)), Line: q.Line}
			if q.Session == 0 {
				x.Owner = b.ownerOf(d)
			}
			o.SQL = append(o.SQL, x)
		}
		m.Deadlocks = append(m.Deadlocks, o)
	}
}

func party(p tracefile.Party) string {
	s := ""
	if p.Session != 0 {
		s = "session " + strconv.FormatInt(p.Session, 10)
	}
	if p.Serial != 0 {
		s += "," + strconv.FormatInt(p.Serial, 10)
	}
	if p.Process != 0 {
		if s != "" {
			s += " "
		}
		s += "process " + strconv.FormatInt(p.Process, 10)
	}
	if p.Instance != 0 {
		s += " on instance " + strconv.FormatInt(p.Instance, 10)
	}
	return s
}
