package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdExits runs a program and demands its exit code: exits 2 ringtrace lint.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		code = ended.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// cmdJSON demands a value in the one JSON document of a file or of stdout or
// stderr: json stdout sessions.0.sid 12. Text is compared without quotes;
// null, numbers, true and false as they are. With ! the path must be absent.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && !(neg && len(args) == 2) {
		ts.Fatalf("usage: json stdout|stderr|FILE PATH VALUE, or ! json FILE PATH")
	}
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		ts.Fatalf("%s is no JSON: %v", args[0], err)
	}
	if dec.More() {
		ts.Fatalf("%s holds more than one JSON document", args[0])
	}
	got, err := at(doc, args[1])
	if neg {
		if err == nil {
			ts.Fatalf("%s has %s = %s", args[0], args[1], got)
		}
		return
	}
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if got != args[2] {
		ts.Fatalf("%s: %s is %s, want %s", args[0], args[1], got, args[2])
	}
}

// at follows a path of names and indices; "length" is that of a list, which
// "#" is too, but a script must quote that one.
func at(doc any, path string) (string, error) {
	for _, step := range strings.Split(path, ".") {
		switch node := doc.(type) {
		case map[string]any:
			inner, ok := node[step]
			if !ok {
				return "", fmt.Errorf("no %q in %s", step, path)
			}
			doc = inner
		case []any:
			if step == "#" || step == "length" {
				return strconv.Itoa(len(node)), nil
			}
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node) {
				return "", fmt.Errorf("no element %q in %s of %d", step, path, len(node))
			}
			doc = node[i]
		default:
			return "", fmt.Errorf("nothing below %q in %s", step, path)
		}
	}
	switch v := doc.(type) {
	case string:
		return v, nil
	case nil:
		return "null", nil
	case json.Number:
		return v.String(), nil
	}
	text, err := json.Marshal(doc)
	return string(text), err
}

// cmdMode demands permission bits: mode out/enable_1.sql 0600.
func cmdMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode FILE PERM")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has mode %s, want %s", args[0], got, args[1])
	}
}

// cmdPaste runs a command that a program told a person to type, through a
// shell, and demands its exit code: paste 0 stdout 'undo: (.*)'.
func cmdPaste(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: paste CODE stdout|stderr|FILE PATTERN-WITH-A-GROUP")
	}
	m := regexp.MustCompile(`(?m)` + args[2]).FindStringSubmatch(ts.ReadFile(args[1]))
	if len(m) != 2 {
		ts.Fatalf("%s has no line for %s:\n%s", args[1], args[2], ts.ReadFile(args[1]))
	}
	ts.Logf("paste: %s", m[1])
	cmdExits(ts, false, []string{args[0], "sh", "-c", m[1]})
}
