package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// State is the state directory with what is needed to work in it.
type State struct {
	Dir journal.Dir
	Now func() time.Time
	Who journal.Actor
	// Stop asks a living owner of a lock to end, unless still says, once its
	// process is held on to, that it is not the owner any more; nil: it cannot be asked.
	Stop func(owner journal.Actor, still func() bool) error
	// Announced tells others of this run until it has a journal; nil: nobody is told.
	Announced *journal.Announcement
	// Way is how a person reaches this database and state directory: flags such
	// as -c 'sys@db1/sales as sysdba', for the lines that say what to type.
	Way string
	// Dialogue is the absolute path of the file into which the conversations of
	// this run are written, for the journal; empty: nowhere.
	Dialogue string
	// Wait is how long the way out waits for that owner.
	Wait time.Duration
}

// Undo is the line that takes a campaign back.
func (s *State) Undo(campaign string) string { return s.line("disable", "--campaign "+campaign) }

// UndoAll is the line that takes all open campaigns of the database back.
func (s *State) UndoAll() string { return s.line("disable", "--all") }

func (s *State) line(verb, rest string) string {
	if s.Way != "" {
		verb += " " + s.Way
	}
	return "ringtrace " + verb + " " + rest
}

// Lock takes the database's lock for arming; a held one is exit 9.
func (s *State) Lock(db journal.Database) (*journal.Lock, error) {
	l, err := s.Dir.Lock(db, s.Who)
	return l, locked(err)
}

func locked(err error) error {
	var held *journal.LockedError
	if errors.As(err, &held) {
		return exit.Errorf(exit.Journal, "wait for it, or stop it; `ringtrace disable` asks it to stop. The lock is free as soon as that process has ended", "%w", err)
	}
	if err != nil {
		return fmt.Errorf("lock database: %w", err)
	}
	return nil
}

// LockForUndo takes the lock, and asks a living owner to stop first: the way
// out is never blocked.
func (s *State) LockForUndo(ctx context.Context, db journal.Database, say func(string)) (*journal.Lock, error) {
	const poll = 50 * time.Millisecond
	l, err := s.Dir.Lock(db, s.Who)
	path := s.Dir.LockPath(db)
	for i := 0; nameless(err) && i < 20; i++ { // its owner is about to write its name
		if serr := sleepFor(ctx, poll); serr != nil {
			return nil, serr
		}
		l, err = s.Dir.Lock(db, s.Who)
	}
	var held *journal.LockedError
	if !errors.As(err, &held) || held.Owner == nil || s.Stop == nil {
		return l, locked(err)
	}
	say(fmt.Sprintf("asking %s to stop", held.Owner))
	still := func() bool {
		now, err := journal.Owner(path)
		return err != nil || now != nil && *now == *held.Owner
	}
	if serr := s.Stop(*held.Owner, still); serr != nil {
		return nil, locked(fmt.Errorf("%w; it could not be asked to stop: %w", err, serr))
	}
	ctx, cancel := context.WithTimeout(ctx, s.Wait)
	defer cancel()
	l, err = journal.Await(ctx, path, s.Who, poll)
	return l, locked(err)
}

// nameless reports a lock that is held by nobody knows whom.
func nameless(err error) bool {
	var held *journal.LockedError
	return errors.As(err, &held) && (held.Owner == nil || held.Owner.PID == 0)
}

