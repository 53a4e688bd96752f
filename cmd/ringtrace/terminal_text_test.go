package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A message stays readable, however long what was typed is.
func TestLongInputMakesShortMessages(t *testing.T) {
	long := strings.Repeat("é", 100_000)
	for _, args := range [][]string{
		{"explain", long},
		{long},
		{"--" + long},
		{"sessions", "-o", long},
		{"sessions", "-c", "file:" + long},
		{"lint", long},
		{"explain", long, "-o", "json"},
	} {
		got := runProgram(nil, args...)
		if got.code == 0 || len(got.stderr) > 3*longestMessage || len(got.stderr) == 0 {
			t.Errorf("%.20s: code %d, %d bytes on stderr", args, got.code, len(got.stderr))
		}
		if !utf8.ValidString(got.stderr) || !strings.Contains(got.stderr, "bytes more)") {
			t.Errorf("%.20s: the message is cut badly: %.80q", args, got.stderr)
		}
	}
	if s := strings.Repeat("x", longestMessage); brief(s) != s {
		t.Error("a message that fits is cut")
	}
}
