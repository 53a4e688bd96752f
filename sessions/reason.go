package sessions

// Reason says in one word why a row is in or out. The words are part of the
// contract with scripts (docs/scripting.md).
type Reason string

// The reasons, in the order in which they are looked for: a row gets the
// first that holds.
const (
	Matched          Reason = "matched"
	OwnSession       Reason = "own_session"
	Background       Reason = "background"
	JobSlave         Reason = "job_slave"
	PXSlave          Reason = "px_slave"
	OracleMaintained Reason = "oracle_maintained"
	Killed           Reason = "killed"
	NoProcess        Reason = "no_process"
	NotDedicated     Reason = "not_dedicated"
	SharedProcess    Reason = "shared_process"
	NotMatched       Reason = "not_matched"
)

// Reasons lists the words that exclude a row, in order of precedence.
func Reasons() []Reason {
	return []Reason{
		OwnSession, Background, JobSlave, PXSlave, OracleMaintained, Killed,
		NoProcess, NotDedicated, SharedProcess, NotMatched,
	}
}

// Explain returns a sentence for a person: why a row with this reason is in
// or out, and what to do instead where there is something.
func (r Reason) Explain() string {
	switch r {
	case Matched:
		return "an application session that the selector matches"
	case OwnSession:
		return "a session of ringtrace itself"
	case Background:
		return "a background process, or a session without a user: the server's own"
	case JobSlave:
		return "a scheduler job slave (Jnnn): it is gone or runs another job before the trace helps"
	case PXSlave:
		return "a parallel query slave (Pnnn): slaves are pooled, events would stay for the next query; the coordinator can be armed, but what its slaves do and raise is not in its trace"
	case OracleMaintained:
		return "a user that comes with the database (DBA_USERS.ORACLE_MAINTAINED, or the shipped list)"
	case Killed:
		return "the session is marked KILLED: its PADDR may point to another session's process"
	case NoProcess:
		return "no server process belongs to the session, so there is nothing to attach to"
	case NotDedicated:
		return "not a dedicated server: the process serves many sessions; use DBMS_MONITOR.SESSION_TRACE_ENABLE or CLIENT_ID_TRACE_ENABLE"
	case SharedProcess:
		return "its process carries more than one session, so events could land in the wrong one"
	case NotMatched:
		return "an application session that the selector does not match"
	}
	return "unknown reason"
}
