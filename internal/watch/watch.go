package watch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/sessions"
)

// Watch is one run; call Run once.
type Watch struct {
	Config

	journal *journal.Journal
	rec     *tap
	run     journal.Seq
	holder  func(control.Target) string // other campaigns at the start
	place   control.Place
	skew    time.Duration // database's clock minus ours

	members map[journal.Session]*member
	waiting map[journal.Session]bool // newcomers that were told of and not armed
	insts   map[int]*instance
	alerts  map[int]*alert

	storm    storm
	bucket   bucket
	braked   bool
	full     map[int]bool // instances that have no memory for another ring; it was said
	lastLock time.Time    // of the last ORA-00060 that was counted
	// lastAlert: it came from the alert log, and no session has told of it yet.
	lastAlert bool
	known     map[int]journal.Instance
	totals    Totals
	fatal     error
}

// instance is what is known of one instance's door.
type instance struct {
	ctl   *control.Controller
	until time.Time // do not try before
	tries int
}

// New returns a Watch that has done nothing yet.
func New(c Config) *Watch {
	w := &Watch{
		Config: c, members: map[journal.Session]*member{}, waiting: map[journal.Session]bool{}, insts: map[int]*instance{}, alerts: map[int]*alert{}, full: map[int]bool{},
		known: map[int]journal.Instance{}, bucket: bucket{per: c.Limits.PerMinute},
	}
	w.totals.ByOra = map[int]int{}
	return w
}

// Begun reports whether there is a campaign: something may be on.
func (w *Watch) Begun() bool { return w.journal != nil }

// LeftOn reports whether sessions may hold something of the campaign, now that
// the run is over.
func (w *Watch) LeftOn() bool { return w.Begun() && !w.Vanishes && w.leftOpen() }

// Totals is what was done so far.
func (w *Watch) Totals() *Totals {
	w.totals.Watched, w.totals.Pending = 0, 0
	for _, m := range w.members {
		switch {
		case m.armed():
			w.totals.Watched++
		case m.state.Open():
			w.totals.Pending++
		}
	}
	return w.totals.clone()
}

// Journal names the campaign's journal.
func (w *Watch) Journal() string {
	path, err := w.State.Dir.File(w.Campaign)
	if err != nil {
		return ""
	}
	return path
}

// Run watches until ctx ends, the time is over or there were enough hits. In
// the last two cases everything is taken back before it returns; an interrupted
// watch leaves its sessions armed and names the line that takes them back.
func (w *Watch) Run(ctx context.Context) error {
	if err := w.validate(); err != nil {
		return err
	}
	list, err := w.Source.List(ctx)
	if err != nil {
		return err
	}
	lock, err := w.State.Lock(list.Place.Database)
	if err != nil {
		return err
	}
	defer lock.Release() //nolint:errcheck // it ends with the process anyway
	w.see(list)
	if err := w.preflight(ctx, list); err != nil {
		return err
	}
	if err := w.open(ctx); err != nil {
		return err
	}
	ended := w.loop(ctx, list)
	return w.end(ctx, ended)
}

// loop takes step after step and says why it ended.
func (w *Watch) loop(ctx context.Context, list *Listing) string {
	began, tries := w.Now(), 0
	for first := true; ; first = false {
		w.step(ctx, list, first)
		switch {
		case ctx.Err() != nil:
			return "interrupted"
		case w.fatal != nil:
			return "failed"
		case w.UntilHits > 0 && w.totals.Hits >= w.UntilHits:
			return "until-hits"
		}
		pause := backoff(w.Interval, tries)
		if w.For > 0 {
			left := w.For - w.Now().Sub(began)
			if left <= 0 {
				return "for"
			}
			pause = min(pause, left)
		}
		if err := w.Sleep(ctx, pause); err != nil {
			return "interrupted"
		}
		var err error
		if list, err = w.Source.List(ctx); err != nil {
			if ctx.Err() != nil {
				return "interrupted"
			}
			if tries++; tries == 1 {
				w.trouble("no_listing", err)
			}
			continue
		}
		if tries > 0 {
			w.Say("the database answers again")
			tries = 0
		}
		w.see(list)
	}
}

// maxBackoff bounds the pause after failures.
const maxBackoff = 2 * time.Minute

// backoff doubles the pause with every failure in a row.
func backoff(pause time.Duration, tries int) time.Duration {
	if tries == 0 {
		return pause
	}
	for range min(tries, 10) {
		pause *= 2
	}
	return max(min(pause, maxBackoff), MinInterval)
}

