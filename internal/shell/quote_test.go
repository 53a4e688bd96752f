package shell

import (
	"os/exec"
	"testing"
)

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"":             "''",
		"enable_1.sql": "enable_1.sql",
		"a=b":          "'a=b'", // an assignment, where it is the first word
		"/ as sysdba":  "'/ as sysdba'",
		"it's":         `'it'\''s'`,
		"~oracle/x":    "'~oracle/x'",
		"$HOME`id`!":   "'$HOME`id`!'",
		"a\nb":         "'a\nb'",
	} {
		if got := Quote(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// TestShellReadsItBack: a real shell gives every byte back that a word can have.
func TestShellReadsItBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("SKIPPED: no sh here")
	}
	all := make([]byte, 0, 255)
	for c := 1; c < 256; c++ { // a word of a shell holds no NUL
		all = append(all, byte(c))
	}
	for _, word := range []string{string(all), "-n", `\`, "''", "a=b"} {
		out, err := exec.Command(sh, "-c", "printf %s "+Quote(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q came back as %q, %v", word, out, err)
		}
	}
}
