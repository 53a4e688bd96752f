// Package assume names every behaviour of Oracle that the simulator needs and
// that nobody has been seen to prove. Each is one switch with the mark its
// fact carries; the controller must be safe under either setting
// (docs/simulator.md lists them, and a test compares that list with this one).
package assume

// Switch names one assumed behaviour.
type Switch string

// The switches. The name is what `sim up --assume NAME:off`, `sim:?assume=NAME:off`
// and docs/simulator.md use.
const (
	// RingCarriesSQLTrace: SQL trace lines go through ksdwrf, so a buffer
	// takes them. Off: they reach the file although a buffer is on.
	RingCarriesSQLTrace Switch = "ring-carries-sql-trace"
	// RingCarriesMarkers: the two lines that ORADEBUG writes into its
	// target's trace go through the buffer too.
	RingCarriesMarkers Switch = "ring-carries-markers"
	// RingOfProcess: the buffer belongs to the process and survives the
	// session. Off: it goes with the session.
	RingOfProcess Switch = "ring-of-process"
	// RingOnAtSet: trace_buffer_on(n) as an action of sql_trace allocates
	// when the event is set. Off: when the session next writes trace.
	RingOnAtSet Switch = "ring-on-at-set"
	// RingOffFrees: trace_buffer_off flushes and frees. Off: it flushes and
	// keeps the buffer.
	RingOffFrees Switch = "ring-off-frees"
	// RingLostAtExit: a process that ends takes its unflushed buffer with it.
	RingLostAtExit Switch = "ring-lost-at-exit"
	// ErrorstackFlushes: ksedmp writes the buffer before it dumps.
	ErrorstackFlushes Switch = "errorstack-flushes"
	// WrapMarker: a flush of a buffer that lost bytes starts with
	// "Trace output buffer of N bytes wrapped M times".
	WrapMarker Switch = "wrap-marker"
	// ActionsInOrder: the specs of one event run from left to right. Off:
	// from right to left.
	ActionsInOrder Switch = "actions-in-order"
	// LifetimeCounts: "lifetime n" on a spec lets it fire n times. Off: the
	// qualifier is accepted and ignored.
	LifetimeCounts Switch = "lifetime-counts"
	// OccurenceCounts: {occurence:start_after a, end_after b} counts
	// the event's postings in this session.
	OccurenceCounts Switch = "occurence-counts"
	// OffRemovesNumber: "n off" removes every spec of event n.
	OffRemovesNumber Switch = "off-removes-number"
	// ContextOffRemovesAll: "n trace name context off" also removes an
	// errorstack spec of n.
	ContextOffRemovesAll Switch = "context-off-removes-all"
	// OffCrosswise: "sql_trace off" and "10046 off" remove each other.
	OffCrosswise Switch = "off-crosswise"
	// LastFilterWins: the same event set again, even with another filter,
	// replaces the first.
	LastFilterWins Switch = "last-filter-wins"
	// AttachKeepsTarget: a failed SETORAPID or SETOSPID leaves the previous
	// target selected.
	AttachKeepsTarget Switch = "attach-keeps-target"
	// DeadSlot72: SETORAPID of a free slot is ORA-00072.
	DeadSlot72 Switch = "dead-slot-ora-72"
	// UnknownOspid75: SETOSPID of an unknown pid is ORA-00075.
	UnknownOspid75 Switch = "unknown-ospid-ora-75"
	// ExtraArguments73: surplus arguments are ORA-00073. Off: ignored.
	ExtraArguments73 Switch = "extra-arguments-ora-73"
	// SysdbaOnly1031: ORADEBUG without SYSDBA is ORA-01031.
	SysdbaOnly1031 Switch = "sysdba-only-ora-1031"
	// SetidRemote32522: SETTRACEFILEID on another process raises ORA-32522
	// although the identifier is set.
	SetidRemote32522 Switch = "settracefileid-ora-32522"
	// SuccessLine: the commands that print nothing of their own print
	// "Statement processed.".
	SuccessLine Switch = "success-line"
	// SuccessLineFeedbackOff: they print it under SET FEEDBACK OFF too.
	SuccessLineFeedbackOff Switch = "success-line-feedback-off"
	// TraceColumnFollows: V$SESSION.SQL_TRACE shows events set by ORADEBUG.
	TraceColumnFollows Switch = "trace-column-follows"
	// AlertOnErrorstack: an errorstack event writes a pair of lines to the
	// alert log.
	AlertOnErrorstack Switch = "alert-on-errorstack"
	// EventsOfSession: SESSION_EVENT dies with the session, EVENT stays
	// with the process. Off: the next session in the same process finds what
	// SESSION_EVENT set.
	EventsOfSession Switch = "events-of-session"
	// TraceFileByName: TRACEFILE_NAME prints the path also when no file
	// exists yet (its own marker creates it).
	TraceFileByName Switch = "tracefile-name-always"
	// MapFiles: a process makes a .trm file beside its trace file. What is in
	// it is not known; here it is one line.
	MapFiles Switch = "map-files"
	// WheneverIgnoresOradebug: WHENEVER SQLERROR does not see ORADEBUG
	// errors.
	WheneverIgnoresOradebug Switch = "whenever-ignores-oradebug"
	// UndefinedSwallowsLine: an undefined & variable takes the next line of
	// the script as its value.
	UndefinedSwallowsLine Switch = "undefined-swallows-line"
)

