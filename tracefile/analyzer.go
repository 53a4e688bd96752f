package tracefile

import (
	"hash/maphash"
	"io"
)

// Options steer an Analyzer. The zero value analyses everything.
type Options struct {
	// Think is the time in us from which a wait for the client is think time;
	// 0 means DefaultThink.
	Think int64
	// StoryRows is how many rows of the story are kept per session; 0 means
	// DefaultStoryRows.
	StoryRows int
	// MaxStatements bounds the statements that are kept apart; 0 means
	// DefaultMaxStatements. Beyond it, statements that differ in literals only
	// are summed up in the first of their kind, and the rest in one.
	MaxStatements int
	// Session and Module, if set, are asked for every session; what they refuse
	// is not counted. A session whose sid the trace does not tell is "pid 4711".
	Session func(sid string) bool
	Module  func(module, action string) bool
	// From and To bound the wall-clock time in us UTC; 0 means no bound.
	From, To int64
	// FromLocal and ToLocal say that From and To are times as the trace's own
	// stamps show them, whatever their zone.
	FromLocal, ToLocal bool
	// Clock, if set, tells the clock of a file that was read before, which From and
	// To need: in a ring all time stamps stand behind the records. Files it does not
	// know are judged by the stamps read so far.
	Clock func(path string) (ClockInfo, bool)
	// Snapshot names unknown cursors by their plan hash value.
	Snapshot map[int64][]SnapshotCursor

	maxRows int // 0: maxRows; for tests
}

// SnapshotCursor is an open cursor as the database listed it when the traces
// were collected.
type SnapshotCursor struct {
	SQLID string
	Text  string
}

// Defaults of Options.
const (
	DefaultThink         = 1_000_000
	DefaultStoryRows     = 512
	DefaultMaxStatements = 2_500
	textBudget           = 8 << 20
)

// Analyzer is the semantic layer: it turns the records of any number of files
// into one Profile.
type Analyzer struct {
	opt  Options
	p    *Profile
	seed maphash.Seed

	stmts     map[stmtKey]*Statement
	similar   map[uint64]*Similar
	events    map[string]*Event
	strings   map[string]string
	lastEvent *Event
	recent    [64]*Event // found lately, by their names
	texts     int64      // bytes of SQL text kept
	other     *Statement
	ids       map[string]*Statement // of the first idsOf statements, for error stacks
	idsOf     int
	unfolded  int // failing statements beyond the limit
	folded    foldedTexts
	building  []*cursor      // with an open plan, the oldest first
	builders  []*planBuilder // free ones

	file          *File
	grp           *group
	clock         ClockInfo // of the file, where an earlier reading found it
	clockKnown    bool
	s             *session
	ring          *Ring
	dump          *dumpReader
	calm          bool // records need not ask: no dump or ring is open, and whether the file has a header is known
	topMin        int64
	params        []Param
	wrongTime     bool         // of the present record
	lastOra       OraLine      // the last ORA-nnnnn line outside of dumps
	nodes         []*FlameNode // free ones
	rows          rowPool
	latest        int64  // end of the streams so far, us of the wall clock
	block         []byte // that files are read into
	spareLevels   []level
	sparePending  []pendingWait
	spareSlices   *Slices
	recentCursors [16]*cursor // of the present session, found lately, by their numbers
	spare         []Histogram
	pieces        int // of histograms
	orphan        *FlameNode
	crowd         *FlameNode // of those beyond maxCallees
	callees       int        // nodes below another
	dups          duplicates
	problem       map[problemKey]*Problem
	perKind       map[problemKey]int
}

// NewAnalyzer returns an Analyzer that has seen nothing yet.
func NewAnalyzer(opt Options) *Analyzer {
	if opt.Think == 0 {
		opt.Think = DefaultThink
	}
	if opt.StoryRows == 0 {
		opt.StoryRows = DefaultStoryRows
	}
	if opt.MaxStatements == 0 {
		opt.MaxStatements = DefaultMaxStatements
	}
	if opt.maxRows == 0 {
		opt.maxRows = maxRows
	}
	a := &Analyzer{
		opt:     opt,
		p:       &Profile{ThinkThreshold: opt.Think, Bounded: opt.From|opt.To != 0, ErrorCount: map[int64]int64{}, Root: &FlameNode{}},
		seed:    maphash.MakeSeed(),
		stmts:   map[stmtKey]*Statement{},
		similar: map[uint64]*Similar{},
		events:  map[string]*Event{},
		strings: map[string]string{},
		problem: map[problemKey]*Problem{},
		perKind: map[problemKey]int{},
	}
	return a
}

// group is one stream of trace: a file, or the segments of one.
type group struct {
	sessions map[sessionKey]*session
	order    []*session
	sidOf    map[int64]string // last session of a process, for trcsess output
	pid      int64
	clock    clockState
	slices   *Slices
	lastTim  int64
	reopened bool // a second header: time may run back once

	files, errors int // those before it in the profile
	kids, maxKids int // room for calls that no caller has claimed, in all sessions
}

type sessionKey struct {
	pid int64
	sid string
}

// ReadFile reads one trace file. The error is that of r; what was read before
// it is in the profile.
func (a *Analyzer) ReadFile(path string, r io.Reader) (*File, error) {
	a.StartGroup()
	return a.ReadSegment(path, r)
}

// StartGroup begins a new trace stream: cursors, sessions and clock of the
// files before are not those of the files behind.
func (a *Analyzer) StartGroup() {
	a.endGroup()
	a.grp = &group{sessions: map[sessionKey]*session{}, sidOf: map[int64]string{}, files: len(a.p.Files), errors: len(a.p.Errors), maxKids: maxKidsOfAll}
	a.s = nil
}

