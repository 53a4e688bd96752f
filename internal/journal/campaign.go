package journal

import (
	"fmt"
	"io"
	"time"
)

// Campaign is the read model: what the records of one journal add up to.
type Campaign struct {
	Path   string
	Header Header

	// Instances holds the latest known incarnation by inst_id.
	Instances map[int]Instance
	// Sessions stand in the order in which the campaign first touched them.
	Sessions []*SessionState
	Runs     []RunState
	Imports  []Import

	Closed      bool
	CloseReason string
	ClosedAt    time.Time

	// Damage is what no repair record accepts; Accepted is the rest; Repairs
	// are the repair records.
	Damage   []Damage
	Accepted []Damage
	Repairs  []Repair
	// Notes are records that contradict others or could not be used.
	Notes []string
	// UnknownKinds counts records of kinds this version does not know.
	UnknownKinds map[Kind]int

	Records int
	Last    time.Time // time of the last record

	byKey   map[Session]*SessionState
	intents map[Seq]*SessionState // intents without outcome
	dirt    []Dirt
}

// SessionState is what the journal holds of one session.
type SessionState struct {
	Session  Session
	Process  Process
	Username string

	State     State
	Ring      Ring
	Outcome   Result // of the last finished intent; empty: none has finished
	Reason    string
	Events    []string // as eventdump showed them when armed
	Tracefile string
	TraceFrom int64 // where it ended when the ring began; 0: not known
	Fired     []Fire
	ArmedAt   time.Time // zero: was never armed
	// FirstArmed is ArmedAt of the first time; watch arms again what has fired.
	FirstArmed time.Time

	// BeforeSession and BeforeProcess are the dumps before the first arming:
	// clean means equal to these, not empty.
	BeforeSession, BeforeProcess []string
	Overrode                     []string
	Detail                       string
	// UndoBegun: an intent to disarm was recorded after the last arming, so
	// some of its commands may have gone out.
	UndoBegun bool

	op    Op    // of the intent in progress
	prior State // before it
}

// Open reports whether something of ours may be left in the session or its
// process, so that disable must visit it.
func (s *SessionState) Open() bool {
	switch s.State {
	case Armed, Fired, Unbuffered, Pending, Uncertain:
		return true
	case Lost:
		// The session is gone, but its process may live on with our ring.
		return s.Ring == RingOnAssumed || s.Ring == RingOnProven
	}
	return false
}

// RunState is one run as the journal holds it.
type RunState struct {
	Seq     Seq
	At      time.Time
	Run     Run
	Ended   bool
	EndedAt time.Time
	Exit    int
}

// Dirt is something a crash left open.
type Dirt struct {
	Seq     Seq
	Kind    Kind // KindIntent or KindRun
	At      time.Time
	Verb    string   // of a run
	Op      Op       // of an intent
	Session *Session // of an intent
	Insts   []int    // instances concerned; empty: any
	By      Actor    // of a run
}

func (d Dirt) String() string {
	if d.Kind == KindIntent {
		return fmt.Sprintf("record %d: %s of session %s has no outcome", d.Seq, d.Op, d.Session)
	}
	return fmt.Sprintf("record %d: %s by %s has no end", d.Seq, d.Verb, d.By)
}

// Dirty returns the intents without outcome and the runs without end, in the
// order of the file. A run that still works is among them: ask the lock first.
func (c *Campaign) Dirty() []Dirt { return append([]Dirt(nil), c.dirt...) }

// DirtyOn returns the dirt that concerns one instance.
func (c *Campaign) DirtyOn(inst int) []Dirt {
	var out []Dirt
	for _, d := range c.dirt {
		hit := len(d.Insts) == 0
		for _, i := range d.Insts {
			hit = hit || i == inst
		}
		if hit {
			out = append(out, d)
		}
	}
	return out
}

// Corrupt reports damage other than a torn last line.
func (c *Campaign) Corrupt() bool {
	for _, d := range c.Damage {
		if !d.Torn {
			return true
		}
	}
	return false
}

// OpenSessions returns the sessions that disable must visit.
func (c *Campaign) OpenSessions() []*SessionState {
	var out []*SessionState
	for _, s := range c.Sessions {
		if s.Open() {
			out = append(out, s)
		}
	}
	return out
}

// Find returns the state of a session, or nil. A zero logon time in k matches
// any.
func (c *Campaign) Find(k Session) *SessionState {
	if s := c.byKey[key(k)]; s != nil {
		return s
	}
	if !k.LogonTime.IsZero() {
		return nil
	}
	for _, s := range c.Sessions {
		if s.Session.InstID == k.InstID && s.Session.SID == k.SID && s.Session.Serial == k.Serial {
			return s
		}
	}
	return nil
}

// States counts the sessions by state.
func (c *Campaign) States() map[State]int {
	m := map[State]int{}
	for _, s := range c.Sessions {
		m[s.State]++
	}
	return m
}

// key makes a Session usable as a map key: equal instants, equal keys.
func key(s Session) Session {
	s.LogonTime = s.LogonTime.UTC().Round(0)
	return s
}

func fold(r io.Reader, name string) (*Campaign, *Reader, error) {
	rd := NewReader(r)
	c := &Campaign{
		Path: name, Instances: map[int]Instance{}, UnknownKinds: map[Kind]int{},
		byKey: map[Session]*SessionState{}, intents: map[Seq]*SessionState{},
	}
	for rd.Next() {
		rec := rd.Record()
		if c.Records == 0 && rec.Kind != KindCampaign && len(rd.damage) == 0 {
			return nil, nil, fmt.Errorf("journal %s: %w", name, ErrNoHeader)
		}
		c.Records++
		c.Last = rec.At
		if err := c.apply(rec); err != nil {
			c.Notes = append(c.Notes, fmt.Sprintf("byte %d: %v", rec.Offset, err))
		}
	}
	if err := rd.Err(); err != nil {
		return nil, nil, fmt.Errorf("journal %s: %w", name, err)
	}
	c.Damage, c.Accepted, c.Repairs = rd.Damage(), rd.Accepted(), rd.repairs
	if c.Records == 0 {
		if c.Corrupt() {
			return nil, nil, &CorruptError{Path: name, Damage: c.Damage}
		}
		return nil, nil, fmt.Errorf("journal %s: %w", name, ErrNoHeader)
	}
	return c, rd, nil
}
