// Package report turns the profile of trace files into what a person reads:
// text, JSON, CSV, folded stacks and one self-contained HTML page.
//
// Model is the whole report as data. Every renderer takes it and nothing else.
// Its JSON form is the contract of `report -o json`; fields beyond the contract
// may be added, none renamed. All times ending in _us are microseconds, offsets
// ending in _s seconds.
//
// What the HTML page needs is all here: Verdict (sticky head), Timeline (the
// story table: fold count, depth, binds, waits), Sessions, Statements with
// Plans (tree by Level; SelfUS), Profile (bars; PercentR), Waits with Histogram,
// Chart (stacked slices), Flame (nested nodes; TotalUS is the width, Statement
// the index into Statements or -1), Findings with evidence lines, Dumps,
// Deadlocks, Problems and Notes. Strings come from the database and are hostile:
// render them with html/template only.
package report

import "ringtrace/tracefile"

// Model is a report.
type Model struct {
	Files        []File       `json:"files"`
	Time         Time         `json:"time"`
	Totals       Totals       `json:"totals"`
	Statements   []Statement  `json:"statements"`
	Waits        []Wait       `json:"waits"`
	Errors       []Error      `json:"errors"`
	Rings        []Ring       `json:"rings"`
	Transactions Transactions `json:"transactions"`
	Timeline     []Row        `json:"timeline"`
	Problems     []Problem    `json:"problems"`

	// Beyond the contract.
	Verdict    *Verdict         `json:"verdict"`
	Coverage   Coverage         `json:"coverage"`
	Profile    []Component      `json:"profile"`
	Findings   []Finding        `json:"findings"`
	Sessions   []Session        `json:"sessions"`
	ErrorCount []ErrorCount     `json:"error_counts"`
	Deadlocks  []Deadlock       `json:"deadlocks"`
	Dumps      []Dump           `json:"dumps"`
	Incidents  []Incident       `json:"incidents"`
	Markers    []Marker         `json:"oradebug"`
	LOB        []LOB            `json:"lob_calls"`
	Longest    []Longest        `json:"longest"`
	Notes      []Problem        `json:"notes"`
	Chart      *Chart           `json:"chart"`
	Flame      *Flame           `json:"flame"`
	History    []Execution      `json:"history"`
	Failures   []Failure        `json:"failures"`
	Bundles    []Bundle         `json:"bundles"`
	Redacted   []string         `json:"redacted"` // binds, literals, names that are tokens in a bundle
	Recursive  []RecursiveSYS   `json:"recursive_sys"`
	Clients    []ClientSum      `json:"clients"`     // over all sessions
	Passed     []PassedOver     `json:"passed_over"` // files of folders and archives that were not read
	Selection  []string         `json:"selection"`
	Narrowed   []string         `json:"narrowed"` // what the selection leaves out, in words
	LeftOut    []string         `json:"left_out"` // sessions and modules it refused
	Nothing    bool             `json:"nothing_selected"`
	Tool       string           `json:"tool"`
	Top        int              `json:"top"`  // how many statements the text and HTML show
	Sort       string           `json:"sort"` // their order
	TailUS     int64            `json:"tail_us"`
	Sections   []Section        `json:"-"` // further parts of the HTML page
	tailAsked  bool             // for a length of the story
	rowsBehind int64            // of the story, left out behind the error; the others of timeline_rows stand before
	noTrace    bool             // no file has a record of SQL trace, an error or a dump
	bySQL      bool             // times are those of selected statements
	bounded    bool             // by a selection that is not of all that was read
	covers     string           // from when to when the traces are, where they were bounded in time
	met        map[int]bool     // numbers of the statements that met the errors asked for
	unfolded   bool             // recursive SYS statements stand one by one in the ranking
	Omitted    map[string]int64 `json:"omitted"`
}

// Calls are the figures of one kind of call: self values, by tkprof's rule.
type Calls struct {
	Count     int64 `json:"count"`
	CPUUS     int64 `json:"cpu_us"`
	ElapsedUS int64 `json:"elapsed_us"`
	Disk      int64 `json:"disk"`
	Query     int64 `json:"query"`
	Current   int64 `json:"current"`
	Rows      int64 `json:"rows"`
	Misses    int64 `json:"misses"`
}

// CallSet is tkprof's Parse, Execute and Fetch.
type CallSet struct {
	Parse Calls `json:"parse"`
	Exec  Calls `json:"exec"`
	Fetch Calls `json:"fetch"`
}