// Entry describes one switch: what it is set to unless told otherwise, how
// well it is known, and where.
type Entry struct {
	Switch  Switch
	Default bool
	Mark    string // "reported", "inferred" or "unknown"
	Fact    string // section of the fact sheets
	Text    string // the behaviour when on
}

// Entries returns every switch, in the order of docs/simulator.md.
func Entries() []Entry {
	return []Entry{
		{RingCarriesSQLTrace, true, "unknown", "oradebug.md 4", "SQL trace lines go into the circular buffer"},
		{RingCarriesMarkers, true, "inferred", "oradebug.md 2.5", "ORADEBUG's own marker lines go into the buffer too"},
		{RingOfProcess, true, "inferred", "oradebug.md 4", "the buffer belongs to the process and survives the session"},
		{RingOnAtSet, true, "inferred", "oradebug.md 4", "`sql_trace … trace_buffer_on(n)` allocates the buffer when it is set"},
		{RingOffFrees, true, "inferred", "oradebug.md 3.4", "`trace_buffer_off` flushes and frees the buffer"},
		{RingLostAtExit, true, "inferred", "oradebug.md 4", "a process that ends loses what its buffer held"},
		{ErrorstackFlushes, true, "reported", "oradebug.md 4", "an errorstack dump writes the buffer first"},
		{WrapMarker, true, "reported", "oradebug.md 4", "a flush after a loss starts with the `wrapped` line"},
		{ActionsInOrder, true, "inferred", "oradebug.md 3.5", "the specs of one event run from left to right"},
		{LifetimeCounts, true, "inferred", "oradebug.md 3.5", "`lifetime n` lets a spec fire n times"},
		{OccurenceCounts, true, "inferred", "oradebug.md 3.4", "`{occurence: a, b}` counts the postings in the session"},
		{OffRemovesNumber, true, "inferred", "oradebug.md 3.6", "`n off` removes every spec of event n"},
		{ContextOffRemovesAll, false, "unknown", "oradebug.md 3.6", "`n trace name context off` also removes an errorstack spec"},
		{OffCrosswise, true, "inferred", "oradebug.md 3.6", "`sql_trace off` and `10046 off` remove each other"},
		{LastFilterWins, true, "inferred", "oradebug.md 3.1", "the same event set again replaces the first, filters included"},
		{AttachKeepsTarget, true, "inferred", "oradebug.md 7", "a failed `setorapid` leaves the previous target selected"},
		{DeadSlot72, true, "inferred", "oradebug.md 2.6", "`setorapid` of a free slot is ORA-00072"},
		{UnknownOspid75, true, "inferred", "oradebug.md 2.6", "`setospid` of an unknown pid is ORA-00075"},
		{ExtraArguments73, true, "inferred", "oradebug.md 2.2", "surplus arguments are ORA-00073"},
		{SysdbaOnly1031, true, "inferred", "oradebug.md 1.1", "ORADEBUG without SYSDBA is ORA-01031"},
		{SetidRemote32522, false, "reported", "oradebug.md 2.3", "`settracefileid` on another process raises ORA-32522, and sets it"},
		{SuccessLine, true, "inferred", "oradebug.md 2.1", "silent commands answer `Statement processed.`"},
		{SuccessLineFeedbackOff, true, "unknown", "views-and-sqlplus.md 3.5", "they do so under `set feedback off` too"},
		{TraceColumnFollows, false, "unknown", "views-and-sqlplus.md 2.6", "V$SESSION.SQL_TRACE shows what ORADEBUG set"},
		{AlertOnErrorstack, false, "unknown", "views-and-sqlplus.md 5", "an errorstack event writes to the alert log"},
		{EventsOfSession, true, "inferred", "oradebug.md 3.7", "session events die with the session, process events stay"},
		{TraceFileByName, true, "inferred", "views-and-sqlplus.md 3.5", "`tracefile_name` prints the path although no file was there"},
		{MapFiles, true, "inferred", "views-and-sqlplus.md 4.1", "a `.trm` map file stands next to each trace file"},
		{WheneverIgnoresOradebug, true, "inferred", "oradebug.md 0", "`whenever sqlerror` does not see ORADEBUG errors"},
		{UndefinedSwallowsLine, true, "inferred", "views-and-sqlplus.md 3.5", "an undefined `&` variable swallows the next script line"},
	}
}

// Set is a choice of settings. The zero value has every default.
type Set struct{ changed map[Switch]bool }

// With returns a copy of s with one switch set; ok is false for a name that
// is no switch.
func (s Set) With(name Switch, on bool) (set Set, ok bool) {
	for _, e := range Entries() {
		if e.Switch == name {
			ok = true
		}
	}
	if !ok {
		return s, false
	}
	out := Set{changed: map[Switch]bool{name: on}}
	for k, v := range s.changed {
		if k != name {
			out.changed[k] = v
		}
	}
	return out, true
}

// On says how a switch stands.
func (s Set) On(name Switch) bool {
	if v, ok := s.changed[name]; ok {
		return v
	}
	for _, e := range Entries() {
		if e.Switch == name {
			return e.Default
		}
	}
	return false
}
