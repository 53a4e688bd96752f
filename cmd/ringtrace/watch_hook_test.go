//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/watch"
)

func hookRuntime(stderr *bytes.Buffer) *runtime {
	return newRuntime(nil, &bytes.Buffer{}, stderr, append(os.Environ(), "RINGTRACE_PASSWORD=s3cret", "RINGTRACE_PASSWORD_2=s3cret"), time.Now)
}

func firedLine(user, file string) watch.Line {
	ora := 1555
	return watch.Line{
		At: time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC), Kind: watch.LineFired, Campaign: "c1", Ora: &ora,
		Session: &control.SessionDoc{InstID: 1, SID: 41, Serial: 7, Username: &user, Tracefile: &file},
	}
}

// What the database says reaches --exec as the value of a variable, byte for
// byte, and is never read by the shell.
func TestHookValuesAreNotShell(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, hostile := range []string{
		`$(touch pwned)`, "`touch pwned`", `"; touch pwned; "`, `'; touch pwned; '`, "a\ntouch pwned\n", `x && touch pwned`, `-n`, `* ? [a]`, "é\x1b[2J\x07", `\n%s`,
	} {
		var talk bytes.Buffer
		h := hookRuntime(&talk).newHook(`printf '%s' "$RINGTRACE_FIRE_USERNAME" > user; printf '%s' "$RINGTRACE_FIRE_TRACEFILE" > file; env > env`)
		h.fire(firedLine(hostile, "/u01/"+hostile))
		h.close()
		for name, want := range map[string]string{"user": hostile, "file": "/u01/" + hostile} {
			got, err := os.ReadFile(name)
			if err != nil || string(got) != want {
				t.Errorf("%q: %s holds %q, %v", hostile, name, got, err)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
			t.Fatalf("%q was run", hostile)
		}
		env, err := os.ReadFile("env")
		if err != nil || !strings.Contains(string(env), "RINGTRACE_FIRE_ORA=1555\n") || !strings.Contains(string(env), "RINGTRACE_FIRE_SERIAL=7\n") {
			t.Errorf("environment: %s, %v", env, err)
		}
		if strings.Contains(string(env), "s3cret") {
			t.Error("the environment holds a password")
		}
	}
	// A NUL cannot be in a variable: it is left out, and the rest is there.
	var talk bytes.Buffer
	h := hookRuntime(&talk).newHook(`printf '%s' "$RINGTRACE_FIRE_USERNAME" > user`)
	h.fire(firedLine("a\x00b", "/x"))
	h.close()
	if got, err := os.ReadFile("user"); err != nil || string(got) != "ab" {
		t.Errorf("%q, %v", got, err)
	}
}

// What --exec prints, and how it ends, is told harmlessly; the next fire is
// told of all the same.
func TestHookTalk(t *testing.T) {
	t.Chdir(t.TempDir())
	var talk bytes.Buffer
	h := hookRuntime(&talk).newHook(`printf 'said \033[2J%s\n' "$RINGTRACE_FIRE_SID"; echo x >> runs; exit 3`)
	h.fire(firedLine("A", "/x"))
	h.fire(firedLine("B", "/y"))
	h.close()
	if runs, err := os.ReadFile("runs"); err != nil || string(runs) != "x\nx\n" {
		t.Errorf("runs: %q, %v", runs, err)
	}
	if s := talk.String(); strings.Contains(s, "\x1b") || strings.Count(s, "said ") != 2 || strings.Count(s, "--exec: exit status 3") != 2 {
		t.Errorf("talk: %q", s)
	}
	none := hookRuntime(&talk).newHook("")
	none.fire(firedLine("A", "/x"))
	none.close()
}
