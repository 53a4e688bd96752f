package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ringtrace/internal/atomicfile"
	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/plan"
	"ringtrace/internal/sim"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/scenario"
	"ringtrace/internal/sim/tracegen"
	"ringtrace/internal/spool"
	"ringtrace/sessions"
	"ringtrace/templates"
)

// demo plays one story. Everything in it follows from the seed: the clock is
// the simulated server's, ids come from a generator, and the state lies in a
// private folder that no file names.
type demo struct {
	ctx      context.Context
	dir      string
	private  string
	seed     int64
	sessions int // of the simulated database
	say      func(format string, args ...any)
	step     int
	files    []string
	campaign string

	db       *instance.Database
	pool     *engine.Pool
	gen      *tracegen.Generator
	random   *rand.ChaCha8
	inv      *sessions.Inventory
	place    *control.Place
	plan     *plan.Plan
	state    *control.State
	reports  []collect.Document
	dialogue map[string]*bytes.Buffer
	talk     string // where the dialogue of this step goes
	fired    *instance.Session
	flushed  *instance.Session
}

const demoSessions = 300

// demoStart is the simulated server's clock when the story begins: a night, a day
// after the last of its sessions logged on.
func demoStart() time.Time { return time.Date(2025, 3, 16, 2, 40, 0, 0, time.UTC) }

func (d *demo) close() {
	if d.pool != nil {
		d.pool.Close()
	}
}

// unlock gives the lock back; the folder it lies in goes away anyway.
func (d *demo) unlock(l *journal.Lock) { _ = l.Release() }

func (d *demo) play() error {
	for _, part := range []func() error{d.database, d.scripts, d.enable, d.work, d.catch, d.flush, d.collect, d.report, d.disable, d.readme} {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if err := part(); err != nil {
			return err
		}
	}
	d.say("\nLook around: %s", filepath.Join(d.dir, "README.md"))
	d.say("Start with:  %s", filepath.Join(d.dir, "report.html"))
	d.say("On a terminal: ringtrace report %s", quoteArg(filepath.Join(d.dir, "bundle.zip")))
	return nil
}

// tell prints a line of the story; the first of a step has its number.
func (d *demo) tell(title, format string, args ...any) {
	d.step++
	d.say("%d/9 %-10s %s", d.step, title, fmt.Sprintf(format, args...))
}

func (d *demo) more(format string, args ...any) {
	d.say("    %-10s %s", "", fmt.Sprintf(format, args...))
}

func (d *demo) write(name string, data []byte) error {
	d.files = append(d.files, name)
	return atomicfile.WriteFile(d.ctx, filepath.Join(d.dir, name), data, atomicfile.Options{Force: true})
}

func (d *demo) database() error {
	var seed [32]byte
	copy(seed[:], fmt.Sprintf("ringtrace demo %d", d.seed))
	d.random = rand.NewChaCha8(seed)
	var err error
	if d.db, err = sim.New(sim.Spec{Release: "19c", Sessions: d.sessions, Seed: d.seed}, demoStart, nil, ""); err != nil {
		return err
	}
	d.pool = engine.NewPool(d.db)
	d.gen = tracegen.New(d.db, d.seed)
	d.dialogue = map[string]*bytes.Buffer{}
	q, err := sim.Connect(d.db, d.db.Instances[0])
	if err != nil {
		return err
	}
	defer q.Close()
	sel := &sessions.Selector{}
	if err := sel.Add(sessions.FieldUsername, "APP"); err != nil {
		return err
	}
	f, err := sessions.Open(d.ctx, q)
	if err != nil {
		return err
	}
	if d.inv, err = f.Inventory(d.ctx, sel); err != nil {
		return err
	}
	d.place = &control.Place{Database: control.DatabaseOf(&f.Instances[0])}
	for i := range f.Instances {
		d.place.Instances = append(d.place.Instances, control.InstanceOf(&f.Instances[i]))
	}
	sum := d.inv.Summary()
	d.tell("look", "a simulated %s database, %s: %d sessions, %d of them are user APP's and can be armed", f.Instances[0].Version, d.place.Database.UniqueName, sum.Seen, sum.Selected)
	d.more("the others stay as they are, each for a reason: ringtrace sessions --explain")
	return nil
}

