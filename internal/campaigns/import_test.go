package campaigns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
	"ringtrace/sessions"
	"ringtrace/templates"
)

var t0 = time.Date(2026, 3, 14, 2, 0, 0, 0, time.UTC)

// bench is a generated campaign in a folder, and a state directory.
type bench struct {
	t   *testing.T
	dir string
	Store
}

func newBench(t *testing.T, n int, edit func(*plan.Request)) *bench {
	t.Helper()
	req := plan.Request{
		Tool: "ringtrace", Version: "1.0", Campaign: "20260314T020000Z-abcdef", Now: t0, Expires: t0.Add(24 * time.Hour), Style: plan.StyleGuarded,
		Options: plan.DefaultOptions(), Source: "sessions.csv", Purpose: "find 942", Ticket: "INC1", Selector: "--username APP", Split: 2, MaxSessions: 200,
		Instances: []sessions.Instance{{InstID: 1, InstanceName: "PROD1", HostName: "dbhost1", DBUniqueName: "PROD", DBID: 42, Version: "19.0.0.0.0", StartupTime: t0.Add(-time.Hour)}},
	}
	req.Options.Ora = []int{942, 1555}
	for i := range n {
		req.Sessions = append(req.Sessions, sessions.Session{
			InstID: 1, SID: 60 + i, Serial: 100 + i, Orapid: 31 + i, ProcessSerial: 7, Ospid: fmt.Sprint(90031 + i), Username: "APP", Program: "R&D.exe",
			Server: "DEDICATED", Type: "USER", LogonTime: t0.Add(-time.Minute),
		})
	}
	if edit != nil {
		edit(&req)
	}
	p, err := plan.New(req)
	if err != nil {
		t.Fatal(err)
	}
	set, err := templates.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, dir: t.TempDir()}
	if _, err := spool.Write(context.Background(), p, set, spool.Options{Dir: b.dir}); err != nil {
		t.Fatal(err)
	}
	now := t0
	b.Store = Store{
		Dir: journal.Dir{Path: filepath.Join(t.TempDir(), "state")},
		Now: func() time.Time { now = now.Add(time.Second); return now },
		Who: journal.Actor{PID: 1, Host: "h", User: "u", Start: t0},
	}
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// run plays a script and returns its log.
func (b *bench) run(script string, f *fakeRun) string {
	b.t.Helper()
	text, err := os.ReadFile(b.path(script))
	if err != nil {
		b.t.Fatal(err)
	}
	return f.log(b.t, string(text))
}

func (b *bench) write(name, text string) string {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return b.path(name)
}

func (b *bench) mustImport(logs ...string) *Imported {
	b.t.Helper()
	out, err := b.Import(b.path("manifest.json"), logs)
	if err != nil {
		b.t.Fatalf("import: %v", err)
	}
	return out
}

// journaled loads the campaign and checks that the journal is in order.
func (b *bench) journaled() *journal.Campaign {
	b.t.Helper()
	c, err := b.Dir.Load("20260314T020000Z-abcdef")
	if err != nil {
		b.t.Fatal(err)
	}
	if len(c.Dirty())+len(c.Notes)+len(c.Damage) > 0 {
		b.t.Fatalf("journal: dirty %v, notes %v, damage %v", c.Dirty(), c.Notes, c.Damage)
	}
	return c
}

