package watch_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sight"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/scenario"
	"ringtrace/internal/sim/tracegen"
	"ringtrace/internal/watch"
	"ringtrace/oradebug"
	"ringtrace/sessions"
)

// world is a simulated database that a watch looks at, on a clock that only
// the watch's own pauses move.
type world struct {
	t      *testing.T
	db     *instance.Database
	pool   *engine.Pool
	gen    *tracegen.Generator
	state  *control.State
	clock  time.Time
	lines  []watch.Line
	said   []string
	seen   sight.Sight
	q      *sql.DB
	finder *watch.Finder
	ctx    context.Context
	stop   context.CancelFunc
	// steps are what happens in the pauses, one after the other; after the last
	// one the watch is interrupted.
	steps []func()
	pause int
	// broken makes the next listings or dials fail.
	noList, noDial int
	who            string // USERNAME that is watched; APP
}

func newWorld(t *testing.T, text string) *world {
	t.Helper()
	w := &world{t: t, clock: time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC), who: "APP"}
	spec, err := sim.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	w.db, err = sim.New(spec, func() time.Time { return w.clock }, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	w.pool, w.gen = engine.NewPool(w.db), tracegen.New(w.db, 1)
	t.Cleanup(w.pool.Close)
	w.state = &control.State{Dir: journal.Dir{Path: t.TempDir()}, Now: w.now, Who: journal.Actor{PID: 1, Host: "h", User: "u"}}
	w.seen = store{w.db}
	e, err := w.pool.Get(w.db.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	w.q = engine.OpenDB(&engine.Connector{Engine: e, Logon: instance.Logon{User: "SYS", Sysdba: true, Bequeath: true, Program: "ringtrace", Machine: "h", OSUser: "o"}})
	t.Cleanup(func() { w.q.Close() })
	conn, err := w.q.Conn(context.Background()) // one session, so that it knows itself
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	sel := &sessions.Selector{}
	if err := sel.Add(sessions.FieldUsername, w.who); err != nil {
		t.Fatal(err)
	}
	w.finder = &watch.Finder{Selector: sel, Open: func(context.Context) (sessions.Querier, error) { return conn, nil }}
	return w
}

func (w *world) now() time.Time { return w.clock }

// store sees the simulator's files.
type store struct{ db *instance.Database }

func (store) Refresh(context.Context) error { return nil }

func (s store) Look(_ context.Context, f sight.File, from int64) (sight.Piece, error) {
	data, err := s.db.Store.ReadFile(f.Path)
	if err != nil {
		return sight.Piece{Seen: true, Next: max(from, 0)}, nil //nolint:nilerr // not written yet
	}
	if from == sight.FromEnd {
		from = int64(len(data))
	}
	b, err := io.ReadAll(io.NewSectionReader(bytes.NewReader(data), from, int64(len(data))-from))
	return sight.Piece{Data: b, Next: int64(len(data)), Size: int64(len(data)), Seen: true}, err
}

func (w *world) runner(_ context.Context, inst int) (control.Runner, error) {
	return control.NewConsole(time.Minute, func(context.Context) (control.Conversation, error) {
		if w.noDial > 0 {
			w.noDial--
			return nil, errors.New("ORA-12541: TNS:no listener")
		}
		e, err := w.pool.Get(w.db.Instance(inst))
		if err != nil {
			return nil, err
		}
		c, err := sim.Converse(e)
		if err != nil {
			return nil, err
		}
		c.Impatient = true
		return c, nil
	}), nil
}

// List implements watch.Source.
func (w *world) List(ctx context.Context) (*watch.Listing, error) {
	if w.noList > 0 {
		w.noList--
		w.finder.Fresh()
		return nil, errors.New("ORA-03113: end-of-file on communication channel")
	}
	return w.finder.List(ctx)
}

// Fresh implements watch.Source.
func (w *world) Fresh() { w.finder.Fresh() }

func (w *world) config(ora ...int) watch.Config {
	o := plan.DefaultOptions()
	o.Ora = ora
	return watch.Config{
		State: w.state, Source: w, Sight: w.seen, Ends: w.seen, Runner: w.runner, Waves: control.Waves{MaxFailures: -1},
		Campaign: "w1", Selector: "username=" + w.who, Events: control.EventsOf(plan.Events(o)), RingBytes: int64(o.Ring),
		OnFire: watch.Disarm, Errorstack: 1, Limits: watch.DefaultLimits(), Interval: 5 * time.Second,
		Now: w.now, Sleep: w.sleep, Emit: func(l watch.Line) error { w.lines = append(w.lines, l); return nil },
		Say: func(s string) { w.said = append(w.said, s) },
	}
}

func (w *world) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		w.t.Errorf("a pause of %v", d)
	}
	w.clock = w.clock.Add(d)
	if w.pause < len(w.steps) {
		w.steps[w.pause]()
		w.pause++
		return ctx.Err()
	}
	w.stop()
	return ctx.Err()
}

