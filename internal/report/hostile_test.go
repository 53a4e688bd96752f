package report

import (
	"bytes"
	"strings"
	"testing"
)

// TestPlainWriter: whatever the pieces, deceptive characters are replaced and all
// else is passed on as it is.
func TestPlainWriter(t *testing.T) {
	const in = "a\u202eb\u2028c\u2066d\u061cé€𝄞\xff\xe2\x80"
	const want = "a·b·c·d·é€𝄞\xff\xe2\x80"
	for size := 1; size <= len(in); size++ {
		var b bytes.Buffer
		p := &plainWriter{w: &b}
		for i := 0; i < len(in); i += size {
			if n, err := p.Write([]byte(in[i:min(len(in), i+size)])); err != nil || n == 0 {
				t.Fatal(n, err)
			}
		}
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("in pieces of %d: %q", size, b.String())
		}
	}
}

func TestCleanHidesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"a\u202eb": "a·b", "a\u2029b": "a·b", "\x1b[2J": "␛[2J", "a\tb": "a b", "é€": "é€", "\u200fx": "·x",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	if strings.ContainsFunc(clean("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), deceptive) {
		t.Error("a direction control is left")
	}
}
