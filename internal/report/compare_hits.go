package report

import "slices"

// Hit is an error that one of two traces hit and the other did not: the failing
// execution, and the other trace's executions of the same statement.
type Hit struct {
	ORA    int64       `json:"ora"`
	In     string      `json:"in"` // a or b
	File   string      `json:"file"`
	Line   int64       `json:"line"`
	SQLID  *string     `json:"sql_id"`
	Text   *string     `json:"text"`
	Binds  []Bind      `json:"binds"`
	Misses []Execution `json:"misses"` // the last ones, binds that differ marked
}

const (
	maxHits   = 20
	maxMisses = 5
)

func (c *Comparison) hits(in string, m, o *Model) {
	for i := range m.Failures {
		f := &m.Failures[i]
		if countOf(o.ErrorCount, f.ORA) > 0 || len(c.Hits) >= maxHits {
			continue
		}
		h := Hit{ORA: f.ORA, In: in, File: f.File, Line: f.Line, SQLID: f.SQLID, Binds: f.Binds, Misses: []Execution{}}
		var key string
		for k := range m.Statements {
			if s := &m.Statements[k]; s.Number == f.Statement {
				h.Text, key = s.Text, identity(s)
			}
		}
		for k := range o.Statements {
			if s := &o.Statements[k]; f.Statement != 0 && identity(s) == key {
				h.Misses = append(h.Misses, o.lastRuns(s.Number, f.Binds)...)
			}
		}
		c.Hits = append(c.Hits, h)
	}
}

// lastRuns returns the last executions of a statement that the story holds.
func (m *Model) lastRuns(number int, failing []Bind) []Execution {
	var out []Execution
	for i := len(m.Timeline) - 1; i >= 0 && len(out) < maxMisses; i-- {
		r := &m.Timeline[i]
		if r.Kind != "execution" || r.Statement != number || r.Executions == 0 {
			continue
		}
		x := Execution{At: r.At, File: r.File, Line: r.Line, Session: r.Session, ORA: r.ORA, Rows: r.Rows, ElapsedUS: r.ElapsedUS, Binds: r.Binds, Differs: []int{}}
		for k, b := range r.Binds {
			if k < len(failing) && failing[k].Value != b.Value {
				x.Differs = append(x.Differs, b.Position)
			}
		}
		out = append(out, x)
	}
	slices.Reverse(out)
	return out
}
