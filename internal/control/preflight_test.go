package control_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/sim"
	"ringtrace/oradebug"
)

func preflight(t *testing.T, w *world, change func(*control.Preflight)) ([]string, error) {
	t.Helper()
	db, err := sim.Connect(w.db, w.db.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, inv := w.inventory(user("APP"))
	p := &control.Preflight{Query: db, InstID: 1, RingBytes: 256000, Version: w.db.Release.Version}
	for _, r := range inv.Selected() {
		p.Sessions = append(p.Sessions, r.Session)
	}
	if change != nil {
		change(p)
	}
	return p.Run(context.Background())
}

func TestPreflight(t *testing.T) {
	own := func(lines ...string) func(context.Context, ...string) ([]oradebug.Reply, error) {
		return func(context.Context, ...string) ([]oradebug.Reply, error) {
			return []oradebug.Reply{oradebug.ParseReply("setmypid", "Statement processed."), oradebug.ParseReply("eventdump", strings.Join(lines, "\n"))}, nil
		}
	}
	for _, c := range []struct {
		name   string
		spec   sim.Spec
		world  func(*testing.T, *world)
		change func(*control.Preflight)
		code   exit.Code
		says   string // in the error, or in a note
	}{
		{name: "well", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) { p.Own = own("Statement processed.") }},
		{name: "disabled", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) {
			p.Own = own("ORA-32519: insufficient privileges to execute ORADEBUG command: SETMYPID")
		}, code: exit.NotAllowed, says: "switched off"},
		{
			name: "not SYSDBA", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) { p.Own = own("ORA-01031: insufficient privileges") },
			code: exit.NotAllowed, says: "may not use ORADEBUG",
		},
		{
			name: "shared server", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) { p.Own = own("ORA-00088: command cannot be executed by shared server") },
			code: exit.NotAllowed, says: "shared server",
		},
		{
			name: "not SYSDBA on the other instance", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) {
				p.InstID, p.Own = 2, own("ORA-01031: insufficient privileges")
			},
			code: exit.NotAllowed, says: "instance 2: this connection may not use ORADEBUG",
		},
		{
			name: "memory", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) { p.RingBytes = 300 << 20 },
			code: exit.Refused, says: "more than a quarter of what PGA_AGGREGATE_LIMIT of instance 1",
		},
		{name: "no limit in 11.2", spec: sim.Spec{Sessions: 10, Release: "11.2"}, change: func(p *control.Preflight) { p.RingBytes = 300 << 20 }},
		{
			name: "disk", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) { p.DiskFree = func(string) (int64, bool) { return 1000, true } },
			code: exit.Refused, says: "1000 bytes free",
		},
		{
			name: "little disk", spec: sim.Spec{Sessions: 10}, change: func(p *control.Preflight) { p.DiskFree = func(string) (int64, bool) { return 2_000_000, true } },
			says: "errorstack dumps come on top",
		},
		{
			name: "dump file size", spec: sim.Spec{Sessions: 10, Release: "21c"}, change: func(p *control.Preflight) { p.RingBytes = 9 << 20 },
			says: "MAX_DUMP_FILE_SIZE is 32M",
		},
		{name: "hanging request", spec: sim.Spec{Sessions: 10}, world: func(t *testing.T, w *world) {
			w.db.Locked(func() {
				s := w.db.Instances[0].Sessions()[0]
				s.WaitEvent, s.Status = "oradebug request completion", "ACTIVE"
			})
			w.db.Touch()
		}, code: exit.Refused, says: "wait for oradebug request completion"},
		{name: "traced already", spec: sim.Spec{Sessions: 10}, world: func(t *testing.T, w *world) {
			s := w.plan(user("APP"), options(60)).Sessions[0]
			x, err := w.db.Find(itoa(s.SID))
			if err != nil {
				t.Fatal(err)
			}
			w.db.Locked(func() { x.MonitorOn = true })
			w.db.Touch()
		}, says: "SQL_TRACE enabled in 1 of the sessions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.spec.Seed = 1
			w := newWorld(t, c.spec)
			if c.world != nil {
				c.world(t, w)
			}
			notes, err := preflight(t, w, c.change)
			if exit.CodeOf(err) != c.code {
				t.Fatalf("code %d: %v", exit.CodeOf(err), err)
			}
			text := strings.Join(notes, "\n")
			if err != nil {
				text = err.Error()
				if exit.HintOf(err) == "" {
					t.Error("no hint")
				}
			}
			if !strings.Contains(text, c.says) || c.says == "" && text != "" {
				t.Errorf("says %q", text)
			}
		})
	}
}

func TestDumpFileLimit(t *testing.T) {
	for text, want := range map[string]int64{"UNLIMITED": -1, "unlimited": -1, "32M": 32 << 20, "10k": 10 << 10, "1G": 1 << 30, "20480": 20480 * 512} {
		n, bounded := control.DumpFileLimit(text)
		if !bounded {
			n = -1
		}
		if n != want {
			t.Errorf("%s is %d, want %d", text, n, want)
		}
	}
}