func (d *demo) scripts() error {
	now := d.db.Now()
	o := plan.DefaultOptions()
	o.Ora = []int{1555}
	req := plan.Request{
		Tool: "ringtrace", Version: version(), Now: now, Expires: now.Add(plan.DefaultExpiry), Style: plan.StyleGuarded, Options: o,
		Instances: d.inv.Instances, Source: "sim:", Purpose: "ORA-01555 at night", Ticket: "DEMO-1", Selector: "--username APP", Split: 50,
		MaxSessions: d.sessions,
	}
	var err error
	if req.Campaign, err = plan.NewCampaignID(now, d.random); err != nil {
		return err
	}
	for _, r := range d.inv.Selected() {
		req.Sessions = append(req.Sessions, r.Session)
	}
	if d.plan, err = plan.New(req); err != nil {
		return err
	}
	builtin, err := templates.Builtin()
	if err != nil {
		return err
	}
	written, err := spool.Write(d.ctx, d.plan, builtin, spool.Options{Dir: filepath.Join(d.dir, "scripts"), Force: true})
	if err != nil {
		return err
	}
	for _, f := range written {
		d.files = append(d.files, "scripts/"+f.Name)
	}
	d.tell("generate", "%d files in scripts/: what arms, what takes it back, what collects; for review, and for others to run", len(written))
	return nil
}

func (d *demo) enable() error {
	d.talk = "enable.log"
	d.state = &control.State{
		Dir: journal.Dir{Path: filepath.Join(d.private, "state")}, Now: d.db.Now,
		Who: journal.Actor{PID: 4711, Host: "dbhost1", User: "oracle", Start: demoStart(), Tool: "ringtrace " + version()},
	}
	d.campaign = d.plan.Campaign
	e := &control.Enable{
		Plan: control.NewPlanFile(d.plan), Campaign: d.campaign, Place: d.place, State: d.state, Runner: d.runner, Say: func(string) {},
		Waves: control.Waves{MaxFailures: control.DefaultMaxFailures, Sleep: func(context.Context, time.Duration) error { return nil }},
	}
	doc, err := e.Run(d.ctx)
	if err != nil {
		return err
	}
	if doc.Summary.Done != len(d.plan.Sessions) {
		return exit.Errorf(exit.Failed, "report this, it is a fault of the simulator", "%d of %d sessions were armed", doc.Summary.Done, len(d.plan.Sessions))
	}
	d.tell("enable", "%d sessions armed and proved, in waves of 1, 10 %% and all; rings of %s, %s of memory in all", doc.Summary.Done, templates.Bytes(d.plan.RingBytes()), templates.Bytes(d.plan.MemoryBytes()))
	return nil
}

// runner is the controller's way to an instance; what is said goes to the
// dialogue.
func (d *demo) runner(_ context.Context, inst int) (control.Runner, error) {
	return control.NewConsole(0, func(context.Context) (control.Conversation, error) {
		e, err := d.pool.Get(d.db.Instance(inst))
		if err != nil {
			return nil, err
		}
		c, err := sim.Converse(e)
		if err != nil {
			return nil, err
		}
		return &spoken{c, d.log()}, nil
	}), nil
}

func (d *demo) log() *bytes.Buffer {
	if d.dialogue[d.talk] == nil {
		d.dialogue[d.talk] = &bytes.Buffer{}
	}
	return d.dialogue[d.talk]
}

// spoken is a conversation that is written down.
type spoken struct {
	control.Conversation
	log *bytes.Buffer
}

func (s *spoken) Do(ctx context.Context, command string) ([]string, error) {
	lines, err := s.Conversation.Do(ctx, command)
	fmt.Fprintf(s.log, "SQL> %s\n", command)
	for _, l := range lines {
		fmt.Fprintf(s.log, "%s\n", l)
	}
	return lines, err
}

// traceBytes is what all sessions wrote to disk so far.
func (d *demo) traceBytes() int64 {
	n := int64(0)
	for _, s := range scenario.Show(d.db).Sessions {
		n += s.TraceBytes
	}
	return n
}

// armed are the sessions of the plan, in its order.
func (d *demo) armed() []*instance.Session {
	var out []*instance.Session
	for i := range d.plan.Sessions {
		s := &d.plan.Sessions[i]
		out = append(out, d.db.Instance(s.InstID).Session(s.SID))
	}
	return out
}

func (d *demo) work() error {
	before := d.traceBytes()
	list := d.armed()
	total := 0
	for range 3 {
		for _, s := range list {
			if err := d.ctx.Err(); err != nil {
				return err
			}
			d.gen.Work(s, 12)
			total += 12
		}
		d.db.Advance(20 * time.Second)
	}
	d.tell("wait", "the night passes: %d statements with their waits and bind values, all in memory; %s written to trace files meanwhile", total, templates.Bytes(d.traceBytes()-before))
	return nil
}

