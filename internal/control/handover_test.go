package control_test

import (
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
)

// TestUnfinishedRuns: a watch that was killed is told of.
func TestUnfinishedRuns(t *testing.T) {
	at := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	by := journal.Actor{PID: 7, User: "oracle", Host: "db1", Start: at}
	c := &journal.Campaign{Header: journal.Header{Campaign: "c", By: by}, Last: at.Add(time.Minute), Runs: []journal.RunState{
		{At: at, Run: journal.Run{Verb: "enable", By: by}, Ended: true}, {At: at, Run: journal.Run{Verb: "watch", By: by}},
	}}
	other := by
	other.PID = 8
	for name, x := range map[string]struct {
		owner *journal.Actor
		verb  string
		want  string
	}{
		"it works":              {&by, "watch", "running    watch since 2026-03-14 15:00:00Z, by pid 7 of oracle on db1\n"},
		"killed":                {nil, "watch", "watch      ended without a word; heard of last at 2026-03-14 15:01:00Z: who comes is not armed any more, and nothing is done about a fire\n           go on with: ringtrace watch --resume\n"},
		"another one works":     {&other, "watch", "watch      ended without a word; "},
		"an enable was killed":  {nil, "enable", "broken off enable by pid 7 of oracle on db1"},
		"the lock has no owner": {&journal.Actor{}, "enable", "running    enable since"},
	} {
		c.Runs[1].Run.Verb = x.verb
		h := control.NewHandOver(c, "stop")
		h.Runs(c, x.owner, "ringtrace watch --resume")
		var b strings.Builder
		if err := h.Print(&b, at); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), x.want) || len(h.Unfinished) != 1 || h.Unfinished[0].Alive != strings.HasPrefix(x.want, "running") {
			t.Errorf("%s: %+v\n%s", name, h.Unfinished, b.String())
		}
	}
	c.Closed = true
	h := control.NewHandOver(c, "stop")
	if h.Runs(c, nil, ""); len(h.Unfinished) != 0 {
		t.Errorf("of a closed campaign: %+v", h.Unfinished)
	}
}

