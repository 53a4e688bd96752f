package control_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"ringtrace/internal/control"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
	"ringtrace/oradebug"
)

// errKilled is the panic that stands for SIGKILL: nothing after it runs.
var errKilled = errors.New("killed")

// meddler does something to the world before the n-th command of a
// conversation, and may kill the run.
type meddler struct {
	control.Conversation
	w       *world
	count   *int
	at      map[int]func(*instance.Session) error
	current *int // orapid of the last setorapid
}

func (m *meddler) Do(ctx context.Context, command string) ([]string, error) {
	*m.count++
	if text, ok := strings.CutPrefix(command, "oradebug setorapid "); ok {
		*m.current, _ = strconv.Atoi(text)
	}
	if do := m.at[*m.count]; do != nil {
		var s *instance.Session
		m.w.db.Locked(func() {
			if p := m.w.db.Instances[0].Process(*m.current); p != nil {
				s = p.Session()
			}
		})
		if err := do(s); err != nil {
			return nil, err
		}
	}
	return m.Conversation.Do(ctx, command)
}

// meddle makes every conversation of the world one that is meddled with.
func (w *world) meddle(at map[int]func(*instance.Session) error) *int {
	count, current := new(int), new(int)
	w.wrap = func(c control.Conversation) control.Conversation {
		return &meddler{Conversation: c, w: w, count: count, at: at, current: current}
	}
	return count
}

func ref(s *instance.Session) string { return fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.Inst.ID) }

// setForeign sets somebody else's event in a session.
func (w *world) setForeign(s *instance.Session, text string) {
	spec, err := oradebug.ParseSpec(text)
	if err != nil {
		w.t.Fatal(err)
	}
	w.db.Locked(func() { s.Proc.Set(instance.OfSession, spec) })
}

// kinds of trouble that can come before any command.
var trouble = []string{"reuse", "die", "switch", "hang", "lost", "foreign", "kill", "logoff"}

// makeTrouble returns what trouble does to the session that is attached.
func (w *world) makeTrouble(kind string, foreign map[string]string) func(*instance.Session) error {
	return func(s *instance.Session) error {
		if kind == "kill" {
			panic(errKilled)
		}
		if kind == "lost" {
			return errors.New("ORA-03113: end-of-file on communication channel")
		}
		if s == nil || s.Username == "SYS" {
			return nil
		}
		put := func(k fault.Kind) {
			if err := w.db.Fault(fault.Fault{Kind: k, Value: ref(s)}); err != nil {
				w.t.Fatal(err)
			}
		}
		switch kind {
		case "reuse":
			put(fault.ReuseProcess)
		case "die":
			put(fault.EndProcess)
		case "switch":
			put(fault.SwitchUser)
		case "hang":
			put(fault.HangTarget)
		case "logoff":
			w.db.Logoff(s)
		case "foreign":
			const text = "60 trace name errorstack level 2"
			w.setForeign(s, text)
			foreign[ref(s)] = text
		}
		return nil
	}
}

// killedBy runs f and reports whether it was killed.
func killedBy(f func()) (killed bool) {
	defer func() {
		if p := recover(); p != nil {
			if p != errKilled {
				panic(p)
			}
			killed = true
		}
	}()
	f()
	return false
}

// assumeSet chooses a setting for every switch about rings and events.
func assumeSet(r *rand.Rand) (assume.Set, string) {
	var set assume.Set
	var names []string
	for _, s := range []assume.Switch{
		assume.RingOfProcess, assume.RingOnAtSet, assume.RingOffFrees, assume.RingLostAtExit, assume.ErrorstackFlushes, assume.ActionsInOrder,
		assume.LifetimeCounts, assume.OffRemovesNumber, assume.ContextOffRemovesAll, assume.LastFilterWins, assume.AttachKeepsTarget, assume.SuccessLine,
		assume.TraceFileByName, assume.RingCarriesMarkers, assume.RingCarriesSQLTrace, assume.DeadSlot72,
	} {
		on := r.IntN(4) > 0
		set, _ = set.With(s, on)
		if !on {
			names = append(names, string(s))
		}
	}
	return set, strings.Join(names, " off, ")
}