func (d *demo) catch() error {
	list := d.armed()
	d.fired, d.flushed = list[d.random.Uint64()%uint64(len(list))], list[0]
	if d.flushed == d.fired {
		d.flushed = list[1]
	}
	d.gen.Work(d.fired, 200)
	actions := d.gen.Fail(d.fired, 1555)
	d.tell("catch", "ORA-01555 in session %d,%d: the server itself wrote the last %s before it, and an error stack (%s)", d.fired.SID, d.fired.Serial, templates.Bytes(d.plan.RingBytes()), strings.Join(actions, ", "))
	return nil
}

func (d *demo) flush() error {
	d.talk = "flush.log"
	lock, err := d.state.LockForUndo(d.ctx, d.place.Database, func(string) {})
	if err != nil {
		return err
	}
	defer d.unlock(lock)
	f := &control.FlushRun{
		ID: d.campaign, Place: d.place, State: d.state, Runner: d.runner, Verb: "flush", Say: func(string) {}, Each: func(control.Result) {},
		Pick: func(s *journal.SessionState) bool { return s.Session.SID == d.flushed.SID },
		Do: func(ctx context.Context, c *control.Controller, s *journal.SessionState) (control.Result, error) {
			return c.Flush(ctx, s, control.FlushOptions{Errorstack: plan.NoErrorstack, Rearm: true})
		},
	}
	if err := f.Run(d.ctx, control.NewDocument()); err != nil {
		return err
	}
	d.tell("flush", "the ring of session %d,%d written as well, without any error: somebody complained that it was slow", d.flushed.SID, d.flushed.Serial)
	return nil
}

func (d *demo) collect() error {
	c, err := d.state.Dir.Load(d.campaign)
	if err != nil {
		return err
	}
	q, err := sim.Connect(d.db, d.db.Instances[0])
	if err != nil {
		return err
	}
	defer q.Close()
	facts, err := collect.AskDatabase(d.ctx, q, c.Header.Created)
	if err != nil {
		return err
	}
	docs, err := d.documents(c)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	var reports []collect.Document
	res, err := collect.Run(d.ctx, &out, collect.Options{
		Campaign: c, Sources: []collect.Source{simFiles{d.db}}, Database: facts, Documents: docs, Format: bundle.Zip, Tool: "ringtrace " + version(), Simulated: true,
		Stage: d.private,
		Report: func(ctx context.Context, list []bundle.Member, docs []collect.Document) ([]collect.Document, error) {
			var err error
			reports, err = bundleReport(ctx, list, docs)
			return reports, err
		},
	})
	if err != nil {
		return err
	}
	if err := d.write("bundle.zip", out.Bytes()); err != nil {
		return err
	}
	d.reports = reports
	s := res.Manifest.Summary
	d.tell("collect", "bundle.zip: %d traces of %d sessions, %s; the other %d files hold no trace text and are left out, each with its reason", s.Files, s.Sessions, templates.Bytes(s.Bytes), s.Skipped)
	return nil
}

// report writes the reports that the bundle holds beside it too, and tells what
// they say of the error.
func (d *demo) report() error {
	for _, r := range d.reports {
		if err := d.write(r.Name, r.Data); err != nil {
			return err
		}
		if filepath.Ext(r.Name) != ".json" {
			continue
		}
		var told struct {
			Errors []struct {
				Ora   int
				At    time.Time
				Text  string
				Binds []struct {
					Position int
					Value    string
				}
			}
			Time struct {
				Elapsed int64 `json:"elapsed_us"`
			}
		}
		if err := json.Unmarshal(r.Data, &told); err != nil {
			return fmt.Errorf("read %s: %w", r.Name, err)
		}
		if len(told.Errors) == 0 {
			return exit.Errorf(exit.Failed, "report this with the seed", "the report holds no error")
		}
		e := told.Errors[0]
		d.tell("report", "the answer: ORA-%05d at %s UTC was raised by", e.Ora, e.At.UTC().Format("15:04:05.000"))
		d.more("%s", strings.Join(strings.Fields(e.Text), " "))
		for _, b := range e.Binds {
			d.more("with :%d = %s", b.Position+1, b.Value)
		}
		d.more("report.html and report.json have the rest: what both sessions did in the seconds before, with waits and bind values")
	}
	return nil
}

// undo removes what a run wrote that did not come to its end, and the folders
// that are empty then.
func (d *demo) undo() {
	for _, name := range d.files {
		_ = os.Remove(filepath.Join(d.dir, name)) // it is not there: all the better
	}
	for _, sub := range []string{"scripts", "dialogue", ""} {
		_ = os.Remove(filepath.Join(d.dir, sub)) // something of somebody else's is in it
	}
}

