package main

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable makes text from anywhere harmless for a terminal: it shows what could steer a terminal (C0, DEL, C1, bidirectional
// and other format characters, broken UTF-8) as a Go escape; line feed and tab
// stay.
func printable(s string) string {
	clean := true
	for _, r := range s {
		if unsafeRune(r) {
			clean = false
			break
		}
	}
	if clean && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case unsafeRune(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// longestMessage bounds what one message says, in bytes: what a person typed or
// a file holds may be of any length, and comes back in messages.
const longestMessage = 4000

// brief cuts a message that nobody would read to its end.
func brief(s string) string {
	if len(s) <= longestMessage {
		return s
	}
	cut := longestMessage
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "… (" + strconv.Itoa(len(s)-cut) + " bytes more)"
}
