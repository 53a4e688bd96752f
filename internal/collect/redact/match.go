package redact

import (
	"slices"
	"strings"
)

// matcher finds any of many texts. It is fast because most places of a text
// begin none of them, and because texts that begin alike are told apart by
// their lengths, not one by one.
type matcher struct {
	set     map[string]bool
	lengths map[string][]int // of the texts with one beginning, longest first
	first   [1 << 16]bool
	some    bool
}

func newMatcher(sets ...map[string]bool) *matcher {
	m := &matcher{set: map[string]bool{}, lengths: map[string][]int{}}
	for _, set := range sets {
		for v := range set {
			if len(v) < 2 {
				continue
			}
			m.some = true
			m.set[v] = true
			h := head(v)
			list := m.lengths[h]
			if at, found := slices.BinarySearchFunc(list, len(v), func(a, b int) int { return b - a }); !found {
				m.lengths[h] = slices.Insert(list, at, len(v))
			}
			m.first[int(v[0])<<8|int(v[1])] = true
		}
	}
	return m
}

// head is what values are grouped by.
func head(v string) string { return v[:min(len(v), 4)] }

// at returns the length of the longest text that stands at text[i:], or 0. A
// number counts only as a whole one, and a short name as a whole word.
func (m *matcher) at(text []byte, i int) int {
	if i+1 >= len(text) || !m.first[int(text[i])<<8|int(text[i+1])] {
		return 0
	}
	for n := min(4, len(text)-i); n >= 2; n-- {
		for _, k := range m.lengths[string(text[i:i+n])] {
			if k < n || len(text)-i < k || !m.set[string(text[i:i+k])] {
				continue
			}
			if (i > 0 && word(text[i-1]) || i+k < len(text) && word(text[i+k])) && whole(string(text[i:i+k])) {
				continue
			}
			return k
		}
	}
	return 0
}

func whole(v string) bool {
	return len(v) < 8 && strings.IndexFunc(v, func(c rune) bool { return c > 0x7f || !word(byte(c)) }) < 0 || strings.Trim(v, "0123456789.-+") == ""
}

func word(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// replace puts tokens over all that is found, in place.
func (m *matcher) replace(text []byte, token func([]byte) []byte) int64 {
	if m == nil || !m.some {
		return 0
	}
	n := int64(0)
	for i := 0; i+1 < len(text); i++ {
		if k := m.at(text, i); k > 0 {
			copy(text[i:i+k], token(text[i:i+k]))
			i += k - 1
			n++
		}
	}
	return n
}

// find returns where one of the texts of at least n bytes stands, or -1.
func (m *matcher) find(text []byte, n int) int {
	if m == nil || !m.some {
		return -1
	}
	for i := 0; i+1 < len(text); i++ {
		if m.at(text, i) >= n {
			return i
		}
	}
	return -1
}
