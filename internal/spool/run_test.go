package spool_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/plan"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/spool"
	"ringtrace/sessions"
)

func simNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }

// onSimulator opens a simulated database and plans a campaign over it.
func onSimulator(t *testing.T, query string, edit func(*plan.Request)) (*sql.DB, *plan.Plan) {
	t.Helper()
	db, _, p := onSimulated(t, query, edit)
	return db, p
}

// onSimulated is onSimulator for tests that change the database afterwards.
func onSimulated(t *testing.T, query string, edit func(*plan.Request)) (*sql.DB, *instance.Database, *plan.Plan) {
	t.Helper()
	spec, err := sim.ParseSpec(query)
	if err != nil {
		t.Fatal(err)
	}
	db, d, err := sim.Open(context.Background(), spec, simNow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	f, err := sessions.Open(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := f.Inventory(context.Background(), &sessions.Selector{AllApp: true})
	if err != nil {
		t.Fatal(err)
	}
	req := sampleRequest()
	req.Now = inv.Now
	req.Expires = inv.Now.Add(plan.DefaultExpiry)
	req.Instances, req.Sessions = inv.Instances, nil
	for _, r := range inv.Selected() {
		req.Sessions = append(req.Sessions, r.Session)
	}
	req.Sessions = req.Sessions[:5]
	edit(&req)
	return db, d, mustPlan(t, req)
}

func script(t *testing.T, p *plan.Plan, kind plan.ScriptKind) string {
	t.Helper()
	var b strings.Builder
	if err := spool.Render(context.Background(), &b, p, &p.Instances[0], p.Instances[0].Parts[0], kind, mustTemplates(t), nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The script's own SQL, on a simulated database of each release: sessions that
// are there are armed, and disarmed.
func TestScriptsProveTheirSessions(t *testing.T) {
	for _, release := range []string{"11.2", "12.1", "12.2", "19c", "23ai"} {
		t.Run(release, func(t *testing.T) {
			db, p := onSimulator(t, "?sessions=10&release="+release, func(*plan.Request) {})
			m := newMiniPlus(t, db)
			m.run(script(t, p, plan.Enable))
			if m.exit != "exit" || m.lastErr != nil {
				t.Fatalf("ended by %q, %v; prompts %q", m.exit, m.lastErr, m.prompts)
			}
			if got := strings.Join(m.outcomes(), " "); got != "ARMED ARMED ARMED ARMED ARMED" {
				t.Errorf("outcomes %s", got)
			}
			if n := countPrefix(m.oradebug, "session_event sql_trace wait=true"); n != 5 {
				t.Errorf("sql_trace was sent %d times", n)
			}
			if n := countPrefix(m.oradebug, "help"); n != 0 {
				t.Errorf("help was sent %d times", n)
			}
			m = newMiniPlus(t, db)
			m.run(script(t, p, plan.Disable))
			if m.exit != "exit" || m.lastErr != nil {
				t.Fatalf("undo ended by %q, %v; prompts %q", m.exit, m.lastErr, m.prompts)
			}
			if got := strings.Join(m.outcomes(), " "); got != "DISARMED DISARMED DISARMED DISARMED DISARMED" {
				t.Errorf("outcomes of the undo %s", got)
			}
			if n := countPrefix(m.oradebug, "session_event immediate trace name trace_buffer_off"); n != 6 {
				t.Errorf("the ring is released %d times, want 5 and once for the own session", n)
			}
		})
	}
}

// A block whose identity no longer holds sets nothing: each single fact that
// differs is enough.
func TestStaleBlocksSetNothing(t *testing.T) {
	spoil := map[string]func(*sessions.Session){
		"sid":            func(s *sessions.Session) { s.SID += 5000 },
		"serial":         func(s *sessions.Session) { s.Serial++ },
		"logon time":     func(s *sessions.Session) { s.LogonTime = s.LogonTime.Add(time.Second) },
		"process serial": func(s *sessions.Session) { s.ProcessSerial++ },
		"ospid":          func(s *sessions.Session) { s.Ospid = "1" + s.Ospid },
		"orapid":         func(s *sessions.Session) { s.Orapid += 3000 },
	}
	for name, change := range spoil {
		t.Run(name, func(t *testing.T) {
			db, p := onSimulator(t, "?sessions=10", func(r *plan.Request) {
				r.Sessions = r.Sessions[:2]
				change(&r.Sessions[1])
			})
			m := newMiniPlus(t, db)
			m.run(script(t, p, plan.Enable))
			if m.exit != "exit" || m.lastErr != nil {
				t.Fatalf("ended by %q, %v", m.exit, m.lastErr)
			}
			want := map[string]bool{"ARMED SKIPPED": true, "SKIPPED ARMED": true}
			if got := strings.Join(m.outcomes(), " "); !want[got] {
				t.Errorf("outcomes %s", got)
			}
			if n := countPrefix(m.oradebug, "session_event sql_trace wait=true"); n != 1 {
				t.Errorf("sql_trace was sent %d times, want once", n)
			}
			if n := countPrefix(m.oradebug, "help "); n != 5 {
				t.Errorf("%d lines became help, want all 5 of the stale block", n)
			}
			// The undo: events need the session, the ring only the process.
			m = newMiniPlus(t, db)
			m.run(script(t, p, plan.Disable))
			got := strings.Join(m.outcomes(), " ")
			ringOnly := strings.Contains(got, "RING_ONLY")
			if sameProcess := name == "sid" || name == "serial" || name == "logon time"; ringOnly != sameProcess {
				t.Errorf("outcomes of the undo %s: ring only %v, want %v", got, ringOnly, sameProcess)
			}
		})
	}
}

// Each guard stops the script before it attaches anywhere, and says why.
func TestGuardsStopTheScript(t *testing.T) {
	cases := []struct {
		name string
		edit func(*plan.Request)
		want string
		also bool // the undo stops as well
	}{
		{"expired", func(r *plan.Request) { r.Expires = r.Now.Add(-time.Second) }, "expired", false},
		{"another database", func(r *plan.Request) { r.Instances[0].DBUniqueName = "OTHER" }, "another database", true},
		{"another dbid", func(r *plan.Request) { r.Instances[0].DBID++ }, "another database", true},
		{"another instance", func(r *plan.Request) { r.Instances[0].InstanceName = "OTHER1" }, "another instance", true},
		{"another host", func(r *plan.Request) { r.Instances[0].HostName = "elsewhere" }, "another host", true},
		{"restarted", func(r *plan.Request) { r.Instances[0].StartupTime = r.Instances[0].StartupTime.Add(-time.Hour) }, "restarted", true},
		{"another number", func(r *plan.Request) {
			r.Instances[0].InstID = 7
			for i := range r.Sessions {
				r.Sessions[i].InstID = 7
			}
		}, "not number 7", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			db, p := onSimulator(t, "?sessions=10", func(r *plan.Request) {
				r.Instances = append([]sessions.Instance{}, r.Instances...)
				c.edit(r)
			})
			for _, kind := range []plan.ScriptKind{plan.Enable, plan.Disable} {
				m := newMiniPlus(t, db)
				m.run(script(t, p, kind))
				stops := kind == plan.Enable || c.also
				if stopped := m.exit == "sqlerror"; stopped != stops {
					t.Errorf("%s: stopped %v, want %v; prompts %q", kind, stopped, stops, m.prompts)
				}
				if stops && (len(m.oradebug) != 0 || !strings.Contains(strings.Join(m.prompts, "\n"), "STOP: ") || !strings.Contains(strings.Join(m.prompts, "\n"), c.want)) {
					t.Errorf("%s: sent %q, said %q, want %q", kind, m.oradebug, m.prompts, c.want)
				}
			}
		})
	}
}

// Without SYSDBA the first guard stops, before any V$ view is read.
func TestGuardWantsSYSDBA(t *testing.T) {
	_, p := onSimulator(t, "?sessions=10", func(*plan.Request) {})
	spec, err := sim.ParseSpec("?sessions=10")
	if err != nil {
		t.Fatal(err)
	}
	d, err := sim.New(spec, simNow, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	db := engine.OpenDB(&engine.Connector{Engine: e, Logon: instance.Logon{User: "APP", Program: "sqlplus", Machine: "web1"}})
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, kind := range []plan.ScriptKind{plan.Enable, plan.Disable} {
		m := newMiniPlus(t, db)
		m.run(script(t, p, kind))
		if m.exit != "sqlerror" || len(m.oradebug) != 0 || !strings.Contains(strings.Join(m.prompts, "\n"), "STOP: not connected as SYSDBA") {
			t.Errorf("%s: ended by %q, sent %q, said %q", kind, m.exit, m.oradebug, m.prompts)
		}
	}
}

// Not connected, SQL*Plus goes on to the end: no variable is missing, which
// would make it ask, and no event is sent to anybody.
func TestScriptsWithoutConnection(t *testing.T) {
	p := mustPlan(t, sampleRequest())
	for _, kind := range []plan.ScriptKind{plan.Enable, plan.Disable, plan.Collect} {
		m := newMiniPlus(t, nil)
		m.offline = true
		text := script(t, p, kind)
		m.run(text)
		if m.exit != "exit" {
			t.Errorf("%s: ended by %q", kind, m.exit)
		}
		for _, line := range m.oradebug { // behind the last block the own session is switched off
			if strings.HasPrefix(line, "session_event") && !strings.HasSuffix(line, " off") && !strings.HasSuffix(line, "trace_buffer_off") {
				t.Errorf("%s sends %q", kind, line)
			}
		}
		for _, word := range m.outcomes() {
			if word == "ARMED" || word == "DISARMED" {
				t.Errorf("%s claims %s", kind, word)
			}
		}
	}
}

// A database that a person named by its DB_NAME or in other letters is found.
func TestGuardsAcceptWhatPeopleWrite(t *testing.T) {
	db, p := onSimulator(t, "?sessions=10", func(r *plan.Request) {
		in := r.Instances[0]
		in.DBID, in.DBUniqueName = 0, strings.ToLower(in.DBUniqueName)
		in.InstanceName, in.HostName = strings.ToLower(in.InstanceName), strings.ToUpper(in.HostName)
		r.Instances = []sessions.Instance{in}
	})
	m := newMiniPlus(t, db)
	m.run(script(t, p, plan.Enable))
	if m.exit != "exit" {
		t.Errorf("stopped: %q %v", m.prompts, m.lastErr)
	}
}

func TestCollectListsThePaths(t *testing.T) {
	db, p := onSimulator(t, "?sessions=10&release=19c", func(r *plan.Request) { r.Sessions[2].Tracefile = "" })
	m := newMiniPlus(t, db)
	m.run(script(t, p, plan.Collect))
	if m.exit != "exit" {
		t.Fatalf("ended by %q: %v", m.exit, m.lastErr)
	}
	if len(m.oradebug) != 0 {
		t.Errorf("collect touches a session: %q", m.oradebug)
	}
	listed := 0
	for _, s := range p.Sessions {
		if s.Tracefile != "" && contains([]byte(strings.Join(m.prompts, "\n")+"\n"), []byte(s.Tracefile+"\n")) {
			listed++
		}
	}
	if listed != 4 {
		t.Errorf("%d of 4 paths are listed: %q", listed, m.prompts)
	}
	asked := false
	for _, r := range m.rows {
		asked = asked || len(r) == 1 && strings.HasSuffix(r[0], ".trc")
	}
	if !asked {
		t.Errorf("the path that was not recorded was not asked for: %v", m.rows)
	}
}

func countPrefix(list []string, prefix string) int {
	n := 0
	for _, s := range list {
		if strings.HasPrefix(s, prefix) {
			n++
		}
	}
	return n
}
