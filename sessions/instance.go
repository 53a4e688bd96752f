package sessions

import "time"

// Instance is what is known of one database instance: GV$INSTANCE, and of its
// database V$DATABASE (facts/views-and-sqlplus.md 1). Unknown values are zero:
// a file inventory usually knows none of them.
type Instance struct {
	InstID       int
	InstanceName string
	HostName     string
	Version      string // 19.3.0.0.0 style; VERSION_FULL where there is one (18c+)
	CDB          bool   // V$DATABASE.CDB (12.1+)
	Threaded     bool   // threaded_execution (12.1+): SPID is then not unique
	// StartupTime carries the digits V$INSTANCE shows, in the database host's
	// offset; see Session.LogonTime.
	StartupTime  time.Time
	DBUniqueName string
	DBID         int64

	cdbKnown, threadedKnown bool // a false that was read, rather than unknown
}
