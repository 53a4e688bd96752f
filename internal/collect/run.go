package collect

import (
	"context"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"ringtrace/internal/bundle"
	"ringtrace/internal/journal"
)

// run is one collect.
type run struct {
	finder
	opt        *Options
	sessions   []*journal.SessionState
	items      []*item
	ids        map[string]bool // files that were read, by identity
	names      map[string]bool // names in the bundle
	thorough   bool            // every file is looked through before it is packed
	unfinished bool
	progress   Progress
	packed     int64
	gathered   int // of wants
	originals  []Original
	notes      []string
}

// Run collects a campaign into a bundle and writes it to w. What cannot be had
// is a row of the manifest, not an error; an error means that there is no
// bundle.
func Run(ctx context.Context, w io.Writer, opt Options) (*Result, error) {
	r := &run{
		finder: finder{byKey: map[string]*want{}}, opt: &opt, sessions: ordered(opt.Campaign),
		ids: map[string]bool{}, names: map[string]bool{}, thorough: opt.OnlyFired || opt.Redactor != nil,
	}
	r.tell("find", "", 0)
	without, err := r.find(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.alerts(ctx); err != nil {
		return nil, err
	}
	r.learnNames()
	if err := r.gatherAll(ctx); err != nil {
		return nil, err
	}
	if err := r.learn(ctx); err != nil {
		return nil, err
	}
	b, err := bundle.NewWriter(w, opt.Format)
	if err != nil {
		return nil, err
	}
	m, err := r.pack(ctx, b, without)
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	return &Result{Manifest: m, Originals: r.originals, Unfinished: r.unfinished}, nil
}

// gatherAll fetches what is wanted and was not fetched yet. Fetching may find
// more.
func (r *run) gatherAll(ctx context.Context) error {
	for ; r.gathered < len(r.wants); r.gathered++ {
		if err := r.gather(ctx, r.wants[r.gathered]); err != nil {
			return err
		}
	}
	return nil
}

// gather fetches one path with what stands beside it, and judges it.
func (r *run) gather(ctx context.Context, w *want) error {
	items, err := r.fetch(ctx, w)
	if err != nil {
		return err
	}
	packedTrace := map[string]bool{}
	for _, it := range items {
		if it.kind == kindMap && !packedTrace[owner(member{info: Info{Path: it.path}, kind: kindMap})] {
			continue // nothing to map
		}
		if it.kind == kindMap && r.opt.Redactor != nil && it.status == bundle.Collected {
			it.status = bundle.Skipped
			it.note("what a map file holds is not published: none is taken when values are taken out")
		}
		r.verdict(it)
		if it.status == bundle.Collected || it.status == bundle.Partial {
			packedTrace[base(it.path)] = true
			if it.content != nil {
				r.follow(it)
			}
		}
		it.name = r.nameFor(it)
		r.items = append(r.items, it)
	}
	return nil
}

// nameFor gives a file its name in the bundle. Its ending says that it is a
// trace, whatever a rotation appended.
func (r *run) nameFor(it *item) string {
	name := base(it.path)
	if red := r.opt.Redactor; red != nil {
		name = red.Name(name)
	}
	name = bundle.FileName(name)
	if it.kind == kindRotated {
		name += ".trc"
	}
	dir := "traces/" + strconv.Itoa(it.inst) + "/"
	ext := path.Ext(name)
	for n := 1; ; n++ {
		full := dir + name
		if n > 1 {
			full = dir + strings.TrimSuffix(name, ext) + "~" + strconv.Itoa(n) + ext
		}
		if !r.names[full] {
			r.names[full] = true
			return full
		}
	}
}

// learn shows the redactor all that will be packed, before any of it is.
func (r *run) learn(ctx context.Context) error {
	red := r.opt.Redactor
	if red == nil {
		return nil
	}
	for _, it := range r.items {
		if !it.packable() || it.kind == kindMap {
			continue
		}
		f, err := it.open(ctx)
		if err != nil {
			continue // packing will say so
		}
		it.learned = it.info.Size
		err = red.Learn(io.LimitReader(&counting{ctx, f, r, it}, it.learned))
		_ = f.Close() // it was only read
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // nor can it be packed
			it.status = bundle.Missing
			it.fail(it.src.Name(), err)
		}
	}
	for _, d := range r.opt.Documents {
		red.LearnDocument(d.Name, d.Data)
	}
	red.Seal()
	return nil
}

