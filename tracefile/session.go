package tracefile

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

// session is what the analyzer keeps per session: cursors are private to a
// session, recursion depth too, so files of shared servers and merges of
// trcsess need one each (facts 14).
type session struct {
	*Session
	key       sessionKey
	g         *group
	cursors   map[uint64]*cursor
	sweepAt   int
	uses      int64 // of cursors, those in a row counted once
	lastNo    uint64
	lastCur   *cursor
	levels    []level
	pending   []pendingWait
	story     story
	lastEnd   int64 // end of the last event at depth 0
	client    *Client
	clients   map[clientKey]*Client // beyond fewClients: there are thousands in a session of a connection pool
	skip      bool                  // refused by the options
	resumed   bool                  // it was, and is not any more: the time in between does not count
	begun     int64
	lastLine  int64 // of the last record with a time
	jump      int64 // a time that was not believed
	ran       int64 // elapsed time of stretches before a clock step
	lastBind  *cursor
	lastError *ErrorInfo
	awaited   *ErrorInfo // told of by an error stack, its line may follow
}

type clientKey struct{ id, module, action string }

// cursor is a cursor number of a session. Numbers are reused, also for another
// statement; the latest PARSING IN CURSOR decides (facts 13).
type cursor struct {
	number uint64
	stmt   *Statement
	known  bool // its SQL text was in the trace
	fresh  bool // binds were read and not executed yet
	execs  int64
	plan   int64 // last plh
	used   int64 // session.uses when it was used last
	binds  []byte
	bindAt int64
	row    *Row
	rowID  int64
	build  *planBuilder // nil without an open plan
	node   *FlameNode   // of its last call below another; it may have gone on to another statement
	closed int64        // line of CLOSE type 0: the number means nothing until it is parsed again
	folded *foldedText  // its own text, where stmt stands for others too
}

// maxCursors is from how many cursors on closed ones are forgotten. A session
// has open_cursors at once, but since 11.2 their numbers are addresses and a long
// trace shows hundreds of thousands.
const maxCursors = 4096

// maxOpen is how many cursors a session can have open at most (OPEN_CURSORS,
// facts/views-and-sqlplus.md). Where a trace shows more that were not closed,
// their closes were lost: from forgetFrom on, those idle longest are forgotten.
const (
	maxOpen    = 65_535
	forgetFrom = maxOpen + maxOpen/4
)

// sweep forgets the cursors of the session that were closed a while before line,
// and beyond what can be open those that were idle longest.
func (a *Analyzer) sweep(line int64) {
	const lately = 1000 // plans may follow a close
	s := a.s
	clear(a.recentCursors[:])
	held := make(map[*cursor]bool, len(s.pending))
	for i := range s.pending {
		held[s.pending[i].cur] = true
	}
	var gone []*cursor
	for _, c := range s.cursors {
		ago := line - c.closed
		if c.closed > 0 && (ago < 0 || ago > lately) && c != s.lastBind && !held[c] {
			gone = append(gone, c)
		}
	}
	a.drop(gone)
	if extra := len(s.cursors) - maxOpen; extra > maxOpen/8 {
		a.forget(extra, held)
	}
	s.sweepAt = min(2*len(s.cursors), forgetFrom)
}

// forget drops the cursors of the session that were idle longest. What they do
// afterwards counts for cursors without SQL text.
func (a *Analyzer) forget(extra int, held map[*cursor]bool) {
	s := a.s
	uses := make([]int64, 0, len(s.cursors))
	for _, c := range s.cursors {
		uses = append(uses, c.used)
	}
	slices.Sort(uses)
	last := uses[extra-1]
	var gone []*cursor
	for _, c := range s.cursors {
		if c.used <= last && c != s.lastBind && !held[c] {
			gone = append(gone, c)
		}
	}
	a.drop(gone)
	k := problemKey{file: a.file, kind: "forgotten_cursors"}
	p := a.problem[k]
	if p == nil {
		p = &Problem{a.file, s.lastLine, k.kind, "more cursors stay open in a session than it can have (65535): those idle longest were forgotten, and what they do later counts for cursors without SQL text", 0}
		a.problem[k] = p
		a.p.Problems = append(a.p.Problems, p)
	}
	p.Count += int64(len(gone))
}

