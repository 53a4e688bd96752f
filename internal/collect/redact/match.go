package redact

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// matcher finds any of many texts. It is fast because most places of a text
// begin none of them.
type matcher struct {
	byHead map[string][]string // by its beginning, longest first
	first  [1 << 16]bool
	some   bool
}

func newMatcher(sets ...map[string]bool) *matcher {
	m := &matcher{byHead: map[string][]string{}}
	for _, set := range sets {
		for v := range set {
			if len(v) < 2 {
				continue
			}
			m.some = true
			m.byHead[head(v)] = append(m.byHead[head(v)], v)
			m.first[int(v[0])<<8|int(v[1])] = true
		}
	}
	for _, list := range m.byHead {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
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
		for _, v := range m.byHead[string(text[i:i+n])] {
			if len(v) < n || len(text)-i < len(v) || string(text[i:i+len(v)]) != v {
				continue
			}
			if whole(v) && (i > 0 && word(text[i-1]) || i+len(v) < len(text) && word(text[i+len(v)])) {
				continue
			}
			return len(v)
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

// find returns where one of the texts stands, or -1.
func (m *matcher) find(text []byte) int {
	if m == nil || !m.some {
		return -1
	}
	for i := 0; i+1 < len(text); i++ {
		if m.at(text, i) > 0 {
			return i
		}
	}
	return -1
}

// formsOf lists how a value can stand in a dump.
func formsOf(v string) []string {
	u := utf16.Encode([]rune(v))
	var be, le strings.Builder
	for _, c := range u {
		be.Write([]byte{byte(c >> 8), byte(c)})
		le.Write([]byte{byte(c), byte(c >> 8)})
	}
	var spaced []string
	for i := 0; i < len(v); i++ {
		spaced = append(spaced, fmt.Sprintf("%x", v[i]))
	}
	h := hex.EncodeToString([]byte(v))
	return []string{v, h, strings.ToUpper(h), strings.Join(spaced, " "), strings.ToUpper(strings.Join(spaced, " ")), be.String()[1:], le.String()[:le.Len()-1]}
}
