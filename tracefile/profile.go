package tracefile

// Values are the figures of one kind of database call.
type Values struct {
	Count   int64
	CPU     int64 // us
	Elapsed int64 // us
	Disk    int64 // blocks
	Query   int64 // consistent gets
	Current int64 // current gets
	Rows    int64
	Misses  int64
}

func (v *Values) add(o *Values) {
	v.Count += o.Count
	v.CPU += o.CPU
	v.Elapsed += o.Elapsed
	v.Disk += o.Disk
	v.Query += o.Query
	v.Current += o.Current
	v.Rows += o.Rows
	v.Misses += o.Misses
}

// Calls are the figures of parse, execute and fetch calls. Execute holds UNMAP
// and SORT UNMAP too, as tkprof has it (facts 5).
type Calls struct{ Parse, Exec, Fetch Values }

// Add adds another set.
func (c *Calls) Add(o Calls) {
	c.Parse.add(&o.Parse)
	c.Exec.add(&o.Exec)
	c.Fetch.add(&o.Fetch)
}

// Sum returns the three together.
func (c Calls) Sum() Values {
	v := c.Parse
	v.add(&c.Exec)
	v.add(&c.Fetch)
	return v
}

func (c *Calls) of(k Kind) *Values {
	switch k {
	case Parse:
		return &c.Parse
	case Fetch:
		return &c.Fetch
	}
	return &c.Exec
}

// Totals are the figures of all calls by tkprof's counting rule (facts 15):
// self values, calls on cursors whose SQL text is not in the trace apart; CLOSE,
// XCTEND and LOB calls are not counted.
type Totals struct {
	NonRecursive, Recursive, UnknownCursors Calls
}

// WaitStat sums the waits for one event.
type WaitStat struct {
	Event *Event
	Count int64
	Total int64 // us
	Max   int64 // us

	// Within is what of Total lies within calls, us; only statements have it.
	Within int64
	// Histogram is nil for events, which have Buckets, and beyond the first
	// maxHistograms of all statements.
	Histogram *Histogram
}

func (w *WaitStat) add(ela int64) {
	w.Count++
	w.Total += ela
	if ela > w.Max {
		w.Max = ela
	}
}

// Event is a wait event and its overall figures.
type Event struct {
	Name    string
	Class   Class
	Client  bool // the wait for the client's next request
	Stat    WaitStat
	Within  int64 // us inside database calls
	Between int64 // us between them
	Think   int64 // us of client waits above the think-time threshold
	Thinks  int64 // their number
	// Buckets counts waits by time: bucket i holds 2^i <= us < 2^(i+1), bucket
	// 0 those below 2 us. BucketTime are their sums in us.
	Buckets    [40]int64
	BucketTime [40]int64
	Objects    []ObjectStat // of I/O, locks and other sessions: which objects were waited for
	Params     *ParamTable  // what its waits were for; nil where the parameters do not tell
	lastObject int
	MaxFile    *File
	MaxLine    int64
}

// TextSource says where the SQL text of a statement comes from.
type TextSource string

// The sources. Only TextTrace is what tkprof knows.
const (
	TextTrace      TextSource = "trace"
	TextErrorstack TextSource = "errorstack"
	TextSnapshot   TextSource = "snapshot"
	TextNone       TextSource = "none"
)

