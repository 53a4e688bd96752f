package campaigns

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"ringtrace/internal/journal"
)

// Summary is one campaign in `campaigns list`.
type Summary struct {
	Campaign  string                `json:"campaign"`
	Journal   string                `json:"journal"`
	Origin    string                `json:"origin"`
	Created   *time.Time            `json:"created"`
	Expires   *time.Time            `json:"expires"`
	Last      *time.Time            `json:"last"`
	Database  Database              `json:"database"`
	Instances []int                 `json:"instances"`
	Purpose   *string               `json:"purpose"`
	Ticket    *string               `json:"ticket"`
	Open      bool                  `json:"open"`
	ClosedAt  *time.Time            `json:"closed_at"`
	Dirty     int                   `json:"dirty"`
	Damaged   bool                  `json:"damaged"`
	Sessions  int                   `json:"sessions"`
	ToDisarm  int                   `json:"to_disarm"`
	States    map[journal.State]int `json:"states"`
	Lock      *journal.Actor        `json:"lock"`
	Error     *string               `json:"error"`
}

// Database names a database as in a manifest; null is unknown.
type Database struct {
	DBUniqueName *string `json:"db_unique_name"`
	DBID         *int64  `json:"dbid"`
}

// List is the document of `campaigns list`.
type List struct {
	Campaigns []Summary `json:"campaigns"`
	Summary   struct {
		Campaigns  int `json:"campaigns"`
		Open       int `json:"open"`
		Dirty      int `json:"dirty"`
		Damaged    int `json:"damaged"`
		Unreadable int `json:"unreadable"`
	} `json:"summary"`
	// Preparing are the runs that are about to arm sessions and have no journal
	// yet, of any database.
	Preparing []journal.PreparingDoc `json:"preparing,omitempty"`
}

// List reads every journal of the state directory, newest campaign last. A
// journal that cannot be read is a row with its error.
func (s Store) List() (*List, error) {
	l := &List{Campaigns: []Summary{}}
	// First: who has got a journal by now is in the list.
	preparing, err := s.Dir.Preparing()
	if err != nil {
		return nil, err
	}
	for i := range preparing {
		l.Preparing = append(l.Preparing, journal.NewPreparingDoc(&preparing[i]))
	}
	ids, err := s.Dir.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		row := s.summary(id)
		l.Campaigns = append(l.Campaigns, row)
		l.Summary.Campaigns++
		switch {
		case row.Error != nil:
			l.Summary.Unreadable++
		case row.Damaged:
			l.Summary.Damaged++
		}
		if row.Open {
			l.Summary.Open++
		}
		if row.Dirty > 0 {
			l.Summary.Dirty++
		}
	}
	slices.SortStableFunc(l.Campaigns, func(a, b Summary) int {
		if a.Created == nil || b.Created == nil {
			return 0
		}
		return a.Created.Compare(*b.Created)
	})
	return l, nil
}

func (s Store) summary(id string) Summary {
	path, _ := s.Dir.File(id)
	c, err := s.Dir.Load(id)
	if err != nil {
		text := err.Error()
		return Summary{Campaign: id, Journal: path, Instances: []int{}, States: map[journal.State]int{}, Error: &text}
	}
	return s.summarize(id, path, c)
}

func (s Store) summarize(id, path string, c *journal.Campaign) Summary {
	h := &c.Header
	row := Summary{
		Campaign: id, Journal: path, Origin: h.Origin,
		Created: moment(h.Created), Expires: moment(h.Expires), Last: moment(c.Last),
		Database: databaseDoc(h.Database), Instances: []int{}, Purpose: text(h.Purpose), Ticket: text(h.Ticket),
		Open: !c.Closed, ClosedAt: moment(c.ClosedAt), Dirty: len(c.Dirty()), Damaged: c.Corrupt(),
		Sessions: len(c.Sessions), ToDisarm: len(c.OpenSessions()), States: c.States(),
	}
	for id := range c.Instances {
		row.Instances = append(row.Instances, id)
	}
	slices.Sort(row.Instances)
	if !c.Closed {
		// Whoever works on the database now may be in the middle of this one.
		row.Lock, _ = journal.Owner(s.Dir.LockPath(h.Database))
	} else {
		row.ToDisarm = 0 // disable does not visit it any more; States has what was on at its end
	}
	return row
}

func databaseDoc(d journal.Database) Database {
	out := Database{DBUniqueName: text(d.UniqueName)}
	if d.DBID != 0 {
		out.DBID = &d.DBID
	}
	return out
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// notThere reports whether err says that there is no such journal.
func notThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
