package oradebug

import (
	"fmt"
	"strconv"
	"strings"
)

// Release is an Oracle release, major and minor ("11.2", "19.0"). The zero
// value means "the newest the catalogue knows" (19c dictionaries).
type Release struct{ Major, Minor int }

// ParseRelease reads "10.2", "11.2.0.4", "12c", "19c", "23ai", "26ai".
func ParseRelease(s string) (Release, error) {
	t := strings.ToLower(strings.TrimSpace(s))
	for _, suffix := range []string{"ai", "c", "g", "i"} {
		if cut, ok := strings.CutSuffix(t, suffix); ok {
			t = cut
			break
		}
	}
	parts := strings.Split(t, ".")
	var n [2]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || v > 999 {
			return Release{}, fmt.Errorf("%q is not an Oracle release such as 11.2, 19c or 23ai", s)
		}
		if i < 2 {
			n[i] = v
		}
	}
	if n[0] < 7 || n[0] > 99 {
		return Release{}, fmt.Errorf("%q is not an Oracle release such as 11.2, 19c or 23ai", s)
	}
	return Release{Major: n[0], Minor: n[1]}, nil
}

// OldParser says that events go through the parser of 10.2 and before, which
// knows neither names, scopes, filters nor actions (facts/oradebug.md 2.4).
func (r Release) OldParser() bool { return r.Major != 0 && r.Major < 11 }

// before reports whether r is known and older than s.
func (r Release) before(s Release) bool {
	return r.Major != 0 && (r.Major < s.Major || (r.Major == s.Major && r.Minor < s.Minor))
}

// String prints the release, "" for the zero value.
func (r Release) String() string {
	if r == (Release{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d", r.Major, r.Minor)
}
