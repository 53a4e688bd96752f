package journal

import (
	"fmt"
	"time"
)

// Database names a database. Either field may be unknown (an inventory file
// cannot know it); what is known must be equal before anything is changed.
type Database struct {
	UniqueName string `json:"db_unique_name,omitempty"`
	DBID       int64  `json:"dbid,omitempty"`
}

// Same reports whether nothing that both know differs, and whether anything
// was compared at all.
func (d Database) Same(o Database) (same, compared bool) {
	same = true
	if d.UniqueName != "" && o.UniqueName != "" {
		compared = true
		same = same && d.UniqueName == o.UniqueName
	}
	if d.DBID != 0 && o.DBID != 0 {
		compared = true
		same = same && d.DBID == o.DBID
	}
	return same, compared
}

// Instance is one incarnation of an instance: a later StartupTime is another
// incarnation, in which nothing that we set is left.
type Instance struct {
	InstID       int       `json:"inst_id"`
	InstanceName string    `json:"instance_name,omitempty"`
	HostName     string    `json:"host_name,omitempty"`
	StartupTime  time.Time `json:"startup_time,omitzero"`
	Version      string    `json:"version,omitempty"`
}

// Relation is how an instance seen now stands to the one recorded.
type Relation string

// The relations. Restarted closes every session as gone; Other is refused
// (exit 7), because nothing recorded can be about that instance.
const (
	SameIncarnation Relation = "same"
	Restarted       Relation = "restarted"
	OtherInstance   Relation = "other"
	NotComparable   Relation = "unknown"
)

// Relate compares the recorded instance i with the one seen now. An earlier
// start-up time than the recorded one is another instance: time does not run
// backwards for the same one.
func (i Instance) Relate(now Instance) Relation {
	if i.InstanceName != "" && now.InstanceName != "" && i.InstanceName != now.InstanceName {
		return OtherInstance
	}
	if i.HostName != "" && now.HostName != "" && i.HostName != now.HostName {
		return OtherInstance
	}
	switch {
	case i.StartupTime.IsZero() || now.StartupTime.IsZero():
		return NotComparable
	case now.StartupTime.After(i.StartupTime):
		return Restarted
	case now.StartupTime.Before(i.StartupTime):
		return OtherInstance
	}
	return SameIncarnation
}

// Session is the key that owns events: it ends at logoff. A sid alone is a
// slot that is used again (facts/views-and-sqlplus.md 2.3).
type Session struct {
	InstID    int       `json:"inst_id"`
	SID       int       `json:"sid"`
	Serial    int       `json:"serial"`
	LogonTime time.Time `json:"logon_time,omitzero"`
}

func (s Session) String() string { return fmt.Sprintf("%d,%d,@%d", s.SID, s.Serial, s.InstID) }

// Process is the key that owns the ring: one incarnation of a server process.
// The orapid is a slot number and is used again at once; ospid is not unique
// under threaded execution, where stid tells threads apart
// (facts/views-and-sqlplus.md 2.3, 2.4).
type Process struct {
	Orapid        int    `json:"orapid"`
	ProcessSerial int    `json:"process_serial,omitempty"`
	Ospid         string `json:"ospid,omitempty"`
	Stid          string `json:"stid,omitempty"`
}

// Same reports whether nothing that both know differs: only then the ring that
// was allocated in p can be the one in o.
func (p Process) Same(o Process) bool {
	if p.Orapid != o.Orapid {
		return false
	}
	if p.ProcessSerial != 0 && o.ProcessSerial != 0 && p.ProcessSerial != o.ProcessSerial {
		return false
	}
	if p.Ospid != "" && o.Ospid != "" && p.Ospid != o.Ospid {
		return false
	}
	return p.Stid == "" || o.Stid == "" || p.Stid == o.Stid
}

// Actor is who writes a journal or holds a lock.
type Actor struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	User  string    `json:"user"`
	Start time.Time `json:"start"` // when the process began
	// Ticks is when the process began by the kernel's own count, where it tells
	// (field 22 of /proc/PID/stat): another process with this pid has another one.
	Ticks uint64 `json:"start_ticks,omitempty"`
	Tool  string `json:"tool,omitempty"`
}

func (a Actor) String() string {
	return fmt.Sprintf("pid %d of %s on %s, since %s", a.PID, a.User, a.Host, a.Start.UTC().Format(time.RFC3339))
}
