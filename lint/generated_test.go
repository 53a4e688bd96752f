package lint_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"ringtrace/internal/plan"
	"ringtrace/lint"
	"ringtrace/sessions"
	"ringtrace/templates"
)

// generated renders one of our own scripts for n sessions.
func generated(tb testing.TB, template string, kind plan.ScriptKind, n int) []byte {
	tb.Helper()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	opts := plan.DefaultOptions()
	opts.Ora = []int{942, 1555, 60, 4031}
	req := plan.Request{
		Tool: "ringtrace", Version: "test", Campaign: "c", Now: now, Expires: now.Add(24 * time.Hour),
		Style: plan.StyleGuarded, Options: opts, Source: "x.csv", Purpose: "R&D", Selector: "--username APP",
	}
	for i := range n {
		req.Sessions = append(req.Sessions, sessions.Session{
			InstID: 1, SID: i + 1, Serial: 7, Orapid: i%60_000 + 1, ProcessSerial: 3, Ospid: strconv.Itoa(100_000 + i),
			Username: "APP", ServiceName: "shop", Program: "JDBC Thin Client", Module: "checkout", Machine: "web1",
			Status: "INACTIVE", Server: "DEDICATED", Type: "USER", LogonTime: now,
		})
	}
	p, err := plan.New(req)
	if err != nil {
		tb.Fatal(err)
	}
	set, err := templates.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	if err := set.Render(&b, template, p.Script(&p.Instances[0], p.Instances[0].Parts[0], kind)); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// What we write, we pass: nothing at all where the header names the undo, and
// the undo covers what it undoes.
func TestOurOwnScriptsAreClean(t *testing.T) {
	disable := generated(t, "guarded_disable", plan.Disable, 3)
	for _, tt := range []struct {
		template string
		kind     plan.ScriptKind
		commands int
	}{
		{"guarded_enable", plan.Enable, 30},
		{"guarded_disable", plan.Disable, 30},
		{"guarded_collect", plan.Collect, 0},
	} {
		asked := ""
		r := lint.Check("x.sql", generated(t, tt.template, tt.kind, 3), lint.Options{Sibling: func(name string) ([]byte, error) {
			asked = name
			return disable, nil
		}})
		for _, f := range r.Findings {
			t.Errorf("%s:%d:%d %s %s %s", tt.template, f.Line, f.Column, f.Severity, f.Rule, f.Message)
		}
		if r.Commands < tt.commands {
			t.Errorf("%s: %d commands, want at least %d", tt.template, r.Commands, tt.commands)
		}
		if tt.kind == plan.Enable && asked != "disable_1.sql" {
			t.Errorf("the undo was looked for as %q", asked)
		}
	}
}

// BenchmarkLintGenerated checks a guarded enable script of 100,000 sessions as
// generate writes it. Aim: 100 MB/s. BenchmarkLint has the floor beside it.
func BenchmarkLintGenerated(b *testing.B) {
	src := generated(b, "guarded_enable", plan.Enable, 100_000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if r := lint.Check("enable_1.sql", src, lint.Options{}); r.Count(lint.Warning)+r.Count(lint.Error) != 0 || r.Commands < 800_000 {
			b.Fatalf("%d commands, %d findings", r.Commands, len(r.Findings))
		}
	}
	b.ReportMetric(float64(b.N)*100_000/b.Elapsed().Seconds(), "sessions/s")
}
