package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
	"ringtrace/sessions"
)

// stationFlags say how the verbs that send ORADEBUG commands reach their
// instances.
func stationFlags() []cli.Flag {
	return append(connectionFlags(),
		&cli.StringSliceFlag{Name: "instance-connect", Usage: "reach another instance of a RAC by `INST=CONNECT`; repeatable"},
	)
}

// station is a database with what the controller needs to work in it.
type station struct {
	rt     *runtime
	target connect.Target
	q      sessions.Querier
	finder *sessions.Finder
	place  *control.Place
	others map[int]connect.Target // --instance-connect; nil: every instance is reached
	local  bool                   // trace files of the database can be opened from here
	// dial opens a conversation with an instance.
	dial func(ctx context.Context, inst int) (control.Conversation, error)
	// read opens a trace file; nil: from the file system, if local.
	read     func(path string) (io.ReadCloser, error)
	simSIDs  map[int]string // of a simulated database that runs in a folder
	vanishes bool           // a simulated instance in process
	drill    *drillDoor     // of a simulated instance in process; nil: sqlplus is used
	closers  []func() error

	isSimulated *bool // nil: not asked yet

	timeout  time.Duration
	consoles map[int]*control.Console
}

// openStation connects to the database behind --connect.
func (rt *runtime) openStation(c *cli.Context) (*station, error) {
	t, err := rt.target()
	if err != nil {
		return nil, err
	}
	if c.Bool("prelim") {
		return nil, connect.Preliminary()
	}
	others, err := instanceConnects(c.StringSlice("instance-connect"))
	if err != nil {
		return nil, err // before anything outranks it, and also where nobody needs it: it may hold a password
	}
	st := &station{rt: rt, target: t, timeout: durationOf(c, "command-timeout"), consoles: map[int]*control.Console{}}
	switch {
	case t.Kind == connect.Sim && (t.Address == "" || strings.HasPrefix(t.Address, "?")):
		err = st.openSimulated(c, t)
	case t.Kind == connect.Sim, t.IsOracle():
		err = st.openSQLPlus(c, t, others)
	default:
		err = exit.Errorf(exit.Usage, "give -c '/ as sysdba', -c 'sys@host:port/service as sysdba' or -c sim:; for scripts from an inventory use ringtrace generate", "%s is no database that commands can be sent to", t)
	}
	if err == nil {
		err = st.look(c.Context)
	}
	if err != nil {
		st.close()
		return nil, err
	}
	st.dial = st.proving(st.dial)
	return st, nil
}

// proving lets no conversation through that has reached another instance.
func (st *station) proving(dial func(context.Context, int) (control.Conversation, error)) func(context.Context, int) (control.Conversation, error) {
	return func(ctx context.Context, inst int) (control.Conversation, error) {
		conv, err := dial(ctx, inst)
		if err != nil {
			return nil, err
		}
		asking, cancel := context.WithTimeout(ctx, cmp.Or(st.timeout, control.DefaultTimeout))
		defer cancel()
		if err := st.place.Prove(asking, conv, inst); err != nil {
			st.tell(conv.Close())
			return nil, err
		}
		return conv, nil
	}
}

// look finds out what the database is.
func (st *station) look(ctx context.Context) error {
	f, err := sessions.Open(ctx, st.q)
	if err != nil {
		return err
	}
	st.finder = f
	st.place = &control.Place{}
	for i := range f.Instances {
		in := &f.Instances[i]
		if in.InstID == f.InstID || st.place.Database == (journal.Database{}) {
			st.place.Database = control.DatabaseOf(in)
		}
		st.place.Instances = append(st.place.Instances, control.InstanceOf(in))
	}
	if host, err := os.Hostname(); err == nil {
		if in, ok := st.place.Instance(f.InstID); ok && sameHost(host, in.HostName) {
			st.local = true
		}
	}
	return nil
}

func sameHost(a, b string) bool {
	short := func(s string) string {
		s, _, _ = strings.Cut(strings.ToLower(s), ".")
		return s
	}
	return short(a) == short(b)
}

func (st *station) close() {
	for _, c := range st.consoles {
		st.tell(c.Close())
	}
	for i := len(st.closers) - 1; i >= 0; i-- {
		st.tell(st.closers[i]())
	}
}

func (st *station) tell(err error) {
	if err != nil {
		st.rt.debugf("close: %v", err)
	}
}

// console is the Runner of an instance, opened when it is first needed.
func (st *station) console(inst int) *control.Console {
	if st.consoles[inst] == nil {
		st.consoles[inst] = control.NewConsole(st.timeout, func(ctx context.Context) (control.Conversation, error) { return st.dial(ctx, inst) })
	}
	return st.consoles[inst]
}

// runner implements what Enable and Disable ask for.
func (st *station) runner(_ context.Context, inst int) (control.Runner, error) {
	return st.console(inst), nil
}

// openTrace opens a trace file of the database's host.
func (st *station) openTrace(path string) (io.ReadCloser, error) {
	switch {
	case st.read != nil:
		return st.read(path)
	case !st.local:
		return nil, errors.New("the database runs on another host")
	}
	return os.Open(path)
}

// sight looks at trace files: on this host, else through V$DIAG_TRACE_FILE.
func (st *station) sight() sight.Chain {
	return sight.Chain{st.localSight(), &sight.Views{Q: st.q, InstID: st.finder.InstID}}
}

// localSight looks at those of this host alone.
func (st *station) localSight() *sight.Local {
	local := &sight.Local{}
	if st.local {
		local.Here = func(inst int) bool { return inst == st.finder.InstID || len(st.simSIDs) > 0 }
	}
	return local
}

// proof looks for the text of rings in trace files.
func (st *station) proof() *control.Proof {
	return &control.Proof{Sight: st.sight(), Ends: st.localSight(), Place: st.place, Say: func(s string) { st.rt.notef("%s", s) }}
}

// diskFree is for preflight.
func (st *station) diskFree(dir string) (int64, bool) {
	if !st.local {
		return 0, false
	}
	return diskFree(dir)
}

// controlState is the state directory as the controller uses it.
func (rt *runtime) controlState() (*control.State, error) {
	dir, err := rt.ensureStateDir()
	if err != nil {
		return nil, err
	}
	return rt.stateIn(dir), nil
}

// stateToRead is the same, and makes nothing.
func (rt *runtime) stateToRead() (*control.State, error) {
	s, err := rt.campaignStore()
	if err != nil {
		return nil, err
	}
	return rt.stateIn(s.Dir.Path), nil
}

func (rt *runtime) stateIn(dir string) *control.State {
	return &control.State{Dir: journal.Dir{Path: dir}, Now: rt.now, Who: rt.actor(), Stop: rt.stopOwner, Announced: rt.announced, Way: rt.way(), Dialogue: rt.dialogue(), Wait: 30 * time.Second}
}

// dialogue is the absolute path of --dialogue, for the journal.
func (rt *runtime) dialogue() string {
	for _, this := range rt.settings {
		if this.spec.Name() != "dialogue" || len(this.values) == 0 || this.values[0] == "" {
			continue
		}
		path, err := filepath.Abs(this.values[0])
		if err != nil {
			return this.values[0] // without a working directory nothing better is known
		}
		return path
	}
	return ""
}

// inventoryOf lists the sessions with the verdict on each, and prints warnings.
func (st *station) inventoryOf(ctx context.Context, sel *sessions.Selector) (*sessions.Inventory, error) {
	inv, err := st.finder.Inventory(ctx, sel)
	if err != nil {
		return nil, err
	}
	inv.Source = st.rt.connect
	st.rt.warnAll(inv.Warnings)
	return inv, nil
}
