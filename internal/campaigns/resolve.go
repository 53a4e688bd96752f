package campaigns

import (
	"errors"
	"fmt"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/quantity"
)

// Resolution is a person's word on what a crash left open.
type Resolution struct {
	// State is what the sessions of open intents are taken to be: CLEAN when
	// somebody made sure that nothing is on, ARMED or UNKNOWN when disable is
	// to visit them.
	State journal.State
	Note  string
	// AcceptDamage goes on behind corruption.
	AcceptDamage bool
	// Close closes the campaign afterwards; refused while a session is open.
	Close bool
	// DryRun only counts.
	DryRun bool
}

// Resolved says what was done.
type Resolved struct {
	Campaign string   `json:"campaign"`
	Journal  string   `json:"journal"`
	Intents  int      `json:"intents"`
	Runs     int      `json:"runs"`
	Damage   int      `json:"damage"`
	Closed   bool     `json:"closed"`
	Open     int      `json:"to_disarm"`
	Messages []string `json:"messages"`
}

// CheckResolution refuses what makes no sense, with code Usage.
func CheckResolution(r Resolution) error {
	switch r.State {
	case journal.Clean, journal.Armed, journal.Uncertain:
	default:
		return exit.Errorf(exit.Usage, "give --state clean (somebody made sure that nothing is on), or armed or unknown (disable will visit them)", "%q is not a state that a person can vouch for", strings.ToLower(string(r.State)))
	}
	if strings.TrimSpace(r.Note) == "" {
		return exit.Errorf(exit.Usage, "give --note \"how you know\"; it stays in the journal", "a resolution needs a note")
	}
	return nil
}

// ResolveCampaign writes the resolution into the journal. It takes the
// database's lock, so it is refused while somebody works there.
func (s Store) ResolveCampaign(id string, r Resolution) (*Resolved, error) {
	if err := CheckResolution(r); err != nil {
		return nil, err
	}
	id, err := s.Resolve(id)
	if err != nil {
		return nil, err
	}
	path, err := s.Dir.File(id)
	if err != nil {
		return nil, err
	}
	c, err := journal.Load(path)
	if err != nil {
		return nil, unreadable(err, path)
	}
	if r.DryRun {
		out := &Resolved{Campaign: id, Journal: path, Messages: []string{}, Damage: len(c.Damage), Open: len(c.OpenSessions())}
		for _, d := range c.Dirty() {
			if d.Kind == journal.KindIntent {
				out.Intents++
			} else {
				out.Runs++
			}
		}
		return out, nil
	}
	lock, err := s.lock(c.Header.Database)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	o, err := s.Dir.Open(id, s.Now, journal.OpenOptions{AcceptDamage: r.AcceptDamage})
	if err != nil {
		return nil, unreadable(err, path)
	}
	defer o.Journal.Close()
	if o.Campaign.Closed {
		return nil, exit.Errorf(exit.NothingMatch, listHint, "campaign %s is closed; there is nothing to resolve", id)
	}
	out := &Resolved{Campaign: id, Journal: path, Messages: append([]string{}, o.Messages...), Damage: len(o.Campaign.Damage)}
	if err := s.resolve(o, r, out); err != nil {
		return nil, err
	}
	after, err := journal.Load(path)
	if err != nil {
		return nil, unreadable(err, path)
	}
	out.Open = len(after.OpenSessions())
	if r.Close {
		if out.Open > 0 {
			return out, exit.Errorf(exit.Refused, "run `ringtrace disable --campaign "+id+"`; it closes the campaign", "not known to be clean: %s; the campaign stays open", quantity.Count(out.Open, "session"))
		}
		if err := o.Journal.CloseCampaign(journal.Close{Reason: "resolved", By: s.Who}); err != nil {
			return out, err
		}
		out.Closed = true
	}
	return out, nil
}

func (s Store) resolve(o *journal.Opened, r Resolution, out *Resolved) error {
	rec := journal.Resolve{By: s.Who, Intents: []journal.Seq{}, Runs: []journal.Seq{}, State: r.State, Note: r.Note}
	for _, d := range o.Campaign.Dirty() {
		if d.Kind == journal.KindIntent {
			rec.Intents = append(rec.Intents, d.Seq)
		} else {
			rec.Runs = append(rec.Runs, d.Seq)
		}
	}
	out.Intents, out.Runs = len(rec.Intents), len(rec.Runs)
	if out.Intents+out.Runs+out.Damage == 0 && !r.Close {
		return exit.Errorf(exit.NothingMatch, "to close it as well: --close", "campaign %s is not dirty; there is nothing to resolve", out.Campaign)
	}
	if out.Intents+out.Runs == 0 {
		return nil
	}
	return o.Journal.Resolve(rec)
}

// lock takes the database's lock and turns a refusal into exit 9.
func (s Store) lock(db journal.Database) (*journal.Lock, error) {
	l, err := s.Dir.Lock(db, s.Who)
	var held *journal.LockedError
	if errors.As(err, &held) {
		return nil, exit.Errorf(exit.Journal, "wait for it, or stop it; the lock is free as soon as that process has ended", "%w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("lock database: %w", err)
	}
	return l, nil
}