// drop takes cursors out of the session. Plans that are open end in the order of
// their cursors' numbers: a map has none of its own.
func (a *Analyzer) drop(gone []*cursor) {
	s := a.s
	var building []*cursor
	for _, c := range gone {
		if c.build != nil {
			building = append(building, c)
		}
		delete(s.cursors, c.number)
	}
	slices.SortFunc(building, func(x, y *cursor) int { return cmp.Compare(x.number, y.number) })
	for _, c := range building {
		a.endPlan(c)
	}
}

// enter makes the session of the key the current one.
func (a *Analyzer) enter(k sessionKey) *session {
	g := a.grp
	s := g.sessions[k]
	if s == nil && k.sid != "" {
		// Text before the first SESSION ID line belongs to the session named
		// after it.
		if old := g.sessions[sessionKey{pid: k.pid}]; old != nil && old.SID == "" {
			delete(g.sessions, old.key)
			s = old
			s.key, s.SID = k, k.sid
			g.sessions[k] = s
		}
	}
	if s == nil {
		s = &session{Session: &Session{}, key: k, g: g, cursors: map[uint64]*cursor{}}
		s.SID, s.PID, s.File = k.sid, k.pid, a.file
		s.levels, a.spareLevels = a.spareLevels, nil
		s.pending, a.sparePending = a.sparePending, nil
		for i := range s.levels {
			g.kids += cap(s.levels[i].kids)
		}
		s.story.pool, s.story.sess, s.story.size = &a.rows, s.Session, a.opt.StoryRows
		if len(g.order) > 64 {
			s.story.size = min(64, a.opt.StoryRows)
		}
		if a.s != nil && k.sid == a.s.SID {
			s.Service, s.Module, s.Action, s.ClientID = a.s.Service, a.s.Module, a.s.Action, a.s.ClientID
		}
		g.sessions[k] = s
		g.order = append(g.order, s)
	}
	if s != a.s {
		clear(a.recentCursors[:])
	}
	a.s = s
	a.boundStories()
	a.admit()
	return s
}

// name is the session's sid.serial#, or its process where the trace does not tell.
func (s *session) name() string {
	if s.SID == "" && s.PID != 0 {
		return "pid " + strconv.FormatInt(s.PID, 10)
	}
	return s.SID
}

// admit asks the options whether the current session counts.
func (a *Analyzer) admit() {
	s := a.s
	was := s.skip
	s.skip = a.opt.Session != nil && !a.opt.Session(s.name()) || a.opt.Module != nil && !a.opt.Module(s.Module, s.Action)
	s.client = nil
	if s.skip {
		a.leaveOut(s)
	}
	s.resumed = s.resumed || was && !s.skip && s.HasTim
}

// context takes time stamps, session attributes and the slice marks of trcsess.
func (a *Analyzer) context(rec *Record) {
	switch rec.Kind {
	case Process:
		g := a.grp
		if a.s.SID != "" {
			g.sidOf[a.s.key.pid] = a.s.SID
		}
		g.pid = rec.Code
		k := sessionKey{rec.Code, g.sidOf[rec.Code]}
		if a.s.key.pid == 0 && a.s.untouched() {
			delete(g.sessions, a.s.key)
			a.s.key, a.s.PID = k, k.pid
			g.sessions[k] = a.s
		}
		a.enter(k)
		return
	case Attribute:
		a.attribute(rec)
	}
	if rec.Stamp.Valid {
		a.stamp(rec.Stamp, rec)
	}
}

func (s *session) untouched() bool {
	return !s.HasTim && len(s.cursors) == 0 && len(s.pending) == 0 && s.CallElapsed == 0
}

func (a *Analyzer) attribute(rec *Record) {
	s, v := a.s, rec.Text
	switch string(rec.Name) {
	case "SESSION ID":
		if s.SID != string(v) {
			s = a.enter(sessionKey{a.grp.pid, string(v)})
		}
		if s.Line == 0 {
			s.Line = rec.Line
		}
		return
	case "CLIENT ID":
		s.ClientID = string(v)
	case "SERVICE NAME":
		s.Service = string(v)
	case "MODULE NAME":
		s.Module = string(v)
	case "ACTION NAME":
		s.Action = string(v)
	case "CLIENT DRIVER":
		s.Driver = string(v)
	}
	a.admit()
}

