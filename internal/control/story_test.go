package control_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/instance"
	"ringtrace/sessions"
)

// told is what became of a story.
type told struct {
	wrong    []string
	tale     []string // what happened, to be printed with what is wrong
	commands int
	kills    int
	pending  int // sessions that did not answer, by the documents
	gaps     int
}

// storyteller holds what a story draws from.
type storyteller struct {
	*rand.Rand
	w   *world
	j   *judge
	out told
}

// assumeSet flips a fifth of the switches, and names them.
func assumeSet(r *rand.Rand) (set assume.Set, flipped []string) {
	for _, e := range assume.Entries() {
		if r.IntN(5) == 0 {
			set, _ = set.With(e.Switch, !e.Default)
			flipped = append(flipped, string(e.Switch))
		}
	}
	return set, flipped
}

// request draws a selector and options.
func request(r *rand.Rand) (*sessions.Selector, plan.Options) {
	sel := user("APP")
	switch r.IntN(6) {
	case 0:
		sel = user("BATCH")
	case 1:
		sel = &sessions.Selector{AllApp: true}
	}
	codes := [][]int{{1555, 942}, {1555}, {942, 60, 4031}, {1555, 4031}}
	o := options(codes[r.IntN(len(codes))]...)
	o.MaxFires = r.IntN(4)
	switch r.IntN(10) {
	case 0:
		o.NoRing = true
	case 1:
		o.Errorstack = plan.NoErrorstack
	case 2:
		o.Form = plan.FormFlush
	}
	return sel, o
}

// story is one random run: a random plan under random settings of the switches,
// foreign events, trouble while arming, perhaps a kill at a command or at a
// record of the journal, fires, the same while disarming, then the way out in
// peace. bug is planted; empty: none.
func story(t testing.TB, dir string, seed uint64, bug string) told {
	r := rand.New(rand.NewPCG(seed, 7))
	set, flipped := assumeSet(r)
	w := openWorld(t, dir, sim.Spec{Sessions: 5 + r.IntN(4), Seed: int64(seed % 16), Assume: set})
	defer w.close()
	w.bug = bug
	sel, o := request(r)
	p := w.plan(sel, o)
	if len(p.Sessions) == 0 {
		return told{}
	}
	s := &storyteller{Rand: r, w: w, j: w.judgeOf(p)}
	w.judge = s.j
	s.note("%d sessions, selector %q, %+v; flipped: %s", len(p.Sessions), sel, o, strings.Join(flipped, " "))
	s.strangers(p)
	s.stir(len(p.Sessions))
	e := w.enable(p)
	e.Force = r.IntN(5) == 0
	s.j.force = e.Force
	s.note("enable, force %v", e.Force)
	var doc *control.Document
	killed := killedBy(func() {
		var err error
		doc, err = e.Run(context.Background())
		s.check("enable", doc, err)
	})
	s.count(killed)
	if bug == "no fsync" && killed {
		w.forget(e.Campaign)
	}
	s.fires(p)
	for range 3 { // troubled, then in peace with the hung ones hung
		s.disable(e.Campaign)
		w.calm()
	}
	w.wake()
	s.note("all are well")
	if _, err := w.state.Dir.Load(e.Campaign); killed && errors.Is(err, fs.ErrNotExist) {
		s.note("killed before there was a journal")
	} else if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil && len(s.j.handed) == 0 {
		s.wrong("the last disable: %v", err)
	}
	s.out.wrong = append(s.out.wrong, s.j.end()...)
	s.out.gaps = s.j.gaps
	return s.out
}

func (s *storyteller) wrong(format string, a ...any) {
	s.out.wrong = append(s.out.wrong, fmt.Sprintf(format, a...))
}

func (s *storyteller) note(format string, a ...any) {
	s.out.tale = append(s.out.tale, fmt.Sprintf(format, a...))
}

func (s *storyteller) count(killed bool) {
	if killed {
		s.note("killed")
		s.out.kills++
	}
}

// strangers sets somebody else's events: in sessions of the plan, in one that is
// not, and in the process of one.
func (s *storyteller) strangers(p *control.PlanFile) {
	for _, text := range []string{"942 trace name errorstack level 1", "4031 trace name errorstack level 2", "sql_trace level=4"} {
		if s.IntN(2) == 0 {
			x := s.w.find(p, s.IntN(len(p.Sessions)))
			s.w.setForeign(x, text)
			s.j.keep(x, text)
			s.note("somebody else sets %s in %s", text, ref(x))
		}
	}
	var other *instance.Session
	s.w.db.Locked(func() {
		for _, x := range s.w.db.Instances[0].Sessions() {
			if x.Eligible && !s.j.planned[x] {
				other = x
			}
		}
	})
	if other != nil {
		const text = "1555 trace name errorstack level 1"
		s.w.setForeign(other, text)
		s.j.keep(other, text)
	}
}

