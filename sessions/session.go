// Package sessions finds the application's sessions, says of every row why it
// is in or out, and reads and writes session inventories.
package sessions

import "time"

// Key names one session incarnation: (inst_id, sid, serial#). A sid alone is
// never a key, because slots are reused and every instance has its own
// (facts/views-and-sqlplus.md 2.3).
type Key struct {
	InstID int
	SID    int
	Serial int
}

// Session is one row of the inventory: a V$SESSION row joined with its
// V$PROCESS row on PADDR (facts/views-and-sqlplus.md 2.1).
//
// A number that is not known is 0 (none of them can be 0 in Oracle, except
// STID, which is text), a text that is not known is empty, and LogonTime that
// is not known is the zero time.
type Session struct {
	InstID        int // GV$SESSION.INST_ID; 1 when the source has none
	SID           int // V$SESSION.SID, a slot number
	Serial        int // V$SESSION.SERIAL#
	Orapid        int // V$PROCESS.PID: what ORADEBUG SETORAPID takes
	ProcessSerial int // V$PROCESS.SERIAL#

	Ospid string // V$PROCESS.SPID: server process, never the client's pid
	Stid  string // V$PROCESS.STID (12.1+); "0" on some Windows rows

	Username         string
	ServiceName      string
	Program          string
	Module           string
	Action           string
	ClientIdentifier string
	ClientInfo       string
	Machine          string
	OSUser           string
	Status           string // ACTIVE INACTIVE CACHED SNIPED KILLED
	Server           string // DEDICATED SHARED POOLED PSEUDO NONE
	Type             string // USER BACKGROUND RECURSIVE
	// LogonTime carries the digits that V$SESSION.LOGON_TIME shows (a DATE in
	// the database host's time), in that host's offset where it is known and in
	// UTC where it is not: Format("2006-01-02 15:04:05") gives what to_char gives.
	LogonTime time.Time
	SQLID     string
	ConName   string // PDB name
	Tracefile string // V$PROCESS.TRACEFILE

	// Line is the inventory line the row came from; 0 for a database row.
	Line int
}

// Key returns the session's identity within its instance incarnation.
func (s *Session) Key() Key { return Key{InstID: s.InstID, SID: s.SID, Serial: s.Serial} }
