package watch

import (
	"context"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/exit"
	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
	"ringtrace/sessions"
)

// OnFire says what is done with a session in which an error has fired.
type OnFire string

// The policies. After a fire the ring is gone and the trace goes on
// (inferred, DESIGN 1): Disarm ends it, Rearm sets the ring again, Leave lets
// the session write on.
const (
	Disarm OnFire = "disarm"
	Rearm  OnFire = "rearm"
	Leave  OnFire = "leave"
)

// Policies lists them, the default first.
func Policies() []string { return []string{string(Disarm), string(Rearm), string(Leave)} }

// Listing is what a source sees at one moment.
type Listing struct {
	Rows  []sessions.Row
	Place control.Place
	Now   time.Time // by the database host's clock; zero: unknown
}

// Source lists the sessions. A failed List is tried again later; Fresh makes
// the next one ask for the instances anew.
type Source interface {
	List(ctx context.Context) (*Listing, error)
	Fresh()
}

// Limits keep a watch from doing harm.
type Limits struct {
	MaxSessions int // armed at one time
	PerMinute   int // newcomers armed in a minute, after the first step
	// Storm brake: so many fires of one code within a minute stop arming, and
	// re-arming of that code, until a minute is quiet.
	StormCode int
	// So many fires of one session within ten minutes disarm it for good.
	StormSession int
}

// DefaultLimits are those of the command line.
func DefaultLimits() Limits {
	return Limits{MaxSessions: 200, PerMinute: 60, StormCode: 20, StormSession: 5}
}

// Config is one run of the verb.
type Config struct {
	State  *control.State
	Source Source
	Sight  sight.Sight
	// Ends tells where a file ended when its session was armed, exactly, for those
	// who look later; nil: nobody does.
	Ends   sight.Sight
	Runner func(ctx context.Context, inst int) (control.Runner, error)
	Waves  control.Waves // of the first step
	// Preflight looks, before anything is begun, whether arming these sessions
	// of an instance can do harm; an error refuses the run. nil: no look.
	Preflight func(ctx context.Context, inst int, list []sessions.Session) error
	// Room tells how many more rings fit into the memory of an instance, of
	// which armed are there already, by PDB ("": all). nil: any number.
	Room     func(ctx context.Context, inst int, armed map[string]int) *control.Room
	Snapshot func(ctx context.Context, inst, sid int) ([]Cursor, error)
	// SaveCursors keeps a snapshot beside the journal; nil: nowhere.
	SaveCursors func(campaign string, s journal.Session, at time.Time, list []Cursor) error

	Campaign  string // id of a new campaign
	Selector  string
	Purpose   string
	Ticket    string
	Events    []journal.Event
	RingBytes int64
	Force     bool
	// Resume goes on with the open campaign of an earlier watch with the same
	// selector and events, also after a crash; without one a new one begins.
	Resume bool
	// Vanishes: the instance ends with this process, and so does the campaign.
	Vanishes bool

	OnFire     OnFire
	Errorstack int // level of a dump with a flush of the other party of a deadlock
	Limits     Limits
	Interval   time.Duration
	For        time.Duration // 0: until it is stopped
	TTL        time.Duration // each session is armed so long at most; 0: no limit
	UntilHits  int           // 0: any number

	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
	Emit  func(Line) error
	Say   func(string)
	// Further is what State.Way lacks to reach all instances on which a campaign
	// may have left something; nil: nothing.
	Further func([]*journal.Campaign) string
	// Hook is told of every fire; nil: nobody.
	Hook func(Line)
}

// DefaultInterval is the pause between two steps.
const DefaultInterval = 5 * time.Second

// MinInterval keeps the listing from becoming a load of its own.
const MinInterval = time.Second

func (c *Config) validate() error {
	usage := func(hint, format string, args ...any) error { return exit.Errorf(exit.Usage, hint, format, args...) }
	switch {
	case c.Interval < MinInterval:
		return usage("give --interval 1s or more", "an interval of %v would be a load of its own", c.Interval)
	case c.Limits.MaxSessions < 1 || c.Limits.PerMinute < 1:
		return usage("give --max-sessions and --rate 1 or more", "nothing could be armed")
	case c.Limits.StormCode < 1 || c.Limits.StormSession < 1:
		return usage("give --storm and --storm-session 1 or more", "the storm brake would always be on")
	case c.UntilHits < 0 || c.For < 0 || c.TTL < 0:
		return usage("leave out --until-hits, --for or --ttl for no limit", "a limit is negative")
	}
	return nil
}
