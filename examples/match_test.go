package examples

import (
	"strings"
	"testing"
)

func TestMatchLines(t *testing.T) {
	cases := []struct {
		want, got string
		ok        bool
	}{
		{"a\nb", "a\nb", true},
		{"a", "a\nb", false},
		{"a\n...", "a\nb\nc", true},
		{"...\nc", "a\nb\nc", true},
		{"...\nd", "a\nb\nc", false},
		{"wrote ... bytes", "wrote 12 bytes", true},
		{"wrote ... bytes", "wrote 12 lines", false},
		{"a...b...c", "a1b2c", true},
		{"a...b...c", "acb", false},
	}
	for _, c := range cases {
		if got := matchLines(strings.Split(c.want, "\n"), strings.Split(c.got, "\n")); got != c.ok {
			t.Errorf("match %q against %q = %v, want %v", c.want, c.got, got, c.ok)
		}
	}
}
