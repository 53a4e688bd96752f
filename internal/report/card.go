package report

import "slices"

// maxRuns is how many bind sets a statement's card shows.
const maxRuns = 3

// lastRuns gives each statement the last bind sets that the story holds, the
// latest first; a set that comes again is shown once.
func (b *builder) lastRuns() {
	at := map[int]*Statement{}
	for i := range b.m.Statements {
		at[b.m.Statements[i].Number] = &b.m.Statements[i]
	}
	for i := len(b.m.Timeline) - 1; i >= 0; i-- {
		r := &b.m.Timeline[i]
		s := at[r.Statement]
		if s == nil || r.Kind != "execution" {
			continue
		}
		for _, set := range [][]Bind{r.LastBinds, r.Binds} {
			if len(set) == 0 || len(s.LastRuns) >= maxRuns {
				continue
			}
			if slices.ContainsFunc(s.LastRuns, func(x Run) bool { return slices.Equal(x.Binds, set) }) {
				continue
			}
			s.LastRuns = append(s.LastRuns, Run{r.File, r.Line, r.ORA, set})
		}
	}
}

// Averages are a statement's figures by execution and by row.
type Averages struct {
	ElapsedS, CPUS, Gets, Reads, Rows float64 // of one execution
	RowElapsedS, RowGets              float64 // of one row
	HasRows                           bool
}

// Average divides a statement's own figures; ok is false where it did not run.
func (s *Statement) Average() (a Averages, ok bool) {
	t := sum(s.Parse, s.Exec, s.Fetch)
	n := float64(s.Exec.Count)
	if n == 0 {
		return a, false
	}
	a = Averages{
		ElapsedS: float64(t.ElapsedUS) / 1e6 / n, CPUS: float64(t.CPUUS) / 1e6 / n, Gets: float64(t.Query+t.Current) / n,
		Reads: float64(t.Disk) / n, Rows: float64(t.Rows) / n,
	}
	if t.Rows > 0 {
		a.HasRows, a.RowElapsedS, a.RowGets = true, float64(t.ElapsedUS)/1e6/float64(t.Rows), float64(t.Query+t.Current)/float64(t.Rows)
	}
	return a, true
}

// Off reports whether a row source returned ten times more or fewer rows than the
// optimizer expected of its starts.
func (s *PlanStep) Off() bool {
	if s.Est <= 0 {
		return false
	}
	want := s.Est
	if s.Starts != nil {
		want *= max(1, *s.Starts)
	}
	return s.Rows > 10*want || 10*max(1, s.Rows) < want
}

// OwnUS is the time of the statement's own calls and of the waits between calls
// on its cursor: what the shares of its waits are of.
func (s *Statement) OwnUS() int64 {
	t := s.ElapsedSelfUS
	for _, w := range s.Waits {
		t += w.BetweenUS
	}
	return t
}
