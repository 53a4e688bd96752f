package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ringtrace/tracefile"
)

const (
	defaultTail  = 10_000_000 // us
	defaultCalls = 50         // calls at depth 0
	maxTimeline  = 3000
)

// story merges the rows of all sessions on one clock and keeps the tail before
// the error.
func (b *builder) story() {
	type item struct {
		row *tracefile.Row
		at  int64
		ok  bool
	}
	var rows []item
	var latestEnd int64
	walls := map[rowKey]int64{}
	for _, e := range b.errs {
		if e.HasWall {
			walls[rowKey{e.File, e.Line}] = e.Wall
		}
	}
	for _, s := range b.p.Sessions {
		var shift, latest int64
		stretch := 0
		for _, r := range s.Story {
			if r.Kind == tracefile.RowError && b.hidden[rowKey{r.File, r.Line}] {
				continue
			}
			at, ok := s.Clock.Wall(r.Start)
			if !ok {
				at = r.Start // one clock for the file at least
				if us, known := walls[rowKey{r.File, r.Line}]; known && r.Kind == tracefile.RowError {
					at, ok = us, true // a dump alone has no record with a time
				}
			}
			if r.Kind == tracefile.RowMarker {
				if r.Stamp.Valid && ok {
					// The stamp is the one before the command, as is the record: the
					// later of the two is nearer.
					if us, _, _ := instant(r.Stamp, s.Clock); us > at || r.Start == 0 {
						at = us
					}
				} else if r.Start == 0 {
					at, ok = latest, false
				}
			}
			if r.Stretch != stretch {
				// The clock was set back: the story goes on, times or not.
				stretch, shift = r.Stretch, latest-at
			}
			at += shift
			ok = ok && shift == 0
			latest = max(latest, at)
			if !b.rowWanted(r) {
				continue
			}
			rows = append(rows, item{r, at, ok})
			if r.Kind != tracefile.RowMarker { // a command behind the last record is no part of what is covered
				latestEnd = max(latestEnd, at+max(0, r.End-r.Start))
			}
		}
		if stretch == 0 && s.HasTim {
			last, ok := s.Clock.Wall(s.Last)
			if !ok {
				last = s.Last
			}
			latestEnd = max(latestEnd, last)
		}
	}
	slices.SortStableFunc(rows, func(x, y item) int { return cmp.Compare(x.at, y.at) })
	end, haveEnd := int64(0), false
	failing := -1
	if v := b.m.Verdict; v != nil {
		e := b.errs[v.ErrorIndex]
		for i, it := range rows {
			if it.row.Kind == tracefile.RowError && it.row.Session == e.Session && it.row.Line == e.Line && it.row.File == e.File {
				failing, end, haveEnd = i, it.at, true
			}
		}
	}
	if !haveEnd && len(rows) > 0 {
		// The end of what is covered, not the start of its last row.
		end, haveEnd = cmp.Or(latestEnd, rows[len(rows)-1].at), true
	}
	if !b.opt.AllRows {
		var of *tracefile.Session
		stop := len(rows)
		if failing >= 0 {
			of, stop = rows[failing].row.Session, min(len(rows), failing+20)
		}
		kept, calls := rows[stop:stop:stop], 0
		failingRow := failing
		for i := stop - 1; i >= 0; i-- {
			it := rows[i]
			// A call that began before the tail and ran into it is part of it. Beyond
			// the tail, the last calls of the failing session are told all the same,
			// other sessions are not.
			if end-it.at-max(0, it.row.End-it.row.Start) > cmp.Or(b.opt.TailUS, defaultTail) && (b.opt.TailUS > 0 || calls >= defaultCalls || of != nil && it.row.Session != of) {
				continue
			}
			if it.row.Depth == 0 && it.row.Kind == tracefile.RowExecution {
				calls++
			}
			kept = append(kept, it)
			if i == failingRow {
				failing = len(kept) - 1
			}
		}
		slices.Reverse(kept)
		if failing >= 0 {
			failing = len(kept) - 1 - failing
		}
		b.m.Omitted["timeline_rows"] = int64(len(rows) - len(kept))
		b.m.rowsBehind = int64(len(rows) - stop)
		rows = kept
	}
	b.m.tailAsked = b.opt.AllRows || b.opt.TailUS > 0
	b.m.Timeline = []Row{}
	for i, it := range rows {
		o := b.row(it.row)
		o.wall, o.hasWall = it.at, it.ok
		if it.ok {
			c := &it.row.Session.Clock
			o.At = stamp(it.at, c.Zone, c.HasZone)
		}
		if haveEnd && (it.row.HasTim || it.ok && it.at > 0) {
			off := float64(it.at-end) / 1e6
			o.OffsetS = &off
		}
		o.Failing = i == failing
		if n := len(b.m.Timeline); n > 0 && b.m.Timeline[n-1].folds(&o) {
			b.m.Timeline[n-1].fold(&o)
			continue
		}
		b.m.Timeline = append(b.m.Timeline, o)
	}
	b.m.Timeline = foldCycles(b.m.Timeline)
	if n := len(b.m.Timeline); n > maxTimeline {
		b.m.Omitted["timeline_rows"] += int64(n - maxTimeline)
		b.m.Timeline = b.m.Timeline[n-maxTimeline:]
	}
	if cap(b.m.Timeline) > maxTimeline {
		b.m.Timeline = slices.Clone(b.m.Timeline) // those that were folded may go
	}
}