// clear removes the scripts and dialogues of an earlier demo, of which another
// seed may have had more.
func (d *demo) clear() error {
	text, err := os.ReadFile(filepath.Join(d.dir, "README.md"))
	if err != nil {
		return nil // it is no demo's folder, or one that was left early: only what has our names is replaced
	}
	if !strings.HasPrefix(string(text), demoTitle) {
		return exit.Errorf(exit.Refused, "give another --out", "%s is not of a demo, and would be replaced", filepath.Join(d.dir, "README.md"))
	}
	for _, pattern := range []string{"scripts/enable_*.sql", "scripts/disable_*.sql", "scripts/collect_*.sql", "dialogue/*.log"} {
		list, err := filepath.Glob(filepath.Join(d.dir, pattern))
		if err != nil {
			continue // the folder's name reads as a pattern: they stay
		}
		for _, name := range list {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("remove what an earlier demo left: %w", err)
			}
		}
	}
	return nil
}

// documents are the files of the bundle that are not traces, as collect has
// them.
func (d *demo) documents(c *journal.Campaign) ([]collect.Document, error) {
	text, err := readWhole(c.Path)
	if err != nil {
		return nil, err
	}
	cursors, err := bundle.EncodeCursors(nil)
	if err != nil {
		return nil, err
	}
	docs := []collect.Document{{Name: "journal.jsonl", Data: text}, {Name: "clock.json", Data: []byte("null\n")}, {Name: bundle.CursorsName, Data: cursors}}
	for _, name := range d.files {
		if strings.HasPrefix(name, "scripts/") {
			if text, err = readWhole(filepath.Join(d.dir, name)); err != nil {
				return nil, err
			}
			docs = append(docs, collect.Document{Name: name, Data: text})
		}
	}
	for name, log := range d.dialogue {
		docs = append(docs, collect.Document{Name: "dialogue/" + name, Data: slices.Clone(log.Bytes())})
	}
	return docs, nil
}

func (d *demo) disable() error {
	d.talk = "disable.log"
	lock, err := d.state.LockForUndo(d.ctx, d.place.Database, func(string) {})
	if err != nil {
		return err
	}
	defer d.unlock(lock)
	doc := control.NewDocument()
	x := &control.Disable{ID: d.campaign, Place: d.place, State: d.state, Runner: d.runner, Each: func(control.Result) {}, Say: func(string) {}}
	if err := x.Run(d.ctx, doc); err != nil {
		return err
	}
	left := 0
	for _, s := range scenario.Show(d.db).Sessions {
		if len(s.Events) > 0 || s.Ring != nil {
			left++
		}
	}
	if left > 0 {
		return exit.Errorf(exit.Failed, "report this with the seed", "%d sessions still have something set after disable", left)
	}
	for _, name := range []string{"enable.log", "flush.log", "disable.log"} {
		if err := d.write("dialogue/"+name, d.logged(name)); err != nil {
			return err
		}
	}
	d.tell("disable", "%d sessions are as they were before, and that is proved session by session; no event and no ring is left", doc.Summary.Done)
	return nil
}

func (d *demo) logged(name string) []byte {
	if b := d.dialogue[name]; b != nil {
		return b.Bytes()
	}
	return nil
}

func (d *demo) readme() error {
	text := strings.NewReplacer("@SEED@", fmt.Sprint(d.seed), "@SID@", fmt.Sprintf("%d,%d", d.fired.SID, d.fired.Serial), "@FLUSHED@", fmt.Sprintf("%d,%d", d.flushed.SID, d.flushed.Serial),
		"@N@", fmt.Sprint(len(d.plan.Sessions)), "@CAMPAIGN@", d.campaign, "@VERSION@", version()).Replace(demoReadme)
	return d.write("README.md", []byte(text))
}

// simFiles reads the trace files of a simulated database in memory, as Local
// reads those of a host.
type simFiles struct{ db *instance.Database }

func (simFiles) Name() string { return "simulated host" }
func (simFiles) Direct() bool { return true }

func (f simFiles) Open(_ context.Context, _ int, name string, offset int64) (collect.File, error) {
	data, err := f.db.Store.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &simFile{bytes.NewReader(data[min(offset, int64(len(data))):]), collect.Info{Path: name, Size: int64(len(data)), ID: name}}, nil
}

func (f simFiles) List(_ context.Context, _ int, dir, prefix string) ([]collect.Info, error) {
	list, err := f.db.Store.List(dir)
	var out []collect.Info
	for _, i := range list {
		if strings.HasPrefix(filepath.Base(i.Path), prefix) {
			out = append(out, collect.Info{Path: i.Path, Size: i.Size, Modified: i.Modified, ID: i.Path})
		}
	}
	return out, err
}

type simFile struct {
	*bytes.Reader
	info collect.Info
}

func (f *simFile) Info() collect.Info { return f.info }
func (*simFile) Close() error         { return nil }

var _ io.ReadCloser = (*simFile)(nil)
