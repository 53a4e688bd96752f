package instance

import (
	"fmt"
	"strings"

	"ringtrace/internal/sim/assume"
	"ringtrace/internal/sim/event"
)

// Logon describes a new connection.
type Logon struct {
	User, Service, Program, Machine, OSUser string
	ClientPID, Driver, Module               string
	Sysdba, Bequeath                        bool
	PDB                                     string
	// Server is DEDICATED when empty; SHARED is a session that a shared
	// server works for, NONE an idle one at its dispatcher, POOLED one of
	// DRCP (facts/views-and-sqlplus.md 2.2).
	Server string
}

// Logon creates a dedicated process and its session.
func (d *Database) Logon(in *Instance, l Logon) (*Session, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	suffix := ""
	if l.Bequeath {
		suffix = "TNS V1-V3" // facts/oradebug.md 2.1
	}
	var p *Process
	switch l.Server {
	case "SHARED":
		p = in.byName("S000")
	case "NONE":
		p = in.byName("D000")
	case "POOLED":
		if p = in.byName("L000"); p == nil {
			p = in.start(&Process{Pname: "L000", Suffix: "L000", Started: d.clock()})
		}
	default:
		p = in.start(&Process{Suffix: suffix, Started: d.clock()})
	}
	if p == nil {
		return nil, fmt.Errorf("ORA-00020: maximum number of processes (%d) exceeded", in.MaxProcs)
	}
	s := d.session(l)
	if in.attach(s, p) == nil {
		if p.Pname == "" {
			p.stop()
		}
		return nil, fmt.Errorf("ORA-00018: maximum number of sessions exceeded")
	}
	return s, nil
}

// session fills a Session from a Logon. Under the lock.
func (d *Database) session(l Logon) *Session {
	s := &Session{
		Username: strings.ToUpper(l.User), Schema: strings.ToUpper(l.User), Service: l.Service, Program: l.Program,
		Machine: l.Machine, OSUser: l.OSUser, ClientPID: l.ClientPID, ClientDriver: l.Driver, Module: l.Module,
		Server: "DEDICATED", Status: "INACTIVE", LogonTime: d.clock().Truncate(1e9), Sysdba: l.Sysdba, WaitEvent: "SQL*Net message from client",
	}
	if l.Server != "" {
		s.Server = l.Server
	}
	if s.Server == "SHARED" {
		s.Status = "ACTIVE"
	}
	if s.Service == "" {
		s.Service = "SYS$USERS"
	}
	if l.Sysdba {
		s.Username, s.Schema = "SYS", "SYS"
	}
	for _, p := range d.PDBs {
		if strings.EqualFold(p.Name, l.PDB) {
			s.ConID = p.ConID
		}
	}
	return s
}

// SwitchSession gives the process another session in the place of s: the user
// changes, the process stays (facts/views-and-sqlplus.md 2.3). Where events are
// not the session's own (assume.EventsOfSession off), it finds them set.
func (d *Database) SwitchSession(s *Session, l Logon) *Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := s.Proc
	s.end()
	n := d.session(l)
	n.Eligible = s.Eligible
	if !d.Assume.On(assume.EventsOfSession) {
		n.Events, s.Events = s.Events, event.Table{}
		n.ringActionsDone = s.ringActionsDone
	}
	return s.Inst.attach(n, p)
}

// AddSession opens a second session on the process of s, as AUTOTRACE does
// (facts/views-and-sqlplus.md 2.2).
func (d *Database) AddSession(s *Session, l Logon) *Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	return s.Inst.attach(d.session(l), s.Proc)
}

// end drops the session's own events; under the lock.
func (s *Session) end() {
	d := s.Inst.db
	if d.Assume.On(assume.EventsOfSession) {
		s.Events.Clear()
	}
	s.detach()
	if !d.Assume.On(assume.RingOfProcess) && s.Proc != nil && s.Proc.ring != nil {
		s.Proc.endRing()
	}
}

// Logoff ends the session and, when it was the last one of a dedicated
// process, the process. The slots are free at once.
func (d *Database) Logoff(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.logoff(s)
}

func (d *Database) logoff(s *Session) {
	if s.gone {
		return
	}
	p := s.Proc
	s.end()
	if p != nil && len(p.sessions) == 0 && p.Pname == "" {
		p.stop()
	}
}

// Kill marks the session killed: it keeps its slot with STATUS KILLED until
// its client notices (facts/views-and-sqlplus.md 1.2); its process ends.
func (d *Database) Kill(s *Session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.Killed, s.Status, s.Server = true, "KILLED", "PSEUDO"
	if p := s.Proc; p != nil && p.Pname == "" {
		for i, x := range p.sessions {
			if x == s {
				p.sessions = append(p.sessions[:i:i], p.sessions[i+1:]...)
				break
			}
		}
		if len(p.sessions) == 0 {
			p.stop()
		}
		s.Proc = nil
		s.Events.Clear() // it will never run again
	}
	d.version++
}

// Die ends a process at once, as kill -9 does: PMON cleans up, both slots are
// free.
func (d *Database) Die(p *Process) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.die(p)
}

func (d *Database) die(p *Process) {
	for _, s := range append([]*Session(nil), p.sessions...) {
		s.end()
	}
	p.stop()
}

// Hang makes a process deaf to signals, or well again
// (facts/oradebug.md 2.6).
func (d *Database) Hang(p *Process, hung bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if hung {
		p.hung = true
		return
	}
	p.wake()
}
