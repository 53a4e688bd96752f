package estimate

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/sessions"
)

var key = sessions.Key{InstID: 1, SID: 10, Serial: 100}

func snapshot(second int, stats map[string]float64, waits map[string]float64) Snapshot {
	return Snapshot{
		At:       time.Date(2026, 11, 30, 14, 0, second, 0, time.UTC),
		Sessions: map[sessions.Key]Counters{key: {Stats: stats, Waits: waits}},
	}
}

func input(snaps ...Snapshot) Input {
	return Input{
		Snapshots: snaps, Rows: []sessions.Session{{InstID: 1, SID: 10, Serial: 100, Username: "APP"}},
		Options: Options{Release: 19, Waits: true, Binds: true, Ring: 5 << 20}, Cost: PublishedCost(), History: 30, Share: 0.95,
	}
}

func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestFetchRoundTrips is the fact sheet's example: 1,000 fetch round trips a
// second at level 8 are 3,000 lines and 353 kB, a 5 MiB ring holds 15 s, and
// the lines cost 0.36 to 4.7 % of a CPU.
func TestFetchRoundTrips(t *testing.T) {
	grow := func(n float64) (map[string]float64, map[string]float64) {
		return map[string]float64{statUserCalls: n}, map[string]float64{"SQL*Net message to client": n, "SQL*Net message from client": n}
	}
	s0, w0 := grow(5000)
	s1, w1 := grow(15000)
	s2, w2 := grow(25000)
	in := input(snapshot(0, s0, w0), snapshot(10, s1, w1), snapshot(20, s2, w2))
	in.Options.Binds = false
	r, err := Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sessions[0]
	near(t, "lines a second", s.LinesPerS, 3000, 0.001)
	near(t, "bytes a second", s.BytesPerS, 353_000, 0.01)
	near(t, "history", *s.History, 15, 0.02)
	near(t, "low", s.Overhead.Low, 0.36, 0.01)
	near(t, "high", s.Overhead.High, 4.7, 0.01)
	near(t, "an hour", float64(r.Totals.UnbufferedPerHour), 353_000*3600, 0.01)
	if r.WindowS != 20 || r.Windows != 2 || r.Totals.RingMemory != 5<<20 {
		t.Errorf("%+v", r)
	}
	// 30 s at 355 kB/s are 10.6 MB: the next power of two.
	if a := strings.Join(r.Advice, "\n"); !strings.Contains(a, "for the last 30 s of 95 % of sessions take --ring 16M") {
		t.Errorf("advice %q", a)
	}
}

func TestMedianAndBusiestWindow(t *testing.T) {
	exec := func(n float64) map[string]float64 { return map[string]float64{statExecutes: n, statUserCalls: n} }
	r, err := Compute(input(snapshot(0, exec(0), nil), snapshot(10, exec(100), nil), snapshot(20, exec(200), nil), snapshot(30, exec(1300), nil)))
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sessions[0]
	near(t, "busiest against median", s.BusiestBytes/s.BytesPerS, 11, 0.1)
	near(t, "history", *s.History / *s.HistoryBusiest, 11, 0.1)
	near(t, "an hour is of the mean", float64(r.Totals.UnbufferedPerHour)/3600, s.BytesPerS*13/3, 0.1)
}

func TestCountersThatGoBackAndSessionsThatEnd(t *testing.T) {
	// Statistics were reset: no negative trace.
	r, err := Compute(input(snapshot(0, map[string]float64{statExecutes: 1e6}, map[string]float64{"x": 9}), snapshot(10, map[string]float64{statExecutes: 5}, map[string]float64{"x": 1})))
	if err != nil || r.Sessions[0].BytesPerS != 0 || r.Sessions[0].History != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if a := strings.Join(r.Advice, "\n"); !strings.Contains(a, "nobody did anything in these 10 s") {
		t.Errorf("advice %q", a)
	}
	// The slot was reused: another serial number is another session.
	later := snapshot(10, nil, nil)
	later.Sessions = map[sessions.Key]Counters{{InstID: 1, SID: 10, Serial: 101}: {Stats: map[string]float64{statExecutes: 100}}}
	if r, err = Compute(input(snapshot(0, nil, nil), later)); err != nil || len(r.Sessions) != 0 || r.Gone != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	doc, err := json.Marshal(r)
	if err != nil || !bytes.Contains(doc, []byte(`"sessions":[]`)) {
		t.Errorf("%s, %v", doc, err)
	}
	// The clock went back.
	if _, err = Compute(input(snapshot(10, nil, nil), snapshot(0, nil, nil))); exit.HintOf(err) == "" {
		t.Errorf("err = %v", err)
	}
	if _, err = Compute(input(snapshot(10, nil, nil))); exit.CodeOf(err) != exit.Usage {
		t.Errorf("err = %v", err)
	}
}

