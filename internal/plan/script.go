package plan

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"ringtrace/sessions"
	"ringtrace/templates"
)

// ScriptKind says which of a part's scripts is meant.
type ScriptKind string

// The scripts of a part.
const (
	Enable  ScriptKind = "enable"
	Disable ScriptKind = "disable"
	Collect ScriptKind = "collect"
)

// Script is the model that templates render: the facts of one part and its
// blocks. Every string in it is fit for the place it is meant for: texts from
// the database or the command line are safe for comments (templates.Comment),
// names and numbers that stand in SQL hold nothing that could end a literal.
type Script struct {
	Kind          ScriptKind
	Style         string
	Header        bool // style classic: with comments
	Tool, Version string
	Campaign      string
	Created       string // 2026-11-30 12:47:26 UTC
	Expires       string // 2026-12-01 12:47:26, UTC, as the guard compares it
	Purpose       string
	Ticket        string
	Selector      string
	Source        string

	File        string // its own name
	EnableFile  string
	UndoFile    string // the disable script
	CollectFile string
	LogBase     string // enable_1_02, without time and extension
	NextFile    string // the next part's script of this kind; empty for the last

	// Checksum is the SHA-256, in hex, of all lines after the line that starts
	// with ChecksumPrefix. Empty while it is being computed.
	Checksum string
	// Define is the substitution character; nothing else in the script holds it.
	Define string

	Instance   InstanceModel
	NotChecked []string // facts that neither inventory nor flags gave

	K, Of        int // this part, parts on the instance
	First, Last  int // numbers of its sessions on the instance
	Count        int // sessions in this part
	OnInstance   int // sessions on the instance
	Total        int // sessions in the campaign
	RingBytes    int64
	MemoryBytes  int64 // of this part
	TotalBytes   int64 // of the campaign
	MaxFires     int
	Errorstack   int  // level, or -1
	Binds        bool // bind values are in the ring
	Codes        []int
	Events       []Event
	Set          []string // event texts that arm, in order
	Off          []string // event texts that disarm the session
	RingOff      []string // event texts that release the ring
	OffAgain     []string // older forms, the second try
	Comments     []string // classic: what --header prints
	TraceView    bool     // V$DIAG_TRACE_FILE_CONTENTS may exist (12.2+, or release unknown)
	VersionKnown bool

	// Blocks hands out the sessions one by one. The *Block is valid until the
	// next one is asked for.
	Blocks iter.Seq[*Block]
}

// ChecksumPrefix starts the line that carries Script.Checksum.
const ChecksumPrefix = "-- checksum: "

// InstanceModel is an instance as scripts name it; empty fields are unknown.
type InstanceModel struct {
	InstID       int
	Numbered     bool // InstID is a fact, not the default of an inventory without inst_id
	DBUniqueName string
	DBID         int64
	Name         string
	Host         string
	Startup      string // 2026-11-30 08:00:00, the digits V$INSTANCE shows
	Version      string
	CDB          bool // a container database: its root sees all sessions
	Threaded     bool // operating-system authentication does not work
}

const oracleTime = "2006-01-02 15:04:05"

// commentWidth bounds one text from the database or the command line, in bytes.
const (
	fieldWidth  = 64
	headerWidth = 200
)

