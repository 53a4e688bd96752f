package control_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
	"ringtrace/internal/sim"
	"ringtrace/sessions"
)

func (w *world) status(c *journal.Campaign) *control.Document {
	_, inv := w.inventory(&sessions.Selector{AllApp: true})
	st := &control.Status{Rows: inv.Rows, Place: w.place(), Sight: eyes{w}}
	doc := control.NewDocument()
	st.Of(context.Background(), c, doc, nil)
	return doc
}

// eyes sees the trace files of a world.
type eyes struct{ w *world }

func (eyes) Refresh(context.Context) error { return nil }

func (e eyes) Look(_ context.Context, f sight.File, from int64) (sight.Piece, error) {
	data, err := e.w.db.Store.ReadFile(f.Path)
	if err != nil {
		data = nil // not written yet
	}
	if from == sight.FromEnd {
		from = int64(len(data))
	}
	return sight.Piece{Data: data[min(from, int64(len(data))):], Next: int64(len(data)), Size: int64(len(data)), Seen: true}, nil
}

// TestNobodySeesTheFile: a session that may have fired since is not called
// armed, and what is known stays.
func TestNobodySeesTheFile(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, inv := w.inventory(&sessions.Selector{AllApp: true})
	c := w.campaign(e.Campaign)
	c.Sessions[1].State = journal.Fired // as watch has recorded it
	for name, seen := range map[string]sight.Sight{"nobody": nil, "another host": sight.Chain{&sight.Local{}}} {
		st := &control.Status{Rows: inv.Rows, Place: w.place(), Sight: seen}
		doc := control.NewDocument()
		st.Of(context.Background(), w.campaign(e.Campaign), doc, nil)
		for _, s := range doc.Sessions {
			if s.State != "UNKNOWN" || s.Reason == nil || *s.Reason != "unseen" || s.Ring != "on_assumed" {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if exit.CodeOf(doc.Expect("armed")) != exit.Findings {
			t.Errorf("%s: expected armed: %v", name, doc.Expect("armed"))
		}
		doc = control.NewDocument()
		st.Of(context.Background(), c, doc, nil)
		if got := doc.Sessions[1].State; got != "FIRED" {
			t.Errorf("%s: a fire on record became %s", name, got)
		}
	}
}

// TestStatusStates: what each state takes, on one campaign.
func TestStatusStates(t *testing.T) {
	w := newWorld(t, sim.Spec{Sessions: 10, Seed: 1})
	p := w.plan(user("APP"), options(1555))
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if doc := w.status(w.campaign(e.Campaign)); doc.Expect("armed") != nil || exit.CodeOf(doc.Expect("clean")) != exit.Findings {
		t.Errorf("all armed: %v, %v", doc.Expect("armed"), doc.Expect("clean"))
	}
	find := func(i int) string { return itoa(p.Sessions[i].SID) }
	fired, err := w.db.Find(find(0))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Raise(fired, 1555)
	left, err := w.db.Find(find(1))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Logoff(left)
	w.db.Touch()
	doc := w.status(w.campaign(e.Campaign))
	for i, want := range []string{"FIRED", "LOST", "ARMED"} {
		if got := doc.Sessions[i].State; got != want {
			t.Errorf("session %d is %s, want %s", i, got, want)
		}
	}
	if f := doc.Sessions[0].Fired; len(f) != 1 || f[0].Ora != 1555 || f[0].At == nil {
		t.Errorf("fired %+v", f)
	}
	if r := doc.Sessions[1]; r.Ring != "none" || r.Reason == nil || *r.Reason != "gone" {
		t.Errorf("%+v", r)
	}
	if err := doc.Expect("armed"); exit.CodeOf(err) != exit.Findings || !strings.Contains(err.Error(), "2 of 6") {
		t.Errorf("%v", err)
	}
	card := control.NewHandOver(w.campaign(e.Campaign), "ringtrace disable --campaign c1")
	if card.Armed != 6 || card.MemoryBytes != 6*256000 || len(card.Catches) != 1 || card.Catches[0] != "ORA-01555" {
		t.Errorf("card %+v", card)
	}
}

// TestNotOfThisCampaign: an error that an earlier campaign caught is in the same
// file, by clocks that do not agree to the minute; it is not caught again.
func TestNotOfThisCampaign(t *testing.T) {
	w, p := five(t)
	first := w.enable(p)
	if _, err := first.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	x, err := w.db.Find(itoa(p.Sessions[0].SID))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Raise(x, 1555)
	if err := w.disable(first.Campaign).Run(context.Background(), control.NewDocument()); err != nil {
		t.Fatal(err)
	}
	second := w.enable(p) // without a Proof, as an import is: nobody noted where the files ended
	if _, err := second.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	doc := w.status(w.campaign(second.Campaign))
	if s := doc.Sessions[0]; s.State != "ARMED" || len(s.Fired) > 0 {
		t.Errorf("before anything is raised: %s, fired %+v", s.State, s.Fired)
	}
	w.db.Raise(x, 1555)
	doc = w.status(w.campaign(second.Campaign))
	if s := doc.Sessions[0]; s.State != "FIRED" || len(s.Fired) != 1 {
		t.Errorf("after ORA-1555: %s, fired %+v", s.State, s.Fired)
	}
}

// TestFiresOnRecordStay: what a file does not show any more was caught all the
// same, and nothing is told twice.
func TestFiresOnRecordStay(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	x, err := w.db.Find(itoa(p.Sessions[0].SID))
	if err != nil {
		t.Fatal(err)
	}
	w.db.Raise(x, 1555)
	c := w.campaign(e.Campaign)
	w.status(c)
	seen := c.Sessions[0].Fired
	if len(seen) != 1 {
		t.Fatalf("fired %+v", seen)
	}
	c = w.campaign(e.Campaign)
	c.Sessions[0].Fired = []journal.Fire{{Ora: 942, At: simNow().Add(-time.Minute)}, seen[0]}
	w.status(c)
	if got := c.Sessions[0].Fired; len(got) != 2 || got[0].Ora != 942 || got[1] != seen[0] {
		t.Errorf("fired %+v", got)
	}
}

func TestFlushWritesTheRingAndRearms(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, rearm := range []bool{true, false} {
		f := &control.FlushRun{
			ID: e.Campaign, Place: w.place(), State: &w.state, Runner: w.runner, Verb: "flush", Say: func(string) {},
			Pick: func(s *journal.SessionState) bool { return s.Session.SID == p.Sessions[0].SID },
			Do: func(ctx context.Context, c *control.Controller, s *journal.SessionState) (control.Result, error) {
				return c.Flush(ctx, s, control.FlushOptions{Errorstack: 1, Rearm: rearm})
			},
		}
		doc := control.NewDocument()
		if err := f.Run(context.Background(), doc); err != nil || doc.Summary.Done != 1 {
			t.Fatalf("rearm %v: %v %+v", rearm, err, doc.Sessions)
		}
		ring := w.truth()[[3]int{1, p.Sessions[0].SID, p.Sessions[0].Serial}].Ring
		if (ring != nil) != rearm {
			t.Errorf("rearm %v: ring %+v", rearm, ring)
		}
		want := map[bool]journal.State{true: journal.Armed, false: journal.Unbuffered}[rearm]
		if got := w.campaign(e.Campaign).Sessions[0].State; got != want {
			t.Errorf("rearm %v: %s", rearm, got)
		}
	}
}

// TestTheWayOutIsNeverBlocked: disable asks a living owner of the lock to stop.
func TestTheWayOutIsNeverBlocked(t *testing.T) {
	w, _ := five(t)
	db := w.place().Database
	owner, err := w.state.Lock(db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.state.Lock(db); exit.CodeOf(err) != exit.Journal {
		t.Errorf("a second lock: %v", err)
	}
	s := w.state
	s.Wait = 10 * time.Second
	asked := 0
	s.Stop = func(a journal.Actor, _ func() bool) error {
		asked++
		if a.PID != w.state.Who.PID {
			t.Errorf("asked %v", a)
		}
		return owner.Release()
	}
	l, err := s.LockForUndo(context.Background(), db, func(string) {})
	if err != nil || asked != 1 {
		t.Fatalf("%v, asked %d", err, asked)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}

// TestJournalFromElsewhere: an exported journal is enough to undo.
func TestJournalFromElsewhere(t *testing.T) {
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	path, err := w.state.Dir.File(e.Campaign)
	if err != nil {
		t.Fatal(err)
	}
	d := w.disable("")
	d.File = path
	d.State = &control.State{Dir: journal.Dir{Path: t.TempDir()}, Now: simNow, Who: w.state.Who}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A damaged copy, its first record too: the hint names no campaign of here.
	for _, from := range []string{`"h"`, `"outcome":"done"`} {
		bad := *d
		bad.File = filepath.Join(t.TempDir(), "copy.jsonl")
		if err := os.WriteFile(bad.File, bytes.Replace(text, []byte(from), []byte(`"X"`), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		err := bad.Run(context.Background(), control.NewDocument())
		if hint := exit.HintOf(err); exit.CodeOf(err) != exit.Journal || !strings.HasPrefix(hint, "export it again") || strings.Contains(hint, "resolve") {
			t.Errorf("damaged at %s: %v, hint %q", from, err, hint)
		}
	}
	if err := d.Run(context.Background(), control.NewDocument()); err != nil {
		t.Fatal(err)
	}
	if left := w.truth(); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestChoose(t *testing.T) {
	at := func(id string, closed bool) *journal.Campaign {
		return &journal.Campaign{Header: journal.Header{Campaign: id}, Closed: closed}
	}
	f := &control.Found{Campaigns: []*journal.Campaign{at("a1", false), at("a2", true), at("b1", false)}}
	for _, c := range []struct {
		choice control.Choice
		want   string
		code   exit.Code
	}{
		{control.Choice{}, "", exit.Usage},
		{control.Choice{All: true}, "a1 b1", exit.OK},
		{control.Choice{Any: true}, "a1 b1", exit.OK},
		{control.Choice{Some: true}, "a1 b1", exit.OK},
		{control.Choice{ID: "b1", Some: true}, "b1", exit.OK},
		{control.Choice{ID: "a2"}, "a2", exit.OK},
		{control.Choice{ID: "b"}, "b1", exit.OK},
		{control.Choice{ID: "a"}, "", exit.Usage},
		{control.Choice{ID: "x"}, "", exit.Usage},
	} {
		list, err := f.Choose(c.choice)
		var ids []string
		for _, k := range list {
			ids = append(ids, k.Header.Campaign)
		}
		if got := strings.Join(ids, " "); got != c.want || exit.CodeOf(err) != c.code {
			t.Errorf("%+v: %q, %v", c.choice, got, err)
		}
	}
	w, p := five(t)
	e := w.enable(p)
	if _, err := e.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	elsewhere := w.place()
	elsewhere.Database.UniqueName = "OTHER"
	found, err := w.state.Find(elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := found.Choose(control.Choice{ID: e.Campaign}); exit.CodeOf(err) != exit.Refused || !strings.Contains(err.Error(), "OTHER") {
		t.Errorf("a campaign of another database: %d %v", exit.CodeOf(err), err)
	}
	none := &control.Found{}
	if list, err := none.Choose(control.Choice{}); err != nil || len(list) != 0 {
		t.Errorf("none open: %v %v", list, err)
	}
}
