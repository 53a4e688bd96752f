package control

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
)

// permit refuses (exit 7) to begin a campaign after disable was typed. The
// database's lock must be held.
func (s *State) permit(verb string) error {
	if s.Announced == nil {
		return nil
	}
	err := s.Announced.Check(verb)
	var revoked *journal.RevokedError
	if errors.As(err, &revoked) {
		return exit.Errorf(exit.Refused, "type it again if it is still wanted", "%w", err)
	}
	return err
}

// begun ends the announcement: from now on the journal tells.
func (s *State) begun() {
	if s.Announced != nil {
		s.Announced.End()
	}
}

// Begin makes the journal of a new campaign, unless disable was typed since
// this run was announced. The database's lock must be held.
func (s *State) Begin(verb string, h journal.Header) (*journal.Journal, error) {
	if err := s.permit(verb); err != nil {
		return nil, err
	}
	j, err := s.Dir.Create(h, s.Now)
	if err == nil {
		s.begun()
	}
	return j, err
}

// GoOn opens the journal of a campaign to arm more sessions in it, as Begin
// begins one.
func (s *State) GoOn(verb, id string) (*journal.Opened, error) {
	if err := s.permit(verb); err != nil {
		return nil, err
	}
	o, err := s.Dir.Open(id, s.Now, journal.OpenOptions{})
	if err == nil {
		s.begun()
	}
	return o, err
}

// Preparing lists the runs that are about to arm sessions of a database, or of
// one that they do not know yet.
func (s *State) Preparing(db journal.Database) ([]journal.Preparing, error) {
	all, err := s.Dir.Preparing()
	if err != nil {
		return nil, err
	}
	var out []journal.Preparing
	for _, p := range all {
		if same, _ := p.Database.Same(db); same {
			out = append(out, p)
		}
	}
	return out, nil
}

// StopPreparing tells the runs that are about to arm sessions of a database not
// to. The caller holds the database's lock, so that none of them can begin
// meanwhile. One that does not know its database yet is waited for, and told to
// stop if it does not find out in time.
func (s *State) StopPreparing(ctx context.Context, db journal.Database, say func(string)) error {
	list, err := s.Preparing(db)
	if err != nil {
		return exit.Errorf(exit.Journal, "see that no ringtrace enable or watch runs (ps), then move that away", "%w", err)
	}
	var errs []error
	for _, p := range list {
		p, alive, err := s.untilNamed(ctx, p, say)
		if err != nil {
			return err
		}
		if same, _ := p.Database.Same(db); !same || !alive {
			continue
		}
		if err := s.Dir.Revoke(p); err != nil {
			errs = append(errs, exit.Errorf(exit.Journal, fmt.Sprintf("end it on host %s: kill %d; then run disable again", p.By.Host, p.By.PID), "%w", err))
			continue
		}
		say(fmt.Sprintf("%s was getting ready to arm sessions: told to arm nothing", &p))
	}
	return worst(errs...)
}

// untilNamed waits until a run knows its database.
func (s *State) untilNamed(ctx context.Context, p journal.Preparing, say func(string)) (journal.Preparing, bool, error) {
	const poll = 50 * time.Millisecond
	ticks := int(s.Wait / poll)
	alive := true
	for i := 0; alive && p.Database == (journal.Database{}) && i < ticks; i++ {
		if i == 10 {
			say(fmt.Sprintf("waiting for %s to say which database it is about to change", &p))
		}
		if err := sleepFor(ctx, poll); err != nil {
			return p, alive, err
		}
		p, alive = s.Dir.Again(p)
	}
	return p, alive, nil
}
