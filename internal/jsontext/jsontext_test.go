package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		``:                                ``,
		`{"a":"plain"}`:                   `{"a":"plain"}`,
		`"é 😀 中"`:                         `"é 😀 中"`,
		"\"\u009b31m\"":                   `"\u009b31m"`,
		"\"a\u007fb\u0085\"":              `"a\u007fb\u0085"`,
		"\"\u202ertl\u2066\u200f\ufeff\"": `"\u202ertl\u2066\u200f\ufeff"`,
		"\"\U000e0001\"":                  `"\udb40\udc01"`,
	} {
		if got := string(Escape([]byte(in))); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWriterReportsWhatItWasGiven(t *testing.T) {
	var b bytes.Buffer
	in := []byte("\"\u009b\"")
	if n, err := Writer(&b).Write(in); n != len(in) || err != nil || b.String() != `"\u009b"` {
		t.Errorf("wrote %d, %v: %q", n, err, b.String())
	}
	if _, err := Writer(broken{}).Write(in); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// The document stays the same, whatever its texts hold.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "\u009b2J", "\u202e", "\x7f", "a\xffb", "\U000e0001\U0001f600"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		doc, err := json.Marshal(map[string]string{s: s})
		if err != nil {
			t.Fatal(err)
		}
		safe := Escape(bytes.Clone(doc))
		var before, after map[string]string
		if err := json.Unmarshal(doc, &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(safe, &after); err != nil {
			t.Fatalf("%q: %v", safe, err)
		}
		for k, v := range before {
			if after[k] != v {
				t.Fatalf("%q became %q", v, after[k])
			}
		}
		for _, r := range string(safe) {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q still holds %U", safe, r)
			}
		}
	})
}