// run watches through the steps.
func (w *world) run(c watch.Config, steps ...func()) error {
	w.ctx, w.stop = context.WithCancel(context.Background())
	defer w.stop()
	w.steps, w.pause = steps, 0
	return watch.New(c).Run(w.ctx)
}

// of returns the lines of a kind.
func (w *world) of(k watch.Kind) []watch.Line {
	var out []watch.Line
	for _, l := range w.lines {
		if l.Kind == k {
			out = append(out, l)
		}
	}
	return out
}

func (w *world) want(k watch.Kind, n int) []watch.Line {
	w.t.Helper()
	got := w.of(k)
	if len(got) != n {
		w.t.Errorf("%d lines %s, want %d\n%s", len(got), k, n, w.text())
	}
	return got
}

func (w *world) text() string {
	var b strings.Builder
	for _, l := range w.lines {
		fmt.Fprintf(&b, "  %s %s", l.At.Format("15:04:05"), l.Kind)
		if s := l.Session; s != nil {
			fmt.Fprintf(&b, " %d,%d,@%d %s %s ring %s", s.SID, s.Serial, s.InstID, s.State, s.Outcome, s.Ring)
		}
		for _, p := range []*string{l.Reason, l.Detail} {
			if p != nil {
				b.WriteString(" | " + *p)
			}
		}
		b.WriteString("\n")
	}
	return b.String() + strings.Join(w.said, "\n")
}

// app returns the n-th session of the watched user.
func (w *world) app(n int) *instance.Session {
	var out *instance.Session
	w.db.Locked(func() {
		for _, in := range w.db.Instances {
			for _, s := range in.Sessions() {
				if s.Username == w.who && s.Eligible && !s.Killed {
					if n == 0 && out == nil {
						out = s
					}
					n--
				}
			}
		}
	})
	if out == nil {
		w.t.Fatal("no such session")
	}
	return out
}

func (w *world) logon() *instance.Session {
	w.t.Helper()
	s, err := w.db.Logon(w.db.Instances[0], instance.Logon{User: w.who, Service: "sales", Program: "app", Machine: "m", OSUser: "o", PDB: "APPPDB"})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// on lists the sessions in which anything is set.
func (w *world) on() map[string]scenario.Session {
	out := map[string]scenario.Session{}
	for _, s := range scenario.Show(w.db).Sessions {
		if len(s.Events) > 0 || s.Ring != nil {
			out[fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.InstID)] = s
		}
	}
	return out
}

func (w *world) nothingOn() {
	w.t.Helper()
	for k, s := range w.on() {
		w.t.Errorf("session %s still has %v, ring %v\n%s", k, s.Events, s.Ring, w.text())
	}
}

func (w *world) campaign() *journal.Campaign {
	w.t.Helper()
	ids, err := w.state.Dir.IDs()
	if err != nil || len(ids) == 0 {
		w.t.Fatalf("campaigns %v, %v", ids, err)
	}
	c, err := w.state.Dir.Load(ids[len(ids)-1])
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// set sets somebody else's event in a session.
func (w *world) set(s *instance.Session, text string) {
	spec, err := oradebug.ParseSpec(text)
	if err != nil {
		w.t.Fatal(err)
	}
	w.db.Locked(func() { s.Proc.Set(instance.OfSession, spec) })
}
