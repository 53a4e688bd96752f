package drill_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/drill"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/scenario"
	"ringtrace/internal/sim/sqlplusd"
)

func now() time.Time { return time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC) }

// bench is a drill on a simulated instance with one setting of its switches.
func bench(t *testing.T, set assume.Set) (drill.Bench, *instance.Database) {
	t.Helper()
	db, err := sim.New(sim.Spec{Sessions: 3, Instances: 1, Seed: 1, Assume: set}, now, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	pool := engine.NewPool(db)
	t.Cleanup(pool.Close)
	in := db.Instances[0]
	e, err := pool.Get(in)
	if err != nil {
		t.Fatal(err)
	}
	dial := func(context.Context) (control.Conversation, error) {
		c, err := sim.Converse(e)
		if err == nil {
			c.Impatient = true
		}
		return c, err
	}
	return drill.Bench{
		Scratch: func(context.Context) (control.Conversation, error) {
			return sim.ConverseAs(e, instance.Logon{User: "APP", Program: "sqlplus", Machine: "m", OSUser: "o", PDB: "APPPDB"})
		},
		Dial: dial,
		Read: func(_ context.Context, path string) ([]byte, error) {
			b, err := db.Store.ReadFile(path)
			if err != nil {
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			}
			return b, nil
		},
		Script: func(ctx context.Context, lines []string) (string, error) {
			var out bytes.Buffer
			_, err := sqlplusd.Main(ctx, sqlplusd.Config{
				DB: db, Engine: pool.Get, Files: noFiles{}, OSAuth: true, Env: map[string]string{"ORACLE_SID": in.Name}, Machine: in.Host, OSUser: "oracle", PID: "1",
				Stdin: strings.NewReader(strings.Join(lines, "\n") + "\n"), Stdout: &out,
			}, []string{"-S", "-L", "/ as sysdba"})
			return out.String(), err
		},
		Switch:   func(c control.Conversation) error { return c.(*sim.Conversation).Switch() },
		Timeout:  time.Minute,
		Instance: journal.Instance{InstID: 1, InstanceName: in.Name, HostName: in.Host, Version: db.Release.Full},
		Database: journal.Database{UniqueName: db.UniqueName, DBID: db.DBID}, Simulated: true, Ordinary: true, Tool: "test", Now: now,
		Sleep: func(context.Context, time.Duration) error { return nil },
	}, db
}

type noFiles struct{}

func (noFiles) Open(string) (io.ReadCloser, error) { return nil, fs.ErrNotExist }
func (noFiles) Create(string, bool, bool) (io.WriteCloser, error) {
	return nil, fs.ErrPermission
}

func run(t *testing.T, set assume.Set) *drill.Record {
	t.Helper()
	b, db := bench(t, set)
	before := truth(db)
	r, err := drill.Run(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	if after := truth(db); !reflect.DeepEqual(before, after) {
		t.Errorf("the drill left something behind:\n%v\nbefore\n%v", after, before)
	}
	return r
}

// truth is every session with what is set in it.
func truth(db *instance.Database) []scenario.Session {
	var out []scenario.Session
	for _, s := range scenario.Show(db).Sessions {
		if s.Status != "KILLED" || s.Eligible {
			out = append(out, s)
		}
	}
	return out
}

// unseen are the switches that no experiment can see.
var unseen = map[assume.Switch]string{
	assume.MapFiles: "the drill reads trace files through SQL, which lists no maps",
}

func word(on bool) string {
	if on {
		return drill.Yes
	}
	return drill.No
}

// TestEverySwitchIsRecovered: each switch of the simulator, set either way, is
// found out by the drill.
func TestEverySwitchIsRecovered(t *testing.T) {
	settings := [][]assume.Entry{nil}
	for _, e := range assume.Entries() {
		settings = append(settings, []assume.Entry{e})
	}
	for _, changed := range settings {
		name, set := "defaults", assume.Set{}
		for _, e := range changed {
			name = string(e.Switch)
			set, _ = set.With(e.Switch, !e.Default)
		}
		t.Run(name, func(t *testing.T) {
			r := run(t, set)
			for _, e := range assume.Entries() {
				if unseen[e.Switch] != "" {
					continue
				}
				got, want := r.Of(string(e.Switch)), word(set.On(e.Switch))
				own := len(changed) == 0 || changed[0].Switch == e.Switch
				// Another switch may hide this one; then the answer is open, and
				// never wrong.
				if got != want && (own || got != drill.Unknown) {
					t.Errorf("%s: %s, the switch says %s\n%s", e.Switch, got, want, evidence(r, string(e.Switch)))
				}
			}
		})
	}
}

// TestNeverWrong: with two switches changed at once an answer may be open, but
// it is not wrong.
func TestNeverWrong(t *testing.T) {
	list := assume.Entries()
	step := 61
	if testing.Short() {
		step = 149
	}
	for i := 0; i < len(list)*len(list); i += step {
		a, b := list[i/len(list)], list[i%len(list)]
		if a.Switch >= b.Switch {
			continue
		}
		set, _ := assume.Set{}.With(a.Switch, !a.Default)
		set, _ = set.With(b.Switch, !b.Default)
		r := run(t, set)
		for _, e := range list {
			if got := r.Of(string(e.Switch)); unseen[e.Switch] == "" && got != drill.Unknown && got != word(set.On(e.Switch)) {
				t.Errorf("with %s and %s changed, %s: %s\n%s", a.Switch, b.Switch, e.Switch, got, evidence(r, string(e.Switch)))
			}
		}
	}
}

func evidence(r *drill.Record, id string) string {
	for _, a := range r.Answers {
		if a.ID == id {
			return strings.Join(a.Evidence, "\n")
		}
	}
	return "not asked"
}

// TestForm: the simulator's dump goes into the ring that it leaves, so the safer
// form is not proved there.
func TestForm(t *testing.T) {
	r := run(t, assume.Set{})
	if r.Form != drill.FormFounding || r.Of(drill.DumpReachesFile) != drill.No || !strings.Contains(r.Why, drill.DumpReachesFile) ||
		!strings.Contains(r.Why, `"an errorstack reaches the file although a ring is on"`) { // as the table has it
		t.Errorf("form %s: %s", r.Form, r.Why)
	}
}

func TestRecord(t *testing.T) {
	dir := t.TempDir()
	r := run(t, assume.Set{})
	ctx := context.Background()
	path, err := r.Save(ctx, dir)
	if err != nil || !strings.HasSuffix(path, "/drill/"+r.Instance.Version+"-simulated.json") {
		t.Fatalf("%s, %v", path, err)
	}
	got, err := drill.Load(dir, r.Instance.Version, true)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("read back: %v", err)
	}
	if got, err := drill.Load(dir, r.Instance.Version, false); got != nil || err != nil {
		t.Errorf("a simulation was taken for a database: %v, %v", got, err)
	}
	if f := drill.FormFor(dir, r.Instance.Version, true); f != drill.FormFounding {
		t.Errorf("form %s", f)
	}
	safer := *r
	safer.Instance.Version, safer.Form, safer.Simulated = "19.99.0.0.0", drill.FormFlush, false
	if _, err := safer.Save(ctx, dir); err != nil {
		t.Fatal(err)
	}
	if f := drill.FormFor(dir, "19.99.0.0.0", false); f != drill.FormFlush {
		t.Errorf("form %s", f)
	}
	if f := drill.FormFor(dir, "19.99.0.0.0", true); f != drill.FormFounding {
		t.Errorf("form %s for a simulation", f)
	}
	if f := drill.FormFor(dir, r.Instance.Version, false); f != drill.FormFounding {
		t.Errorf("form %s for a database that was never drilled", f)
	}
	if f := drill.FormFor(dir, "../../x", false); f != drill.FormFounding {
		t.Errorf("form %s for a version that is none", f)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := drill.Load(dir, r.Instance.Version, true); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a broken record: %v", err)
	}
	var text bytes.Buffer
	if err := r.Print(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"THIS IS A SIMULATION", "SQL trace goes through the ring", "form: founding", "questions are settled"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
	doc, err := json.Marshal(r)
	if err != nil || !json.Valid(doc) || len(r.Answers) < 35 {
		t.Errorf("%d answers, %v", len(r.Answers), err)
	}
}

// TestUnreadable: without the trace files nothing is asked.
func TestUnreadable(t *testing.T) {
	b, db := bench(t, assume.Set{})
	b.Read = func(context.Context, string) ([]byte, error) { return nil, fs.ErrPermission }
	before := truth(db)
	if _, err := drill.Run(context.Background(), b); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("%v", err)
	}
	if !reflect.DeepEqual(before, truth(db)) {
		t.Error("something was left behind")
	}
}

// TestOnlyItsOwn: an ordinary session's events are never touched, and questions
// that need what is not there stay open.
func TestOnlyItsOwn(t *testing.T) {
	b, _ := bench(t, assume.Set{})
	b.Script, b.Switch, b.Ordinary = nil, nil, false
	r, err := drill.Run(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"whenever-ignores-oradebug", "ring-of-process", "events-of-session", "sysdba-only-ora-1031"} {
		if r.Of(id) != drill.Unknown || evidence(r, id) == "" {
			t.Errorf("%s: %s (%s)", id, r.Of(id), evidence(r, id))
		}
	}
	if r.Of("no-such-question") != drill.Unknown {
		t.Error("an answer to a question that was not asked")
	}
}
