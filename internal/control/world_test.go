package control_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/scenario"
	"ringtrace/sessions"
)

// world is a simulated database with everything a run of the controller needs.
type world struct {
	t     testing.TB
	db    *instance.Database
	pool  *engine.Pool
	state control.State
	ids   int

	timeout time.Duration
	// wrap puts something around the conversation, for faults between steps.
	wrap func(control.Conversation) control.Conversation
	said []string
	bug  string // planted, see bug_test.go

	judge *judge
	count func() // adds the commands of the run to those of the story
	where *control.Place
}

func simNow() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) }

func newWorld(t testing.TB, spec sim.Spec) *world {
	t.Helper()
	w := openWorld(t, t.TempDir(), spec)
	t.Cleanup(w.close)
	return w
}

// openWorld is newWorld for one of many in a test: the caller closes it.
func openWorld(t testing.TB, dir string, spec sim.Spec) *world {
	t.Helper()
	db, err := sim.New(spec, simNow, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, db: db, pool: engine.NewPool(db), timeout: time.Minute}
	w.state = control.State{
		Dir: journal.Dir{Path: dir}, Now: simNow,
		Who: journal.Actor{PID: 1, Host: "h", User: "u", Start: simNow()},
	}
	return w
}

func (w *world) close() { w.pool.Close() }

func (w *world) runner(_ context.Context, inst int) (control.Runner, error) {
	return w.plant(control.NewConsole(w.timeout, func(context.Context) (control.Conversation, error) {
		e, err := w.pool.Get(w.db.Instance(inst))
		if err != nil {
			return nil, err
		}
		c, err := sim.Converse(e)
		if err != nil {
			return nil, err
		}
		c.Impatient = true
		if w.wrap != nil {
			return w.wrap(c), nil
		}
		return c, nil
	})), nil
}

func (w *world) inventory(sel *sessions.Selector) (*sessions.Finder, *sessions.Inventory) {
	w.t.Helper()
	e, err := w.pool.Get(w.db.Instances[0])
	if err != nil {
		w.t.Fatal(err)
	}
	db := engine.OpenDB(&engine.Connector{Engine: e, Logon: instance.Logon{User: "SYS", Sysdba: true, Bequeath: true, Program: "ringtrace"}})
	defer db.Close()
	f, err := sessions.Open(context.Background(), db)
	if err != nil {
		w.t.Fatal(err)
	}
	inv, err := f.Inventory(context.Background(), sel)
	if err != nil {
		w.t.Fatal(err)
	}
	return f, inv
}

// place is a copy of where we are, which is asked for once: nothing restarts the
// simulated instance.
func (w *world) place() *control.Place {
	if w.where == nil {
		f, _ := w.inventory(&sessions.Selector{AllApp: true})
		w.where = placeOf(f)
	}
	p := *w.where
	p.Instances = slices.Clone(p.Instances)
	return &p
}

func placeOf(f *sessions.Finder) *control.Place {
	p := &control.Place{Database: control.DatabaseOf(&f.Instances[0])}
	for i := range f.Instances {
		p.Instances = append(p.Instances, control.InstanceOf(&f.Instances[i]))
	}
	return p
}

func user(name string) *sessions.Selector {
	s := &sessions.Selector{}
	if err := s.Add(sessions.FieldUsername, name); err != nil {
		panic(err)
	}
	return s
}

func options(ora ...int) plan.Options {
	o := plan.DefaultOptions()
	o.Ora = ora
	return o
}

func (w *world) plan(sel *sessions.Selector, o plan.Options) *control.PlanFile {
	w.t.Helper()
	f, inv := w.inventory(sel)
	w.where = placeOf(f)
	req := plan.Request{Tool: "ringtrace", Campaign: "c", Now: simNow(), Expires: simNow().Add(time.Hour), Style: plan.StyleGuarded, Options: o, Instances: f.Instances, Selector: sel.String()}
	for _, r := range inv.Selected() {
		req.Sessions = append(req.Sessions, r.Session)
	}
	p, err := plan.New(req)
	if err != nil {
		w.t.Fatal(err)
	}
	return control.NewPlanFile(p)
}

func (w *world) enable(p *control.PlanFile) *control.Enable {
	w.ids++
	return &control.Enable{
		Plan: p, Campaign: "c" + string(rune('0'+w.ids)), Place: w.place(), State: &w.state, Runner: w.runner,
		Waves: control.Waves{MaxFailures: control.DefaultMaxFailures}, Say: func(s string) { w.said = append(w.said, s) },
	}
}

func (w *world) disable(id string) *control.Disable {
	return &control.Disable{ID: id, Place: w.place(), State: &w.state, Runner: w.runner, Say: func(s string) { w.said = append(w.said, s) }}
}

// truth lists what is set anywhere, by session.
func (w *world) truth() map[[3]int]scenario.Session {
	out := map[[3]int]scenario.Session{}
	for _, s := range scenario.Show(w.db).Sessions {
		if len(s.Events) > 0 || s.Ring != nil {
			out[[3]int{s.InstID, s.SID, s.Serial}] = s
		}
	}
	return out
}

func (w *world) campaign(id string) *journal.Campaign {
	w.t.Helper()
	c, err := w.state.Dir.Load(id)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func itoa(n int) string { return strconv.Itoa(n) }