// Totals obey tkprof's counting rule (facts/trace-format.md 15); what tkprof
// drops is in UnknownCursors.
type Totals struct {
	NonRecursive   CallSet `json:"non_recursive"`
	Recursive      CallSet `json:"recursive"`
	UnknownCursors CallSet `json:"unknown_cursors"`
}

// File is a trace file.
type File struct {
	Path          string   `json:"path"`
	Bytes         int64    `json:"bytes"`
	Lines         int64    `json:"lines"`
	OracleVersion *string  `json:"oracle_version"`
	Instance      *string  `json:"instance"`
	Host          *string  `json:"host"`
	Damaged       int64    `json:"damaged_records"`
	Unknown       int64    `json:"unknown_lines"`
	Error         *string  `json:"error"`
	Database      *string  `json:"database"`
	PID           *int64   `json:"pid"`
	ORAPID        *int64   `json:"orapid"`
	Image         *string  `json:"image"`
	Headers       int      `json:"headers"`
	Headless      bool     `json:"headless"`
	DumpBytes     int64    `json:"dump_bytes"`
	Records       []Record `json:"records"`
	Clock         Clock    `json:"clock"`
}

// Record counts the records of one kind.
type Record struct {
	Kind  string `json:"kind"`
	Count int64  `json:"count"`
}

// Clock says how times became wall-clock times, and why.
type Clock struct {
	UnitNS     int64  `json:"unit_ns"`
	Epoch      bool   `json:"epoch"`
	Anchors    int    `json:"anchors"`
	AccuracyUS int64  `json:"accuracy_us"`
	ZoneGuess  bool   `json:"zone_guessed"`
	Why        string `json:"why"`
	ZoneKnown  bool   `json:"zone_known"` // else times end in -00:00 and are as the trace shows them
}

// Time sums the sessions. Elapsed = Accounted + Idle + Unaccounted: calls at
// depth 0 and other waits between calls; idle waits between calls; the rest.
type Time struct {
	First         *string `json:"first"`
	Last          *string `json:"last"`
	ElapsedUS     int64   `json:"elapsed_us"`
	AccountedUS   int64   `json:"accounted_us"`
	IdleUS        int64   `json:"idle_us"`
	UnaccountedUS int64   `json:"unaccounted_us"`
}

// Wait sums the waits for one event.
type Wait struct {
	Event     string   `json:"event"`
	Count     int64    `json:"count"`
	TotalUS   int64    `json:"total_us"`
	MaxUS     int64    `json:"max_us"`
	Class     string   `json:"class,omitempty"`
	WithinUS  int64    `json:"within_us,omitempty"`
	BetweenUS int64    `json:"between_us,omitempty"`
	ThinkUS   int64    `json:"think_us,omitempty"`
	Thinks    int64    `json:"think_count,omitempty"`
	P50US     int64    `json:"p50_us,omitempty"`
	P95US     int64    `json:"p95_us,omitempty"`
	MaxFile   string   `json:"max_file,omitempty"`
	MaxLine   int64    `json:"max_line,omitempty"`
	Histogram []Bucket `json:"histogram,omitempty"`

	Objects []WaitObject `json:"objects,omitempty"` // the ten waited for the longest
	For     []WaitTable  `json:"for,omitempty"`     // by file and block, lock, latch
}

// WaitObject sums the waits for one object (obj#); 0 stands for all others.
type WaitObject struct {
	Object  int64 `json:"object"`
	Count   int64 `json:"count"`
	TotalUS int64 `json:"total_us"`
	MaxUS   int64 `json:"max_us"`
}

// Bucket holds the waits of FromUS <= us < ToUS.
type Bucket struct {
	FromUS  int64 `json:"from_us"`
	ToUS    int64 `json:"to_us"`
	Count   int64 `json:"count"`
	TotalUS int64 `json:"total_us"`
}

