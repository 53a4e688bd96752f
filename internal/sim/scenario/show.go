// Package scenario tells the truth about a simulated database (`sim show`)
// and makes things happen in it (`sim run`).
package scenario

import (
	"ringtrace/internal/sim/instance"
)

// Truth is what `sim show -o json` prints: what only a simulator knows.
type Truth struct {
	Sessions []Session `json:"sessions"`
}

// Session is one session as it is. The contract names the fields.
type Session struct {
	InstID     int      `json:"inst_id"`
	SID        int      `json:"sid"`
	Serial     int      `json:"serial"`
	Orapid     *int     `json:"orapid"`
	Username   *string  `json:"username"`
	Server     string   `json:"server"`
	Status     string   `json:"status"`
	Alive      bool     `json:"alive"`
	Eligible   bool     `json:"eligible"`
	Events     []string `json:"events"`
	Ring       *Ring    `json:"ring"`
	SQLTrace   bool     `json:"sql_trace"`
	Tracefile  *string  `json:"tracefile"`
	TraceBytes int64    `json:"trace_bytes"`
}

// Ring is the circular buffer of the session's process.
type Ring struct {
	Bytes int   `json:"bytes"`
	Used  int   `json:"used"`
	Wraps int64 `json:"wraps"`
}

// Show lists every session, by instance and SID. events holds the session's
// own and, behind "process: ", those of its process.
func Show(d *instance.Database) Truth {
	t := Truth{Sessions: []Session{}}
	d.Locked(func() {
		for _, in := range d.Instances {
			for _, s := range in.Sessions() {
				t.Sessions = append(t.Sessions, one(s))
			}
		}
	})
	return t
}

func one(s *instance.Session) Session {
	out := Session{
		InstID: s.Inst.ID, SID: s.SID, Serial: s.Serial, Server: s.Server, Status: s.Status, Eligible: s.Eligible && !s.Killed,
		Alive: s.Alive() && !s.Killed && s.Proc != nil && s.Proc.Alive(), Events: []string{},
	}
	if s.Username != "" {
		name := s.Username
		out.Username = &name
	}
	out.Events = append(out.Events, s.Events.Lines()...)
	p := s.Proc
	if p == nil {
		return out
	}
	pid, path := p.Orapid, p.TracePath()
	out.Orapid, out.Tracefile, out.TraceBytes = &pid, &path, p.TraceBytes()
	if p.Session() == s {
		for _, l := range p.Events.Lines() {
			out.Events = append(out.Events, "process: "+l)
		}
		out.SQLTrace = p.SQLTrace().On
	}
	if size, used, wraps, ok := p.Ring(); ok {
		out.Ring = &Ring{Bytes: size, Used: used, Wraps: wraps}
	}
	return out
}
