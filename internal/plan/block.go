package plan

import (
	"iter"
	"strconv"
	"strings"

	"ringtrace/sessions"
	"ringtrace/templates"
)

// Block is one session in a script.
type Block struct {
	N, Of         int // this block and the number of blocks in the script
	InstID        int
	SID           int
	Serial        int
	Orapid        int
	ProcessSerial int    // 0 unknown
	Ospid         string // empty unknown
	Stid          string // empty: unknown, or the process is no thread
	LogonTime     string // 2026-11-30 12:00:00, empty unknown
	// Label names the session for the log:
	// inst=1 sid=69 serial=46228 orapid=38 pserial=12 ospid=52490.
	Label string
	// ProcessKnown: more than the slot number identifies the process.
	ProcessKnown bool
	// Proof is the part of the WHERE clause that names the process incarnation,
	// Own the condition that the row is our session.
	Proof, Own string
	// Who tells a person whose session it is; safe for comments.
	Who string
	// Username … Machine are safe for comments.
	Username, Program, Module, Service, Machine string
	// Tracefile is the path recorded, and TraceName its last element; empty if
	// unknown or not fit to be printed by a script.
	Tracefile, TraceName string
	// TraceDropped: there is a path, but it holds characters a script must not.
	TraceDropped bool
}

func blocks(part Part, define byte) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		var b Block
		w := blockWriter{define: define}
		for i := range part.Sessions {
			w.fill(&b, &part.Sessions[i])
			b.N, b.Of = i+1, len(part.Sessions)
			if !yield(&b) {
				return
			}
		}
	}
}

// blockWriter builds the composed texts of blocks in one buffer.
type blockWriter struct {
	define byte
	buf    []byte
}

func (w *blockWriter) fill(b *Block, s *sessions.Session) {
	safe := func(text string) string { return templates.Comment(w.define, fieldWidth, text) }
	*b = Block{
		InstID: s.InstID, SID: s.SID, Serial: s.Serial, Orapid: s.Orapid, ProcessSerial: s.ProcessSerial,
		Ospid: s.Ospid, LogonTime: stamp(s.LogonTime),
		Username: safe(s.Username), Program: safe(s.Program), Module: safe(s.Module), Service: safe(s.ServiceName), Machine: safe(s.Machine),
	}
	// Listener-started processes on Windows show STID 0, unthreaded ones their
	// SPID (facts/views-and-sqlplus.md 2.4); neither tells more than the SPID.
	if s.Stid != "0" && s.Stid != s.Ospid {
		b.Stid = s.Stid
	}
	b.ProcessKnown = s.ProcessSerial != 0 || s.Ospid != ""
	b.Tracefile, b.TraceName = printablePath(s.Tracefile, w.define)
	b.TraceDropped = s.Tracefile != "" && b.Tracefile == ""
	w.label(b)
	w.who(b)
	w.proof(b)
}

func (w *blockWriter) num(key string, n int) {
	w.buf = append(w.buf, key...)
	w.buf = strconv.AppendInt(w.buf, int64(n), 10)
}

func (w *blockWriter) take() string {
	s := string(w.buf)
	w.buf = w.buf[:0]
	return s
}

func (w *blockWriter) label(b *Block) {
	w.num("inst=", b.InstID)
	w.num(" sid=", b.SID)
	w.num(" serial=", b.Serial)
	w.num(" orapid=", b.Orapid)
	w.num(" pserial=", b.ProcessSerial)
	if b.Ospid != "" {
		w.buf = append(append(w.buf, " ospid="...), b.Ospid...)
	}
	b.Label = w.take()
}

func (w *blockWriter) who(b *Block) {
	for _, f := range [...]struct{ key, value string }{
		{"user ", b.Username}, {"service ", b.Service}, {"program ", b.Program}, {"module ", b.Module}, {"machine ", b.Machine},
	} {
		if f.value == "" {
			continue
		}
		if len(w.buf) > 0 {
			w.buf = append(w.buf, ", "...)
		}
		w.buf = append(append(w.buf, f.key...), f.value...)
	}
	b.Who = w.take()
}

func (w *blockWriter) proof(b *Block) {
	w.num("p.pid = ", b.Orapid)
	if b.ProcessSerial != 0 {
		w.num(" and p.serial# = ", b.ProcessSerial)
	}
	if b.Ospid != "" {
		w.buf = append(append(append(w.buf, " and p.spid = '"...), b.Ospid...), '\'')
	}
	if b.Stid != "" {
		w.buf = append(append(append(w.buf, " and p.stid = '"...), b.Stid...), '\'')
	}
	b.Proof = w.take()

	w.num("s.sid = ", b.SID)
	w.num(" and s.serial# = ", b.Serial)
	if b.LogonTime != "" {
		w.buf = append(append(append(w.buf, " and s.logon_time = to_date('"...), b.LogonTime...), "','YYYY-MM-DD HH24:MI:SS')"...)
	}
	w.buf = append(w.buf, " and s.server = 'DEDICATED'"...)
	b.Own = w.take()
}

// pathChars may stand in a PROMPT line without meaning anything else.
const pathChars = "0123456789" + letters + `_./:\+=@#$, -()`

// printablePath returns the path and its last element if SQL*Plus would print
// it as it is, else two empty texts.
func printablePath(path string, define byte) (full, name string) {
	if path == "" || !token(path, pathChars, 1024) || strings.IndexByte(path, define) >= 0 ||
		strings.HasSuffix(path, "-") || strings.TrimSpace(path) != path {
		return "", ""
	}
	return path, path[strings.LastIndexAny(path, `/\`)+1:]
}
