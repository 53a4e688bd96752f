package journal

import (
	"path/filepath"
	"testing"
	"time"
)

func TestDefaultStates(t *testing.T) {
	cases := []struct {
		op     Op
		prior  State
		res    Result
		reason string
		want   State
	}{
		{OpArm, Clean, Done, "", Armed},
		{OpArm, Clean, Skipped, "foreign_event", Clean},
		{OpArm, Armed, Skipped, "refused", Armed},
		{OpArm, Clean, Skipped, "gone", Clean},
		{OpArm, Clean, Failed, "moved", Uncertain},
		{OpArm, Clean, Unknown, "", Pending},
		{OpDisarm, Armed, Done, "", Clean},
		{OpDisarm, Armed, Done, "gone", Lost},
		{OpDisarm, Fired, Done, "restarted", Lost},
		{OpDisarm, Armed, Failed, "", Armed},
		{OpDisarm, Armed, Skipped, "refused", Armed},
		{OpDisarm, Armed, Unknown, "", Pending},
		{OpFlush, Armed, Done, "", Unbuffered},
		{OpFlush, Armed, Failed, "", Armed},
		{OpFlush, Armed, Unknown, "", Pending},
		{OpRearm, Unbuffered, Done, "", Armed},
		{OpRearm, Fired, Failed, "", Uncertain},
		{OpProbe, Armed, Done, "", Armed},
	}
	for _, c := range cases {
		if got := DefaultState(c.op, c.prior, c.res, c.reason); got != c.want {
			t.Errorf("%s of %s session ends %s (%s): %s, want %s", c.op, c.prior, c.res, c.reason, got, c.want)
		}
	}
}

// arm writes a whole arming of one session.
func arm(t *testing.T, j *Journal, run Seq, s Session, p Process) {
	t.Helper()
	i, err := j.Begin(Intent{Run: run, Op: OpArm, Session: s, Process: p})
	must(t, err)
	must(t, j.Finish(Outcome{Intent: i, Result: Done, Ring: RingOnAssumed}))
}

func TestRestartClosesTheInstancesSessionsAsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	j, err := Create(path, header("c"), clock())
	must(t, err)
	run, err := j.StartRun(Run{Verb: "watch", By: alice})
	must(t, err)
	on2 := Session{InstID: 2, SID: 38, Serial: 5}
	must(t, j.Instance(Instance{InstID: 2, InstanceName: "PROD2", StartupTime: t0}))
	arm(t, j, run, s38, p38)
	arm(t, j, run, on2, p38)
	again := inst1
	again.StartupTime = t0.Add(time.Hour)
	must(t, j.Instance(again))
	arm(t, j, run, s39, p39)
	must(t, j.Close())
	c, err := Load(path)
	must(t, err)
	if s := c.Find(s38); s.State != Lost || s.Reason != "restarted" || s.Ring != RingNone || s.Open() {
		t.Errorf("session of the old incarnation: %+v", s)
	}
	for _, k := range []Session{on2, s39} {
		if s := c.Find(k); s.State != Armed || !s.Open() {
			t.Errorf("session %s: %+v", k, s)
		}
	}
}

func TestLostSessionStaysOpenWhileItsProcessMayHoldTheRing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	j, err := Create(path, header("c"), clock())
	must(t, err)
	run, err := j.StartRun(Run{Verb: "watch", By: alice})
	must(t, err)
	arm(t, j, run, s38, p38)
	must(t, j.Observe(Observed{Run: run, Session: s38, State: Lost, Reason: "gone"}))
	c, err := Load(path)
	must(t, err)
	if s := c.Find(s38); !s.Open() || len(c.OpenSessions()) != 1 {
		t.Errorf("ring left in the process, session not open: %+v", s)
	}
	i, err := j.Begin(Intent{Run: run, Op: OpDisarm, Session: s38, Process: p38})
	must(t, err)
	must(t, j.Finish(Outcome{Intent: i, Result: Done, Reason: "gone", Ring: RingOffSent}))
	c, err = Load(path)
	must(t, err)
	if s := c.Find(s38); s.Open() || s.State != Lost || s.Ring != RingOffSent {
		t.Errorf("after ring off: %+v", s)
	}
}

