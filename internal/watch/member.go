package watch

import (
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/journal"
	"ringtrace/internal/sight"
)

// member is a session that this campaign has touched and that is still there.
type member struct {
	state journal.SessionState
	file  sight.File
	from  int64 // what of the file was read
	scan  sight.Scan
	// resumed: dumps before the arming may be in the file; they are told by time
	// where nobody noted how long it was then.
	since time.Time // by the database's clock; zero: by offset
	known map[journal.Fire]bool

	armedAt time.Time // by our clock
	hits    []time.Time
	unseen  bool   // said that its file cannot be seen
	want    OnFire // what is to be done about a fire
	others  []int  // sids of the other parties of its deadlocks
	done    bool   // nothing more is set in it: fired and disarmed, or skipped
}

// armed reports whether something of ours is set in it.
func (m *member) armed() bool {
	switch m.state.State {
	case journal.Armed, journal.Fired, journal.Unbuffered:
		return true
	}
	return false
}

// take keeps what an operation has left.
func (m *member) take(r *control.Result, before *journal.Evidence) {
	s := &m.state
	s.Outcome, s.Reason, s.Detail = r.Result, r.Reason, r.Detail
	if r.State != "" {
		s.State = r.State
	}
	if r.Ring != "" {
		s.Ring = r.Ring
	}
	if r.Tracefile != "" {
		s.Tracefile, m.file.Path = r.Tracefile, r.Tracefile
	}
	r.Tracefile = s.Tracefile // for the line that tells of it
	if before != nil {
		s.BeforeSession, s.BeforeProcess = before.BeforeSession, before.BeforeProcess
		s.Overrode = append(s.Overrode, before.Overrode...)
	}
	if r.Result == journal.Done && (r.Op == journal.OpArm || r.Op == journal.OpRearm) {
		s.Events = r.Events
	}
	switch r.Op {
	case journal.OpArm:
		s.UndoBegun = false
	case journal.OpDisarm:
		s.UndoBegun = true
	}
}

// result is the member as a Result, for lines that no operation made.
func (m *member) result(res journal.Result) *control.Result {
	r := &control.Result{Key: m.state.Session, Process: m.state.Process, Username: m.state.Username}
	r.Result, r.State, r.Ring, r.Reason = res, m.state.State, m.state.Ring, ""
	r.Events, r.Tracefile = m.state.Events, m.state.Tracefile
	return r
}

// key makes a session usable as a map key.
func key(s journal.Session) journal.Session {
	s.LogonTime = s.LogonTime.UTC().Round(0)
	return s
}

// tap keeps the evidence of the intent at hand: it is what a later disarm of
// the session needs.
type tap struct {
	*journal.Journal
	last *journal.Evidence
}

// Begin implements control.Recorder.
func (t *tap) Begin(i journal.Intent) (journal.Seq, error) {
	t.last = nil
	return t.Journal.Begin(i)
}

// Note implements control.Recorder.
func (t *tap) Note(e journal.Evidence) error {
	err := t.Journal.Note(e)
	if err == nil {
		t.last = &e
	}
	return err
}