func TestImportOfACompleteRun(t *testing.T) {
	b := newBench(t, 3, nil)
	one := b.write("one.log", b.run("enable_1_01.sql", healthy()))
	two := b.write("two.log", b.run("enable_1_02.sql", healthy()))
	out := b.mustImport(one, two)
	if out.Totals != (ImportTotals{Selected: 3, Done: 3, Armed: 3}) || out.Closed || out.Undo == nil || len(out.Warnings) != 0 {
		t.Fatalf("totals %+v, closed %v, undo %v, warnings %q", out.Totals, out.Closed, out.Undo, out.Warnings)
	}
	if len(out.Logs) != 2 || !out.Logs[0].Complete || out.Logs[0].Blocks != 2 || out.Logs[1].Part != 2 {
		t.Errorf("logs: %+v", out.Logs)
	}
	c := b.journaled()
	if c.Header.Origin != "import" || c.Header.Database != (journal.Database{UniqueName: "PROD", DBID: 42}) || c.Header.RingBytes != plan.DefaultRing {
		t.Errorf("header: %+v", c.Header)
	}
	s := c.Sessions[0]
	if s.State != journal.Armed || s.Ring != journal.RingOnAssumed || s.Tracefile != "/u01/diag/trace/PROD1_ora_90031.trc" || s.Detail != "" ||
		s.Process != (journal.Process{Orapid: 31, ProcessSerial: 7, Ospid: "90031"}) || !s.Session.LogonTime.Equal(t0.Add(-time.Minute)) {
		t.Errorf("session: %+v", s)
	}
	if len(s.Events) != 3 || !strings.HasPrefix(s.Events[0], "1555 ") {
		t.Errorf("events as eventdump showed them: %q", s.Events)
	}
	doc, err := json.Marshal(out)
	if err != nil || strings.Contains(string(doc), `"sessions":null`) {
		t.Errorf("document: %v %s", err, doc)
	}
}

