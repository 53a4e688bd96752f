package bundle

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Stream is one trace: a file, or the segments of one in the order in which
// they were written (facts/views-and-sqlplus.md 4.2).
type Stream struct {
	Parts     []Member
	HoleAfter map[int]Hole // by the index of the part before the hole; -1: before the first
}

// Hole says that segments between two others were deleted by the server, or that
// the first are not here (After is 0).
type Hole struct{ After, Before int }

// String says which segments are missing, and why.
func (h Hole) String() string {
	which := fmt.Sprintf("segments %d to %d of this trace are gone", h.After+1, h.Before-1)
	if h.Before-h.After == 2 {
		which = fmt.Sprintf("segment %d of this trace is gone", h.After+1)
	}
	if h.After == 0 {
		return which + ": the server keeps the first, so fetch it"
	}
	return which + ": the server keeps the first and the last four"
}

// Streams orders trace files: the segments x_1.trc x_8.trc x_9.trc x_10.trc
// belong before x.trc, by number. That x_8.trc is a segment and not a trace
// with an identifier shows only by x.trc standing beside it.
func Streams(members []Member) []Stream {
	base := map[string]int{}
	for i, m := range members {
		base[key(m)] = i
	}
	parts := map[string][]numbered{}
	segment := make([]bool, len(members))
	for i, m := range members {
		k, n, ok := cutNumber(key(m))
		if !ok {
			continue
		}
		if _, ok := base[k]; ok {
			parts[k] = append(parts[k], numbered{n, m})
			segment[i] = true
		}
	}
	var out []Stream
	for i, m := range members {
		if segment[i] {
			continue
		}
		s := Stream{HoleAfter: map[int]Hole{}}
		list := parts[key(m)]
		slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.n, b.n) })
		for j, p := range list {
			before := 0
			if j > 0 {
				before = list[j-1].n
			}
			if p.n > before+1 {
				s.HoleAfter[j-1] = Hole{before, p.n}
			}
			s.Parts = append(s.Parts, p.m)
		}
		s.Parts = append(s.Parts, m)
		out = append(out, s)
	}
	return out
}

type numbered struct {
	n int
	m Member
}

// key is a member's path without the ending of its kind.
func key(m Member) string {
	p := plain(filepath.ToSlash(m.Path))
	if e := path.Ext(p); strings.EqualFold(e, ".trc") {
		return p[:len(p)-len(e)]
	}
	return p
}

func cutNumber(k string) (string, int, bool) {
	i := strings.LastIndexByte(k, '_')
	if i < 0 || len(k)-i > 7 {
		return "", 0, false
	}
	n, err := strconv.Atoi(k[i+1:])
	if err != nil || n < 1 || k[i+1] == '0' {
		return "", 0, false
	}
	return k[:i], n, true
}