// see takes over what a listing tells of the database.
func (w *Watch) see(list *Listing) {
	if list.Place.Database != (journal.Database{}) || len(list.Place.Instances) > 0 {
		w.place = list.Place
	}
	if !list.Now.IsZero() {
		w.skew = list.Now.Sub(w.Now())
	}
}

// step is one round; list is nil when the sessions could not be listed.
func (w *Watch) step(ctx context.Context, list *Listing, first bool) {
	if err := w.Sight.Refresh(ctx); err != nil && list != nil {
		w.trouble("no_sight", err)
	}
	if list == nil {
		w.look(ctx, nil)
		return
	}
	rows := index(list)
	if w.emptied(rows) {
		w.Source.Fresh()
		if again, err := w.Source.List(ctx); err == nil {
			w.see(again)
			list, rows = again, index(again)
		}
	}
	w.restarts()
	w.look(ctx, rows)
	w.react(ctx, rows)
	w.leavers(ctx, rows)
	w.expire(ctx)
	w.newcomers(ctx, list, first)
}

// emptied reports whether all armed sessions of an instance have ended at once:
// then it may have been restarted, and the instances are asked for anew.
func (w *Watch) emptied(rows map[journal.Session]*sessions.Row) bool {
	armed, there := map[int]int{}, map[int]int{}
	for k, m := range w.members {
		if m.armed() {
			armed[k.InstID]++
			if rows[k] != nil {
				there[k.InstID]++
			}
		}
	}
	for inst := range armed {
		if there[inst] == 0 {
			return true
		}
	}
	return false
}

// controller returns the door to an instance, nil while it is shut.
func (w *Watch) controller(ctx context.Context, inst int) *control.Controller {
	in := w.insts[inst]
	if in == nil {
		in = &instance{}
		w.insts[inst] = in
	}
	if w.Now().Before(in.until) || w.fatal != nil {
		return nil
	}
	if in.ctl == nil {
		r, err := w.Runner(ctx, inst)
		if err != nil {
			w.shut(inst, err)
			return nil
		}
		in.ctl = &control.Controller{
			Runner: r, Recorder: w.rec, Run: w.run, Events: w.Events, RingBytes: w.RingBytes, Force: w.Force, Holder: w.holder,
			Proof: w.proof(),
		}
	}
	return in.ctl
}

// shut closes the door to an instance for a while.
func (w *Watch) shut(inst int, err error) {
	in := w.insts[inst]
	in.tries++
	in.until = w.Now().Add(backoff(w.Interval, in.tries))
	w.Source.Fresh()
	if in.tries == 1 {
		w.trouble("no_connection", fmt.Errorf("instance %d: %w", inst, err))
	}
}

// failed sorts an error of an operation: a door that is shut is tried again
// later, anything else ends the run.
func (w *Watch) failed(inst int, err error) {
	var dial *control.DialError
	switch {
	case err == nil:
		w.insts[inst].tries = 0
	case errors.As(err, &dial):
		w.shut(inst, err)
	case w.fatal == nil:
		w.fatal = err
	}
}

// shared tells whether the ring of a process belongs to another session that
// is armed.
func (w *Watch) shared(this *member) func(journal.Process) bool {
	return func(p journal.Process) bool {
		for _, m := range w.members {
			if m != this && m.armed() && m.state.Session.InstID == this.state.Session.InstID && m.state.Process.Same(p) {
				return true
			}
		}
		return false
	}
}

// restarts closes the sessions of instances that were started again.
func (w *Watch) restarts() {
	for _, now := range w.place.Instances {
		rec, known := w.recorded(now.InstID)
		if known && control.Relate(rec, now) != journal.Restarted {
			continue
		}
		if err := w.journal.Instance(now); err != nil {
			w.fatal = err
			return
		}
		w.note(now)
		if !known {
			continue
		}
		w.Say(fmt.Sprintf("instance %d was restarted at %s: its sessions are gone", now.InstID, now.StartupTime.Format(time.DateTime)))
		for k, m := range w.members {
			if k.InstID != now.InstID {
				continue
			}
			if m.armed() || m.state.Open() {
				m.state.State, m.state.Ring, m.state.Reason = journal.Lost, journal.RingNone, "restarted"
				r := m.result(journal.Done)
				r.Reason = "restarted"
				w.emit(Line{Kind: LineLeft, Session: docOf(r, m.state.Fired), Reason: text("restarted")})
			}
			delete(w.members, k)
		}
	}
}

// recorded is the incarnation of an instance that the journal knows.
func (w *Watch) recorded(inst int) (journal.Instance, bool) {
	in, ok := w.known[inst]
	return in, ok
}

func (w *Watch) note(in journal.Instance) { w.known[in.InstID] = in }
