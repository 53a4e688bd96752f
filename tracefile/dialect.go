package tracefile

import "bytes"

// Release is a database release as numbers, e.g. 19.14.2.0.0.
type Release [5]int

// ParseRelease reads "19.14.2.0.0"; missing parts are zero.
func ParseRelease(s []byte) (Release, bool) {
	var r Release
	n := 0
	for len(s) > 0 && n < len(r) {
		i := 0
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		if i == 0 || i > 6 {
			break
		}
		r[n], _ = digits(s[:i])
		n++
		if i == len(s) || s[i] != '.' {
			break
		}
		s = s[i+1:]
	}
	return r, n >= 2
}

// Before reports whether r is older than major.minor.patch.
func (r Release) Before(o Release) bool {
	for i := range r {
		if r[i] != o[i] {
			return r[i] < o[i]
		}
	}
	return false
}

// Dialect is what a release's traces look like, facts 18 and 12. The parser
// takes every form from every release; the dialect settles what the text alone
// cannot: units, and what is missing rather than lost.
type Dialect struct {
	From       Release
	Name       string
	TimUnitNs  int64 // of tim, e, c and ela
	ErrorTimCs bool  // tim of ERROR is in centiseconds
	WaitTim    bool  // waits have obj# and tim
	SQLID      bool
	PlanHash   bool // plh, CLOSE and tim of XCTEND
	Address    bool // cursor numbers are addresses, not slots
	ISOStamp   bool // stamps have a zone and PDB
}

// dialects is in descending order of release.
var dialects = [...]Dialect{
	{Release{23}, "23ai", 1000, false, true, true, true, true, true},
	{Release{18}, "18c", 1000, false, true, true, true, true, true},
	{Release{12, 2}, "12.2", 1000, false, true, true, true, true, true},
	{Release{12, 1}, "12.1", 1000, false, true, true, true, true, false},
	{Release{11, 2}, "11.2", 1000, false, true, true, true, true, false},
	{Release{11, 1, 0, 7}, "11.1.0.7", 1000, false, true, true, true, false, false},
	{Release{11, 1}, "11.1", 1000, false, true, true, false, false, false},
	{Release{10, 2}, "10.2", 1000, false, true, false, false, false, false},
	{Release{9}, "9i", 1000, true, false, false, false, false, false},
	{Release{}, "8i", 10_000_000, true, false, false, false, false, false},
}

// DialectOf returns the dialect of a release. A file without a header (zero
// release) is read as the newest.
func DialectOf(r Release) Dialect {
	if r == (Release{}) {
		return dialects[0]
	}
	for _, d := range dialects {
		if !r.Before(d.From) {
			return d
		}
	}
	return dialects[len(dialects)-1]
}

// releaseOf finds the release in a banner line, "Oracle Database 19c … Release
// 19.0.0.0.0 - Production", "ORACLE V10.2.0.1.0 - Production" (10.2 on
// Windows), or "Version 19.14.2.0.0" (18c on, the full release update).
func releaseOf(line []byte) ([]byte, bool) {
	var rest []byte
	switch {
	case hasPrefix(line, "Version ") && len(line) > 8 && isDigit(line[8]):
		rest = line[8:]
	case hasPrefix(line, "ORACLE V"):
		rest = line[8:]
	case hasPrefix(line, "Oracle"):
		i := bytes.Index(line, []byte("Release "))
		if i < 0 {
			return nil, false
		}
		rest = line[i+8:]
	default:
		return nil, false
	}
	n := 0
	for n < len(rest) && (isDigit(rest[n]) || rest[n] == '.') {
		n++
	}
	_, ok := ParseRelease(rest[:n])
	return bytes.TrimRight(rest[:n], "."), ok
}
