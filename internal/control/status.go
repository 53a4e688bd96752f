package control

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/quantity"
	"ringtrace/internal/sight"
	"ringtrace/sessions"
)

// Status looks at a campaign without touching a target: V$ views, process
// identity and, where they can be read, the trace files.
type Status struct {
	Rows []sessions.Row // all sessions of the database
	// Sight looks at trace files; nil: nobody sees them.
	Sight sight.Sight
	Place *Place
}

// Of adds the sessions of one campaign that pick chooses (nil: all).
func (st *Status) Of(ctx context.Context, c *journal.Campaign, doc *Document, pick func(*journal.SessionState) bool) {
	sees := map[[3]int]*sessions.Row{}
	procs := map[[2]int][]*sessions.Row{}
	for i := range st.Rows {
		r := &st.Rows[i]
		sees[[3]int{r.InstID, r.SID, r.Serial}] = r
		procs[[2]int{r.InstID, r.Orapid}] = append(procs[[2]int{r.InstID, r.Orapid}], r)
	}
	for _, s := range c.Sessions {
		if pick != nil && !pick(s) {
			continue
		}
		if now, ok := st.Place.Instance(s.Session.InstID); ok && s.Open() && relate(c.Instances[s.Session.InstID], now) == journal.Restarted {
			s.State, s.Ring, s.Reason, s.Detail = journal.Lost, journal.RingNone, "restarted", "the instance was restarted"
			doc.AddState(s)
			continue
		}
		st.session(ctx, s, c.Header.Events, sees[[3]int{s.Session.InstID, s.Session.SID, s.Session.Serial}], procs[[2]int{s.Session.InstID, s.Process.Orapid}])
		doc.AddState(s)
	}
}

// session brings one session's state up to what can be seen.
func (st *Status) session(ctx context.Context, s *journal.SessionState, events []journal.Event, row *sessions.Row, proc []*sessions.Row) {
	if !s.Open() {
		return
	}
	if row == nil || !s.Session.LogonTime.IsZero() && !row.LogonTime.IsZero() && digits(row.LogonTime) != digits(s.Session.LogonTime) {
		s.State, s.Reason = journal.Lost, "gone"
		s.Detail = "the session has ended"
		if !slices.ContainsFunc(proc, func(r *sessions.Row) bool { return s.Process.Same(processOf(&r.Session)) }) {
			s.Ring = journal.RingNone
		} else {
			s.Detail = "the session has ended; its process lives on and may keep the ring"
		}
		st.fireOfTheGone(ctx, s, events)
		return
	}
	if !s.Process.Same(processOf(&row.Session)) {
		s.State, s.Reason, s.Detail = journal.Uncertain, "moved", "another process serves the session now"
		if row.Status == "KILLED" { // its PADDR may point elsewhere until it ends
			s.Reason, s.Detail = "killed", "the session is marked KILLED; it ends at its next call, and what was set with it"
		}
		return
	}
	st.file(ctx, s, events)
}

func processOf(s *sessions.Session) journal.Process {
	stid := s.Stid
	if stid == "0" {
		stid = ""
	}
	return journal.Process{Orapid: s.Orapid, ProcessSerial: s.ProcessSerial, Ospid: s.Ospid, Stid: stid}
}

// file looks into the trace file of an armed session. Where nobody sees it, a
// session that was armed may have fired since: its state is UNKNOWN.
func (st *Status) file(ctx context.Context, s *journal.SessionState, events []journal.Event) {
	if s.State != journal.Armed && s.State != journal.Fired && s.State != journal.Unbuffered {
		return
	}
	found, seen, err := sight.Whole(ctx, st.Sight, st.traceOf(s), s.TraceFrom, sight.Zone(s.Session.LogonTime))
	if !seen || err != nil {
		s.Detail = "its trace file cannot be seen from here: whether it fired is not known; look on the database's host, or on 12.2 and later connect to that instance"
		if err != nil {
			s.Detail = "its trace file cannot be read, whether it fired is not known: " + err.Error()
		}
		if s.State == journal.Armed {
			s.State, s.Reason = journal.Uncertain, "unseen"
		}
		return
	}
	fired := firesOf(&found, s, events)
	if len(fired) == 0 && s.TraceFrom > 0 {
		fired = failed(events, found.Failed)
	}
	switch {
	case len(fired) > 0:
		s.State, s.Fired = journal.Fired, allFires(s.Fired, fired)
	case found.Fresh > 0 && s.Ring != journal.RingNone && s.State == journal.Armed:
		s.State = journal.Unbuffered
		s.Detail = "SQL trace reaches its file: the ring was written, or does not hold it back"
	}
	if ringSeen(&found, s, events) {
		s.Ring = ringWord(s, events)
	}
}

// fireOfTheGone looks whether a session that has ended had fired: often that is
// why it ended. A later session may write to the same file, so a dump has to
// stand behind the session's own header, or, where the file is read from the
// point at which the session had been armed, behind no other one.
func (st *Status) fireOfTheGone(ctx context.Context, s *journal.SessionState, events []journal.Event) {
	found, seen, err := sight.Whole(ctx, st.Sight, st.traceOf(s), s.TraceFrom, sight.Zone(s.Session.LogonTime))
	if !seen || err != nil {
		return
	}
	if s.TraceFrom == 0 {
		found.Dumps = slices.DeleteFunc(found.Dumps, func(d sight.Dump) bool { return d.SID == 0 })
	}
	s.Fired = allFires(s.Fired, firesOf(&found, s, events))
}

func (st *Status) traceOf(s *journal.SessionState) sight.File {
	p := Proof{Place: st.Place}
	return p.fileOf(Target{Key: s.Session, Process: s.Process}, s.Tracefile)
}