// header takes the lines of a header block. A second header in a file (facts 1)
// changes the process, nothing else.
func (a *Analyzer) header(rec *Record) {
	f := a.file
	if rec.Kind == Header {
		a.endDump()
		a.endRing(rec.Line)
		f.Headers++
		a.dups.reset()
		a.grp.reopened = f.Headers > 1
		if f.TracePath == "" {
			f.TracePath = string(rec.Text)
		}
		return
	}
	if v, ok := releaseOf(rec.Raw); ok {
		f.Release = string(v)
		if r, ok := ParseRelease(v); ok {
			f.Dialect = DialectOf(r)
		}
		return
	}
	v := string(rec.Text)
	switch string(rec.Name) {
	case "Instance name":
		f.Instance = v
	case "Node name":
		f.Host = v
	case "System name":
		f.Platform = v
	case "Instance number":
		f.InstNumber, _ = digits(rec.Text)
	case "Database name":
		f.Database = v
	case "Oracle process number":
		f.OraPID, _, _ = number(rec.Text, 0)
	case "Unix process pid", "Windows thread id":
		f.PID, _, _ = number(rec.Text, 0)
		if i := bytes.Index(rec.Text, []byte("image: ")); i >= 0 {
			f.Image = string(rec.Text[i+7:])
		}
		a.newProcess(f.PID)
	case "image":
		if f.Image == "" {
			f.Image = v
		}
	default:
		if hasPrefix(rec.Raw, "Windows ") && f.Platform == "" {
			f.Platform = "Windows"
		}
	}
}

// newProcess begins text of the process of a header.
func (a *Analyzer) newProcess(pid int64) {
	g := a.grp
	if pid == 0 || pid == g.pid {
		return
	}
	g.pid = pid
	k := sessionKey{pid: pid}
	if a.s.key.pid == 0 && a.s.untouched() {
		delete(g.sessions, a.s.key)
		a.s.key, a.s.PID = k, pid
		g.sessions[k] = a.s
		a.admit()
		return
	}
	a.enter(k)
}

// find returns the cursor of a number, making one without statement for a
// number that was never parsed here.
func (a *Analyzer) find(no uint64) *cursor {
	if s := a.s; s.lastCur != nil && s.lastNo == no {
		return s.lastCur
	}
	return a.lookUp(no)
}

func (a *Analyzer) lookUp(no uint64) *cursor {
	s := a.s
	recent := &a.recentCursors[no*0x9E3779B97F4A7C15>>60%uint64(len(a.recentCursors))]
	c := *recent
	if c == nil || c.number != no {
		c = s.cursors[no]
		*recent = c
	}
	if c == nil {
		if len(s.cursors) >= max(maxCursors, s.sweepAt) {
			a.sweep(s.lastLine)
		}
		c = &cursor{number: no}
		s.cursors[no] = c
		*recent = c
	}
	s.uses++
	c.used = s.uses
	s.lastNo, s.lastCur = no, c
	return c
}

// clientUse returns the sums of the session's present client, module and action.
func (s *session) clientUse() *Client {
	if s.client != nil {
		return s.client
	}
	k := clientKey{s.ClientID, s.Module, s.Action}
	if c := s.knownClient(k); c != nil {
		s.client = c
		return c
	}
	if len(s.Clients) >= 10000 {
		s.client = s.Clients[len(s.Clients)-1]
		return s.client
	}
	s.client = &Client{ID: s.ClientID, Module: s.Module, Action: s.Action}
	s.Clients = append(s.Clients, s.client)
	if s.clients != nil {
		s.clients[k] = s.client
	}
	return s.client
}

// fewClients is up to how many clients a session needs no table of them: most of many
// thousands of sessions have one.
const fewClients = 8

func (s *session) knownClient(k clientKey) *Client {
	if len(s.Clients) <= fewClients {
		for _, c := range s.Clients {
			if c.ID == k.id && c.Module == k.module && c.Action == k.action {
				return c
			}
		}
		return nil
	}
	if s.clients == nil {
		s.clients = make(map[clientKey]*Client, 2*fewClients)
		for _, c := range s.Clients {
			s.clients[clientKey{c.ID, c.Module, c.Action}] = c
		}
	}
	return s.clients[k]
}