// Statement is one SQL statement, or an unknown one: a cursor that was opened
// before the oldest byte of the trace.
type Statement struct {
	Number     int // 1, 2, … in order of appearance
	SQLID      string
	Hash       int64
	HasHash    bool
	Text       string
	TextCut    bool // only the beginning of Text was kept
	TextSource TextSource
	Inferred   bool   // SQL id and text were not printed for this cursor but concluded
	Cursor     uint64 // of an unknown statement
	Depth      int64
	User       int64 // uid, parsing schema; -1 unknown
	Command    int64 // oct
	PlanHash   int64 // last one seen
	Goal       int64 // og, the optimizer's goal, of the last call that tells: 1 ALL_ROWS, 2 FIRST_ROWS, 3 RULE, 4 CHOOSE (facts 5); 0 none
	PlanHashes []int64
	File       *File
	Line       int64 // first appearance

	Self      Calls // tkprof's rule
	Inclusive Calls // with recursive calls below; only what is below until the end of the analysis
	Close     Values
	HardClose int64 // closes of type 0
	Waits     []WaitStat
	WaitsIn   int64 // us within calls
	Plans     []*Plan
	Errors    int64
	Parents   []*Statement // that called it, up to a few
	MaxCall   int64        // longest call, us
	MaxLine   int64
	MaxFile   *File
	Empty     int64 // fetches without a row
	Similar   *Similar
	Merged    int64 // other statements that differ by literals and were folded in here, beyond the limit
	Rest      bool  // it stands for all statements beyond the limit; it has no text
	BindTypes []int // types of the first bind set

	key    stmtKey
	flame  *FlameNode
	order  int
	waitAt map[*Event]int // where in Waits an event is, beyond fewEvents
}

// Known reports whether the trace holds the statement's text.
func (s *Statement) Known() bool { return s.TextSource == TextTrace }

// ElapsedSelf returns the self elapsed time of parse, execute and fetch in us.
func (s *Statement) ElapsedSelf() int64 {
	return s.Self.Parse.Elapsed + s.Self.Exec.Elapsed + s.Self.Fetch.Elapsed
}

// Similar is a group of statements that differ in their literals only.
type Similar struct {
	Count  int64
	Sample *Statement
}

// Plan is an execution plan of a statement, summed over its appearances.
type Plan struct {
	Hash  int64
	Count int64 // how often it was printed
	Line  int64
	File  *File
	Steps []PlanStep
}

// PlanStep is one row source. Figures are sums over the plan's appearances.
type PlanStep struct {
	ID, Parent, Position, Level int
	Object                      int64
	Operation                   string
	Rows, FirstRows, MaxRows    int64
	CR, PR, PW, Time, SelfTime  int64
	Starts                      int64 // -1 not printed
	Cost, Size, Card            int64
	HasStats                    bool
}

// File is one trace file that was read.
type File struct {
	Path       string
	Bytes      int64
	Lines      int64
	Release    string
	Instance   string
	InstNumber int
	Host       string
	Database   string
	Image      string
	Platform   string
	PID        int64
	OraPID     int64
	Headers    int
	Headless   bool  // trace records stand before any header
	Skipped    int64 // bytes before the first record of a headless file: text whose beginning is lost
	TracePath  string
	Damaged    int64
	Unknown    int64
	Records    [numKinds]int64
	DumpBytes  int64
	Dialect    Dialect
	Clock      ClockInfo
	Err        error // reading failed
	FirstStamp Clock
	LastStamp  Clock

	unknownNote *Problem
	lost        bool // text whose beginning is lost was seen, from lostFrom on
	lostFrom    int64
	separator   int64 // offset of the last one
}

// TraceRecords returns how many records of SQL trace the file holds.
func (f *File) TraceRecords() int64 {
	var n int64
	for k := range f.Records {
		if Kind(k).IsTrace() {
			n += f.Records[k]
		}
	}
	return n
}

// ClockInfo says how tim was turned into wall-clock time.
type ClockInfo struct {
	UnitNs    int64 // of tim: 1000, or 1024 where that was measured, or 10 ms
	Epoch     bool  // tim counts from 1970
	Anchors   int
	Known     bool
	Offset    int64 // wall us (UTC) = tim*UnitNs/1000 + Offset
	Accuracy  int64 // us; how far the anchors disagree
	Zone      int
	HasZone   bool
	ZoneGuess bool // zone concluded, not printed
	Why       string

	jumps []clockJump // Offset is the one before the first
}

// Wall returns the wall-clock time in us UTC of a tim.
func (c ClockInfo) Wall(tim int64) (int64, bool) {
	if !c.Known {
		return 0, false
	}
	return c.scaled(tim) + c.offsetAt(tim), true
}

