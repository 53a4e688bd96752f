package instance

import (
	"time"

	"ringtrace/internal/sim/event"
)

// Session is one incarnation of a session slot.
type Session struct {
	Inst   *Instance
	Proc   *Process // whose address PADDR shows; nil for a session without process
	SID    int
	Serial int
	Audsid int64

	Type, Server, Status         string
	Username, Schema             string
	Service, Program, Module     string
	Action, ClientID, ClientInfo string
	Machine, OSUser, Terminal    string
	ClientPID, ClientDriver      string
	SQLID, PrevSQLID, SQLText    string
	LogonTime, LastCall          time.Time
	ConID                        int
	QC                           *Session // query coordinator of a PX slave
	Sysdba                       bool
	WaitEvent                    string
	MonitorOn                    bool // traced by DBMS_MONITOR
	MonitorWaits, MonitorBinds   bool
	Killed                       bool
	CreatorAddr                  uint64
	CreatorSerial                int
	Eligible                     bool // the scenario made it a target; `sim show` says so
	Events                       event.Table
	Calls                        int64         // statements it ran; its CPU time follows from them
	TraceCPU                     time.Duration // and from the trace that it wrote
	Counts                       Counts
	ringActionsDone              bool
	gone                         bool
}

// attach puts s in a free slot of the instance, served by p (nil: none).
// Under the lock, or before anyone else sees the database.
func (in *Instance) attach(s *Session, p *Process) *Session {
	sid := in.freeSid()
	if sid == 0 {
		return nil
	}
	d := in.db
	in.sessSer[sid] += 1 + d.rng.IntN(40)
	if in.sessSer[sid] > 65535 {
		in.sessSer[sid] -= 65534
	}
	d.audsid++
	s.Inst, s.Proc, s.SID, s.Serial, s.Audsid = in, p, sid, in.sessSer[sid], d.audsid
	if s.Type == "" {
		s.Type = "USER"
	}
	if s.Type == "BACKGROUND" {
		s.Audsid = 0
	}
	if s.ConID == 0 && d.CDB && s.Type == "USER" {
		s.ConID = 1
	}
	if s.LastCall.IsZero() {
		s.LastCall = s.LogonTime
	}
	if p != nil {
		p.sessions = append(p.sessions, s)
		s.CreatorAddr, s.CreatorSerial = p.Addr, p.Serial
	}
	in.sessions[sid] = s
	d.version++
	return s
}

// freeSid gives back the slot freed last, as a busy pool does, else a random
// one.
func (in *Instance) freeSid() int {
	for n := len(in.freedSids); n > 0; n-- {
		sid := in.freedSids[n-1]
		in.freedSids = in.freedSids[:n-1]
		if in.sessions[sid] == nil {
			return sid
		}
	}
	for range 64 {
		if sid := 1 + in.db.rng.IntN(len(in.sessions)-1); in.sessions[sid] == nil {
			return sid
		}
	}
	for sid := 1; sid < len(in.sessions); sid++ {
		if in.sessions[sid] == nil {
			return sid
		}
	}
	return 0
}

// detach removes s from its slot; the process stays. Under the lock.
func (s *Session) detach() {
	s.gone = true
	in := s.Inst
	if in.sessions[s.SID] == s {
		in.sessions[s.SID] = nil
		in.freedSids = append(in.freedSids, s.SID)
	}
	if s.Proc != nil {
		for i, x := range s.Proc.sessions {
			if x == s {
				s.Proc.sessions = append(s.Proc.sessions[:i:i], s.Proc.sessions[i+1:]...)
				break
			}
		}
	}
	in.db.version++
}

// Alive says that the session is still in its slot. Under the lock.
func (s *Session) Alive() bool { return !s.gone }

// Sessions returns the sessions of the instance by SID. Under the lock.
func (in *Instance) Sessions() []*Session {
	var out []*Session
	for _, s := range in.sessions {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

// Session returns the session in a slot, or nil. Under the lock.
func (in *Instance) Session(sid int) *Session {
	if sid < 1 || sid >= len(in.sessions) {
		return nil
	}
	return in.sessions[sid]
}
