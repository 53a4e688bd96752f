package drill

import "context"

// The ids of the questions. Those that the simulator has a switch for have its
// name.
const (
	RingCarriesMarkers     = "ring-carries-markers"
	RingCarriesSQLTrace    = "ring-carries-sql-trace"
	RingOnAtSet            = "ring-on-at-set"
	RingOffFrees           = "ring-off-frees"
	ErrorstackFlushes      = "errorstack-flushes"
	RingSurvivesErrorstack = "ring-survives-errorstack"
	DumpReachesFile        = "dump-reaches-file"
	ActionFormAllocates    = "action-form-allocates"
	RingComesBack          = "ring-comes-back"
	BothSpecsRun           = "both-specs-run"
	SecondOn               = "second-trace-buffer-on"
	SmallestRing           = "smallest-ring"
	PGADifference          = "pga-difference"
	EventTexts             = "eventdump-texts"
	KillSession            = "kill-session"
)

// question is one experiment. Each gets a scratch session of its own.
type question struct {
	id, text, fact string
	try            func(ctx context.Context, x *bench, s *subject) (string, error)
}

// questions are asked in this order: later ones use earlier answers.
func questions() []question {
	return []question{
		{RingCarriesSQLTrace, "SQL trace goes through the ring", "oradebug.md 4", carriesSQLTrace},
		{RingCarriesMarkers, "ORADEBUG's marker lines go through the ring", "oradebug.md 2.5", carriesMarkers},
		{RingOnAtSet, "trace_buffer_on as an action allocates when it is set", "oradebug.md 4", onAtSet},
		{ActionFormAllocates, "trace_buffer_on as an action allocates at all", "oradebug.md 4", actionAllocates},
		{RingOffFrees, "trace_buffer_off frees the ring", "oradebug.md 3.4", offFrees},
		{ErrorstackFlushes, "an errorstack writes the ring", "oradebug.md 4", errorstackFlushes},
		{RingSurvivesErrorstack, "the ring is there after an errorstack", "oradebug.md 4", survivesErrorstack},
		{DumpReachesFile, "an errorstack reaches the file although a ring is on", "oradebug.md 4", dumpReachesFile},
		{"wrap-marker", "a ring that lost bytes says so", "oradebug.md 4", wrapMarker},
		{BothSpecsRun, "both actions of the founding event run", "oradebug.md 3.5", bothSpecs},
		{"actions-in-order", "actions of one event run from left to right", "oradebug.md 3.5", inOrder},
		{RingComesBack, "the ring comes back after the founding event fired", "oradebug.md 4", comesBack},
		{SecondOn, "what a second trace_buffer_on does", "oradebug.md 4", secondOn},
		{SmallestRing, "what small rings hold", "oradebug.md 4", smallest},
		{PGADifference, "memory that a ring of 1048576 bytes takes", "oradebug.md 4", pgaDifference},
		{"lifetime-counts", "lifetime n bounds the firings", "oradebug.md 3.5", lifetime},
		{"occurence-counts", "{occurence: 1,1} fires once", "oradebug.md 3.4", occurence},
		{"off-removes-number", "`942 off` removes every action of 942", "oradebug.md 3.6", offNumber},
		{"context-off-removes-all", "`942 trace name context off` removes an errorstack", "oradebug.md 3.6", contextOff},
		{"off-crosswise", "`10046 off` removes sql_trace", "oradebug.md 3.6", crosswise},
		{"last-filter-wins", "the same event with another filter replaces the first", "oradebug.md 3.1", lastFilter},
		{"trace-column-follows", "V$SESSION.SQL_TRACE shows what ORADEBUG set", "views-and-sqlplus.md 2.6", traceColumn},
		{"alert-on-errorstack", "an errorstack event writes to the alert log", "views-and-sqlplus.md 5", alertLog},
		{"attach-keeps-target", "a failed setorapid keeps the target before it", "oradebug.md 7", keepsTarget},
		{"dead-slot-ora-72", "setorapid of a free slot is ORA-00072", "oradebug.md 2.6", deadSlot},
		{"unknown-ospid-ora-75", "setospid of an unknown pid is ORA-00075", "oradebug.md 2.6", unknownOspid},
		{"extra-arguments-ora-73", "a surplus argument is ORA-00073", "oradebug.md 2.2", extraArguments},
		{"sysdba-only-ora-1031", "ORADEBUG without SYSDBA is ORA-01031", "oradebug.md 1.1", sysdbaOnly},
		{"settracefileid-ora-32522", "settracefileid of another process is ORA-32522", "oradebug.md 2.3", setTracefileID},
		{"success-line", "silent commands answer with one line", "oradebug.md 2.1", successLine},
		{"success-line-feedback-off", "they do so with feedback off", "views-and-sqlplus.md 3.5", feedbackOff},
		{"tracefile-name-always", "tracefile_name answers before the file is there", "views-and-sqlplus.md 3.5", tracefileName},
		{"whenever-ignores-oradebug", "WHENEVER SQLERROR does not see ORADEBUG errors", "oradebug.md 0", whenever},
		{"undefined-swallows-line", "an undefined variable swallows the next line", "views-and-sqlplus.md 3.5", undefined},
		{"ring-of-process", "the ring survives its session", "oradebug.md 4", ringOfProcess},
		{"events-of-session", "session events end with the session", "oradebug.md 3.7", eventsOfSession},
		{"ring-lost-at-exit", "a process that ends loses what its ring holds", "oradebug.md 4", lostAtExit},
		{KillSession, "what KILL SESSION does to the ring", "oradebug.md 4", killed},
	}
}
