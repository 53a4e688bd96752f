package control_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
)

// five makes a world and a plan of exactly five sessions.
func five(t *testing.T) (*world, *control.PlanFile) {
	t.Helper()
	w := newWorld(t, sim.Spec{Sessions: 9, Seed: 1})
	p := w.plan(user("APP"), options(1555))
	if len(p.Sessions) != 5 {
		t.Fatalf("%d sessions", len(p.Sessions))
	}
	return w, p
}

// answer replaces the reply to one command.
type answer struct {
	control.Conversation
	command string
	lines   []string
	err     error
	sent    *[]string
}

func (a *answer) Do(ctx context.Context, command string) ([]string, error) {
	if a.sent != nil {
		*a.sent = append(*a.sent, command)
	}
	if command == a.command {
		return a.lines, a.err
	}
	return a.Conversation.Do(ctx, command)
}

func (w *world) answering(command string, err error, lines ...string) *[]string {
	sent := &[]string{}
	w.wrap = func(c control.Conversation) control.Conversation {
		return &answer{Conversation: c, command: command, lines: lines, err: err, sent: sent}
	}
	return sent
}

// between returns what was sent from one command to the next of the same kind.
func between(sent []string, from string) []string {
	for i, s := range sent {
		if s != from {
			continue
		}
		for j := i + 1; j < len(sent); j++ {
			if strings.HasPrefix(sent[j], "oradebug setorapid ") {
				return sent[i+1 : j]
			}
		}
		return sent[i+1:]
	}
	return nil
}

func TestProblemO03_ProcessOfBlockThreeIsGone(t *testing.T) {
	w, p := five(t)
	third := p.Sessions[2]
	attach := fmt.Sprintf("oradebug setorapid %d", third.Orapid)
	// What the third attach meets when its process has ended meanwhile.
	sent := w.answering(attach, nil, `ORA-00072: process "Unix process pid: `+third.Ospid+`, image: <none>" is not active`)
	s, err := w.db.Find(fmt.Sprintf("%d,%d", third.SID, third.Serial))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Die(s.Proc)
	doc, err := w.enable(p).Run(context.Background())
	if exit.CodeOf(err) != exit.OK {
		t.Fatalf("code %d: %v", exit.CodeOf(err), err)
	}
	for i, want := range []string{"done", "done", "skipped", "done", "done"} {
		if got := doc.Sessions[i]; got.Outcome != want {
			t.Errorf("block %d: %s %v", i+1, got.Outcome, got.Reason)
		}
	}
	if r := doc.Sessions[2].Reason; r == nil || *r != "gone" {
		t.Errorf("reason %v", r)
	}
	for _, c := range between(*sent, attach) {
		if strings.Contains(c, "session_event") || strings.Contains(c, "eventdump") {
			t.Errorf("sent after the failed attach: %s", c)
		}
	}
}

func TestProblemO04_ReplyNamesAnotherSpid(t *testing.T) {
	w, p := five(t)
	second := p.Sessions[1]
	attach := fmt.Sprintf("oradebug setorapid %d", second.Orapid)
	sent := w.answering(attach, nil, fmt.Sprintf("Oracle pid: %d, Unix process pid: 32263, image: oracle@ora192rac02.jks.com", second.Orapid))
	doc, err := w.enable(p).Run(context.Background())
	if exit.CodeOf(err) != exit.Partial { // the view still shows our process: a contradiction, not a loss
		t.Errorf("code %d: %v", exit.CodeOf(err), err)
	}
	if got := doc.Sessions[1]; got.State != "CLEAN" || got.Reason == nil || *got.Reason != "refused" {
		t.Errorf("row %+v", got)
	}
	for _, c := range between(*sent, attach) {
		if strings.Contains(c, "session_event") {
			t.Errorf("sent to another process: %s", c)
		}
	}
	if n := len(w.truth()); n != 4 {
		t.Errorf("%d sessions carry something, want 4", n)
	}
}

func TestProblemO04_BackgroundImageIsRefused(t *testing.T) {
	w, p := five(t)
	first := p.Sessions[0]
	w.answering(fmt.Sprintf("oradebug setorapid %d", first.Orapid), nil,
		fmt.Sprintf("Oracle pid: %d, Unix process pid: %s, image: oracle@localhost.localdomain (LGWR)", first.Orapid, first.Ospid))
	doc, _ := w.enable(p).Run(context.Background())
	if got := doc.Sessions[0]; got.Outcome != "skipped" || *got.Reason != "refused" || !strings.Contains(*got.Detail, "background") {
		t.Errorf("row %+v", got)
	}
}

