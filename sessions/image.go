package sessions

import (
	"strconv"
	"strings"
)

// imageKind is what a server process is by its name: V$PROCESS.PNAME, or the
// name in brackets at the end of "oracle@host (J000)".
type imageKind uint8

const (
	kindForeground imageKind = iota
	kindBackground
	kindJob    // J000 …
	kindPX     // P000 …, PZ99 for GV$ queries
	kindShared // S000 shared server, D000 dispatcher, L000 pooled server
)

// imageKind looks at the process name where the source has one, then at the
// server's image, then at the program. A client chooses its own program text, so
// only what looks like a server's ("oracle@…", "ORACLE.EXE") is believed
// (facts/views-and-sqlplus.md 2.2), and not where the image itself is known: a
// job slave of another database that comes by a database link is a client here.
func (r *Row) imageKind() imageKind {
	if r.Evidence.PName != "" {
		return kindOfName(r.Evidence.PName)
	}
	if r.Evidence.Image != "" {
		return kindOfName(nameInImage(r.Evidence.Image))
	}
	return kindOfName(nameInImage(r.Program))
}

// nameInImage returns the process name of a server image, or "".
func nameInImage(image string) string {
	low := strings.ToLower(image)
	if !strings.HasPrefix(low, "oracle@") && !strings.HasPrefix(low, "oracle.exe") {
		return ""
	}
	open := strings.LastIndexByte(image, '(')
	if open < 0 || !strings.HasSuffix(image, ")") {
		return ""
	}
	name := image[open+1 : len(image)-1]
	// "(TNS V1-V3)" marks a local client, not a process.
	if len(name) < 3 || len(name) > 5 || strings.ContainsAny(name, " -") {
		return ""
	}
	return name
}

func kindOfName(name string) imageKind {
	name = strings.ToUpper(name)
	digits := len(name) == 4 && strings.IndexFunc(name[1:], func(r rune) bool { return r < '0' || r > '9' }) < 0
	// Slots beyond 999 are numbered with letters as well: J00A, P1AB.
	numbered := len(name) == 4 && name[1] >= '0' && name[1] <= '9'
	switch {
	case name == "", name == "SHAD": // a dedicated server on Windows (facts/oradebug.md 2.1)
		return kindForeground
	case numbered && name[0] == 'J':
		return kindJob
	case numbered && name[0] == 'P', len(name) == 4 && strings.HasPrefix(name, "PZ"):
		return kindPX
	case digits && strings.IndexByte("SDL", name[0]) >= 0:
		return kindShared
	}
	return kindBackground
}

func itoa(n int) string { return strconv.Itoa(n) }
