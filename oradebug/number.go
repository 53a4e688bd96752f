package oradebug

import (
	"strconv"
	"strings"
)

// maxEvent bounds an event number. Oracle's own bound is not published;
// numbers up to 60080 are listed, and 65535 stands for "immediate" in
// DBMS_SYSTEM.SET_EV (facts/oradebug.md 5, 7.1), so this is assumed.
const maxEvent = 65535

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// startsNumeric reports a word that was meant as a number: 942, 0x291b, -942.
func startsNumeric(s string) bool {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s = rest
	}
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

// parseEventNumber reads a decimal number without leading zeros or a
// hexadecimal one (0x291b is seen; leading zeros are assumed to be refused).
func parseEventNumber(s string) (int, bool) {
	n, ok := parseUint(s, 32)
	if !ok || n < 1 || n > maxEvent || (len(s) > 1 && s[0] == '0' && !isHex(s)) {
		return 0, false
	}
	return int(n), true
}

func isHex(s string) bool { return len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') }

// parseUint reads a decimal or 0x number of the given width.
func parseUint(s string, bits int) (uint64, bool) {
	base := 10
	if isHex(s) {
		s, base = s[2:], 16
	} else if !allDigits(s) {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, bits)
	return n, err == nil && !strings.HasPrefix(s, "+")
}

// canonicalNumber prints a number in decimal; other text is returned as is.
func canonicalNumber(s string) string {
	if n, ok := parseUint(s, 64); ok {
		return strconv.FormatUint(n, 10)
	}
	return s
}