func TestRecordTypes(t *testing.T) {
	st := Statement{Length: 35, Binds: 2, PlanLines: 3}
	d := Counters{
		Stats: map[string]float64{statExecutes: 100, statParses: 40, statCached: 10, statUserCalls: 200, statRecursive: 20, statCommits: 8, statRollbacks: 2, statOpened: 50},
		Waits: map[string]float64{"log file sync": 10},
	}
	l := loadOf(d, st, 100, Options{Release: 19, Waits: true, Binds: true})
	for k, want := range map[Kind][2]float64{ // records, bytes
		Wait: {10, 10 * 113}, Exec: {100, 10000}, Parse: {40, 4000}, Parsing: {30, 30 * 200}, Xctend: {10, 440},
		Fetch: {220 - 40 - 100 - 10, 70 * 102}, Close: {50, 50 * 62}, Stat: {90, 90 * 134}, Binds: {100, 100 * 2 * 177}, Stamp: {10, 530},
	} {
		if l.Records[k] != want[0] || l.Bytes[k] != want[1] {
			t.Errorf("%s: %v records, %v bytes; want %v", k, l.Records[k], l.Bytes[k], want)
		}
	}
	if l.Lines[Binds] != 100*12 || l.Lines[Parsing] != 120 {
		t.Errorf("lines of BINDS %v, of PARSING %v", l.Lines[Binds], l.Lines[Parsing])
	}
	for _, c := range []struct {
		o    Options
		k    Kind
		want float64
	}{
		{Options{Release: 19}, Wait, 0}, {Options{Release: 19}, Binds, 0}, {Options{PlanStat: "never"}, Stat, 0}, {Options{PlanStat: "all_executions"}, Stat, 300},
	} {
		if l := loadOf(d, st, 100, c.o); l.Records[c.k] != c.want {
			t.Errorf("%+v: %v records of %s", c.o, l.Records[c.k], c.k)
		}
	}
	if a, b := sizesOf(10).exec, sizesOf(0).exec; a >= b {
		t.Errorf("EXEC has %v bytes on 10g, %v on the newest", a, b)
	}
}

func TestTextIsCleanAndHasTheChart(t *testing.T) {
	s0, s1 := map[string]float64{statExecutes: 0}, map[string]float64{statExecutes: 1000, statUserCalls: 1000}
	in := input(snapshot(0, s0, nil), snapshot(10, s1, nil))
	in.Rows[0].Username = "A\x1b[31m"
	r, err := Compute(in)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.WriteText(&out, func(s string) string { return strings.ReplaceAll(s, "\x1b", `\x1b`) }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`A\x1b[31m`, "The ring holds, at the busiest:", "below 5 min", "####", "EXEC", "BINDS", "µs a line (from the floor of the system calls"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("an escape reached the terminal")
	}
}

func TestSinceLogon(t *testing.T) {
	snap := snapshot(0, map[string]float64{statExecutes: 36000, statUserCalls: 36000}, nil)
	row := sessions.Session{InstID: 1, SID: 10, Serial: 100, LogonTime: snap.At.Add(-time.Hour)}
	o := Options{Release: 19, Waits: true, Ring: 1 << 20}
	r := SinceLogon(snap, []sessions.Session{row, {InstID: 1, SID: 11, Serial: 1, LogonTime: row.LogonTime}}, o, PublishedCost())
	if len(r.Sessions) != 1 || r.Gone != 1 {
		t.Fatalf("%+v", r)
	}
	near(t, "bytes a second", r.Sessions[0].BytesPerS, 1005, 0.01) // 10 EXEC of 100 bytes, a stamp each ten seconds
	if s := r.Short(); !strings.HasPrefix(s, "by their activity since logon the rings hold about 17 min (the busiest session 17 min); tracing costs up to 0.016 % of a CPU; more: ringtrace estimate") {
		t.Errorf("short form %q", s)
	}
	o.Ring = 0
	if s := SinceLogon(snap, []sessions.Session{row}, o, PublishedCost()).Short(); !strings.Contains(s, "by their activity since logon 1 session would write about 3.5 MiB of trace an hour") {
		t.Errorf("short form without rings %q", s)
	}
	if s := SinceLogon(snapshot(0, nil, nil), []sessions.Session{row}, o, PublishedCost()).Short(); s != "" {
		t.Errorf("short form of nothing %q", s)
	}
}

func TestCPUText(t *testing.T) {
	for _, c := range []struct {
		r    Range
		want string
	}{
		{Range{3.6e-7, 4.7e-6}, "less than 0.01 % of a CPU"},
		{Range{0.004, 0.052}, "up to 0.052 % of a CPU"},
		{Range{0.36, 4.71}, "0.36 to 4.7 % of a CPU"},
		{Range{12, 157.4}, "12 to 157 % of a CPU"},
	} {
		if got := cpuText(c.r); got != c.want {
			t.Errorf("%v is %q, want %q", c.r, got, c.want)
		}
	}
}

func TestRingText(t *testing.T) {
	for n, want := range map[int64]string{65536: "64k", 1 << 20: "1M", 16 << 20: "16M", 256000: "250k", 5000: "5000"} {
		if got := RingText(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// TestRingsOfIdleSessions: nobody plans with a ring that lasts seven years.
func TestRingsOfIdleSessions(t *testing.T) {
	for _, tt := range []struct {
		median, busiest float64
		want            string
	}{
		{1020, 1020, "about 17 min (the busiest session 17 min)"},
		{222e6, 600, "more than a day (idle; the busiest session about 10 min)"},
		{222e6, 222e6, "more than a day (idle)"},
	} {
		if got := heldWords(tt.median, tt.busiest); got != tt.want {
			t.Errorf("%v, %v: %q, want %q", tt.median, tt.busiest, got, tt.want)
		}
	}
	long := 222e6
	if got := held(&long); got != "> 1 day" {
		t.Errorf("in a column %q", got)
	}
}