// Statement is a SQL statement. SQLID, HashValue, Text, Depth and User are null
// where the trace does not tell; Cursor is then the number it ran under.
type Statement struct {
	SQLID         *string       `json:"sql_id"`
	HashValue     *int64        `json:"hash_value"`
	Text          *string       `json:"text"`
	TextSource    string        `json:"text_source"`
	Depth         int64         `json:"depth"`
	User          *int64        `json:"user"`
	Parse         Calls         `json:"parse"`
	Exec          Calls         `json:"exec"`
	Fetch         Calls         `json:"fetch"`
	Waits         []Wait        `json:"waits"`
	Plans         []Plan        `json:"plans"`
	ElapsedSelfUS int64         `json:"elapsed_self_us"`
	Inclusive     CallSet       `json:"inclusive"`
	InclusiveUS   int64         `json:"elapsed_inclusive_us"`
	Number        int           `json:"number"`
	Inferred      bool          `json:"inferred"`
	TextCut       bool          `json:"text_cut"`
	Cursor        *string       `json:"cursor"`
	Command       string        `json:"command"`
	PlanHashes    []int64       `json:"plan_hashes"`
	OptimizerMode *string       `json:"optimizer_mode"`
	File          string        `json:"file"`
	Line          int64         `json:"line"`
	Errors        int64         `json:"errors"`
	Close         Calls         `json:"close"`
	Closes        int64         `json:"closes"`
	HardCloses    int64         `json:"hard_closes"`
	EmptyFetches  int64         `json:"empty_fetches"`
	WaitsWithinUS int64         `json:"waits_within_us"`
	MaxCallUS     int64         `json:"max_call_us"`
	MaxFile       string        `json:"max_file"`
	MaxLine       int64         `json:"max_line"`
	Parents       []string      `json:"parents"`
	Children      []string      `json:"children"`
	LastRuns      []Run         `json:"last_runs"` // the last bind sets that the story holds
	Similar       int64         `json:"similar_statements"`
	Merged        int64         `json:"merged_statements"`
	BindTypes     []string      `json:"bind_types"`
	Name          string        `json:"name"` // sql_id, or #cursor
	group         int           // of statements that differ in literals; 0 alone
	grouped       int64         // how many this row of a table stands for
	boxName       string        // in the flame chart, when that asked for it
	sys           *RecursiveSYS // this row of a table stands for these
	rest          bool          // all beyond the limit of those told apart
	origin        *tracefile.Statement
}

// Run is an execution of a statement with its bind values.
type Run struct {
	File  string `json:"file"`
	Line  int64  `json:"line"`
	ORA   int64  `json:"ora"`
	Binds []Bind `json:"binds"`
}

// Plan is an execution plan, figures summed over its appearances.
type Plan struct {
	PlanHash int64      `json:"plan_hash"`
	Count    int64      `json:"count"`
	File     string     `json:"file"`
	Line     int64      `json:"line"`
	Steps    []PlanStep `json:"operations"`
}

// PlanStep is a row source; Level is its indentation. Est is the optimizer's
// estimate of rows per start.
type PlanStep struct {
	ID        int    `json:"id"`
	Parent    int    `json:"pid"`
	Position  int    `json:"pos"`
	Level     int    `json:"level"`
	Operation string `json:"op"`
	Object    int64  `json:"obj"`
	Rows      int64  `json:"rows"`
	FirstRows int64  `json:"rows_first"`
	MaxRows   int64  `json:"rows_max"`
	Starts    *int64 `json:"starts"`
	CR        int64  `json:"cr"`
	PR        int64  `json:"pr"`
	PW        int64  `json:"pw"`
	TimeUS    int64  `json:"time_us"`
	SelfUS    int64  `json:"self_us"`           // 0 where Clamped
	Clamped   bool   `json:"clamped,omitempty"` // the children took longer: parallel slaves
	Cost      int64  `json:"cost"`
	Size      int64  `json:"size"`
	Est       int64  `json:"card"`
}

// Error is one error of a session. Text is the SQL text of the statement that
// failed, Message what stands behind ORA-nnnnn in the trace.
type Error struct {
	ORA        int64   `json:"ora"`
	File       string  `json:"file"`
	Line       int64   `json:"line"`
	At         *string `json:"at"`
	SQLID      *string `json:"sql_id"`
	Text       *string `json:"text"`
	ParseError bool    `json:"parse_error"`
	Dump       bool    `json:"dump"`
	Message    *string `json:"message"`
	Source     string  `json:"source"`
	SQLSource  string  `json:"sql_source"`
	Session    string  `json:"session"`
	DumpLine   int64   `json:"dump_line"`
	DumpFile   *string `json:"dump_file"` // where it is not that of the error: an incident's
	Binds      []Bind  `json:"binds"`
	Depth      int64   `json:"depth"`
	Ordinal    int64   `json:"execution"`
	Apart      string  `json:"apart"` // why it is not the campaign's: not_watched, before_arming, not_armed
}

