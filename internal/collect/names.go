package collect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// stem is the beginning of the names of all files of one process: the part up
// to its pid. An identifier behind it may hold underscores, so it is cut from
// the left by the known pid (facts/views-and-sqlplus.md 4.1). Without a pid, or
// where the name does not hold it, the stem is the name without its ending.
func stem(name, ospid string) string {
	whole := strings.TrimSuffix(name, ".trc")
	if ospid == "" {
		return whole
	}
	mark := "_" + ospid
	for from := 0; ; {
		i := strings.Index(whole[from:], mark)
		if i < 0 {
			return whole
		}
		end := from + i + len(mark)
		if end == len(whole) || whole[end] == '_' {
			return whole[:end]
		}
		from = end
	}
}

// belongs reports whether a file stands beside a trace of that stem: its
// segment, its map, a file under another identifier, or a rotated one.
func belongs(name, stem string) bool {
	rest, ok := strings.CutPrefix(name, stem)
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "_")) &&
		(strings.HasSuffix(rest, ".trc") || strings.HasSuffix(rest, ".trm") || strings.Contains(rest, ".trc."))
}

// member is one file of a group: a trace, its segments, its map.
type member struct {
	info    Info
	kind    string // trace, segment, map, rotated
	segment int
	hole    string // segments that are missing before it
}

// The kinds of a file.
const (
	kindTrace     = "trace"
	kindSegment   = "segment"
	kindMap       = "map"
	kindRotated   = "rotated"
	kindIncident  = "incident"
	kindContinued = "continued"
)

// group puts the files of one process in the order in which they were written:
// segments by number, then the file itself (facts/views-and-sqlplus.md 4.2). A
// number is a segment's only if the file without it is there too. No file is
// there twice, whatever names it has.
func group(files []Info) []member {
	names := map[string]bool{}
	for _, f := range files {
		names[base(f.Path)] = true
	}
	var out []member
	seen := map[string]bool{}
	slices.SortFunc(files, func(a, b Info) int { return cmp.Compare(a.Path, b.Path) })
	for _, f := range files {
		if f.ID != "" && seen[f.ID] {
			continue
		}
		seen[f.ID] = true
		m := member{info: f, kind: kindTrace}
		name := base(f.Path)
		switch {
		case strings.HasSuffix(name, ".trm"):
			m.kind = kindMap
		case !strings.HasSuffix(name, ".trc"):
			m.kind = kindRotated
		default:
			if of, n, ok := cutSegment(name); ok && names[of] {
				m.kind, m.segment = kindSegment, n
			}
		}
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b member) int {
		return cmp.Or(cmp.Compare(owner(a), owner(b)), cmp.Compare(rank(a), rank(b)), cmp.Compare(a.segment, b.segment))
	})
	last := map[string]int{}
	for i := range out {
		m := &out[i]
		if m.kind != kindSegment {
			continue
		}
		o := owner(*m)
		if before := last[o]; m.segment > before+1 && (before > 0 || m.segment > 1) {
			m.hole = hole(before+1, m.segment-1)
		}
		last[o] = m.segment
	}
	return out
}

func hole(from, to int) string {
	if from == to {
		return "segment " + strconv.Itoa(from) + " is gone"
	}
	return "segments " + strconv.Itoa(from) + " to " + strconv.Itoa(to) + " are gone"
}

// owner is the name of the trace that a file belongs to.
func owner(m member) string {
	name := base(m.info.Path)
	switch m.kind {
	case kindSegment:
		of, _, _ := cutSegment(name)
		return of
	case kindMap:
		return strings.TrimSuffix(name, ".trm") + ".trc"
	case kindRotated:
		i := strings.LastIndex(name, ".trc.")
		return name[:i+len(".trc")]
	}
	return name
}

func rank(m member) int {
	return slices.Index([]string{kindRotated, kindSegment, kindTrace, kindMap}, m.kind)
}

// cutSegment splits x_8.trc into x.trc and 8.
func cutSegment(name string) (of string, n int, ok bool) {
	whole, found := strings.CutSuffix(name, ".trc")
	i := strings.LastIndexByte(whole, '_')
	if !found || i < 1 || len(whole)-i > 7 {
		return "", 0, false
	}
	n, err := strconv.Atoi(whole[i+1:])
	if err != nil || n < 1 || whole[i+1] == '0' {
		return "", 0, false
	}
	return whole[:i] + ".trc", n, true
}