func TestProblemO05_StuckTargetCostsItsOwnTimeOnly(t *testing.T) {
	w, p := five(t)
	second := p.Sessions[1]
	if err := w.db.Fault(fault.Fault{Kind: fault.HangTarget, Value: fmt.Sprintf("%d,%d", second.SID, second.Serial)}); err != nil {
		t.Fatal(err)
	}
	e := w.enable(p)
	doc, err := e.Run(context.Background())
	if exit.CodeOf(err) != exit.Partial {
		t.Errorf("code %d: %v", exit.CodeOf(err), err)
	}
	if got := doc.Sessions[1]; got.State != "PENDING" || got.Outcome != "unknown" {
		t.Errorf("row %+v", got)
	}
	if doc.Summary.Done != 4 || doc.Summary.Unknown != 1 {
		t.Errorf("summary %+v", doc.Summary)
	}
	// While it hangs, disable leaves it PENDING and the campaign open.
	out := control.NewDocument()
	if err := w.disable(e.Campaign).Run(context.Background(), out); exit.CodeOf(err) != exit.Partial || out.Undo == nil {
		t.Errorf("disable: %v, undo %v", err, out.Undo)
	}
	if c := w.campaign(e.Campaign); c.Closed || len(c.OpenSessions()) != 1 {
		t.Errorf("closed %v, %d open", c.Closed, len(c.OpenSessions()))
	}
	// When it wakes, what was asked of it is carried out; disable finds it.
	w.wake()
	if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil {
		t.Fatal(err)
	}
	if left := w.truth(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if !w.campaign(e.Campaign).Closed {
		t.Error("the campaign is still open")
	}
}

func TestProblemO05_FiveHundredWithFiveStuck(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED (1): takes long, and -short was given")
	}
	w := newWorld(t, sim.Spec{Sessions: 100, Seed: 2})
	p := w.plan(user("APP"), options(60))
	for i := range 5 {
		s := p.Sessions[i*11]
		if err := w.db.Fault(fault.Fault{Kind: fault.HangTarget, Value: fmt.Sprintf("%d,%d", s.SID, s.Serial)}); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := w.enable(p).Run(context.Background())
	if doc.Summary.Unknown != 5 || doc.Summary.Done != len(p.Sessions)-5 || exit.CodeOf(err) != exit.Partial {
		t.Errorf("%+v, %v", doc.Summary, err)
	}
}

func TestProblemO06_CapAndAbort(t *testing.T) {
	w, p := five(t)
	for _, s := range p.Sessions[1:4] {
		if err := w.db.Fault(fault.Fault{Kind: fault.HangTarget, Value: fmt.Sprintf("%d,%d", s.SID, s.Serial)}); err != nil {
			t.Fatal(err)
		}
	}
	var paused []time.Duration
	e := w.enable(p)
	e.Waves.MaxFailures = 1
	e.Waves.Pace = 5 * time.Millisecond
	e.Waves.Sleep = func(_ context.Context, d time.Duration) error {
		paused = append(paused, d)
		return nil
	}
	doc, err := e.Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "--max-failures is 1") || exit.CodeOf(err) != exit.Partial {
		t.Errorf("%d %v", exit.CodeOf(err), err)
	}
	if len(doc.Sessions) != 5 || *doc.Sessions[4].Reason != "not_reached" || doc.Sessions[4].Outcome != "skipped" {
		t.Errorf("rows %+v", doc.Sessions)
	}
	if len(paused) != 2 || paused[0] != 5*time.Millisecond { // before blocks 2 and 3
		t.Errorf("paused %v", paused)
	}
	if doc.Undo == nil {
		t.Error("no undo line")
	}
}

func TestProblemO15_NotShownIsPendingNotArmed(t *testing.T) {
	w, p := five(t)
	first := p.Sessions[0]
	count := 0
	w.wrap = func(c control.Conversation) control.Conversation {
		return conversation(func(ctx context.Context, command string) ([]string, error) {
			if strings.HasPrefix(command, "oradebug session_event") && count < 2 { // accepted, and carried out when the target runs next
				count++
				return []string{"Statement processed."}, nil
			}
			return c.Do(ctx, command)
		})
	}
	e := w.enable(p)
	doc, err := e.Run(context.Background())
	if got := doc.Sessions[0]; got.SID != first.SID || got.State != "PENDING" || got.Outcome != "unknown" || exit.CodeOf(err) != exit.Partial {
		t.Errorf("row %+v, %v", got, err)
	}
	if s := w.campaign(e.Campaign).Sessions[0]; s.State != journal.Pending {
		t.Errorf("journal says %s", s.State)
	}
}

type conversation func(context.Context, string) ([]string, error)

func (c conversation) Do(ctx context.Context, command string) ([]string, error) {
	return c(ctx, command)
}
func (conversation) Close() error { return nil }