func TestOrphansAreAskedForOneByOne(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 10, Seed: 1})
	p := w.plan(user("APP"), options(60))
	for i, text := range []string{
		"sql_trace wait=true, bind=true trace_buffer_on(256000):60 trace name trace_buffer_off; name errorstack level 3, lifetime 3",
		"sql_trace level=8",                // somebody else's
		"60 trace name errorstack level 3", // likewise
		"1555 trace name trace_buffer_off; name errorstack level 3",
	} {
		s, err := w.db.Find(itoa(p.Sessions[i].SID))
		if err != nil {
			t.Fatal(err)
		}
		w.setForeign(s, text)
	}
	_, inv := w.inventory(user("APP"))
	asked := 0
	o := &control.Orphans{
		Place: w.place(), State: &w.state, Campaign: "o", Rows: inv.Selected(), Runner: w.runner,
		List: func(l []control.Orphan) {
			if len(l) != 2 {
				t.Errorf("listed %v", l)
			}
		},
		Ask: func(control.Orphan) (bool, error) {
			asked++
			return asked == 1, nil
		},
	}
	doc, err := o.Run(context.Background())
	if asked != 2 || doc.Summary.Done != 1 || doc.Summary.Skipped != 1 {
		t.Errorf("asked %d, %+v, %v", asked, doc.Summary, err)
	}
	left := w.truth()
	if len(left) != 3 {
		t.Errorf("left %v", left)
	}
	first := p.Sessions[0]
	if s, ok := left[[3]int{1, first.SID, first.Serial}]; ok {
		t.Errorf("the first still has %+v", s)
	}
	if c := w.campaign("o"); !c.Closed || len(c.Dirty()) > 0 {
		t.Errorf("closed %v", c.Closed)
	}
	// Where nobody can be asked, or nobody agrees, they are listed, and no record
	// of nothing is left.
	o.Campaign, o.List = "n", func([]control.Orphan) {}
	o.Refuse = func(n int) error { return exit.Errorf(exit.Refused, "h", "%d", n) }
	if doc, err := o.Run(context.Background()); exit.CodeOf(err) != exit.Refused || asked != 2 || len(doc.Sessions) != 1 || deref(doc.Sessions[0].Reason) != "refused" {
		t.Errorf("refused: %+v %v", doc.Sessions, err)
	}
	o.Refuse = nil
	if doc, err := o.Run(context.Background()); exit.CodeOf(err) != exit.Partial || asked != 3 || doc.Summary.Skipped != 1 {
		t.Errorf("not agreed: %+v %v", doc.Summary, err)
	}
	if _, err := w.state.Dir.Load("n"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a record of nothing: %v", err)
	}
	asked = 2
	// In dry-run nothing is asked and nothing written.
	o.DryRun, o.Campaign = true, "p"
	o.List = func([]control.Orphan) {}
	if doc, err := o.Run(context.Background()); err != nil || asked != 2 || doc.Summary.Selected != 1 {
		t.Errorf("%+v %v", doc.Summary, err)
	}
}

// limits answers with limits of an instance and of a PDB.
type limits struct {
	w        *world
	inst     string
	pdb      string // name, limit, used
	failures bool
}

func (l limits) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	db, err := sim.Connect(l.w.db, l.w.db.Instances[0])
	if err != nil {
		return nil, err
	}
	l.w.t.Cleanup(func() { db.Close() })
	switch {
	case l.failures:
		return nil, errors.New("ORA-00942: table or view does not exist")
	case strings.Contains(query, "gv$system_parameter") && l.pdb == "":
		return db.QueryContext(ctx, "select 'x', 1, 1 from dual where 1 = 0")
	case strings.Contains(query, "gv$system_parameter"):
		return db.QueryContext(ctx, "select "+l.pdb+" from dual")
	case strings.Contains(query, "pga_aggregate_limit"):
		return db.QueryContext(ctx, "select "+l.inst+" from dual")
	}
	return db.QueryContext(ctx, "select 500 from dual") // allocated
}

// TestRoom: a quarter of what the limits leave, counting the rings that are
// there already.
func TestRoom(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 5})
	take := func(l limits, armed map[string]int, pdb string) (n int, full string) {
		p := &control.Preflight{Query: l, InstID: 1, RingBytes: 100, Version: "19.0"}
		r := p.Room(context.Background(), armed)
		for n < 1000 {
			if full = r.Take(pdb); full != "" {
				break
			}
			n++
		}
		return n, full
	}
	for _, c := range []struct {
		name  string
		l     limits
		armed map[string]int
		pdb   string
		want  int
		full  string
	}{
		{"instance", limits{w: w, inst: "4500"}, nil, "", 10, "instance 1 (4.4 KiB, 500 bytes allocated)"},
		{"some are there", limits{w: w, inst: "4500"}, map[string]int{"": 4}, "", 7, "instance 1"},
		{"more than its share is there", limits{w: w, inst: "4500"}, map[string]int{"": 100}, "", 0, "instance 1"},
		{"no limit", limits{w: w, inst: "0"}, nil, "", 1000, ""},
		{"less than is allocated", limits{w: w, inst: "400"}, nil, "", 0, "instance 1"},
		{"a PDB has less", limits{w: w, inst: "45000", pdb: "'P1', 1000, 200"}, nil, "P1", 2, "PDB P1 (1000 bytes, 200 bytes allocated)"},
		{"another PDB", limits{w: w, inst: "4500", pdb: "'P1', 1000, 200"}, nil, "P2", 10, "instance 1"},
		{"not readable", limits{w: w, failures: true}, nil, "P1", 1000, ""},
	} {
		n, full := take(c.l, c.armed, c.pdb)
		if n != c.want || !strings.Contains(full, c.full) || (c.full == "") != (full == "") {
			t.Errorf("%s: %d rings, full %q; want %d, %q", c.name, n, full, c.want, c.full)
		}
	}
}
