package estimate

import (
	"cmp"
	"fmt"
	"slices"

	"ringtrace/internal/exit"
	"ringtrace/internal/stats"
	"ringtrace/sessions"
)

// Input is what an estimate is made of.
type Input struct {
	Snapshots  []Snapshot
	Rows       []sessions.Session        // the sessions that are asked about
	Cursors    map[sessions.Key][]string // SQL_IDs of open cursors
	Statements map[string]Statement      // by SQL_ID
	Options    Options
	Cost       Cost
	History    float64 // seconds that the advice wants a ring to hold …
	Share      float64 // … for this share of sessions, 0 to 1
}

// Compute makes the estimate. Two snapshots make one window; a session counts
// if it is in the first and in the last of them under the same serial number.
func Compute(in Input) (*Result, error) {
	n := len(in.Snapshots) - 1
	if n < 1 {
		return nil, exit.Errorf(exit.Usage, "give --windows 2", "an estimate needs a window between two snapshots")
	}
	lengths := make([]float64, n)
	r := &Result{Basis: WindowsBasis, At: in.Snapshots[n].At, Windows: n, Ring: in.Options.Ring, Cost: in.Cost, Sessions: []Session{}, Advice: []string{}, Warnings: []string{}}
	for i := range n {
		lengths[i] = in.Snapshots[i+1].At.Sub(in.Snapshots[i].At).Seconds()
		if lengths[i] <= 0 {
			return nil, exit.Errorf(exit.Failed, "run it again", "the database's clock went back by %.3f s within a window", -lengths[i])
		}
		r.WindowS += lengths[i]
	}
	for i := range in.Rows {
		s, ok := one(in, &in.Rows[i], lengths)
		if !ok {
			r.Gone++
			continue
		}
		r.Sessions = append(r.Sessions, s)
	}
	slices.SortStableFunc(r.Sessions, func(a, b Session) int { return cmp.Compare(b.BusiestBytes, a.BusiestBytes) })
	for _, s := range r.Sessions {
		r.Totals.UnbufferedPerHour += int64(s.means * 3600)
		r.Totals.LinesPerS += s.LinesPerS
	}
	r.Totals.RingMemory = in.Options.Ring * int64(len(r.Sessions))
	r.Totals.Overhead = in.Cost.of(r.Totals.LinesPerS)
	r.advise(in)
	return r, nil
}

// of is the CPU that lines a second cost, in percent of one CPU.
func (c Cost) of(lines float64) Range {
	return Range{lines * c.LowUS / 1e4, lines * c.HighUS / 1e4}
}

func one(in Input, row *sessions.Session, lengths []float64) (Session, bool) {
	key := row.Key()
	s := Session{InstID: key.InstID, SID: key.SID, Serial: key.Serial, Username: row.Username, key: key}
	var lines, bytes []float64
	var all Load
	total := 0.0
	for i, seconds := range lengths {
		a, okA := in.Snapshots[i].Sessions[key]
		b, okB := in.Snapshots[i+1].Sessions[key]
		if !okA || !okB {
			return s, false
		}
		d := delta(a, b)
		l := loadOf(d, mean(in.Cursors[key], in.Statements), seconds, in.Options)
		lines = append(lines, l.TotalLines()/seconds)
		bytes = append(bytes, l.TotalBytes()/seconds)
		for k := range kinds {
			all.add(k, l.Records[k], l.Lines[k], l.Bytes[k])
		}
		total += seconds
	}
	s.LinesPerS, s.BytesPerS, s.BusiestBytes = stats.Median(lines), stats.Median(bytes), slices.Max(bytes)
	s.means = all.TotalBytes() / total
	s.History, s.HistoryBusiest = history(in.Options.Ring, s.BytesPerS), history(in.Options.Ring, s.BusiestBytes)
	s.Overhead, s.Records = in.Cost.of(s.LinesPerS), all.rates(total)
	return s, true
}

// history is how many seconds a ring holds; nil for a session that writes
// nothing.
func history(ring int64, perSecond float64) *float64 {
	if perSecond <= 0 || ring <= 0 {
		return nil
	}
	h := float64(ring) / perSecond
	return &h
}

// Limits of --ring (docs/scripting.md): what is warned about below, and the
// largest.
const (
	leastRing = 64 << 10
	mostRing  = 1<<31 - 1
)

// RingFor is the ring that holds the wanted seconds of the wanted share of
// sessions at their busiest: a power of two, as --ring takes it. ok is false if
// no ring is large enough, or nobody writes anything.
func (r *Result) RingFor(seconds, share float64) (ring int64, ok bool) {
	var busiest []float64
	for _, s := range r.Sessions {
		busiest = append(busiest, s.BusiestBytes)
	}
	need := stats.Quantile(busiest, share) * seconds
	if !(need > 0) {
		return 0, false
	}
	ring = leastRing
	for float64(ring) < need {
		if ring *= 2; ring > mostRing {
			return 0, false
		}
	}
	return ring, true
}

func (r *Result) advise(in Input) {
	add := func(format string, args ...any) { r.Advice = append(r.Advice, fmt.Sprintf(format, args...)) }
	if len(r.Sessions) == 0 {
		return
	}
	if ring, ok := r.RingFor(in.History, in.Share); ok {
		add("for the last %.0f s of %.0f %% of sessions take --ring %s (%s for %s)", in.History, 100*in.Share, RingText(ring), size(float64(ring)*float64(len(r.Sessions))), count(len(r.Sessions), "session"))
	} else if r.Totals.LinesPerS > 0 {
		add("no ring holds the last %.0f s of %.0f %% of sessions; trace fewer of them, or look at the busiest: ringtrace estimate --sid %d", in.History, 100*in.Share, r.Sessions[0].SID)
	}
	if r.Totals.UnbufferedPerHour > 1<<30 {
		add("without rings this is %s an hour on the trace file system", size(float64(r.Totals.UnbufferedPerHour)))
	}
	if r.Totals.LinesPerS == 0 {
		add("nobody did anything in these %s; estimate when the application is busy, or with a longer --window", span(r.WindowS))
	}
	if !in.Cost.Measured && r.Totals.LinesPerS > 0 {
		add("the CPU is a range from elsewhere; your own figure: ringtrace overhead")
	}
}

// RingText writes a size as --ring takes it.
func RingText(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%dM", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%dk", n>>10)
	}
	return fmt.Sprint(n)
}