// Failure is an error of one statement in one session, however often it came.
// Binds and Line are those of its first time, or of the time it brought a dump.
type Failure struct {
	ORA        int64   `json:"ora"`
	Message    *string `json:"message"`
	Session    string  `json:"session"`
	SQLID      *string `json:"sql_id"`
	Statement  int     `json:"statement"`
	What       string  `json:"what"`
	Count      int64   `json:"count"`
	Dump       bool    `json:"dump"`
	ParseError bool    `json:"parse_error"`
	FirstAt    *string `json:"first_at"`
	LastAt     *string `json:"last_at"`
	File       string  `json:"file"`
	Line       int64   `json:"line"`
	LastLine   int64   `json:"last_line"`
	Binds      []Bind  `json:"binds"`
	Verdict    bool    `json:"verdict"`   // the one the report is about
	PassedOn   bool    `json:"passed_on"` // the verdict's, raised again by its caller
	Apart      string  `json:"apart"`     // why it is not the campaign's: not_watched, before_arming, not_armed
	wall       int64
	hasWall    bool
}

// ErrorCount counts all errors of a number, also those not listed.
type ErrorCount struct {
	ORA   int64 `json:"ora"`
	Count int64 `json:"count"`
}

// Bind is a bind value, shown as a SQL literal.
type Bind struct {
	Position int    `json:"position"`
	Type     string `json:"type"`
	Value    string `json:"value"`
}

// Ring is a circular buffer as it was written out. HorizonUS is the time its
// records cover, from the start of the first whole one.
type Ring struct {
	File            string `json:"file"`
	Line            int64  `json:"line"`
	Bytes           int64  `json:"bytes"`
	Wrapped         int64  `json:"wrapped"`
	FirstRecordLine int64  `json:"first_record_line"`
	HorizonUS       int64  `json:"horizon_us"`
	SkippedBytes    int64  `json:"skipped_bytes"`
	Records         int64  `json:"records"`
	FileFull        bool   `json:"file_full"`
	EndLine         int64  `json:"end_line"`
}

// Transactions counts XCTEND lines. Commits and Rollbacks include those that
// changed nothing; ReadOnly counts these.
type Transactions struct {
	Commits   int64 `json:"commits"`
	Rollbacks int64 `json:"rollbacks"`
	ReadOnly  int64 `json:"read_only"`
}

// Row is a row of the story. Fold is how many rows it stands for.
type Row struct {
	At          *string  `json:"at"`
	OffsetS     *float64 `json:"offset_s"` // from the error, or from the end
	Kind        string   `json:"kind"`     // execution transaction error lob wait oradebug gap
	File        string   `json:"file"`
	Line        int64    `json:"line"`
	LastLine    int64    `json:"last_line"`
	Session     string   `json:"session"`
	Depth       int64    `json:"depth"`
	SQLID       *string  `json:"sql_id"`
	Statement   int      `json:"statement"` // number; 0 none
	What        string   `json:"what"`
	Executions  int64    `json:"executions"`
	Parses      int64    `json:"parses"`
	HardParses  int64    `json:"hard_parses"`
	Fetches     int64    `json:"fetches"`
	Rows        int64    `json:"rows"`
	CPUUS       int64    `json:"cpu_us"`
	ElapsedUS   int64    `json:"elapsed_us"`
	SelfUS      int64    `json:"self_us"`
	Gets        int64    `json:"gets"`
	Reads       int64    `json:"reads"`
	WaitUS      int64    `json:"wait_us"`
	LongestWait string   `json:"longest_wait,omitempty"`
	LongestUS   int64    `json:"longest_wait_us,omitempty"`
	ORA         int64    `json:"ora,omitempty"`
	Rollback    bool     `json:"rollback,omitempty"`
	ReadOnly    bool     `json:"read_only,omitempty"`
	Fold        int64    `json:"fold"`
	Binds       []Bind   `json:"binds"`
	LastBinds   []Bind   `json:"last_binds,omitempty"`
	Failing     bool     `json:"failing,omitempty"`
	wall        int64
	hasWall     bool
}