// stir puts trouble before some commands of the next run over n sessions, and
// sometimes SIGKILL before a record of the journal.
func (s *storyteller) stir(n int) {
	at := map[int]func(*instance.Session) error{}
	kinds := troubles()
	for range 1 + s.IntN(4) {
		before, kind := 1+s.IntN(15*n), kinds[s.IntN(len(kinds))]
		do := s.w.makeTrouble(kind, s.j)
		at[before] = func(x *instance.Session) error {
			name := "nobody"
			if x != nil {
				name = ref(x)
			}
			s.note("before command %d: %s to %s", before, kind, name)
			return do(x)
		}
	}
	commands := s.w.meddle(at)
	s.w.count = func() { s.out.commands += *commands }
	if s.IntN(4) == 0 {
		left := 1 + s.IntN(4*n+4)
		s.w.state.Now = func() time.Time {
			if left--; left == 0 {
				s.note("before a record of the journal: kill")
				panic(errKilled)
			}
			return simNow()
		}
	}
}

// calm ends what stir began.
func (w *world) calm() {
	if w.count != nil {
		w.count()
	}
	w.count, w.wrap, w.state.Now = nil, nil, simNow
}

// fires lets the world go on: errors are raised in some of the sessions.
func (s *storyteller) fires(p *control.PlanFile) {
	s.w.calm()
	for i := range p.Sessions {
		x, err := s.w.db.Find(fmt.Sprintf("%d,%d,@%d", p.Sessions[i].SID, p.Sessions[i].Serial, p.Sessions[i].InstID))
		if err == nil && s.IntN(3) == 0 {
			ora := []int{1555, 942, 60}[s.IntN(3)]
			s.note("ORA-%d in %s", ora, ref(x))
			s.w.db.Raise(x, ora)
		}
	}
	s.stir(len(p.Sessions))
}

// disable is one run of it that may be killed.
func (s *storyteller) disable(id string) {
	s.count(killedBy(func() {
		doc := control.NewDocument()
		err := s.w.disable(id).Run(context.Background(), doc)
		s.check("disable", doc, err)
	}))
}

// check compares what a run says with the truth: a document without an undo line
// says that nothing of ours is on, and a row that is clean that its session is.
func (s *storyteller) check(verb string, doc *control.Document, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return // killed before there was a journal
	}
	if doc == nil {
		s.note("%s ends with %v", verb, err)
		return
	}
	s.note("%s ends with %v: %+v", verb, err, doc.Summary)
	for i := range doc.Sessions {
		row := &doc.Sessions[i]
		s.note("  %d,%d,@%d %s %s %s %s", row.SID, row.Serial, row.InstID, row.Outcome, row.State, deref(row.Reason), deref(row.Detail))
	}
	for i := range doc.Sessions {
		row := &doc.Sessions[i]
		if row.State == "PENDING" {
			s.out.pending++
		}
		x, ferr := s.w.db.Find(fmt.Sprintf("%d,%d,@%d", row.SID, row.Serial, row.InstID))
		if row.State == "CLEAN" && ferr == nil && s.j.planned[x] {
			s.w.db.Locked(func() {
				if left := s.j.ours(x); len(left) > 0 {
					s.wrong("%s calls session %s clean, which has %s", verb, ref(x), left[0])
				}
			})
		}
	}
	sum := doc.Summary
	if bad := sum.Failed + sum.Unknown; (bad > 0) == (err == nil) && sum.Skipped == 0 {
		s.wrong("%s ends with %v: %+v", verb, err, sum)
	}
	if doc.Undo == nil {
		if exit.CodeOf(err) != exit.OK && len(doc.Sessions) == 0 {
			return // it did not begin
		}
		s.w.db.Locked(func() {
			for x := range s.j.planned {
				if left := s.j.ours(x); x.Alive() && x.Proc != nil && len(left) > 0 {
					s.wrong("%s prints no undo line, and session %s has %s", verb, ref(x), left[0])
				}
			}
		})
		return
	}
	if !strings.Contains(*doc.Undo, "disable --campaign ") {
		s.wrong("%s: undo line %q", verb, *doc.Undo)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