func (b *builder) rowWanted(r *tracefile.Row) bool {
	if len(b.opt.SQL) == 0 {
		return true
	}
	return b.chosen(r.Statement)
}

func (b *builder) row(r *tracefile.Row) Row {
	o := Row{
		File: path(r.File), Line: r.Line, LastLine: r.LastLine, Session: b.session(r.Session), Depth: r.Depth,
		Executions: r.Execs, Parses: r.Parses, HardParses: r.HardParses, Fetches: r.Fetches, Rows: r.Rows, CPUUS: r.CPU, ElapsedUS: r.Elapsed,
		SelfUS: r.Self, Gets: r.Gets, Reads: r.Reads, WaitUS: r.Waits, LongestUS: r.EventTime, ORA: r.ORA, Rollback: r.Rollback,
		ReadOnly: r.ReadOnly, Fold: 1, Binds: b.binds(r.Binds()),
	}
	if r.Event != nil {
		o.LongestWait = valid(r.Event.Name)
		if r.EventWhat != "" {
			o.LongestWait += " (" + r.EventWhat + ")"
		}
	}
	if st := b.names[r.Statement]; st != nil {
		o.SQLID, o.Statement = st.SQLID, st.Number
		o.What = firstWords(st)
	}
	switch r.Kind {
	case tracefile.RowExecution:
		o.Kind = "execution"
	case tracefile.RowTransaction:
		o.Kind = "transaction"
		switch {
		case r.Rollback && r.ReadOnly:
			o.What = "end of transaction: rollback, nothing had changed"
		case r.Rollback:
			o.What = "end of transaction: ROLLBACK"
		case r.ReadOnly:
			o.What = "end of transaction: commit, nothing had changed"
		default:
			o.What = "end of transaction: COMMIT"
		}
	case tracefile.RowError:
		o.Kind = "error"
		o.What = b.oraLine(r.ORA, r.Text)
	case tracefile.RowLob:
		o.Kind, o.What = "lob", valid(r.Text)
	case tracefile.RowPause:
		o.Kind = "wait"
		o.What = o.LongestWait
	case tracefile.RowMarker:
		o.Kind, o.What = "oradebug", valid(r.Text)
	case tracefile.RowGap:
		o.Kind, o.What = "gap", "nothing accounts for this time"
	}
	return o
}

// firstWords shortens a statement to its beginning on one line.
func firstWords(st *Statement) string {
	if st.rest {
		return fmt.Sprintf("(%d statements beyond the limit of those told apart)", st.Merged)
	}
	if st.Text == nil {
		return st.Name + " (SQL text not in the trace)"
	}
	return oneLine(*st.Text, 120)
}

func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// folds reports whether the next row tells the same as this one again.
func (r *Row) folds(o *Row) bool {
	if r.Kind != o.Kind || r.Session != o.Session || r.Depth != o.Depth || r.ORA != o.ORA || r.Failing || o.Failing {
		return false
	}
	switch r.Kind {
	case "execution":
		return r.Statement == o.Statement && r.Statement != 0
	case "lob":
		return r.What == o.What
	case "error":
		return r.Statement == o.Statement && r.What == o.What
	}
	return false
}

func (r *Row) fold(o *Row) {
	r.Fold += o.Fold
	r.LastLine = o.LastLine
	r.Executions += o.Executions
	r.Parses += o.Parses
	r.HardParses += o.HardParses
	r.Fetches += o.Fetches
	r.Rows += o.Rows
	r.CPUUS += o.CPUUS
	r.ElapsedUS += o.ElapsedUS
	r.SelfUS += o.SelfUS
	r.Gets += o.Gets
	r.Reads += o.Reads
	r.WaitUS += o.WaitUS
	if o.LongestUS > r.LongestUS {
		r.LongestUS, r.LongestWait = o.LongestUS, o.LongestWait
	}
	r.LastBinds = o.Binds
}
