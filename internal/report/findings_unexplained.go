package report

import (
	"cmp"
	"fmt"
	"slices"
)

// unexplained tells of time that is neither CPU nor a wait, where it is more than
// a tenth of all (facts/report-ideal.md 13).
func (b *builder) unexplained(add func(Finding)) {
	m := b.m
	for _, c := range m.Profile {
		if c.Class != "unaccounted" || c.PercentR <= 10 {
			continue
		}
		f := Finding{Rule: "unaccounted", Title: c.Name, SavingUS: c.TimeUS, Unexplained: true}
		if c.Name == unaccountedBetween {
			f.Detail, f.Evidence = m.untraced(), m.gapPlaces()
		} else {
			f.Detail = "Time within calls that neither CPU nor a wait explains: waiting for a CPU, paging, code without a wait event, tracing itself."
			f.Evidence = m.unexplainedCalls()
		}
		add(f)
	}
}

// longGap is from which length on time without a record is rather no work than
// lost work, us.
const longGap = 1_000_000

// untraced says what time between calls can have been of which a trace tells
// nothing.
func (m *Model) untraced() string {
	s := "Nothing was printed meanwhile: tracing was off, the session was idle without saying so, or its process did not run (no CPU, paging)."
	if !slices.ContainsFunc(m.Waits, func(w Wait) bool { return w.Event == "SQL*Net message from client" }) {
		s = "The trace has no wait for the client, so time in which the session had nothing to do cannot be told from lost time."
	}
	var n, sum int64
	for i := range m.Sessions {
		for _, g := range m.Sessions[i].Gaps { // the longest of a session
			if g.TimeUS >= longGap {
				n, sum = n+1, sum+g.TimeUS
			}
		}
	}
	switch {
	case n == 1:
		s += fmt.Sprintf(" One gap of %s is in it.", span(sum))
	case n > 1:
		s += fmt.Sprintf(" %d gaps of 1 s and more make %s of it.", n, span(sum))
	}
	return s
}

// maxEvidence is how many lines a finding names.
const maxEvidence = 6

// gapPlaces names the lines behind the longest gaps of all sessions.
func (m *Model) gapPlaces() []string {
	type gap struct {
		file string
		Gap
	}
	var all []gap
	for _, s := range m.Sessions {
		for _, g := range s.Gaps {
			all = append(all, gap{s.File, g})
		}
	}
	slices.SortStableFunc(all, func(x, y gap) int { return cmp.Compare(y.TimeUS, x.TimeUS) })
	out := []string{}
	for _, g := range all[:min(len(all), maxEvidence)] {
		out = append(out, fmt.Sprintf("%s %s before this line", place(g.file, g.Line), seconds(g.TimeUS)))
	}
	return out
}

// unexplainedCalls names the longest calls of the statements whose own time is
// explained the least.
func (m *Model) unexplainedCalls() []string {
	type rest struct {
		s    *Statement
		time int64
	}
	var all []rest
	for i := range m.Statements {
		s := &m.Statements[i]
		if t := s.ElapsedSelfUS - sum(s.Parse, s.Exec, s.Fetch).CPUUS - s.WaitsWithinUS; t > 0 && s.MaxLine > 0 {
			all = append(all, rest{s, t})
		}
	}
	slices.SortStableFunc(all, func(x, y rest) int { return cmp.Compare(y.time, x.time) })
	out := []string{}
	for _, r := range all[:min(len(all), maxEvidence)] {
		out = append(out, fmt.Sprintf("%s longest call of %s, %s unexplained in all of its calls", place(r.s.MaxFile, r.s.MaxLine), r.s.Name, seconds(r.time)))
	}
	return out
}

// Worth is the time that a finding is about.
func (f Finding) Worth() string {
	if f.Unexplained {
		return span(f.SavingUS)
	}
	return "up to " + span(f.SavingUS)
}