// What each kind of log proves, and what it does not.
func TestImportVerdicts(t *testing.T) {
	type want struct {
		state  journal.State
		result journal.Result
		reason string
	}
	noOspid := func(r *plan.Request) {
		for i := range r.Sessions {
			r.Sessions[i].Ospid = ""
		}
	}
	cases := []struct {
		name string
		plan func(*plan.Request)
		run  func(*fakeRun)
		log  func(string) string
		want want
	}{
		{"armed", nil, nil, nil, want{journal.Armed, journal.Done, ""}},
		{"skipped", nil, func(f *fakeRun) {
			f.proof, f.outcome = func(int) string { return "help" }, func(int) string { return "SKIPPED" }
		}, nil, want{journal.Clean, journal.Skipped, "gone"}},
		{"moved", nil, func(f *fakeRun) { f.outcome = func(int) string { return "MOVED" } }, nil, want{journal.Uncertain, journal.Unknown, "moved"}},
		{"attach refused", nil, func(f *fakeRun) {
			f.attach = func(string) string { return "ORA-00072: process \"Unix process pid: 1, image: <none>\" is not active" }
		}, nil, want{journal.Clean, journal.Failed, "refused"}},
		{"attach names another ospid", nil, func(f *fakeRun) {
			f.attach = func(p string) string { return "Oracle pid: " + p + ", Unix process pid: 5, image: oracle@x" }
		}, nil, want{journal.Uncertain, journal.Unknown, "wrong_process"}},
		{"attach names another orapid", nil, func(f *fakeRun) {
			f.attach = func(p string) string { return "Oracle pid: 99, Unix process pid: 900" + p + ", image: oracle@x" }
		}, nil, want{journal.Uncertain, journal.Unknown, "wrong_process"}},
		{"no attach reply", nil, func(f *fakeRun) { f.attach = func(string) string { return "Statement processed." } }, nil, want{journal.Uncertain, journal.Unknown, "no_attach_reply"}},
		{"event refused", nil, func(f *fakeRun) {
			f.event = func(string) string { return "ORA-49100: Failed to process event statement [x]" }
		}, nil, want{journal.Uncertain, journal.Failed, "event_error"}},
		{"no ospid in the inventory", noOspid, nil, nil, want{journal.Armed, journal.Done, ""}},
		{"no ospid and no identity line", noOspid, nil, func(s string) string { return strings.ReplaceAll(s, "\nsession_event\n", "\n") }, want{journal.Uncertain, journal.Unknown, "not_proved"}},
		{"Windows thread", nil, func(f *fakeRun) {
			f.attach = func(p string) string {
				return "Oracle pid: " + p + ", Windows thread id: 900" + p + ", image: ORACLE.EXE (SHAD)"
			}
		}, nil, want{journal.Armed, journal.Done, ""}},
		{"threaded, stid", func(r *plan.Request) {
			for i := range r.Sessions {
				r.Sessions[i].Stid, r.Sessions[i].Ospid = r.Sessions[i].Ospid, "5300"
			}
		}, nil, nil, want{journal.Armed, journal.Done, ""}},
		{"NID in the reply", nil, func(f *fakeRun) {
			f.attach = func(p string) string {
				return "Oracle pid: " + p + ", Unix process pid: 900" + p + ", NID: 4026531836, image: oracle@x"
			}
		}, nil, want{journal.Armed, journal.Done, ""}},
		{"German", nil, func(f *fakeRun) {
			f.attach = func(p string) string { return "Oracle-PID: " + p + ", Unix-Prozess-PID: 900" + p + ", Image: oracle@x" }
		}, func(s string) string {
			return strings.ReplaceAll(s, "Statement processed.", "Anweisung verarbeitet.")
		}, want{journal.Armed, journal.Done, ""}},
		{"Korean, not UTF-8", nil, nil, func(s string) string { return strings.ReplaceAll(s, "Statement processed.", "\xb8\xed\xb7\xc9.") }, want{journal.Armed, journal.Done, ""}},
		{"CRLF, byte order mark, trailing blanks", nil, nil, func(s string) string { return "\xef\xbb\xbf" + strings.ReplaceAll(s, "\n", "   \r\n") }, want{journal.Armed, journal.Done, ""}},
		{"Help: lines", nil, nil, func(s string) string {
			return strings.ReplaceAll(s, "\n", "\nHelp: https://docs.oracle.com/error-help/db/ora-00070/\n")
		}, want{journal.Armed, journal.Done, ""}},
		{"prompts", nil, nil, func(s string) string {
			return "SQL> @enable\n" + strings.ReplaceAll(s, "\nringtrace", "\nSQL> SQL> ringtrace")
		}, want{journal.Armed, journal.Done, ""}},
		{"wrapped at 40", nil, nil, func(s string) string { return wrapAt(s, 40) }, want{journal.Armed, journal.Done, ""}},
		{"wrapped at 80", nil, nil, func(s string) string { return wrapAt(s, 80) }, want{journal.Armed, journal.Done, ""}},
		{"cut behind ARMED", nil, nil, func(s string) string { return s[:strings.Index(s, "ringtrace: tracefile")] }, want{journal.Armed, journal.Done, ""}},
		{"cut inside the block", nil, nil, func(s string) string { return s[:strings.Index(s, "ringtrace: before process")] }, want{journal.Uncertain, journal.Unknown, "log_ends"}},
		{"cut inside a marker", nil, nil, func(s string) string { return s[:strings.Index(s, "ringtrace: ARMED")+20] }, want{journal.Uncertain, journal.Unknown, "log_ends"}},
		{"cut before the block", nil, nil, func(s string) string { return s[:strings.Index(s, "1/1 inst=")] }, want{journal.Uncertain, journal.Unknown, "log_ends"}},
		{"not connected", nil, func(f *fakeRun) { f.offline = true }, nil, want{journal.Clean, journal.Skipped, "not_connected"}},
		{"stopped by the guard", nil, func(f *fakeRun) { f.guard = "STOP: expired" }, nil, want{journal.Clean, journal.Skipped, "stopped"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, 1, c.plan)
			f := healthy()
			if c.run != nil {
				c.run(f)
			}
			text := b.run("enable_1.sql", f)
			if c.log != nil {
				text = c.log(text)
			}
			b.mustImport(b.write("x.log", text))
			s := b.journaled().Sessions[0]
			if got := (want{s.State, s.Outcome, s.Reason}); got != c.want {
				t.Errorf("got %+v, want %+v (%s)\n%s", got, c.want, s.Detail, text)
			}
			if c.want.state == journal.Armed && (s.Ring != journal.RingOnAssumed || (s.Detail != "" && !strings.HasPrefix(c.name, "cut") && !strings.HasPrefix(c.name, "wrapped"))) {
				t.Errorf("armed with ring %s, detail %q", s.Ring, s.Detail)
			}
		})
	}
}

