package report

import (
	"cmp"
	"fmt"
	"slices"
)

// leastFinding is the least that a finding is worth, us.
const leastFinding = 1000

// findings applies the rules of facts/report-ideal.md 13. Each finding names its
// evidence and what it may be worth; none is shown below 1 % of the time that was
// not idle, or below a millisecond, errors apart. What the trace cannot explain
// comes last: there is nothing in it that one could change.
func (b *builder) findings() {
	m := b.m
	m.Findings = []Finding{}
	// Idle time and time without a trace are no measure of what is worth a look.
	least := max(m.Time.AccountedUS/100, leastFinding)
	add := func(f Finding) {
		if f.SavingUS >= least || f.Rule == "repeated-errors" {
			m.Findings = append(m.Findings, f)
		}
	}
	roundTrip := b.roundTrip()
	failed := b.failedRuns()
	literal := map[string]*Finding{}
	for i := range m.Statements {
		s := &m.Statements[i]
		at := []string{place(s.File, s.Line)}
		if s.MaxLine > 0 {
			at = append(at, place(s.MaxFile, s.MaxLine)+" longest call")
		}
		if s.Parse.Count >= 10 && float64(s.Parse.Count) > 0.5*float64(s.Exec.Count) && s.Exec.Count > 0 && s.Depth == 0 {
			add(Finding{
				"parse-per-execution", "parsed again for every execution",
				fmt.Sprintf("%s: %d parses for %d executions, %d hard. Keep the cursor open, or use the statement cache of the driver.", s.Name, s.Parse.Count, s.Exec.Count, s.Parse.Misses),
				s.Parse.ElapsedUS, at, s.Number, false,
			})
		} else if s.Parse.Misses >= 5 && 2*s.Parse.Misses > s.Parse.Count {
			add(Finding{
				"hard-parse", "hard parses",
				fmt.Sprintf("%s: %d of %d parses were hard.", s.Name, s.Parse.Misses, s.Parse.Count), s.Parse.ElapsedUS, at, s.Number, false,
			})
		}
		if s.Exec.Misses > 1 && 10*s.Exec.Misses > s.Exec.Count {
			add(Finding{
				"miss-on-execute", "optimised again on execution",
				fmt.Sprintf("%s: %d of %d executions missed the library cache: bind types or lengths that change, or an aged-out cursor.", s.Name, s.Exec.Misses, s.Exec.Count),
				s.Exec.ElapsedUS * s.Exec.Misses / max(1, s.Exec.Count), at, s.Number, false,
			})
		}
		if s.Fetch.Count >= 20 && s.Fetch.Rows >= s.Fetch.Count/2 && s.Fetch.Rows < 5*s.Fetch.Count && s.Depth == 0 {
			trips := s.Fetch.Count - s.Fetch.Rows/100 - s.Exec.Count
			if trips > 10 {
				add(Finding{
					"row-by-row-fetch", "rows fetched nearly one by one",
					fmt.Sprintf("%s: %.1f rows a fetch. With an array size of 100, %d round trips of %s each would go.", s.Name,
						float64(s.Fetch.Rows)/float64(s.Fetch.Count), trips, seconds(roundTrip)),
					trips * roundTrip, at, s.Number, false,
				})
			}
		}
		if s.EmptyFetches >= 20 && 2*s.EmptyFetches > s.Fetch.Count {
			add(Finding{
				"empty-fetch", "fetches that return nothing",
				fmt.Sprintf("%s: %d of %d fetches returned no row.", s.Name, s.EmptyFetches, s.Fetch.Count),
				s.Fetch.ElapsedUS * s.EmptyFetches / max(1, s.Fetch.Count), at, s.Number, false,
			})
		}
		if s.Errors > 1 {
			add(b.repeatedErrors(s, at, failed[s.Number]))
		}
		rows := s.Fetch.Rows + s.Exec.Rows
		gets := s.Exec.Query + s.Fetch.Query + s.Exec.Current + s.Fetch.Current
		if rows > 0 && gets > 1000*rows && gets > 10000 {
			add(Finding{
				"gets-per-row", "many buffer gets for few rows",
				fmt.Sprintf("%s: %d gets for %d rows (an aggregate may need them; else look for an index).", s.Name, gets, rows),
				s.Exec.CPUUS + s.Fetch.CPUUS, at, s.Number, false,
			})
		}
		if s.HardCloses >= 20 && s.HardCloses*2 > s.Closes {
			add(Finding{
				"hard-close", "cursors closed for good",
				fmt.Sprintf("%s: %d of %d closes were hard (type 0): the session cursor cache does not hold it.", s.Name, s.HardCloses, s.Closes),
				s.Parse.ElapsedUS, at, s.Number, false,
			})
		}
		if s.Similar >= 10 && s.Text != nil {
			key := fmt.Sprintf("%s %d", s.Command, s.Similar)
			f := literal[key]
			if f == nil {
				f = &Finding{
					"literals", "statements that differ in literals only",
					fmt.Sprintf("%d statements like %s: use bind variables.", s.Similar, oneLine(*s.Text, 60)), 0, at, s.Number, false,
				}
				literal[key] = f
			}
			f.SavingUS += s.Parse.ElapsedUS
		}
	}
	for _, f := range literal {
		add(*f)
	}
	b.wholeFindings(add, roundTrip)
	slices.SortStableFunc(m.Findings, func(x, y Finding) int {
		if x.Unexplained != y.Unexplained {
			if y.Unexplained {
				return -1
			}
			return 1
		}
		if x.SavingUS != y.SavingUS {
			return cmp.Compare(y.SavingUS, x.SavingUS)
		}
		return cmp.Compare(x.Rule+x.Detail, y.Rule+y.Detail)
	})
}

