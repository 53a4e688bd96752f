package journal

import "time"

// Header is the data of the first record: what the campaign set out to do. It
// holds no password and no connect string.
type Header struct {
	Campaign  string     `json:"campaign"`
	Created   time.Time  `json:"created"`
	Expires   time.Time  `json:"expires,omitzero"`
	By        Actor      `json:"by"`
	Origin    string     `json:"origin"` // enable, watch or import
	Database  Database   `json:"database"`
	Instances []Instance `json:"instances"`
	Selector  string     `json:"selector,omitempty"`
	Purpose   string     `json:"purpose,omitempty"`
	Ticket    string     `json:"ticket,omitempty"`
	Events    []Event    `json:"events"`
	RingBytes int64      `json:"ring_bytes"` // 0: no ring
	PlanHash  string     `json:"plan_hash,omitempty"`
}

// Event is one event as it was to be set, with what turns it off.
type Event struct {
	Kind string   `json:"kind"` // error, sql_trace, ring
	Ora  int      `json:"ora,omitempty"`
	Spec string   `json:"spec"`
	Off  []string `json:"off"`
}

// Run is the data of a run record. The record's number names the run.
type Run struct {
	Verb      string `json:"verb"` // enable, disable, watch, flush, import
	By        Actor  `json:"by"`
	Instances []int  `json:"instances"` // inst_ids the run may touch; none: any
	Note      string `json:"note,omitempty"`
	// Dialogue is the absolute path of the file, on By.Host, into which what is
	// said with the database is written; empty: nowhere.
	Dialogue string `json:"dialogue,omitempty"`
}

// Op is what an intent is about to do to a session.
type Op string

// The operations.
const (
	OpArm    Op = "arm"
	OpDisarm Op = "disarm"
	OpRearm  Op = "rearm"
	OpFlush  Op = "flush"
	OpProbe  Op = "probe" // eventdump only: two marker lines in the target's trace
)

// Intent is the data of an intent record, written before the first command
// goes to the target.
type Intent struct {
	Run      Seq      `json:"run"`
	Op       Op       `json:"op"`
	Session  Session  `json:"session"`
	Process  Process  `json:"process"`
	Username string   `json:"username,omitempty"`
	Commands []string `json:"commands"` // without the word oradebug, in order
}

// Evidence is the data of an evidence record: what the target showed before
// anything was set, durable before the first event goes out, because
// "942 off" removes everybody's event 942.
type Evidence struct {
	Intent        Seq      `json:"intent"`
	BeforeSession []string `json:"before_session"`
	BeforeProcess []string `json:"before_process"`
	// Overrode holds event texts of somebody else that --force replaces;
	// disable sets them again.
	Overrode []string `json:"overrode,omitempty"`
}

// Result is what became of an intent.
type Result string

// The results. Unknown is a result: a request that timed out may still run.
const (
	Done    Result = "done"
	Skipped Result = "skipped"
	Failed  Result = "failed"
	Unknown Result = "unknown"
)

// State is the state of a session in a campaign.
type State string

// The states. Lost: process or session gone before we undid it. Pending: a
// request timed out and may still run. Uncertain ("UNKNOWN"): we cannot tell,
// so it is treated as armed.
const (
	Armed      State = "ARMED"
	Fired      State = "FIRED"
	Unbuffered State = "UNBUFFERED"
	Lost       State = "LOST"
	Pending    State = "PENDING"
	Clean      State = "CLEAN"
	Uncertain  State = "UNKNOWN"
)

// Ring says what is known of the ring. It is no event, so eventdump cannot
// show its release (DESIGN 4).
type Ring string

// The ring words.
const (
	RingOnAssumed Ring = "on_assumed"
	RingOnProven  Ring = "on_proven"
	RingOffSent   Ring = "off_sent"
	RingOffProven Ring = "off_proven"
	RingNone      Ring = "none"
)

// Outcome is the data of an outcome record. Finish copies Op, Session and
// Process from the intent, so that damage to one record of the two does not
// hide what was done to a session.
type Outcome struct {
	Intent    Seq      `json:"intent"`
	Op        Op       `json:"op"`
	Session   Session  `json:"session"`
	Process   Process  `json:"process"`
	Result    Result   `json:"outcome"`
	Reason    string   `json:"reason,omitempty"` // gone, restarted, foreign_event, moved, refused, …
	State     State    `json:"state,omitempty"`  // empty: the default for operation and result
	Ring      Ring     `json:"ring,omitempty"`
	Events    []string `json:"events,omitempty"` // as eventdump showed them
	After     []string `json:"after,omitempty"`  // eventdump session at the end
	Tracefile string   `json:"tracefile,omitempty"`
	// TraceBytes is where the trace file ended when the session had been armed,
	// if it could be seen: what the ring holds comes behind it.
	TraceBytes int64  `json:"trace_bytes,omitempty"`
	Detail     string `json:"detail,omitempty"`
}

// Fire is one raised error, as far as it was seen.
type Fire struct {
	Ora int       `json:"ora"`
	At  time.Time `json:"at,omitzero"` // zero: not known
}

// Observed is the data of an observed record: seen without an intent.
type Observed struct {
	Run       Seq     `json:"run"`
	Session   Session `json:"session"`
	State     State   `json:"state,omitempty"`
	Ring      Ring    `json:"ring,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	Tracefile string  `json:"tracefile,omitempty"`
	Fired     []Fire  `json:"fired,omitempty"`
}

// End is the data of an end record.
type End struct {
	Run    Seq    `json:"run"`
	Exit   int    `json:"exit"` // the exit code the verb ended with
	Result string `json:"result,omitempty"`
}

// File is a file that was read in, by content.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Import is the data of an import record.
type Import struct {
	Run      Seq    `json:"run"`
	Manifest File   `json:"manifest"`
	Logs     []File `json:"logs"`
	Blocks   int    `json:"blocks"` // blocks found in the logs
	Armed    int    `json:"armed"`
}

// Resolve is the data of a resolve record: a person takes responsibility for
// what a crash left open. Intents and runs are named by their numbers.
type Resolve struct {
	By      Actor  `json:"by"`
	Intents []Seq  `json:"intents"`
	Runs    []Seq  `json:"runs"`
	State   State  `json:"state"` // what the sessions are taken to be
	Note    string `json:"note"`
}

// What a repair record did.
const (
	RepairTorn     = "torn"     // an unfinished last line was cut off; Text holds it
	RepairAccepted = "accepted" // a person accepted damage, which stays in the file
)

// Repair is the data of a repair record.
type Repair struct {
	What   string `json:"what"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	Text   []byte `json:"text,omitempty"` // base64
}

// Close is the data of a close record.
type Close struct {
	Reason string `json:"reason"` // clean, restarted, resolved, …
	By     Actor  `json:"by"`
}