// A log that was wrapped on its way, with tabs put in, is read all the same, or
// refused with its line (facts/problem-cases.md P11).
func TestProblemP11_WrappedLogIsReadOrRefusedWithItsLine(t *testing.T) {
	for width := 24; width <= 132; width += 7 {
		b := newBench(t, 2, func(r *plan.Request) { r.Split = 0 })
		text := wrapAt(b.run("enable_1.sql", healthy()), width)
		out, err := b.Import(b.path("manifest.json"), []string{b.write("x.log", text)})
		if err != nil {
			if !strings.Contains(err.Error(), "x.log:") {
				t.Errorf("width %d: refused without a line: %v", width, err)
			}
			continue
		}
		if out.Totals.Armed != 2 {
			t.Errorf("width %d: %+v", width, out.Totals)
		}
	}
	b := newBench(t, 1, nil)
	text := strings.ReplaceAll(b.run("enable_1.sql", healthy()), "\nStatement", "\n\t\tStatement")
	if out := b.mustImport(b.write("x.log", text)); out.Totals.Armed != 1 {
		t.Errorf("tabs: %+v", out.Totals)
	}
}

// wrapAt breaks lines as a terminal of that width does.
func wrapAt(s string, width int) string {
	var out strings.Builder
	for _, l := range strings.Split(s, "\n") {
		for len(l) > width {
			out.WriteString(l[:width] + "\n")
			l = l[width:]
		}
		out.WriteString(l + "\n")
	}
	return out.String()
}

func TestImportRefusesWithFileAndLine(t *testing.T) {
	b := newBench(t, 2, func(r *plan.Request) { r.Split = 0 })
	good := b.run("enable_1.sql", healthy())
	collect := b.run("collect_1.sql", healthy())
	replace := func(old, to string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Fatalf("the log does not hold %q", old)
			}
			return strings.Replace(s, old, to, 1)
		}
	}
	cases := []struct {
		name string
		edit func(string) string
		want string
	}{
		{"other campaign", replace("campaign=20260314T020000Z-abcdef", "campaign=20250101T000000Z-000000"), "x.log:1: the log is of campaign 20250101T000000Z-000000, the manifest"},
		{"other script", func(s string) string { return strings.ReplaceAll(s, "enable_1.sql", "enable_7.sql") }, "x.log:1: the manifest knows no script enable_7.sql"},
		{"other count", func(s string) string {
			return strings.ReplaceAll(strings.Replace(s, "sessions=2", "sessions=3", 1), "/2 inst", "/3 inst")
		}, "but 2 of 3 blocks"},
		{"block removed", func(s string) string {
			return s[:strings.Index(s, "1/2 inst=")] + s[strings.Index(s, "2/2 inst="):]
		}, ": block 2/2, expected block 1/2"},
		{"label changed", func(s string) string { return strings.ReplaceAll(s, "sid=60", "sid=61") }, `is "inst=1 sid=61`},
		{"outcome of another block", replace("ringtrace: ARMED 1/2", "ringtrace: ARMED 2/2"), "which is not the block that is open"},
		{"two outcomes", func(s string) string {
			i := strings.Index(s, "ringtrace: ARMED")
			l := s[i : i+strings.Index(s[i:], "\n")+1]
			return s[:i] + l + s[i:]
		}, "has two outcomes, ARMED and ARMED"},
		{"unknown outcome", replace("ringtrace: ARMED 1/2", "ringtrace: PERHAPS 1/2"), "PERHAPS is no outcome of enable_1.sql"},
		{"unknown line", replace("ringtrace: before process", "ringtrace: lunch"), `unknown line "ringtrace: lunch"`},
		{"no head", func(s string) string { return s[strings.Index(s, "\n")+1:] }, "stands before the line `ringtrace: log of"},
		{"not a log", func(string) string { return "SQL*Plus: Release 19\nhello\n" }, "x.log: not the log of a guarded script"},
		{"empty", func(string) string { return "" }, "x.log: not the log of a guarded script"},
		{"UTF-16", func(string) string { return "\xff\xfer\x00i\x00" }, "x.log:1: the file is UTF-16"},
		{"collect log", func(string) string { return collect }, "the log is of the collect script collect_1.sql"},
		{"number too large", replace("part=1/1", "part=99999999999999999999/1"), "out of range"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := b.Import(b.path("manifest.json"), []string{b.write("x.log", c.edit(good))})
			if err == nil || !strings.Contains(err.Error(), c.want) || exit.HintOf(err) == "" {
				t.Errorf("error %v (hint %q), want %q", err, exit.HintOf(err), c.want)
			}
			if ids, _ := b.Dir.IDs(); len(ids) != 0 {
				t.Errorf("a refused import left %v", ids)
			}
		})
	}
}

