package tracefile

import "slices"

// planBuilder gathers the STAT lines of one appearance of a plan.
type planBuilder struct {
	stmt  *Statement
	hash  int64
	line  int64
	file  *File
	steps []PlanStep
	like  *Plan // what the steps so far are the same as; nil for none
}

// maxPlans and maxSteps bound what is kept per statement.
const (
	maxPlans = 8
	maxSteps = 2000
)

// stat takes a STAT line. A new appearance begins at id 1: two plans may follow
// each other with nothing in between (facts 8).
func (a *Analyzer) stat(rec *Record) {
	s := a.s
	if !rec.Complete || s.skip {
		return
	}
	c := a.find(rec.Cursor)
	b := c.build
	if b == nil || rec.Plan.ID <= 1 || len(b.steps) > 0 && rec.Plan.ID <= b.steps[len(b.steps)-1].ID {
		a.endPlan(c)
		if c.stmt == nil {
			c.stmt = a.unknownStatement(c.number, c.plan)
		}
		b = a.startPlan(c, rec.Line)
	}
	if len(b.steps) >= maxSteps {
		return
	}
	pl := &rec.Plan
	op := a.operation(b, pl)
	n := len(b.steps)
	if n == cap(b.steps) {
		b.steps = slices.Grow(b.steps, max(8, n))
	}
	b.steps = b.steps[:n+1]
	step := &b.steps[n]
	step.ID, step.Parent, step.Position, step.Object, step.Operation = pl.ID, pl.Parent, pl.Position, pl.Object, op
	step.Rows, step.FirstRows, step.MaxRows, step.CR, step.PR, step.PW, step.Time = pl.Rows, pl.Rows, pl.Rows, pl.CR, pl.PR, pl.PW, pl.Time
	step.Starts, step.Cost, step.Size, step.Card, step.HasStats = pl.Starts, pl.Cost, pl.Size, pl.Card, pl.HasStats
	step.Level, step.SelfTime = 0, 0
}

// operation returns the name of the next step: mostly that of the plan which the
// statement had before, so no table is asked.
func (a *Analyzer) operation(b *planBuilder, pl *PlanLine) string {
	i, op := len(b.steps), pl.Operation
	if p := b.like; p != nil {
		if i < len(p.Steps) {
			if s := &p.Steps[i]; s.Operation == string(op) && s.ID == pl.ID && s.Parent == pl.Parent {
				return s.Operation
			}
		}
		b.like = nil
	}
	for _, p := range b.stmt.Plans {
		if i < len(p.Steps) && p.Steps[i].Operation == string(op) {
			return p.Steps[i].Operation
		}
	}
	return a.intern(op)
}

// maxBuilding is how many plans may be open at once: the STAT lines of one stand
// together, so an older one is complete.
const maxBuilding = 64

func (a *Analyzer) startPlan(c *cursor, line int64) *planBuilder {
	if len(a.building) >= maxBuilding {
		a.endPlan(a.building[0])
	}
	var b *planBuilder
	if n := len(a.builders); n > 0 {
		b, a.builders = a.builders[n-1], a.builders[:n-1]
	} else {
		b = &planBuilder{}
	}
	b.stmt, b.hash, b.line, b.file, b.steps = c.stmt, c.plan, line, a.file, b.steps[:0]
	b.like = nil
	for _, p := range c.stmt.Plans {
		if p.Hash == c.plan {
			b.like = p
			break
		}
	}
	c.build = b
	a.building = append(a.building, c)
	return b
}

// endPlan adds the plan that was gathered for a cursor to its statement.
func (a *Analyzer) endPlan(c *cursor) {
	b := c.build
	if b == nil {
		return
	}
	c.build = nil
	for i := len(a.building) - 1; i >= 0; i-- { // mostly one of the latest
		if a.building[i] == c {
			a.building = slices.Delete(a.building, i, i+1)
			break
		}
	}
	a.builders = append(a.builders, b)
	if len(b.steps) == 0 {
		return
	}
	st := b.stmt
	deriveSteps(b.steps)
	if p := b.like; p != nil && len(p.Steps) == len(b.steps) {
		p.add(b.steps)
		return
	}
	for _, p := range st.Plans {
		if p.Hash == b.hash && sameShape(p.Steps, b.steps) {
			p.add(b.steps)
			return
		}
	}
	if len(st.Plans) >= maxPlans {
		return
	}
	st.Plans = append(st.Plans, &Plan{b.hash, 1, b.line, b.file, append([]PlanStep(nil), b.steps...)})
}

func sameShape(a, b []PlanStep) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].ID != b[i].ID || a[i].Parent != b[i].Parent || a[i].Operation != b[i].Operation {
			return false
		}
	}
	return true
}

func (p *Plan) add(steps []PlanStep) {
	p.Count++
	for i := range steps {
		s, o := &p.Steps[i], &steps[i]
		s.Rows += o.Rows
		s.MaxRows = max(s.MaxRows, o.Rows)
		s.CR += o.CR
		s.PR += o.PR
		s.PW += o.PW
		s.Time += o.Time
		s.SelfTime += o.SelfTime
		if o.Starts > 0 {
			s.Starts += o.Starts
		}
	}
}

// deriveSteps computes indentation and the time that each row source spent
// itself: its own less that of its children (STAT times are cumulative).
func deriveSteps(steps []PlanStep) {
	for i := range steps {
		steps[i].SelfTime = steps[i].Time
	}
	for i := range steps {
		p := parentOf(steps, i)
		if p < 0 {
			continue
		}
		steps[i].Level = steps[p].Level + 1
		steps[p].SelfTime -= steps[i].Time
	}
}

// parentOf returns the index of a step's parent, which stands before it, or -1.
func parentOf(steps []PlanStep, i int) int {
	id := steps[i].Parent
	if id <= 0 {
		return -1
	}
	if k := id - 1; k < i && steps[k].ID == id {
		return k
	}
	for k := i - 1; k >= 0; k-- {
		if steps[k].ID == id {
			return k
		}
	}
	return -1
}

// intern returns the string of b, the same for the same bytes.
func (a *Analyzer) intern(b []byte) string {
	if s, ok := a.strings[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(a.strings) < 20000 {
		a.strings[s] = s
	}
	return s
}
