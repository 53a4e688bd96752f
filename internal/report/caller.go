package report

import "ringtrace/tracefile"

// Caller is the application's call in which a recursive one failed.
type Caller struct {
	Statement int     `json:"statement"`
	Name      string  `json:"statement_name"`
	SQLID     *string `json:"sql_id"`
	Text      *string `json:"text"` // with its bind values, where the trace has them
	Binds     []Bind  `json:"binds"`
	File      string  `json:"file"`
	Line      int64   `json:"line"`
}

// caller finds the execution at depth 0 that was running when a call below it
// failed. One that never completed has no row; verdict.in_flight tells of it.
func (b *builder) caller() {
	v := b.m.Verdict
	if v == nil || v.Depth == 0 {
		return
	}
	e := b.errs[v.ErrorIndex]
	if e.Session == nil || e.Tim == 0 {
		return
	}
	for _, r := range e.Session.Story {
		if r.Kind != tracefile.RowExecution || r.Depth != 0 || !r.HasTim || r.File != e.File || r.Start > e.Tim || r.End < e.Tim || r.Statement == nil {
			continue
		}
		c := &Caller{Binds: b.binds(r.Binds()), File: path(r.File), Line: r.Line}
		if s := b.names[r.Statement]; s != nil {
			c.Statement, c.Name, c.SQLID, c.Text = s.Number, s.Name, s.SQLID, s.Text
		}
		if binds := r.Binds(); len(binds) > 0 && r.Statement.Text != "" && !b.opt.Redact.Binds {
			c.Text = str(b.hide.sql(tracefile.Substitute(r.Statement.Text, binds)))
		}
		v.CalledBy = c
		b.passedOn = passedOn(b.errs, e, r)
	}
}

// passedOn finds the error that a caller raises because of one below it: the same
// number, when its own call ends.
func passedOn(errs []*tracefile.ErrorInfo, e *tracefile.ErrorInfo, caller *tracefile.Row) *tracefile.ErrorInfo {
	const within = 10_000 // us from the end of the call to its ERROR line
	for _, o := range errs {
		if o.Session == e.Session && o.ORA == e.ORA && o.Depth < e.Depth && o.HasTim && o.Tim >= caller.End && o.Tim <= caller.End+within && o.Dump == nil {
			return o
		}
	}
	return nil
}

// besides counts the failures that are neither the verdict's nor that of its
// caller, to which it was passed on.
func (m *Model) besides() int {
	n := 0
	for i := range m.Failures {
		if f := &m.Failures[i]; !f.Verdict && !(f.PassedOn && f.Count == 1) {
			n++
		}
	}
	return n
}

// caller tells it on the first screen.
func (p *printer) caller() {
	c := p.m.Verdict.CalledBy
	if c == nil {
		return
	}
	p.f("  called by    %s (%s)\n", cut(c.Name, p.width-40), p.place(c.File, c.Line))
	if c.Text != nil {
		p.block("    ", *c.Text, firstTextBesides)
	}
}