// wholeFindings looks at the sessions as a whole.
func (b *builder) wholeFindings(add func(Finding), roundTrip int64) {
	m := b.m
	if m.Time.ElapsedUS == 0 {
		return
	}
	for _, w := range m.Waits {
		if w.Event == "log file sync" && w.Count >= 20 {
			add(Finding{
				"commit-rate", "many small commits",
				fmt.Sprintf("%d commits in %s, %.1f a second, %d of them with nothing changed; %d waits for log file sync, %s each on average. Commit when the work is done, not after each row.",
					m.Transactions.Commits, seconds(m.Time.ElapsedUS), float64(m.Transactions.Commits)*1e6/float64(m.Time.ElapsedUS), m.Transactions.ReadOnly, w.Count, seconds(w.TotalUS/w.Count)),
				w.TotalUS,
				[]string{place(w.MaxFile, w.MaxLine) + " longest wait"},
				0, false,
			})
		}
	}
	b.lockFindings(add)
	var lob, lobTime int64
	var lobAt []string
	for _, l := range m.LOB {
		lob += l.Calls.Count
		lobTime += l.Calls.ElapsedUS
		lobAt = append(lobAt, place(l.File, l.Line)+" first "+l.Name)
	}
	if lob >= 20 {
		add(Finding{
			"lob-round-trips", "LOBs read or written piece by piece",
			fmt.Sprintf("%d LOB calls, each a round trip: fetch small LOBs with their row, or in larger pieces.", lob),
			lobTime + lob*roundTrip, lobAt, 0, false,
		})
	}
	b.unexplained(add)
}

// lockFindings names waiting for locks, with the statements that waited.
func (b *builder) lockFindings(add func(Finding)) {
	m := b.m
	for i := range m.Waits {
		w := &m.Waits[i]
		if w.Class != "lock" {
			continue
		}
		f := Finding{
			"lock-wait", "waiting for locks of other sessions",
			fmt.Sprintf("%s: %s, %s each on average. The holder is another session: look at what it does before it commits.", w.Event, count(w.Count, "wait"), seconds(w.TotalUS/max(1, w.Count))),
			w.TotalUS,
			[]string{place(w.MaxFile, w.MaxLine) + " longest wait"},
			0, false,
		}
		var most int64
		var in *Statement
		for k := range m.Statements {
			for _, o := range m.Statements[k].Waits {
				if o.Event == w.Event && o.TotalUS > most {
					most, in = o.TotalUS, &m.Statements[k]
				}
			}
		}
		if in != nil {
			f.Statement = in.Number
			f.Detail = fmt.Sprintf("%s of it in %s: %s. %s", span(most), in.Name, oneLine(firstWords(in), 60), f.Detail)
		}
		add(f)
	}
}

// roundTrip returns what a round trip to the client takes, us: the median wait
// for the client, think time apart.
func (b *builder) roundTrip() int64 {
	for _, w := range b.m.Waits {
		if w.Event == "SQL*Net message from client" && w.Count > 0 {
			return w.P50US
		}
	}
	return 0
}

func seconds(us int64) string {
	s := float64(us) / 1e6
	if s < 1 && s > -1 {
		return fmt.Sprintf("%.6f s", s)
	}
	return fmt.Sprintf("%.3f s", s)
}
