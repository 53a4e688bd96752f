package redact

import (
	"math/bits"
	"slices"
	"strings"
)

// matcher finds any of many texts. It is fast because most places of a text
// begin none of them, and because texts that begin alike are told apart by
// their lengths, not one by one. It holds no text of its own: there can be
// hundreds of thousands of them.
type matcher struct {
	sets  []map[string]bool
	only  bool               // of the sets those alone that are true
	short map[headKey]uint64 // lengths below 64 of the texts with one beginning, a bit each
	long  map[headKey][]int  // the others, longest first
	first [1 << 16]bool
	some  bool
}

// headKey is what texts are grouped by: their first bytes, four at most, and how
// many these are.
type headKey uint64

func keyOf[T string | []byte](head T) headKey {
	k := headKey(len(head))
	for i := range len(head) {
		k = k<<8 | headKey(head[i])
	}
	return k
}

// newMatcher finds the texts of the sets; only says that of each set those are
// meant whose value is true. The sets must not change afterwards.
func newMatcher(only bool, sets ...map[string]bool) *matcher {
	m := &matcher{sets: sets, only: only, short: map[headKey]uint64{}, long: map[headKey][]int{}}
	for _, set := range sets {
		for v, meant := range set {
			if len(v) < 2 || only && !meant {
				continue
			}
			m.some = true
			m.first[int(v[0])<<8|int(v[1])] = true
			k := keyOf(v[:min(len(v), 4)])
			if len(v) < 64 {
				m.short[k] |= 1 << len(v)
				continue
			}
			list := m.long[k]
			if at, found := slices.BinarySearchFunc(list, len(v), func(a, b int) int { return b - a }); !found {
				m.long[k] = slices.Insert(list, at, len(v))
			}
		}
	}
	return m
}

// has reports whether the text is one of those that are looked for.
func (m *matcher) has(text []byte) bool {
	for _, set := range m.sets {
		if meant, ok := set[string(text)]; ok && (meant || !m.only) {
			return true
		}
	}
	return false
}

// at returns the length of the longest text that stands at text[i:], or 0. A
// number counts only as a whole one, and a short name as a whole word.
func (m *matcher) at(text []byte, i int) int {
	if i+1 >= len(text) || !m.first[int(text[i])<<8|int(text[i+1])] {
		return 0
	}
	for n := min(4, len(text)-i); n >= 2; n-- {
		key := keyOf(text[i : i+n])
		for _, k := range m.long[key] {
			if m.stands(text, i, k) {
				return k
			}
		}
		for lengths := m.short[key]; lengths != 0; {
			k := bits.Len64(lengths) - 1
			lengths &^= 1 << k
			if m.stands(text, i, k) {
				return k
			}
		}
	}
	return 0
}

func (m *matcher) stands(text []byte, i, k int) bool {
	if len(text)-i < k || !m.has(text[i:i+k]) {
		return false
	}
	return !(i > 0 && word(text[i-1]) || i+k < len(text) && word(text[i+k])) || !whole(string(text[i:i+k]))
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
