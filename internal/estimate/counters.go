package estimate

import (
	"math"
	"time"

	"ringtrace/sessions"
)

// The statistics that are read, by their names in V$STATNAME.
const (
	statExecutes  = "execute count"
	statParses    = "parse count (total)"
	statHard      = "parse count (hard)"
	statCached    = "session cursor cache hits"
	statUserCalls = "user calls"
	statRecursive = "recursive calls"
	statCommits   = "user commits"
	statRollbacks = "user rollbacks"
	statOpened    = "opened cursors cumulative"
)

// Statistics lists them.
func Statistics() []string {
	return []string{statExecutes, statParses, statHard, statCached, statUserCalls, statRecursive, statCommits, statRollbacks, statOpened}
}

// Counters is what the database counted for one session so far.
type Counters struct {
	Stats map[string]float64 // by statistic
	Waits map[string]float64 // by event: TOTAL_WAITS
}

// Snapshot is the counters of all sessions at a time of the database.
type Snapshot struct {
	At       time.Time
	Sessions map[sessions.Key]Counters
}

// Statement is what is known of a SQL statement.
type Statement struct {
	Length, Binds, PlanLines float64
}

// Options say what would be traced.
type Options struct {
	Release  int // first number of the version
	Waits    bool
	Binds    bool
	PlanStat string // first_execution, all_executions, never
	Ring     int64
}

// typical is used for a session none of whose statements is known: the median
// SQL text of the public trace files; binds and plan lines are this project's
// own assumption.
var typical = Statement{Length: 121, Binds: 2, PlanLines: 4}

// mean is the average statement of a session.
func mean(ids []string, known map[string]Statement) Statement {
	var m Statement
	n := 0.0
	for _, id := range ids {
		if s, ok := known[id]; ok {
			m.Length, m.Binds, m.PlanLines, n = m.Length+s.Length, m.Binds+s.Binds, m.PlanLines+s.PlanLines, n+1
		}
	}
	if n == 0 {
		return typical
	}
	return Statement{m.Length / n, m.Binds / n, m.PlanLines / n}
}

// delta is what grew between two snapshots of a session. A counter that went
// back (statistics wrap, or were reset) counts as 0.
func delta(a, b Counters) Counters {
	d := Counters{Stats: map[string]float64{}, Waits: map[string]float64{}}
	for name, v := range b.Stats {
		d.Stats[name] = math.Max(0, v-a.Stats[name])
	}
	for name, v := range b.Waits {
		d.Waits[name] = math.Max(0, v-a.Waits[name])
	}
	return d
}

// stampEvery is how often a trace gets a time stamp of its own while records
// are written, in seconds (facts/trace-format.md 3).
const stampEvery = 10

// loadOf turns counters of a window into trace records.
func loadOf(d Counters, st Statement, seconds float64, o Options) Load {
	var l Load
	z := sizesOf(o.Release)
	s := func(name string) float64 { return d.Stats[name] }
	if o.Waits {
		for event, n := range d.Waits {
			l.add(Wait, n, n, n*(z.wait+float64(len(event))))
		}
	}
	execs, parses := s(statExecutes), s(statParses)
	l.add(Exec, execs, execs, execs*z.exec)
	l.add(Parse, parses, parses, parses*z.parse)
	// A parse that the session's cursor cache answered prints PARSE alone.
	texts := math.Max(0, parses-s(statCached))
	l.add(Parsing, texts, 4*texts, texts*(z.parsing+st.Length))
	ends := s(statCommits) + s(statRollbacks)
	l.add(Xctend, ends, ends, ends*z.xctend)
	// There is no statistic of fetches: they are the calls that are nothing else.
	fetches := math.Max(0, s(statUserCalls)+s(statRecursive)-parses-execs-ends)
	l.add(Fetch, fetches, fetches, fetches*z.fetch)
	opened := s(statOpened)
	l.add(Close, opened, opened, opened*z.close)
	plans := 0.0
	switch o.PlanStat {
	case "never":
	case "all_executions":
		plans = execs
	default:
		plans = math.Min(opened, texts) // a cursor that was not there before
	}
	l.add(Stat, plans*st.PlanLines, plans*st.PlanLines, plans*st.PlanLines*z.stat)
	if o.Binds && st.Binds > 0 {
		l.add(Binds, execs, execs*(5*st.Binds+2), execs*st.Binds*z.bind)
	}
	if records := sum(l.Records); records > 0 {
		n := math.Min(seconds/stampEvery, records)
		l.add(Stamp, n, 2*n, n*z.stamp)
	}
	return l
}