// firesOf are the dumps of a session since it was armed. What stands before the
// commands that armed it is older by the order of the file, whatever the clocks
// say.
func firesOf(found *sight.Found, s *journal.SessionState, events []journal.Event) []journal.Fire {
	var fired []journal.Fire
	asked, ended := askedAt(found, events), endedAt(found, events)
	for _, d := range found.Dumps {
		early := func(slack time.Duration) bool { return !d.At.IsZero() && d.At.Before(s.ArmedAt.Add(-slack)) }
		if d.SID != 0 && (d.SID != s.Session.SID || d.Ser != s.Session.Serial) || s.TraceFrom == 0 && early(clockSlack) {
			continue // of an earlier session, or of an earlier life of this file
		}
		if s.TraceFrom == 0 && (d.Offset < asked || d.Offset < ended && early(0)) {
			continue // of an earlier campaign
		}
		if ora := watched(events, d.Codes); ora != 0 {
			fired = append(fired, journal.Fire{Ora: ora, At: d.At})
		}
	}
	return fired
}

// allFires adds what a file shows to what is on record.
func allFires(known, seen []journal.Fire) []journal.Fire {
	out := slices.Clone(known)
	for _, f := range seen {
		if !slices.ContainsFunc(known, func(k journal.Fire) bool { return k.Ora == f.Ora && (f.At.IsZero() || k.At.Equal(f.At)) }) {
			out = append(out, f)
		}
	}
	return out
}

// failed are errors that the campaign watches and that stand in SQL trace
// without a dump: those of the event are used up, or still in the ring.
func failed(events []journal.Event, codes []int) []journal.Fire {
	var out []journal.Fire
	for _, c := range codes {
		if slices.ContainsFunc(events, func(e journal.Event) bool { return e.Kind == string(plan.KindError) && e.Ora == c }) {
			out = append(out, journal.Fire{Ora: c})
		}
	}
	return out
}

// watched is the error of a dump's stack that the campaign watches, else the
// outermost one; 0 for a dump without an error, as flush makes it.
func watched(events []journal.Event, codes []int) int {
	for _, c := range codes {
		for _, e := range events {
			if e.Kind == "error" && e.Ora == c {
				return c
			}
		}
	}
	if len(codes) == 0 {
		return 0
	}
	return codes[0]
}

// clockSlack is how far the database's clock and ours may disagree before a
// dump is taken for an old one.
const clockSlack = 5 * time.Minute

// AddState adds a session as the journal and the views show it.
func (d *Document) AddState(s *journal.SessionState) {
	res := s.Outcome
	if res == "" {
		res = journal.Unknown
	}
	r := Result{Key: s.Session, Process: s.Process, Username: s.Username}
	r.Result, r.Reason, r.State, r.Ring = res, s.Reason, s.State, s.Ring
	r.Events, r.Tracefile, r.Detail = s.Events, s.Tracefile, s.Detail
	d.Add(&r)
	d.Sessions[len(d.Sessions)-1].addFires(s.Fired)
}

func (d *SessionDoc) addFires(fires []journal.Fire) {
	for _, f := range fires {
		fd := FireDoc{Ora: f.Ora}
		if !f.At.IsZero() {
			fd.At = &f.At
		}
		d.Fired = append(d.Fired, fd)
	}
}

// Expect compares the states with what was expected: armed (every session is,
// and there is one) or clean (none can hold anything of ours). A difference is
// exit 10.
func (d *Document) Expect(word string) error {
	bad, example := 0, ""
	for i := range d.Sessions {
		s := &d.Sessions[i]
		ok := s.State == string(journal.Armed)
		if word == "clean" {
			ok = s.State == string(journal.Clean) || s.State == string(journal.Lost) && s.Ring != string(journal.RingOnAssumed) && s.Ring != string(journal.RingOnProven)
		}
		if !ok {
			bad++
			if example == "" {
				example = fmt.Sprintf("session %d,%d,@%d is %s", s.SID, s.Serial, s.InstID, s.State)
			}
		}
	}
	switch {
	case word == "armed" && len(d.Sessions) == 0:
		return exit.Errorf(exit.Findings, "arm them with: ringtrace enable --username NAME --ora NUMBER", "expected armed, and no campaign of this database is open")
	case bad > 0:
		return exit.Errorf(exit.Findings, "look at the states: ringtrace status", "expected %s: %d of %s %s not; %s", word, bad, quantity.Count(len(d.Sessions), "session"), are(bad), example)
	}
	return nil
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Source is one place that says something about tracing, and why it may say
// something else than another one.
type Source struct {
	Name    string `json:"source"`
	Says    string `json:"says"`
	Explain string `json:"explain"`
}

// Sources asks the two views that know about SQL trace. They disagree with
// each other, and with ORADEBUG, by nature; both are shown.
func Sources(ctx context.Context, q sessions.Querier) []Source {
	count := func(noun, suffix, query string) string {
		rows, err := textRows(ctx, q, query)
		if err != nil || len(rows) == 0 {
			return unreadable("it", err)
		}
		n, err := strconv.Atoi(rows[0][0])
		if err != nil {
			return unreadable("it", err)
		}
		return quantity.Count(n, noun) + suffix
	}
	return []Source{
		{
			"V$SESSION.SQL_TRACE", count("session", " ENABLED", "select count(*) from gv$session where sql_trace = 'ENABLED'"),
			"shows DBMS_MONITOR and ALTER SESSION; whether it follows events set by ORADEBUG is not known",
		},
		{
			"DBA_ENABLED_TRACES", count("trace", "", "select count(*) from dba_enabled_traces"),
			"knows traces by client id, service, module, action and database alone; no trace of a single session, and none set by ORADEBUG",
		},
	}
}