// ReadSegment reads a file that goes on where the last one ended (facts 3: files
// of more than max_dump_file_size are segmented). The caller gives the segments
// in order.
func (a *Analyzer) ReadSegment(path string, r io.Reader) (*File, error) {
	if a.grp == nil {
		a.StartGroup()
	}
	f := &File{Path: path, Dialect: DialectOf(Release{})}
	a.p.Files = append(a.p.Files, f)
	a.file = f
	if a.s == nil {
		a.enter(sessionKey{})
	}
	a.endRing(0)
	a.calm, a.clockKnown = false, false
	if a.opt.Clock != nil {
		a.clock, a.clockKnown = a.opt.Clock(path)
	}
	if a.block == nil {
		a.block = newBlock(firstBlock)
	}
	rd := &Reader{in: lineReader{src: r, buf: a.block}}
	for rd.Scan() {
		a.Add(rd.Record())
	}
	a.endDump()
	a.endRing(rd.LinesRead())
	if a.block = rd.in.buf; len(a.block) > blockSize {
		a.block = nil
	}
	f.Bytes, f.Lines = rd.BytesRead(), rd.LinesRead()
	if f.Err = rd.Err(); f.Err != nil {
		a.report("unreadable", f.Lines, f.Err.Error())
	}
	return f, f.Err
}

// Add takes one record of the current file.
func (a *Analyzer) Add(rec *Record) {
	f := a.file
	f.Records[rec.Kind]++
	if rec.Kind.IsTrace() || rec.Kind == EndOfStmt {
		if !a.calm && !a.begins(rec) {
			return
		}
		if d := &a.dups; d.quiet(rec) {
			d.keep(rec)
		} else if d.seen(rec) {
			a.p.DuplicateRecords++
			return
		}
	}
	a.wrongTime = false
	if uint64(rec.CPU|rec.Elapsed) >= lessThanNothing {
		a.negative(rec)
	}
	if s := a.s; rec.Tim-rec.Elapsed > s.Last+maxElapsed && rec.HasTim && s.HasTim && !a.believe(rec) {
		a.wrongTime = true
		if rec.Damage == Sound {
			rec.Damage = WrongTime
		}
	}
	if rec.Damage != Sound {
		a.damage(rec)
	}
	switch rec.Kind {
	case Wait:
		a.wait(rec)
	case Parse, Exec, Fetch, Close, Unmap, SortUnmap:
		a.call(rec)
	case Parsing:
		a.parsing(rec)
	case Binds:
		a.binds(rec)
	case Stat:
		a.stat(rec)
	case Error:
		a.errorRecord(rec)
	case ParseError:
		a.parseError(rec)
	case Xctend:
		a.xctend(rec)
	case Lob:
		a.lob(rec)
	case Separator:
		f.separator = rec.Offset
		if a.ring != nil {
			a.ringRecord(rec)
		}
	case Blank:
		if a.dump != nil {
			a.dump.line(rec)
		} else if a.ring != nil {
			a.ringRecord(rec)
		}
	case Unknown:
		if a.ring != nil && !a.ringRecord(rec) {
			return
		}
		f.loses(rec)
		f.Unknown++
		a.noteUnknown(rec)
	case Stamp, Attribute, Process:
		a.context(rec)
	case Header, HeaderLine:
		a.header(rec)
	case RingWrap:
		a.startRing(rec)
	case FileFull, SizeLimit, ContinuedFrom, ContinuesIn, Recreated:
		a.fileMarker(rec)
	case Oradebug:
		a.marker(rec)
	case Incident, OraMessage:
		a.incident(rec)
	case DumpStart:
		a.startDump(rec)
	case Dump:
		if a.dump != nil {
			a.dump.line(rec)
		}
	}
}

// loses takes text before the first record of a file without a header: the rest of a
// record whose beginning was overwritten in its ring (facts 10).
func (f *File) loses(rec *Record) {
	if !f.lost && f.Headers == 0 && !f.Headless {
		f.lost, f.lostFrom = true, rec.Offset
	}
}

// begins ends the dump before a record, asks the ring about it and notes a file
// that has no header. It reports whether the record counts.
func (a *Analyzer) begins(rec *Record) bool {
	if d := a.dump; d != nil {
		a.endDump()
		if rec.HasTim && (rec.Kind != Wait || classOf(string(rec.Name)) != ClassIdle) {
			a.grp.clock.dumpEnds(d.info, rec, a.grp.lastTim)
		}
	}
	if a.ring != nil && !a.ringRecord(rec) {
		return false
	}
	f := a.file
	if f.Headers == 0 && rec.Kind.IsTrace() {
		if f.lost && !f.Headless {
			f.Skipped = rec.Offset - f.lostFrom
			if rec.Kind == Parsing && f.separator > f.lostFrom {
				f.Skipped = f.separator - f.lostFrom
			}
		}
		f.Headless = true
	} else if rec.Kind == EndOfStmt {
		f.loses(rec)
	}
	a.calm = a.ring == nil && (f.Headers > 0 || f.Headless)
	return true
}

// Files returns the files read so far.
func (a *Analyzer) Files() []*File { return a.p.Files }

// Profile ends the analysis and returns its result. The Analyzer must not be
// used any more.
func (a *Analyzer) Profile() *Profile {
	a.endGroup()
	a.finish()
	return a.p
}