func TestImportRefusesBadManifests(t *testing.T) {
	b := newBench(t, 2, nil)
	log := b.write("x.log", b.run("enable_1.sql", healthy()))
	good, err := os.ReadFile(b.path("manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"not JSON":      {"{\n  \"tool\": \"x\",\n  oops\n}", "m.json:3:4: not a manifest"},
		"wrong type":    {"{\n  \"campaign\": 7\n}", "m.json:2:"},
		"no campaign":   {"{}", "it has no campaign"},
		"hostile id":    {strings.Replace(string(good), "20260314T020000Z-abcdef", "../../etc/x", 1), "is not made of letters"},
		"no sessions":   {`{"campaign":"a"}`, "it lists no sessions"},
		"block missing": {strings.Replace(string(good), `"block": 1`, `"block": 2`, 1), "expected block 1"},
		"no orapid":     {strings.Replace(string(good), `"orapid": 31`, `"orapid": 0`, 1), "has no inst_id, sid, serial or orapid"},
	} {
		_, err := b.Import(b.write("m.json", c.text), []string{log})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if _, err := b.Import(b.path("none.json"), []string{log}); exit.CodeOf(err) != exit.Usage {
		t.Errorf("missing manifest: %v", err)
	}
	if _, err := b.Import(b.path("manifest.json"), nil); exit.CodeOf(err) != exit.Usage {
		t.Errorf("no log: %v", err)
	}
}

func TestImportOfPartsOneAfterTheOther(t *testing.T) {
	b := newBench(t, 3, nil)
	one := b.write("one.log", b.run("enable_1_01.sql", healthy()))
	two := b.write("two.log", b.run("enable_1_02.sql", healthy()))
	out := b.mustImport(one)
	if out.Totals.NoLog != 1 || out.Totals.Armed != 2 || out.Closed {
		t.Errorf("part 1: %+v", out.Totals)
	}
	out = b.mustImport(one, two, two)
	if out.Totals != (ImportTotals{Selected: 3, Done: 3, Armed: 3}) || !out.Logs[0].Known || out.Logs[1].Known || !out.Logs[2].Known {
		t.Errorf("both parts: %+v, logs %+v", out.Totals, out.Logs)
	}
	before := b.journaled().Records
	out = b.mustImport(one)
	if len(out.Warnings) != 1 || b.journaled().Records != before {
		t.Errorf("known log: warnings %q, %d records, before %d", out.Warnings, b.journaled().Records, before)
	}
	// The way back, also by script: the campaign closes itself.
	out = b.mustImport(
		b.write("d1.log", b.run("disable_1_01.sql", disabling("DISARMED"))),
		b.write("d2.log", b.run("disable_1_02.sql", disabling("GONE"))))
	if out.Totals != (ImportTotals{Selected: 3, Done: 3, Disarmed: 3}) || !out.Closed || out.Undo != nil {
		t.Errorf("after disable: %+v, closed %v", out.Totals, out.Closed)
	}
	states := b.journaled().States()
	if states[journal.Clean] != 2 || states[journal.Lost] != 1 {
		t.Errorf("states %v", states)
	}
	three := b.write("three.log", b.run("enable_1_02.sql", healthy())+"again\n")
	if _, err := b.Import(b.path("manifest.json"), []string{three}); exit.CodeOf(err) != exit.Journal {
		t.Errorf("new log for a closed campaign: %v", err)
	}
}

func TestScriptThatArmedNobodyMayBeRunAgain(t *testing.T) {
	b := newBench(t, 1, nil)
	f := healthy()
	f.guard = "STOP: not connected as SYSDBA"
	if out := b.mustImport(b.write("a.log", b.run("enable_1.sql", f))); out.Closed || out.Totals.Skipped != 1 {
		t.Errorf("stopped: closed %v, %+v", out.Closed, out.Totals)
	}
	if out := b.mustImport(b.write("b.log", b.run("enable_1.sql", healthy()))); out.Closed || out.Totals.Armed != 1 {
		t.Errorf("run again: closed %v, %+v", out.Closed, out.Totals)
	}
}

func disabling(word string) *fakeRun {
	f := healthy()
	f.outcome = func(int) string { return word }
	return f
}

// A disable log selects two words on one line; what stands there is read, also
// where the ospid is not known and nothing else proves the block.
func TestImportOfDisableProofs(t *testing.T) {
	noOspid := func(r *plan.Request) { r.Sessions[0].Ospid = "" }
	ringOnly := disabling("RING_ONLY")
	ringOnly.proof = func(int) string { return "help" }
	lying := disabling("DISARMED")
	lying.proof = func(int) string { return "help" }
	failing := disabling("RING_ONLY")
	failing.proof = ringOnly.proof
	failing.dump = func(string) []string {
		return []string{"ORA-32519: insufficient privileges to execute ORADEBUG command"}
	}
	for _, c := range []struct {
		name  string
		edit  func(*plan.Request)
		fake  *fakeRun
		state journal.State
	}{
		{"without ospid", noOspid, disabling("DISARMED"), journal.Clean},
		{"ring only", nil, ringOnly, journal.Lost},
		{"ring only, refused", nil, failing, journal.Uncertain},
		{"contradiction", nil, lying, journal.Uncertain},
		{"contradiction without ospid", noOspid, lying, journal.Uncertain},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, 1, c.edit)
			b.mustImport(b.write("e.log", b.run("enable_1.sql", healthy())))
			b.mustImport(b.write("d.log", b.run("disable_1.sql", c.fake)))
			if got := b.journaled().Sessions[0]; got.State != c.state {
				t.Errorf("state %s (%s %s), want %s", got.State, got.Reason, got.Detail, c.state)
			}
		})
	}
}