func sleepFor(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Found is the campaigns of a database.
type Found struct {
	Campaigns []*journal.Campaign // oldest first
	Problems  []error             // journals that cannot be read
	place     *Place
	elsewhere []*journal.Campaign // of other databases
}

// Open are those that are not closed.
func (f *Found) Open() []*journal.Campaign {
	var out []*journal.Campaign
	for _, c := range f.Campaigns {
		if !c.Closed {
			out = append(out, c)
		}
	}
	return out
}

// Unread is exit 9 where a journal cannot be read: it may be of this database,
// and hold anything.
func (f *Found) Unread() error {
	if len(f.Problems) == 0 {
		return nil
	}
	return exit.Errorf(exit.Journal, "see `ringtrace campaigns list`; `ringtrace disable --orphans` finds what is still on; then move the file away", "%w%s", f.Problems[0], more(len(f.Problems)-1))
}

// Find reads the journals of this OS user that are about a database.
func (s *State) Find(p *Place) (*Found, error) {
	ids, err := s.Dir.IDs()
	if err != nil {
		return nil, err
	}
	f := &Found{place: p}
	for _, id := range ids {
		c, err := s.Dir.Load(id)
		if err != nil {
			f.Problems = append(f.Problems, err)
			continue
		}
		if c.Header.Campaign == "" {
			f.Problems = append(f.Problems, fmt.Errorf("journal %s: its first record is damaged, which says what database it is about and what was set", c.Path))
			continue
		}
		if p.holds(c) {
			f.Campaigns = append(f.Campaigns, c)
		} else {
			f.elsewhere = append(f.elsewhere, c)
		}
	}
	slices.SortStableFunc(f.Campaigns, func(a, b *journal.Campaign) int { return a.Header.Created.Compare(b.Header.Created) })
	return f, nil
}

// CheckClean refuses (exit 9) to arm on instances where a crash left something
// open, or where a journal cannot be read. The lock must be held: a run that
// still works looks the same.
func (s *State) CheckClean(p *Place, insts []int) error {
	f, err := s.Find(p)
	if err != nil {
		return err
	}
	if err := f.Unread(); err != nil {
		return err
	}
	for _, c := range f.Open() {
		id := c.Header.Campaign
		if c.Corrupt() {
			return exit.Errorf(exit.Journal, "look at it: ringtrace campaigns show "+id+"; then ringtrace campaigns resolve --accept-damage --state unknown --note damaged "+id, "the journal of campaign %s is damaged", id)
		}
		for _, inst := range insts {
			if dirt := c.DirtyOn(inst); len(dirt) > 0 {
				return exit.Errorf(exit.Journal, "clean up first: "+s.Undo(id)+" (or, if somebody made sure that nothing is on: ringtrace campaigns resolve --state clean --note checked "+id+")",
					"the journal of campaign %s is dirty: %s%s", id, dirt[0], more(len(dirt)-1))
			}
		}
	}
	return nil
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

// Choice says which campaigns disable, flush and status are meant to touch.
type Choice struct {
	ID  string // --campaign, or a unique beginning of an id
	All bool
	Any bool // none given and several open: all of them instead of a refusal
	// Some: a selector says which sessions are meant; those of all open
	// campaigns, unless one is named.
	Some bool
}

// Choose picks open campaigns of this database: the named one, the only one,
// or all. Several without any choice are exit 2 with their list, a named one of
// another database is exit 7. None open is no error: an empty list. A named one may be closed.
func (f *Found) Choose(ch Choice) ([]*journal.Campaign, error) {
	if ch.ID != "" {
		var hits []*journal.Campaign
		for _, c := range f.Campaigns {
			if c.Header.Campaign == ch.ID {
				return []*journal.Campaign{c}, nil
			}
			if strings.HasPrefix(c.Header.Campaign, ch.ID) {
				hits = append(hits, c)
			}
		}
		switch len(hits) {
		case 1:
			return hits, nil
		case 0:
			if err := f.refuse(ch.ID); err != nil {
				return nil, err
			}
			return nil, exit.Errorf(exit.Usage, "see `ringtrace campaigns list`", "this database has no campaign %s", ch.ID)
		}
		return nil, exit.Errorf(exit.Usage, "give more of the id:\n"+list(hits), "%d campaigns begin with %s", len(hits), ch.ID)
	}
	open := f.Open()
	if len(open) > 1 && !ch.All && !ch.Any && !ch.Some {
		return nil, exit.Errorf(exit.Usage, "give --all, a selector, or one of\n"+list(open), "this database has %d open campaigns", len(open))
	}
	return open, nil
}

// refuse tells of a campaign that was named, and is one of another database.
func (f *Found) refuse(id string) error {
	for _, c := range f.elsewhere {
		if strings.HasPrefix(c.Header.Campaign, id) {
			if err := f.place.check(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// Holder returns what names the open campaign, other than one, that has armed a
// session in its process already; empty: none has.
func (f *Found) Holder(other string) func(Target) string {
	return func(t Target) string {
		for _, c := range f.Open() {
			if c.Header.Campaign == other {
				continue
			}
			for _, s := range c.OpenSessions() {
				if a, b := s.Session, t.Key; a.InstID == b.InstID && a.SID == b.SID && a.Serial == b.Serial && s.Process.Same(t.Process) {
					return c.Header.Campaign
				}
			}
		}
		return ""
	}
}

// list names campaigns, one a line, with what tells them apart for a person.
func list(cs []*journal.Campaign) string {
	var b strings.Builder
	for _, c := range cs {
		h := &c.Header
		fmt.Fprintf(&b, "  --campaign %s   of %s", h.Campaign, stamp(h.Created))
		for _, of := range []struct{ what, is string }{{"for", h.Selector}, {"ticket", h.Ticket}, {"purpose", h.Purpose}} {
			if of.is != "" {
				fmt.Fprintf(&b, ", %s %s", of.what, strings.Join(strings.Fields(of.is), " "))
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}