func TestProblemO17_TwoSourcesAreBothShown(t *testing.T) {
	w, _ := five(t)
	db, err := sim.Connect(w.db, w.db.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := w.db.Find(fmt.Sprint(w.plan(user("APP"), options(60)).Sessions[0].SID))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Locked(func() { s.MonitorOn = true }) // DBMS_MONITOR.SESSION_TRACE_ENABLE
	w.db.Touch()
	got := control.Sources(context.Background(), db)
	if len(got) != 2 {
		t.Fatalf("%d sources", len(got))
	}
	if got[0].Name != "V$SESSION.SQL_TRACE" || got[0].Says != "1 session ENABLED" {
		t.Errorf("%+v", got[0])
	}
	if got[1].Name != "DBA_ENABLED_TRACES" || !strings.HasPrefix(got[1].Says, "0 traces") || !strings.Contains(got[1].Explain, "no trace of a single session") {
		t.Errorf("%+v", got[1])
	}
}

func TestProblemP19_InterruptAfterBlockThree(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 17, Seed: 3})
	p := w.plan(user("APP"), options(1555))
	p = first(t, w, p, 10)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e := w.enable(p)
	n := 0
	e.Waves.Each = func(control.Result) {
		if n++; n == 3 {
			cancel()
		}
	}
	doc, err := e.Run(ctx)
	if exit.CodeOf(err) != exit.Interrupted || doc.Undo == nil || !strings.Contains(exit.HintOf(err), *doc.Undo) {
		t.Errorf("%d %v, hint %q", exit.CodeOf(err), err, exit.HintOf(err))
	}
	if doc.Summary.Done != 3 || doc.Summary.Skipped != len(p.Sessions)-3 {
		t.Errorf("summary %+v", doc.Summary)
	}
	c := w.campaign(e.Campaign)
	if len(c.Dirty()) != 0 || c.Closed || len(c.OpenSessions()) != 3 {
		t.Errorf("dirty %v, closed %v, %d open", c.Dirty(), c.Closed, len(c.OpenSessions()))
	}
}

func TestProblemP19_InterruptInTheMiddleOfABlock(t *testing.T) {
	w, p := five(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sets := 0
	w.wrap = func(c control.Conversation) control.Conversation {
		return conversation(func(ctx context.Context, command string) ([]string, error) {
			if strings.HasPrefix(command, "oradebug session_event") {
				if sets++; sets == 2 {
					cancel() // Ctrl-C between the two events of the first session
				}
			}
			return c.Do(ctx, command)
		})
	}
	doc, err := w.enable(p).Run(ctx)
	if exit.CodeOf(err) != exit.Interrupted || doc.Sessions[0].State != "ARMED" || doc.Summary.Done != 1 {
		t.Errorf("%v: %+v", err, doc.Sessions[0])
	}
}

// first keeps the first n sessions of a plan.
func first(t *testing.T, w *world, p *control.PlanFile, n int) *control.PlanFile {
	t.Helper()
	if len(p.Sessions) < n {
		t.Fatalf("%d sessions", len(p.Sessions))
	}
	sel := user("APP")
	for _, s := range p.Sessions[:n] {
		if err := sel.AddSID(fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.InstID)); err != nil {
			t.Fatal(err)
		}
	}
	return w.plan(sel, options(1555))
}

func TestForeignEventsSurvive(t *testing.T) {
	const theirs = "942 trace name errorstack level 1"
	for _, force := range []bool{false, true} {
		w, _ := five(t)
		p := w.plan(user("APP"), options(942))
		s0 := p.Sessions[0]
		s, err := w.db.Find(fmt.Sprintf("%d,%d", s0.SID, s0.Serial))
		if err != nil {
			t.Fatal(err)
		}
		w.setForeign(s, theirs)
		e := w.enable(p)
		e.Force = force
		doc, err := e.Run(context.Background())
		row := doc.Sessions[0]
		if force {
			if err != nil || row.State != "ARMED" || len(w.campaign(e.Campaign).Sessions[0].Overrode) != 1 {
				t.Errorf("forced: %v %+v", err, row)
			}
		} else if row.Outcome != "skipped" || *row.Reason != "foreign_event" || exit.CodeOf(err) != exit.Partial {
			t.Errorf("%v %+v", err, row)
		}
		if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil {
			t.Error(err)
		}
		left := w.truth()
		if got := left[[3]int{1, s0.SID, s0.Serial}].Events; len(left) != 1 || len(got) != 1 || got[0] != theirs {
			t.Errorf("force %v: left %v", force, left)
		}
	}
}