func TestDisableLogThatProvesNothingLeavesTheSessionOpen(t *testing.T) {
	for name, edit := range map[string]func(string) string{
		"moved":       func(s string) string { return strings.Replace(s, "ringtrace: DISARMED", "ringtrace: MOVED", 1) },
		"other ospid": func(s string) string { return strings.ReplaceAll(s, "process pid: 90031", "process pid: 7") },
		"cut":         func(s string) string { return s[:strings.Index(s, "ringtrace: before process")] },
		"not connected": func(string) string {
			b := newBench(t, 1, nil)
			f := disabling("DISARMED")
			f.offline = true
			return b.run("disable_1.sql", f)
		},
		"not begun": func(s string) string { return s[:strings.Index(s, "1/1 inst=")] },
	} {
		b := newBench(t, 1, nil)
		b.mustImport(b.write("e.log", b.run("enable_1.sql", healthy())))
		out := b.mustImport(b.write("d.log", edit(b.run("disable_1.sql", disabling("DISARMED")))))
		if c := b.journaled(); out.Closed || len(c.OpenSessions()) != 1 {
			t.Errorf("%s: closed %v, state %s", name, out.Closed, c.Sessions[0].State)
		}
	}
}

func TestImportOfTwoRunsInOneFile(t *testing.T) {
	b := newBench(t, 1, nil)
	f := healthy()
	f.guard = "STOP: not connected as SYSDBA"
	out := b.mustImport(b.write("all.log", b.run("enable_1.sql", f)+b.run("enable_1.sql", healthy())))
	if len(out.Logs) != 2 || out.Logs[0].Stopped == nil || out.Totals.Armed != 1 {
		t.Errorf("logs %+v, totals %+v", out.Logs, out.Totals)
	}
}