func (c ClockInfo) scaled(tim int64) int64 {
	if c.UnitNs == 1000 || c.UnitNs == 0 {
		return tim
	}
	return tim/1000*c.UnitNs + tim%1000*c.UnitNs/1000
}

// Session is a session as the trace names it.
type Session struct {
	Number    int
	SID       string // "sid.serial", empty when unknown
	PID       int64
	File      *File
	Service   string
	Module    string
	Action    string
	ClientID  string
	Driver    string
	Container string
	First     int64 // tim, start of the first record
	Last      int64
	HasTim    bool
	Clients   []*Client
	Line      int64
	InFlight  []InFlight
	OpenTx    Transaction

	Elapsed      int64 // us, first start to last end
	CallElapsed  int64 // e of depth 0, LOB calls and what is in flight
	CallCPU      int64
	WaitsWithin  int64
	WaitsBetween int64 // not idle
	Idle         int64 // idle waits between calls
	Gaps         []Gap
	Story        []*Row
	Dropped      int64 // rows of Story that were not kept, because there are too many of all sessions
	Clock        ClockInfo
}

// Client is what one client identifier, module and action did in a session.
type Client struct {
	ID, Module, Action string
	Executions         int64
	Elapsed            int64 // us, depth 0
}

// Gap is time between two calls that nothing accounts for.
type Gap struct {
	Line int64 // of the record behind it
	Time int64 // us
}

// InFlight is a call that never completed: its children, or its bind values,
// are in the trace, itself is not.
type InFlight struct {
	Depth     int64
	Statement *Statement // nil: unknown
	Elapsed   int64      // us of children seen
	Children  int64
	Line      int64
}

// Transaction sums what happened since the last XCTEND.
type Transaction struct {
	Line      int64
	Rows      int64
	Execs     int64
	Waits     int64
	Statement []*Statement
	Changed   []int64 // rows, by statement
}

// Problem is something that went wrong, or a note worth a line.
type Problem struct {
	File    *File
	Line    int64
	Kind    string
	Message string
	Count   int64
}

// Ring is a circular buffer as it was written out (facts 10).
type Ring struct {
	File        *File
	Line        int64
	Bytes       int64 // size of the buffer
	Wrapped     int64
	FirstRecord int64 // line of the first whole record
	Skipped     int64 // bytes before it
	Records     int64
	Span        int64 // us that its records cover
	Full        bool  // "Trace file full" ended it
	EndLine     int64
	first, last int64
	hasTim      bool
	separator   int64 // offset of a separator before the first record
}

// Marker is an ORADEBUG line in the trace.
type Marker struct {
	File    *File
	Line    int64
	Number  int64
	Command string
	State   string // received, finished, console
}

// IncidentLink names an incident's dump file.
type IncidentLink struct {
	File   *File
	Line   int64
	Number int64
	Path   string
	ORA    int64
	Text   string
}

// LobCall sums the LOB calls of one name.
type LobCall struct {
	Name   string
	File   *File
	Line   int64 // of the first
	Bytes  int64
	Values Values
}

// Profile is what a set of trace files says.
type Profile struct {
	Files      []*File
	Sessions   []*Session
	Statements []*Statement
	Events     []*Event
	Totals     Totals
	Errors     []*ErrorInfo
	ErrorCount map[int64]int64
	Dumps      []*DumpInfo
	Deadlocks  []*Deadlock
	Rings      []*Ring
	Markers    []Marker
	Incidents  []IncidentLink
	Lobs       []*LobCall
	Bounded    bool // by Options.From or To
	Problems   []*Problem
	Notes      []*Problem
	Root       *FlameNode
	Slices     *Slices
	Top        []TopCall // longest single calls and waits

	Commits, Rollbacks, ReadOnly int64
	DuplicateRecords             int64 // of one ring written twice, counted once
	ThinkThreshold               int64 // us
	LeftOut                      []LeftOut
	FoldedStatements             int64
}

// TopCall is one long call or wait.
type TopCall struct {
	File      *File
	Line      int64
	Time      int64
	Kind      Kind
	Event     *Event
	Statement *Statement
}