// story is one random run: foreign events, trouble while arming, perhaps a
// kill, trouble while disarming, then the way out in peace. It returns what is
// wrong at the end, empty if nothing is.
func story(t testing.TB, seed uint64, bug string) (wrong []string) {
	r := rand.New(rand.NewPCG(seed, 7))
	set, _ := assumeSet(r)
	w := newWorld(t, sim.Spec{Sessions: 6, Seed: int64(seed % 16), Assume: set})
	w.bug = bug
	p := w.plan(user("APP"), options(1555, 942))
	foreign := map[string]string{}
	for i, text := range []string{"942 trace name errorstack level 1", "4031 trace name errorstack level 2", "sql_trace level=4"} {
		if r.IntN(2) == 0 {
			ps := p.Sessions[(r.IntN(len(p.Sessions))+i)%len(p.Sessions)]
			s, err := w.db.Find(fmt.Sprintf("%d,%d,@%d", ps.SID, ps.Serial, ps.InstID))
			if err != nil {
				t.Fatal(err)
			}
			w.setForeign(s, text)
			foreign[ref(s)+text] = text
		}
	}
	later := map[string]string{}
	stir := func(n int) {
		at := map[int]func(*instance.Session) error{}
		for range n {
			at[1+r.IntN(70)] = w.makeTrouble(trouble[r.IntN(len(trouble))], later)
		}
		w.meddle(at)
	}
	stir(1 + r.IntN(4))
	e := w.enable(p)
	killed := killedBy(func() { e.Run(context.Background()) }) //nolint:errcheck // any outcome is good
	if bug == "no fsync" && killed {
		w.forget(e.Campaign)
	}
	for range 3 { // troubled, then in peace with the hung ones hung, then with all awake
		killedBy(func() { w.disable(e.Campaign).Run(context.Background(), control.NewDocument()) }) //nolint:errcheck // any outcome
		w.wrap = nil
	}
	w.wake()
	if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil && bug == "" {
		wrong = append(wrong, "the last disable: "+err.Error())
	}
	return append(wrong, w.leftovers(foreign, later)...)
}

// wake makes every hung process well.
func (w *world) wake() {
	if err := w.db.Fault(fault.Fault{Kind: fault.HangTarget, Off: true}); err != nil {
		w.t.Fatal(err)
	}
}

// leftovers compares what is set with what somebody else has set.
func (w *world) leftovers(foreign, later map[string]string) (wrong []string) {
	for k, s := range w.truth() {
		if s.Username != nil && *s.Username == "SYS" {
			continue
		}
		if s.Ring != nil && w.db.Assume.On(assume.RingOffFrees) { // else nothing frees it but the end of the process
			wrong = append(wrong, fmt.Sprintf("session %v has a ring left", k))
		}
		id := fmt.Sprintf("%d,%d,@%d", k[1], k[2], k[0])
		for _, l := range s.Events {
			if _, ok := foreign[id+l]; !ok && later[id] != l {
				wrong = append(wrong, fmt.Sprintf("session %v has left %s", k, l))
			}
		}
	}
	for id, text := range foreign {
		sid, _, _ := strings.Cut(strings.TrimSuffix(id, text), ",@")
		s, err := w.db.Find(strings.TrimSuffix(id, text))
		if err != nil {
			continue // it has ended
		}
		found := false
		w.db.Locked(func() {
			for _, l := range s.Events.Lines() {
				found = found || l == text
			}
		})
		if !found {
			wrong = append(wrong, "somebody else's event is gone from session "+sid+": "+text)
		}
	}
	sort.Strings(wrong)
	return wrong
}

// TestAnyTroubleLeavesNothing tells random stories. RINGTRACE_SOAK=10000 tells
// more of them; RINGTRACE_SEED=n tells one.
func TestAnyTroubleLeavesNothing(t *testing.T) {
	n := 25
	if v, err := strconv.Atoi(os.Getenv("RINGTRACE_SOAK")); err == nil {
		n = v
	}
	first := uint64(1)
	if v, err := strconv.ParseUint(os.Getenv("RINGTRACE_SEED"), 10, 64); err == nil {
		first, n = v, 1
	}
	for i := range uint64(n) {
		if wrong := story(t, first+i, ""); len(wrong) > 0 {
			t.Errorf("seed %d:\n  %s", first+i, strings.Join(wrong, "\n  "))
		}
	}
	t.Logf("%d stories from seed %d", n, first)
}
