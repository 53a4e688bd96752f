package spool_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/plan"
	"ringtrace/internal/spool"
	"ringtrace/sessions"
	"ringtrace/templates"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	small := func(r *plan.Request) { r.Sessions = r.Sessions[:2] }
	cases := []struct {
		name string
		edit func(*plan.Request)
	}{
		{"guarded", func(*plan.Request) {}},
		{"guarded_parts", func(r *plan.Request) { r.Split = 2 }},
		{"guarded_noring", func(r *plan.Request) { small(r); r.Options.NoRing = true; r.Options.PlanStat = "never" }},
		{"guarded_nostack", func(r *plan.Request) { small(r); r.Options.Errorstack = plan.NoErrorstack; r.Options.MaxFires = 0 }},
		{"guarded_unknown", func(r *plan.Request) {
			small(r)
			r.Instances, r.Purpose, r.Ticket = nil, "", ""
			for i := range r.Sessions {
				s := &r.Sessions[i]
				s.ProcessSerial, s.Ospid, s.LogonTime, s.Tracefile = 0, "", time.Time{}, ""
			}
		}},
		{"classic", func(r *plan.Request) { r.Style, r.Options.MaxFires = plan.StyleClassic, 0 }},
		{"classic_header", func(r *plan.Request) { r.Style, r.Options.MaxFires, r.Header = plan.StyleClassic, 0, true }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			req := sampleRequest()
			c.edit(&req)
			dir := t.TempDir()
			if _, err := spool.Write(context.Background(), mustPlan(t, req), mustTemplates(t), spool.Options{Dir: dir}); err != nil {
				t.Fatal(err)
			}
			compareDirs(t, filepath.Join("testdata", "golden", c.name), dir)
		})
	}
}

func compareDirs(t *testing.T, want, got string) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(want); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(want, os.DirFS(got)); err != nil {
			t.Fatal(err)
		}
	}
	names := func(dir string) string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return strings.Join(out, " ")
	}
	if w, g := names(want), names(got); w != g {
		t.Fatalf("files\n got %s\nwant %s", g, w)
	}
	for _, name := range strings.Fields(names(want)) {
		w, g := readFile(t, filepath.Join(want, name)), readFile(t, filepath.Join(got, name))
		if w != g {
			t.Errorf("%s differs from %s; look at the change, then run go test ./internal/spool -update", name, want)
			reportFirstDifference(t, w, g)
		}
	}
}

func reportFirstDifference(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		at := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "(no such line)"
		}
		if at(w) != at(g) {
			t.Errorf("line %d\n got %s\nwant %s", i+1, at(g), at(w))
			return
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func mustPlan(t testing.TB, req plan.Request) *plan.Plan {
	t.Helper()
	p, err := plan.New(req)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustTemplates(t testing.TB) *templates.Set {
	t.Helper()
	s, err := templates.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sampleRequest is the founding case: four errors over one application's
// sessions, on two instances.
func sampleRequest() plan.Request {
	now := time.Date(2026, 11, 30, 12, 47, 26, 0, time.UTC)
	logon := time.Date(2026, 11, 30, 9, 15, 2, 0, time.FixedZone("", 3600))
	opts := plan.DefaultOptions()
	opts.Ora = []int{942, 1555, 60, 4031}
	session := func(inst, sid, serial, orapid int, ospid, program string) sessions.Session {
		return sessions.Session{
			InstID: inst, SID: sid, Serial: serial, Orapid: orapid, ProcessSerial: serial % 97, Ospid: ospid,
			Username: "APP", ServiceName: "shop", Program: program, Module: "checkout", Machine: "web" + ospid,
			Status: "INACTIVE", Server: "DEDICATED", Type: "USER", LogonTime: logon,
			Tracefile: "/u01/app/oracle/diag/rdbms/shop/SHOP1/trace/SHOP1_ora_" + ospid + ".trc",
		}
	}
	return plan.Request{
		Tool: "ringtrace", Version: "test", Campaign: "20261130T124726Z-3f9ac1",
		Now: now, Expires: now.Add(24 * time.Hour), Style: plan.StyleGuarded, Options: opts,
		Sessions: []sessions.Session{
			session(1, 69, 46228, 38, "52490", "JDBC Thin Client"),
			session(1, 70, 195, 39, "52491", "R&D ^ loader"),
			session(1, 144, 7, 40, "52499", "sqlplus@web (TNS V1-V3)"),
			session(2, 69, 11, 51, "7001", "JDBC Thin Client"),
		},
		Instances: []sessions.Instance{
			{InstID: 1, InstanceName: "SHOP1", HostName: "db1.example.com", Version: "19.3.0.0.0", CDB: true, DBUniqueName: "SHOP", DBID: 2511832, StartupTime: logon.Add(-30 * time.Hour)},
			{InstID: 2, InstanceName: "SHOP2", HostName: "db2.example.com", Version: "19.3.0.0.0", CDB: true, DBUniqueName: "SHOP", DBID: 2511832, StartupTime: logon.Add(-31 * time.Hour)},
		},
		Unverified: []string{}, Source: "sessions.csv", Purpose: "ORA-00942 in checkout", Ticket: "INC-4711", Selector: "--username APP",
		Split: plan.DefaultSplit, MaxSessions: plan.DefaultMaxSessions,
	}
}