// Problem is something wrong, or a note, at a place in a file.
type Problem struct {
	File    string `json:"file"`
	Line    int64  `json:"line"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Count   int64  `json:"count"`
}

// Coverage says what the trace covers and what it lost.
type Coverage struct {
	RingBytes         int64   `json:"ring_bytes"`
	Wrapped           int64   `json:"wrapped"`
	CoveredUS         int64   `json:"covered_us"`
	SkippedBytes      int64   `json:"skipped_bytes"`
	Headless          bool    `json:"headless"`
	UnknownStatements int64   `json:"unknown_statements"`
	Statements        int64   `json:"statements"`
	UnknownUS         int64   `json:"unknown_us"`
	UnknownPercent    float64 `json:"unknown_percent"`
	UnknownLines      int64   `json:"unknown_lines"`
	DamagedRecords    int64   `json:"damaged_records"`
	DuplicateRecords  int64   `json:"duplicate_records"`
	Named             int64   `json:"named_by_inference"`

	headless int64 // of SkippedBytes, those of files without a header
}

// Component is a row of the resource profile; the last one is the total, equal
// to Time.ElapsedUS.
type Component struct {
	Name     string  `json:"name"`
	Class    string  `json:"class"`
	TimeUS   int64   `json:"time_us"`
	PercentR float64 `json:"percent"`
	Count    int64   `json:"count"`
	MeanUS   int64   `json:"mean_us"`
	P50US    int64   `json:"p50_us"`
	P95US    int64   `json:"p95_us"`
	MaxUS    int64   `json:"max_us"`
	Total    bool    `json:"total,omitempty"`
}

// Finding is a likely cause with its evidence and the seconds it may be worth.
type Finding struct {
	Rule      string   `json:"rule"`
	Title     string   `json:"title"`
	Detail    string   `json:"detail"`
	SavingUS  int64    `json:"saving_us"`
	Evidence  []string `json:"evidence"` // file:Lnnn
	Statement int      `json:"statement"`

	Unexplained bool `json:"unexplained"` // time that cannot be saved: the trace does not tell what it was
}

// Session is a session that the traces name.
type Session struct {
	Name           string   `json:"session"`
	PID            int64    `json:"pid"`
	File           string   `json:"file"`
	Service        string   `json:"service"`
	Module         string   `json:"module"`
	Action         string   `json:"action"`
	ClientID       string   `json:"client_id"`
	Driver         string   `json:"driver"`
	Container      string   `json:"container"`
	First          *string  `json:"first"`
	Last           *string  `json:"last"`
	ElapsedUS      int64    `json:"elapsed_us"`
	CallsUS        int64    `json:"calls_us"`
	CPUUS          int64    `json:"cpu_us"`
	WaitsWithinUS  int64    `json:"waits_within_us"`
	WaitsBetweenUS int64    `json:"waits_between_us"`
	IdleUS         int64    `json:"idle_us"`
	Clients        []Client `json:"clients"`
	Gaps           []Gap    `json:"gaps"`
	InFlight       []Flight `json:"in_flight"`
}

// Client is what one client identifier, module and action did in a session.
type Client struct {
	ClientID   string `json:"client_id"`
	Module     string `json:"module"`
	Action     string `json:"action"`
	Executions int64  `json:"executions"`
	ElapsedUS  int64  `json:"elapsed_us"`
}

// Gap is time before a line that nothing accounts for.
type Gap struct {
	Line   int64 `json:"line"`
	TimeUS int64 `json:"time_us"`
}

// Chart is time by class in slices of equal width; Series[i][k] is class i in
// slice k, us.
type Chart struct {
	File     string    `json:"file"`
	First    *string   `json:"first"`
	WidthUS  int64     `json:"width_us"`
	Classes  []string  `json:"classes"`
	Series   [][]int64 `json:"series"`
	ErrorsAt []int     `json:"errors_at"` // slices that hold an error
	// Commits and Rollbacks, by slice, are those that had changed something; empty
	// where there were none.
	Commits   []int64 `json:"commits"`
	Rollbacks []int64 `json:"rollbacks"`

	sessions []string // of the file
}

// Flame is a statement below its callers.
type Flame struct {
	Name      string   `json:"name"`
	Statement int      `json:"statement"` // number; 0 none
	SelfUS    int64    `json:"self_us"`
	TotalUS   int64    `json:"total_us"`
	Count     int64    `json:"count"`
	Children  []*Flame `json:"children,omitempty"`
}

// Execution is one execution of the failing statement, for comparing.
type Execution struct {
	At        *string `json:"at"`
	File      string  `json:"file"`
	Line      int64   `json:"line"`
	Session   string  `json:"session"`
	ORA       int64   `json:"ora"`
	Rows      int64   `json:"rows"`
	ElapsedUS int64   `json:"elapsed_us"`
	Binds     []Bind  `json:"binds"`
	Differs   []int   `json:"differs"` // positions whose value differs from the failing one
}