func TestImportWarnsOfAChangedScript(t *testing.T) {
	b := newBench(t, 1, nil)
	log := b.write("x.log", b.run("enable_1.sql", healthy()))
	f, err := os.OpenFile(b.path("enable_1.sql"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "oradebug unlimit")
	f.Close()
	if out := b.mustImport(log); len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "enable_1.sql") {
		t.Errorf("warnings %q", out.Warnings)
	}
}

func TestImportNeverTouchesAControllersJournal(t *testing.T) {
	b := newBench(t, 1, nil)
	log := b.write("x.log", b.run("enable_1.sql", healthy()))
	j, err := b.Dir.Create(journal.Header{Campaign: "20260314T020000Z-abcdef", Origin: "enable"}, b.Now)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	if _, err := b.Import(b.path("manifest.json"), []string{log}); exit.CodeOf(err) != exit.Journal {
		t.Errorf("got %v", err)
	}
}

func TestInterruptedImportIsTakenUpAgain(t *testing.T) {
	b := newBench(t, 1, nil)
	log := b.write("x.log", b.run("enable_1.sql", healthy()))
	b.mustImport(log)
	path, err := b.Dir.File("20260314T020000Z-abcdef")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := len(whole) - 1; n > 0; n -= 97 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := b.Import(b.path("manifest.json"), []string{log})
		if errors.Is(err, journal.ErrNoHeader) {
			break // cut inside the first record, which Create makes whole
		}
		if err != nil {
			t.Fatalf("journal cut at %d: %v", n, err)
		}
		if c := b.journaled(); out.Totals.Armed != 1 || c.Sessions[0].State != journal.Armed {
			t.Fatalf("journal cut at %d: %+v, %s", n, out.Totals, c.Sessions[0].State)
		}
	}
}

func FuzzImportLog(f *testing.F) {
	f.Add([]byte("ringtrace: log of enable_1.sql campaign=c inst=1 part=1/1 sessions=1\n1/1 inst=1 sid=1 serial=1 orapid=1 pserial=0\nOracle pid: 1, Unix process pid: 2, image: x\n\nsession_event\nringtrace: ARMED 1/1 inst=1 sid=1 serial=1 orapid=1 pserial=0\nringtrace: end of enable_1.sql\n"))
	f.Add([]byte("ringtrace: log of disable_1.sql campaign=c inst=1 part=1/1 sessions=1\nringtrace: guard STOP: no\n"))
	f.Add([]byte("ringtrace: \xff\n0/0 inst="))
	f.Fuzz(func(t *testing.T, b []byte) {
		secs, err := parseLog("f.log", b)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.log:") {
				t.Fatalf("error without file: %v", err)
			}
			return
		}
		for _, s := range secs {
			for i, blk := range s.blocks {
				if blk.n != i+1 || blk.line == 0 {
					t.Fatalf("block %+v", blk)
				}
			}
		}
	})
}