// Script returns the model of one part's script.
func (p *Plan) Script(inst *InstancePlan, part Part, kind ScriptKind) *Script {
	define := p.pickDefine(part.Sessions)
	safe := func(width int, text string) string { return templates.Comment(define, width, text) }
	session, ring, again := OffLines(p.Events)
	name := func(kind ScriptKind) string { return FileName(string(kind), inst.InstID, part, ".sql") }
	s := &Script{
		Kind: kind, Style: p.Style, Header: p.Header, Tool: p.Tool, Version: safe(headerWidth, p.Version), Campaign: p.Campaign,
		Created: p.Now.UTC().Format(oracleTime) + " UTC", Expires: p.Expires.UTC().Format(oracleTime),
		Purpose: safe(headerWidth, p.Purpose), Ticket: safe(headerWidth, p.Ticket),
		Selector: safe(2*headerWidth, p.Selector), Source: safe(headerWidth, p.Source),
		File: name(kind), EnableFile: name(Enable), UndoFile: name(Disable), CollectFile: name(Collect),
		LogBase: FileName(string(kind), inst.InstID, part, ""),
		Define:  string(define), Instance: instanceModel(&inst.Instance),
		K: part.K, Of: part.Of, First: part.First, Last: part.First + len(part.Sessions) - 1,
		Count: len(part.Sessions), OnInstance: inst.Count, Total: len(p.Sessions),
		RingBytes: p.RingBytes(), MemoryBytes: p.RingBytes() * int64(len(part.Sessions)), TotalBytes: p.MemoryBytes(),
		MaxFires: p.Options.MaxFires, Errorstack: p.Options.Errorstack, Binds: p.Options.Binds, Codes: p.Options.Ora,
		Events: p.Events, Set: SetLines(p.Events), Off: session, RingOff: ring, OffAgain: again,
		VersionKnown: inst.Version != "", TraceView: inst.Version == "" || atLeast(inst.Version, 12, 2),
	}
	if part.K < part.Of {
		next := part
		next.K++
		s.NextFile = FileName(string(kind), inst.InstID, next, ".sql")
	}
	s.NotChecked = p.notChecked(&s.Instance, part.Sessions)
	for _, c := range []struct{ label, text string }{{"purpose: ", s.Purpose}, {"ticket: ", s.Ticket}, {"selector: ", s.Selector}} {
		if c.text != "" {
			s.Comments = append(s.Comments, c.label+c.text)
		}
	}
	s.Blocks = blocks(part, define)
	return s
}

// pickDefine returns the first character that no text of the part holds, so
// that names stay readable; should all be taken, templates.Comment replaces it.
func (p *Plan) pickDefine(list []sessions.Session) byte {
	const candidates = "^~!%|"
	for i := range len(candidates) {
		if !p.holds(list, candidates[i]) {
			return candidates[i]
		}
	}
	return templates.DefaultDefine
}

func (p *Plan) holds(list []sessions.Session, c byte) bool {
	has := func(text string) bool { return strings.IndexByte(text, c) >= 0 }
	if has(p.Purpose) || has(p.Ticket) || has(p.Selector) || has(p.Source) || has(p.Version) {
		return true
	}
	for i := range list {
		s := &list[i]
		if has(s.Username) || has(s.Program) || has(s.Module) || has(s.Machine) || has(s.ServiceName) || has(s.Tracefile) {
			return true
		}
	}
	return false
}

func instanceModel(inst *sessions.Instance) InstanceModel {
	return InstanceModel{
		InstID: inst.InstID, Numbered: inst.InstID != 1 || inst.InstanceName != "", DBUniqueName: inst.DBUniqueName, DBID: inst.DBID, Name: inst.InstanceName, Host: inst.HostName,
		Startup: stamp(inst.StartupTime), Version: templates.Comment(templates.DefaultDefine, fieldWidth, inst.Version),
		CDB: inst.CDB, Threaded: inst.Threaded,
	}
}

// stamp prints the digits that the view shows; the reader keeps them.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(oracleTime)
}

func (p *Plan) notChecked(inst *InstanceModel, list []sessions.Session) []string {
	var out []string
	for _, f := range []struct {
		missing bool
		what    string
	}{
		{inst.DBUniqueName == "" && inst.DBID == 0, "database name (--db-name)"},
		{!inst.Numbered, "instance number"},
		{inst.Name == "", "instance name (--instance-name)"},
		{inst.Host == "", "host (--host)"},
		{inst.Startup == "", "startup time (--started)"},
	} {
		if f.missing {
			out = append(out, f.what)
		}
	}
	for _, f := range []struct {
		what    string
		missing func(*sessions.Session) bool
	}{
		{"logon_time", func(s *sessions.Session) bool { return s.LogonTime.IsZero() }},
		{"process_serial", func(s *sessions.Session) bool { return s.ProcessSerial == 0 }},
		{"ospid", func(s *sessions.Session) bool { return s.Ospid == "" }},
	} {
		n := 0
		for i := range list {
			if f.missing(&list[i]) {
				n++
			}
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%s of %d sessions (not in the inventory)", f.what, n))
		}
	}
	return out
}

// atLeast compares an Oracle version such as 12.2.0.1.0.
func atLeast(version string, major, minor int) bool {
	a, rest, _ := strings.Cut(version, ".")
	b, _, _ := strings.Cut(rest, ".")
	x, err := strconv.Atoi(a)
	if err != nil {
		return true // unknown is not old
	}
	y, _ := strconv.Atoi(b) // 23ai prints 23.0; a missing minor counts as 0
	return x > major || x == major && y >= minor
}
