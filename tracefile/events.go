package tracefile

import "strings"

// Class groups wait events for bars and charts. It is ours, coarser than the
// wait class of V$EVENT_NAME, which a trace does not print.
type Class uint8

// The classes.
const (
	ClassOther Class = iota
	ClassIO
	ClassCommit
	ClassNetwork
	ClassLock
	ClassConcurrency
	ClassCluster
	ClassIdle
	ClassCPU // not a wait: for charts
	NumClasses
)

var classNames = [NumClasses]string{"other", "I/O", "commit", "network", "lock", "concurrency", "cluster", "idle", "CPU"}

// String returns the class's name.
func (c Class) String() string {
	if c < NumClasses {
		return classNames[c]
	}
	return "other"
}

// idleEvents are waits for the client or for work (facts 16, wait class Idle).
// "SQL*Net message to client" takes no time and is network.
var idleEvents = [...]string{
	"SQL*Net message from client", "SQL*Net message from dblink idle", "single-task message", "pipe get",
	"pmon timer", "smon timer", "rdbms ipc message", "PL/SQL lock timer", "PX Deq: Execution Msg", "PX Idle Wait",
	"PX Deq: Execute Reply", "PX Deq Credit: need buffer", "jobq slave wait", "dispatcher timer",
	"virtual circuit status", "wait for unread message on broadcast channel", "shared server idle wait",
	"Space Manager: slave idle wait", "DIAG idle wait", "class slave wait", "VKTM Logical Idle Wait",
}

// classOf decides an event's class by its name.
func classOf(name string) Class {
	for _, e := range idleEvents {
		if name == e {
			return ClassIdle
		}
	}
	switch {
	case strings.HasPrefix(name, "Streams AQ: waiting"), strings.HasPrefix(name, "LNS ASYNC"):
		return ClassIdle
	case name == "log file sync":
		return ClassCommit
	case strings.HasPrefix(name, "SQL*Net "), strings.HasPrefix(name, "virtual circuit"):
		return ClassNetwork
	case strings.HasPrefix(name, "gc "), strings.HasPrefix(name, "ges "), strings.HasPrefix(name, "global cache"):
		return ClassCluster
	case strings.HasPrefix(name, "enq:"), name == "enqueue":
		return ClassLock
	case strings.HasPrefix(name, "latch"), strings.HasPrefix(name, "cursor:"), strings.HasPrefix(name, "library cache"),
		strings.HasPrefix(name, "row cache"), strings.HasPrefix(name, "buffer busy"), strings.Contains(name, "mutex"),
		name == "read by other session":
		return ClassConcurrency
	case strings.HasPrefix(name, "db file "), strings.HasPrefix(name, "direct path "), strings.HasPrefix(name, "control file "),
		strings.HasPrefix(name, "cell "), strings.HasPrefix(name, "db flash "), strings.HasPrefix(name, "log file "),
		strings.HasPrefix(name, "Disk file "), strings.HasPrefix(name, "local write"):
		return ClassIO
	}
	return ClassOther
}

// betweenByName reports whether a wait lies between calls, for releases whose
// waits have no time (to 10.1; facts 16).
func betweenByName(e *Event) bool {
	return e.Class == ClassIdle && e.Name != "PL/SQL lock timer" || strings.HasPrefix(e.Name, "SQL*Net message ") ||
		e.Name == "SQL*Net more data from client" || e.Name == "log file sync"
}

// isClientWait reports whether the event is the wait for the client's next
// request, which is think time when it is long.
func isClientWait(name string) bool { return name == "SQL*Net message from client" }