// TestHandOverCard: what an incident manager reads, with one of everything and
// with several.
func TestHandOverCard(t *testing.T) {
	at := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	session := func(sid int, state journal.State, ring journal.Ring, fired ...journal.Fire) *journal.SessionState {
		return &journal.SessionState{Session: journal.Session{InstID: 1, SID: sid, Serial: 7}, State: state, Ring: ring, ArmedAt: at, Fired: fired}
	}
	campaign := func(list ...*journal.SessionState) *journal.Campaign {
		return &journal.Campaign{
			Header: journal.Header{
				Campaign: "20260314T150000Z-0f1e2d", Purpose: "snapshot\ntoo old", Ticket: "INC7", Selector: "--username APP", RingBytes: 256000,
				By: journal.Actor{User: "oracle", Host: "db1"}, Database: journal.Database{UniqueName: "ORCL"},
				Events: []journal.Event{{Kind: "sql_trace"}, {Kind: "ring"}, {Kind: "error", Ora: 1555}, {Kind: "error", Ora: 60}},
			},
			Sessions: list,
		}
	}
	plain := campaign(session(1, journal.Armed, journal.RingNone))
	plain.Header.RingBytes, plain.Header.Events, plain.Header.Purpose, plain.Header.Ticket = 0, plain.Header.Events[:1], "", ""
	closed := campaign(session(1, journal.Clean, journal.RingOffProven))
	closed.Closed, closed.ClosedAt = true, at.Add(time.Hour)
	const stop = "ringtrace disable -c '/ as sysdba' --campaign 20260314T150000Z-0f1e2d"
	head := "campaign   20260314T150000Z-0f1e2d, ticket INC7: snapshot too old\n"
	since := "since      2026-03-14 15:00:00Z (12m30s), by oracle@db1\n"
	catches := "catches    ORA-01555, ORA-00060, with the last 250.0 KiB of the session's SQL trace\n"
	fired := session(3, journal.Fired, journal.RingOffProven, journal.Fire{Ora: 60, At: at.Add(time.Minute)})
	fired.Tracefile = "/t/ORCL_ora_3.trc"
	for name, c := range map[string]struct {
		campaign *journal.Campaign
		want     string
	}{
		"one session": {campaign(session(1, journal.Armed, journal.RingOnAssumed)), head +
			"is on      1 session (none has fired) of database ORCL, chosen by --username APP\n" + since + "until      somebody stops it\n" + catches +
			"costs      250.0 KiB of server memory (1 ring of 250.0 KiB), and the CPU time of SQL trace\n" +
			"stop it    " + stop + "\n           (writes up to 250.0 KiB to trace files)\n"},
		"everything": {campaign(
			session(1, journal.Armed, journal.RingOnAssumed), session(2, journal.Armed, journal.RingOnProven),
			fired,
			session(4, journal.Pending, journal.RingOnAssumed), session(5, journal.Uncertain, journal.RingNone),
			session(6, journal.Lost, journal.RingNone), session(7, journal.Clean, journal.RingNone)), head +
			"is on      5 sessions (2 armed, 1 fired, 1 pending, 1 unknown) of database ORCL, chosen by --username APP\n" + since + "until      somebody stops it\n" + catches +
			"caught     ORA-00060 in session 3,7,@1 at 2026-03-14 15:01:00Z\n" +
			"pending    1 session did not answer; a request may still be carried out there, and stopping it visits them\n" +
			"unknown    1 session: the list below says why\n" +
			"costs      750.0 KiB of server memory (3 rings of 250.0 KiB), and the CPU time of SQL trace\n" +
			"disk       1 session writes SQL trace to its file, which grows until it is disarmed\n           /t/ORCL_ora_3.trc\n" +
			"stop it    " + stop + "\n           (writes up to 750.0 KiB to trace files)\n"},
		"a plain trace": {plain, "campaign   20260314T150000Z-0f1e2d\n" +
			"is on      1 session (none has fired) of database ORCL, chosen by --username APP\n" + since + "until      somebody stops it\n" +
			"catches    nothing: a plain trace\ncosts      trace files that grow as the sessions work\nstop it    " + stop + "\n"},
		"what watch has caught and disarmed": {campaign(session(1, journal.Armed, journal.RingOnAssumed), session(2, journal.Clean, journal.RingOffSent, journal.Fire{Ora: 1555, At: at})), head +
			"is on      1 session (1 armed) of database ORCL, chosen by --username APP\n" + since + "until      somebody stops it\n" + catches +
			"caught     ORA-01555 in session 2,7,@1 at 2026-03-14 15:00:00Z\n" +
			"costs      250.0 KiB of server memory (1 ring of 250.0 KiB), and the CPU time of SQL trace\n" +
			"stop it    " + stop + "\n           (writes up to 250.0 KiB to trace files)\n"},
		"flushed by hand": {campaign(session(1, journal.Unbuffered, journal.RingOffProven), session(2, journal.Unbuffered, journal.RingOffSent, journal.Fire{Ora: 60})), head +
			"is on      2 sessions (1 fired, 1 unbuffered) of database ORCL, chosen by --username APP\n" + since + "until      somebody stops it\n" + catches +
			"caught     ORA-00060 in session 2,7,@1\ncosts      no ring is left\n" +
			"disk       2 sessions write SQL trace to their files, which grow until they are disarmed\nstop it    " + stop + "\n"},
		"a hung one": {campaign(session(1, journal.Pending, journal.RingNone)), head +
			"is on      1 session (1 pending) of database ORCL, chosen by --username APP\n" + since + "until      somebody stops it\n" + catches +
			"pending    1 session did not answer; a request may still be carried out there, and stopping it visits them\n" +
			"costs      no ring is known to be on; those that are pending or unknown may hold one of 250.0 KiB each\nstop it    " + stop + "\n"},
		"closed": {closed, head + "is on      no more: it was closed at 2026-03-14 16:00:00Z\n" + catches},
	} {
		var b strings.Builder
		if err := control.NewHandOver(c.campaign, stop).Print(&b, at.Add(12*time.Minute+30*time.Second)); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want {
			t.Errorf("%s:\n%swant\n%s", name, b.String(), c.want)
		}
	}
}

// TestScriptExpiryEndsNothing: after its expiry a script arms nobody any more, and
// what it armed stays on, so the card does not promise an end.
func TestScriptExpiryEndsNothing(t *testing.T) {
	for origin, want := range map[string]bool{"import": false, "enable": true} {
		k := &journal.Campaign{Header: journal.Header{Campaign: "X", Origin: origin, Expires: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}}
		if h := control.NewHandOver(k, "stop"); (h.Until != nil) != want {
			t.Errorf("%s: until %v", origin, h.Until)
		}
	}
}
