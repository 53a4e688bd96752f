package estimate

import (
	"fmt"
	"slices"

	"ringtrace/internal/stats"
	"ringtrace/sessions"
)

// SinceLogon estimates from one snapshot: the window of each session is its
// whole life. It costs no waiting, and tells an average that a busy hour
// exceeds; enable and generate print it.
func SinceLogon(snap Snapshot, rows []sessions.Session, o Options, cost Cost) *Result {
	r := &Result{Basis: SinceLogonBasis, At: snap.At, Windows: 1, Ring: o.Ring, Cost: cost, Sessions: []Session{}, Advice: []string{}, Warnings: []string{}}
	for i := range rows {
		row := &rows[i]
		counters, ok := snap.Sessions[row.Key()]
		age := snap.At.Sub(row.LogonTime).Seconds()
		if !ok || row.LogonTime.IsZero() || age < 1 {
			r.Gone++
			continue
		}
		l := loadOf(counters, typical, age, o)
		s := Session{
			InstID: row.InstID, SID: row.SID, Serial: row.Serial, Username: row.Username,
			LinesPerS: l.TotalLines() / age, BytesPerS: l.TotalBytes() / age, BusiestBytes: l.TotalBytes() / age, Records: l.rates(age),
		}
		s.History = history(o.Ring, s.BytesPerS)
		s.HistoryBusiest, s.Overhead, s.means = s.History, cost.of(s.LinesPerS), s.BytesPerS
		r.Sessions = append(r.Sessions, s)
		r.Totals.LinesPerS += s.LinesPerS
		r.Totals.UnbufferedPerHour += int64(s.means * 3600)
	}
	r.Totals.RingMemory = o.Ring * int64(len(r.Sessions))
	r.Totals.Overhead = cost.of(r.Totals.LinesPerS)
	return r
}

// Short is the estimate in one line; "" if there is nothing to say.
func (r *Result) Short() string {
	if len(r.Sessions) == 0 || r.Totals.LinesPerS == 0 {
		return ""
	}
	var held []float64
	for _, s := range r.Sessions {
		if s.HistoryBusiest != nil {
			held = append(held, *s.HistoryBusiest)
		}
	}
	cpu := cpuText(r.Totals.Overhead)
	if r.Ring == 0 {
		return fmt.Sprintf("by their activity since logon %s would write about %s of trace an hour; tracing costs %s; more: ringtrace estimate", count(len(r.Sessions), "session"), size(float64(r.Totals.UnbufferedPerHour)), cpu)
	}
	return fmt.Sprintf("by their activity since logon the rings hold %s; tracing costs %s; more: ringtrace estimate", heldWords(stats.Median(held), slices.Min(held)), cpu)
}
