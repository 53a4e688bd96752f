package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Preparing is a run that is about to arm sessions and has no journal yet.
type Preparing struct {
	Verb string `json:"verb"` // enable or watch
	By   Actor  `json:"by"`
	// Way is how it reaches its database, flags without a password.
	Way string `json:"way,omitempty"`
	// Database is the zero value until it has answered.
	Database Database `json:"-"`

	path string
}

// String names the run for a person.
func (p *Preparing) String() string {
	verb := p.Verb
	if verb == "" {
		return "a run that has not said its name yet"
	}
	article := "a "
	if strings.ContainsAny(verb[:1], "aeiou") {
		article = "an "
	}
	return fmt.Sprintf("%s%s (%s)", article, verb, p.By)
}

// Announcement is a file below the state directory that exists while a run
// prepares: from before it connects until its journal is there. It is also the
// run's permit: whoever wants no more arming removes the file, and the run
// checks for it, under the database's lock, before it makes a journal.
//
// The run holds an flock on the file, so a killed run is known to be dead even
// if its pid is in use again.
type Announcement struct {
	f    *os.File
	path string
}

// RevokedError reports that somebody took the permit away.
type RevokedError struct{ Verb string }

func (e *RevokedError) Error() string {
	return "ringtrace disable was typed while this " + e.Verb + " was getting ready: nothing was armed"
}

const announceDir, announceSuffix = "preparing", ".json"

// Announce tells others of a run that begins.
func (d Dir) Announce(p Preparing) (*Announcement, error) {
	line, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("announce: %w", err)
	}
	if err := d.make(announceDir); err != nil {
		return nil, err
	}
	d.sweep()
	for range 10 {
		a, err := d.tryAnnounce(append(line, '\n'))
		if err != nil {
			return nil, fmt.Errorf("announce: %w", err)
		}
		if a.there() {
			return a, nil
		}
		a.End() // swept away by another run, in the moment before it was locked
	}
	return nil, errors.New("announce: the file is removed again and again")
}

func (d Dir) tryAnnounce(line []byte) (*Announcement, error) {
	f, err := os.CreateTemp(filepath.Join(d.Path, announceDir), "*"+announceSuffix) // mode 0600
	if err != nil {
		return nil, err
	}
	a := &Announcement{f: f, path: f.Name()}
	err = tryFlock(f)
	for i := 0; errors.Is(err, errWouldBlock) && i < 500; i++ {
		time.Sleep(10 * time.Millisecond) // somebody looks whether it has an owner
		err = tryFlock(f)
	}
	if err == nil {
		_, err = f.Write(line)
	}
	if err != nil {
		a.End()
		return nil, err
	}
	return a, nil
}

// there reports whether the file is still the one that was announced.
func (a *Announcement) there() bool {
	mine, err := a.f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(a.path)
	return err == nil && os.SameFile(mine, now)
}

// Name adds what database the run is about to change.
func (a *Announcement) Name(db Database) error {
	line, err := json.Marshal(db)
	if err == nil {
		_, err = a.f.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("announce: %w", err)
	}
	return nil
}

// Check returns a *RevokedError if the permit was taken away. It says something
// only while the database's lock is held, as whoever revokes holds it too.
func (a *Announcement) Check(verb string) error {
	if a.there() {
		return nil
	}
	return &RevokedError{Verb: verb}
}

// End removes the announcement. It may be called again.
func (a *Announcement) End() {
	if a.there() {
		_ = os.Remove(a.path) // a file that is not locked says nothing
	}
	_ = a.f.Close()
}

// Preparing lists the living runs that are getting ready: for any database.
func (d Dir) Preparing() ([]Preparing, error) {
	var out []Preparing
	err := d.announced(false, func(p Preparing) { out = append(out, p) })
	return out, err
}

// Revoke takes the permit of a run away.
func (d Dir) Revoke(p Preparing) error {
	if err := os.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("tell %s to stop: %w", &p, err)
	}
	return nil
}

// Again reads an announcement anew; false when the run has ended, or has got
// its journal.
func (d Dir) Again(p Preparing) (Preparing, bool) {
	now, alive, err := readAnnouncement(p.path, false)
	return now, alive && err == nil
}

// sweep removes what dead runs left.
func (d Dir) sweep() { _ = d.announced(true, func(Preparing) {}) } // what is left says nothing

// announced goes through the living runs.
func (d Dir) announced(sweep bool, each func(Preparing)) error {
	dir := filepath.Join(d.Path, announceDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for runs that are getting ready: %w", err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), announceSuffix) || !e.Type().IsRegular() {
			continue
		}
		p, alive, err := readAnnouncement(filepath.Join(dir, e.Name()), sweep)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("look for runs that are getting ready: %w", err)
		}
		if alive {
			each(p)
		}
	}
	return nil
}

// readAnnouncement tells also whether the run lives; sweep removes the file of
// one that does not. What it has not written yet is unknown.
func readAnnouncement(path string, sweep bool) (p Preparing, alive bool, err error) {
	p.path = path
	f, err := os.Open(path)
	if err != nil {
		return p, false, err
	}
	defer f.Close()
	switch err := tryShared(f); {
	case err == nil:
		if sweep {
			_ = os.Remove(path) // while it is locked: a run that just begins sees it
		}
		return p, false, nil
	case !errors.Is(err, errWouldBlock):
		return p, false, err
	}
	data, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return p, false, err
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if json.Unmarshal(lines[0], &p) != nil {
		return Preparing{path: path}, true, nil
	}
	if len(lines) > 1 && json.Unmarshal(lines[1], &p.Database) != nil {
		p.Database = Database{}
	}
	return p, true, nil
}