func TestContradictionsAreNoted(t *testing.T) {
	lines := func(recs ...func(seq Seq, prev string) ([]byte, string)) []byte {
		var out []byte
		prev := ""
		for i, r := range recs {
			line, sum := r(Seq(i+1), prev)
			out, prev = append(out, line...), sum
		}
		return out
	}
	rec := func(k Kind, data any) func(Seq, string) ([]byte, string) {
		return func(seq Seq, prev string) ([]byte, string) {
			line, sum, err := encode(seq, t0, k, data, prev)
			must(t, err)
			return line, sum
		}
	}
	text := lines(
		rec(KindCampaign, header("c")),
		rec(KindOutcome, Outcome{Intent: 7, Result: Done}),
		rec(KindEnd, End{Run: 8}),
		rec(KindEvidence, Evidence{Intent: 9}),
		rec(KindObserved, Observed{Session: s38}),
		rec(KindResolve, Resolve{Intents: []Seq{3}}),
		rec(KindCampaign, header("d")),
		rec("weather", map[string]string{"sky": "clear"}),
		rec(KindIntent, []int{1}),
	)
	c, err := Fold(newBytes(text), "x.jsonl")
	must(t, err)
	if len(c.Notes) != 7 {
		t.Errorf("%d notes, want 7: %v", len(c.Notes), c.Notes)
	}
	if c.UnknownKinds["weather"] != 1 || c.Header.Campaign != "c" {
		t.Errorf("unknown kinds %v, campaign %q", c.UnknownKinds, c.Header.Campaign)
	}
}

func TestIdentities(t *testing.T) {
	later := inst1
	later.StartupTime = later.StartupTime.Add(time.Second)
	other := inst1
	other.HostName = "elsewhere"
	named := Instance{InstID: 1, InstanceName: "PROD1"}
	for _, c := range []struct {
		a, b Instance
		want Relation
	}{{inst1, inst1, SameIncarnation}, {inst1, later, Restarted}, {later, inst1, OtherInstance}, {inst1, other, OtherInstance}, {inst1, named, NotComparable}} {
		if got := c.a.Relate(c.b); got != c.want {
			t.Errorf("%+v against %+v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
	for _, c := range []struct {
		b    Process
		want bool
	}{
		{p38, true},
		{Process{Orapid: 51}, true},
		{Process{Orapid: 51, ProcessSerial: 4}, false},
		{Process{Orapid: 51, Ospid: "1"}, false},
		{Process{Orapid: 51, Ospid: "23064", Stid: "9"}, false},
		{Process{Orapid: 52, ProcessSerial: 3, Ospid: "23064"}, false},
	} {
		if got := p38.Same(c.b); got != c.want {
			t.Errorf("%+v same as %+v: %v", p38, c.b, got)
		}
	}
	db := Database{UniqueName: "PROD", DBID: 1}
	for _, c := range []struct {
		b              Database
		same, compared bool
	}{
		{db, true, true},
		{Database{}, true, false},
		{Database{UniqueName: "PROD"}, true, true},
		{Database{UniqueName: "PROD", DBID: 2}, false, true},
		{Database{UniqueName: "TEST", DBID: 1}, false, true},
	} {
		if same, compared := db.Same(c.b); same != c.same || compared != c.compared {
			t.Errorf("%+v: same %v, compared %v", c.b, same, compared)
		}
	}
}

// TestSkippedAgain: an attempt to arm a session that is armed already is
// skipped, and says that it set nothing. The session stays armed all the same:
// disable has to visit it.
func TestSkippedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	j, err := Create(path, header("c"), clock())
	must(t, err)
	run := mustSeq(t)(j.StartRun(Run{Verb: "enable", By: alice}))
	for _, o := range []Outcome{{Result: Done, State: Armed}, {Result: Skipped, Reason: "foreign_event", State: Clean}} {
		o.Intent = mustSeq(t)(j.Begin(Intent{Run: run, Op: OpArm, Session: s38, Process: p38}))
		must(t, j.Finish(o))
	}
	o := Outcome{Result: Skipped, Reason: "foreign_event", State: Clean}
	o.Intent = mustSeq(t)(j.Begin(Intent{Run: run, Op: OpArm, Session: s39, Process: p39}))
	must(t, j.Finish(o))
	must(t, j.Close())
	c, err := Load(path)
	must(t, err)
	if open := c.OpenSessions(); len(open) != 1 || open[0].State != Armed || open[0].Session != s38 {
		t.Errorf("open: %+v", open)
	}
}