// TestSessionOfAnotherCampaign: what another open campaign has armed is left
// to it, with --force too. Its disable would be undone by ours otherwise.
func TestSessionOfAnotherCampaign(t *testing.T) {
	for _, force := range []bool{false, true} {
		w, p := five(t)
		first := w.enable(p)
		if _, err := first.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		second := w.enable(p)
		second.Force = force
		doc, err := second.Run(context.Background())
		if exit.CodeOf(err) != exit.Partial || strings.Contains(exit.HintOf(err), "undo") {
			t.Errorf("force %v: %v, hint %s", force, err, exit.HintOf(err))
		}
		for _, s := range doc.Sessions {
			if s.Outcome != "skipped" || *s.Reason != "foreign_event" || !strings.Contains(*s.Detail, "campaign "+first.Campaign+" has armed it") {
				t.Errorf("force %v: %+v", force, s)
			}
		}
		for _, id := range []string{first.Campaign, second.Campaign} {
			if err := w.disable(id).Run(context.Background(), control.NewDocument()); err != nil {
				t.Fatal(err)
			}
		}
		if left := w.truth(); len(left) > 0 {
			t.Errorf("force %v: left %v", force, left)
		}
	}
}

func TestDirtyJournalRefusesEnableUntilDisable(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	n := w.meddle(map[int]func(*instance.Session) error{30: w.makeTrouble("kill", nil)})
	if !killedBy(func() { e.Run(context.Background()) }) { //nolint:errcheck // it is killed
		t.Fatalf("not killed in %d commands", *n)
	}
	w.wrap = nil
	second := w.enable(p)
	if _, err := second.Run(context.Background()); exit.CodeOf(err) != exit.Journal || !strings.Contains(exit.HintOf(err), "ringtrace disable --campaign "+e.Campaign) {
		t.Fatalf("%d %v: %s", exit.CodeOf(err), err, exit.HintOf(err))
	}
	if err := w.disable(e.Campaign).Run(context.Background(), control.NewDocument()); err != nil {
		t.Fatal(err)
	}
	if left := w.truth(); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if _, err := second.Run(context.Background()); err != nil {
		t.Errorf("after the way out: %v", err)
	}
}

func TestRestartedInstanceCountsAsDone(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	d := w.disable(e.Campaign)
	d.Place.Instances[0].StartupTime = d.Place.Instances[0].StartupTime.Add(time.Hour)
	out := control.NewDocument()
	if err := d.Run(context.Background(), out); err != nil {
		t.Fatal(err)
	}
	if out.Summary.Done != 5 || *out.Sessions[0].Reason != "restarted" || out.Sessions[0].State != "LOST" {
		t.Errorf("%+v %+v", out.Summary, out.Sessions[0])
	}
	if c := w.campaign(e.Campaign); !c.Closed {
		t.Error("still open")
	}
}

func TestClockChangeIsNoRestart(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	d := w.disable(e.Campaign)
	in := &d.Place.Instances[0]
	s := in.StartupTime // the same digits, read under winter time
	in.StartupTime = time.Date(s.Year(), s.Month(), s.Day(), s.Hour(), s.Minute(), s.Second(), 0, time.FixedZone("", -3600))
	if err := d.Run(context.Background(), control.NewDocument()); err != nil {
		t.Fatal(err)
	}
	if left := w.truth(); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestAnotherInstanceIsRefused(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	d := w.disable(e.Campaign)
	d.Place.Instances[0].HostName = "elsewhere"
	if err := d.Run(context.Background(), control.NewDocument()); exit.CodeOf(err) != exit.Refused {
		t.Errorf("%v", err)
	}
	d = w.disable(e.Campaign)
	d.Place.Database.UniqueName = "OTHER"
	if err := d.Run(context.Background(), control.NewDocument()); exit.CodeOf(err) != exit.Refused {
		t.Errorf("%v", err)
	}
}

func TestRunnerThatCannotBeOpenedTouchesNothing(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	e.Runner = func(context.Context, int) (control.Runner, error) {
		return control.NewConsole(time.Minute, func(context.Context) (control.Conversation, error) {
			return nil, exit.Errorf(exit.CannotConnect, "see", "ORA-12541: TNS:no listener")
		}), nil
	}
	doc, err := e.Run(context.Background())
	if exit.CodeOf(err) != exit.CannotConnect || len(doc.Sessions) != 5 {
		t.Errorf("%d %v, %d rows", exit.CodeOf(err), err, len(doc.Sessions))
	}
	if c := w.campaign(e.Campaign); !c.Closed || len(c.Dirty()) > 0 {
		t.Errorf("closed %v dirty %v", c.Closed, c.Dirty())
	}
	var dial *control.DialError
	if !errors.As(err, &dial) {
		t.Errorf("%T is no DialError", err)
	}
}