// learnNames tells the redactor the users and hosts that the journal names.
func (r *run) learnNames() {
	red := r.opt.Redactor
	if red == nil {
		return
	}
	for _, s := range r.sessions {
		red.LearnName(s.Username)
	}
	for _, i := range r.opt.Campaign.Instances {
		red.LearnName(i.HostName)
	}
	h := r.opt.Campaign.Header
	red.LearnName(h.By.User)
	red.LearnName(h.By.Host)
}

func (it *item) packable() bool {
	return it.status == bundle.Collected || it.status == bundle.Partial
}

// manifest lists everything.
func (r *run) manifest(without []*journal.SessionState) *bundle.Manifest {
	h := r.opt.Campaign.Header
	m := &bundle.Manifest{
		Bundle: "ringtrace-" + h.Campaign + "." + string(r.opt.Format), Format: r.opt.Format, Tool: r.opt.Tool,
		Campaign: h.Campaign, Created: h.Created.UTC(), Watched: watched(h.Events), Files: []bundle.File{}, Contents: []bundle.Entry{},
		Notes: append(append([]string{}, r.opt.Notes...), r.notes...), Redacted: bundle.Redaction{What: []string{}, Notes: []string{}},
		Simulated: r.opt.Simulated,
	}
	if d := r.opt.Database; d != nil {
		m.Notes = append(m.Notes, d.Notes...)
		if a := d.ManagedAdvice(); a != "" {
			m.Notes = append(m.Notes, a)
		}
	}
	has := map[*journal.SessionState]bool{}
	traces := map[string]bool{}
	for _, it := range r.items {
		for _, s := range it.sessions {
			has[s] = true
			m.Files = append(m.Files, it.row(s))
		}
		if it.entry != nil && it.kind != kindMap && !traces[it.name] {
			traces[it.name] = true
			m.Summary.Files++
			m.Summary.Bytes += it.entry.Bytes
		}
	}
	for _, s := range r.sessions {
		if r.fired(s) {
			m.Summary.Fired++
		}
		if has[s] {
			continue
		}
		m.Files = append(m.Files, r.absent(s, slices.Contains(without, s)))
	}
	order := map[[3]int]int{}
	for i, s := range r.sessions {
		order[[3]int{s.Session.InstID, s.Session.SID, s.Session.Serial}] = i
	}
	slices.SortStableFunc(m.Files, func(a, b bundle.File) int {
		return order[[3]int{a.InstID, a.SID, a.Serial}] - order[[3]int{b.InstID, b.SID, b.Serial}]
	})
	m.Summary.Sessions = len(r.sessions)
	for i := range m.Files {
		f := &m.Files[i]
		if k, ok := order[[3]int{f.InstID, f.SID, f.Serial}]; ok {
			f.ArmedAt = armedAt(&h, r.sessions[k])
		}
		switch m.Files[i].Status {
		case bundle.Collected:
			m.Summary.Collected++
		case bundle.Partial:
			m.Summary.Partial++
		case bundle.Missing:
			m.Summary.Missing++
		case bundle.Denied:
			m.Summary.Denied++
		case bundle.Skipped:
			m.Summary.Skipped++
		}
	}
	return m
}

// fired reports whether a session fired, by the journal or by its traces.
func (r *run) fired(s *journal.SessionState) bool {
	return hasFired(s) || slices.ContainsFunc(r.items, func(it *item) bool {
		return it.content != nil && slices.Contains(it.sessions, s) && it.textOf(s) > 0 && it.content.dumps+it.content.wraps > 0
	})
}

// absent is the row of a session that no file is known of.
func (r *run) absent(s *journal.SessionState, searched bool) bundle.File {
	f := bundle.File{Via: "none", InstID: s.Session.InstID, SID: s.Session.SID, Serial: s.Session.Serial, Status: bundle.Missing, Kind: kindTrace, FoundBy: []string{}}
	note := "no trace file is known of it"
	switch {
	case neverArmed(s):
		f.Status = bundle.Skipped
		note = "it was never armed"
		if s.Reason != "" {
			note += ": " + s.Reason
		}
	case searched && r.opt.Database == nil:
		note += ": the journal names none; with -c the database is asked as well"
	case searched:
		note += ": neither the journal, V$PROCESS nor its ADR names one"
	}
	f.Note = &note
	return f
}
