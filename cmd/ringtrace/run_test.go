package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/argv"
	"ringtrace/internal/exit"
)

// TestTreeIsUnambiguous holds for the real verbs what argv needs.
func TestTreeIsUnambiguous(t *testing.T) {
	tr := newTree(newApp(newRuntime(nil, io.Discard, io.Discard, nil, testNow)))
	if err := argv.Check(tr.root); err != nil {
		t.Error(err)
	}
	seen := map[string]string{}
	for _, path := range tr.paths() {
		where := strings.Join(words(path), " ")
		for _, spec := range path[len(path)-1].Flags {
			names := []string{envName(path, spec.Name())}
			if spec.OnOff {
				names = append(names, envName(path, "no-"+spec.Name()))
			}
			for _, name := range names {
				if other, ok := seen[name]; ok {
					t.Errorf("%s is the twin of --%s of %q and of %s", name, spec.Name(), where, other)
				}
				seen[name] = fmt.Sprintf("--%s of %q", spec.Name(), where)
				if name == "RINGTRACE_PASSWORD" {
					t.Errorf("--%s of %q would take the password from the environment", spec.Name(), where)
				}
			}
		}
	}
}

// TestEveryVerbIsDocumented: usage, an example and exit codes, on every verb.
func TestEveryVerbIsDocumented(t *testing.T) {
	tr := newTree(newApp(newRuntime(nil, io.Discard, io.Discard, nil, testNow)))
	for _, path := range tr.visible()[1:] {
		c, name := tr.verbOf(path), strings.Join(words(path), " ")
		if c.Usage == "" || strings.HasSuffix(c.Usage, ".") {
			t.Errorf("%s: usage %q", name, c.Usage)
		}
		if !strings.Contains(c.Description, "Example:") && !strings.Contains(c.Description, "Examples:") {
			t.Errorf("%s: the help has no example", name)
		}
		if c.Action != nil && !strings.Contains(c.Description, "Exit codes:\n\n      0  ok\n") {
			t.Errorf("%s: the help lists no exit codes, or not 0", name)
		}
		for _, f := range c.Flags {
			doc, ok := f.(cli.DocGenerationFlag)
			if !ok || doc.GetUsage() == "" {
				t.Errorf("%s: --%s has no usage", name, f.Names()[0])
			}
			if ok && len(doc.GetEnvVars()) > 0 {
				t.Errorf("%s: --%s reads the environment past the settings", name, f.Names()[0])
			}
		}
	}
}

// TestOutputIsRefusedByName: a verb that has no CSV says so, before it looks at
// anything else, and does not print text instead.
func TestOutputIsRefusedByName(t *testing.T) {
	csv := []string{"campaigns list", "campaigns show", "report", "sessions"} // as the help of -o says
	tr := newTree(newApp(newRuntime(nil, io.Discard, io.Discard, nil, testNow)))
	refused := 0
	for _, path := range tr.visible()[1:] {
		verb := strings.Join(words(path), " ")
		if tr.verbOf(path).Action == nil {
			continue
		}
		var out, errs bytes.Buffer
		args := append(append([]string{"ringtrace"}, words(path)...), "-o", "csv")
		code := run(context.Background(), args, strings.NewReader(""), &out, &errs, []string{"HOME=" + t.TempDir()}, testNow)
		says := strings.HasPrefix(errs.String(), "ringtrace: "+path[1].Name) && strings.Contains(errs.String(), " has no csv output\n")
		if slices.Contains(csv, verb) {
			if says {
				t.Errorf("%s: %s", verb, &errs)
			}
			continue
		}
		if refused++; code != int(exit.Usage) || !says || out.Len() > 0 {
			t.Errorf("%s: exit %d, %q, %q", verb, code, errs.String(), out.String())
		}
	}
	if refused < 30 {
		t.Errorf("%d verbs refused CSV", refused)
	}
}

// The traps of urfave/cli v2 that docs/adr/0001-argv-order.md lists.

func TestTrapFlagBehindPositional(t *testing.T) {
	p := newProbe()
	if err := p.run("trace", "a", "--out", "x", "b", "-q", "--", "--yes"); err != nil {
		t.Fatal(err)
	}
	if p.got["out"] != "x" || !p.rt.quiet || p.rt.yes || !slices.Equal(p.args, []string{"a", "b", "--yes"}) {
		t.Errorf("out %q, quiet %v, yes %v, args %q", p.got["out"], p.rt.quiet, p.rt.yes, p.args)
	}
}

func TestTrapSliceFlagSeparator(t *testing.T) {
	p := newProbe()
	if err := p.run("trace", "--username", "a,b", "--username= c ", "--ora=60,942"); err != nil {
		t.Fatal(err)
	}
	if got := p.lists["username"]; !slices.Equal(got, []string{"a,b", " c "}) {
		t.Errorf("username: %q; commas must not split, blanks must stay", got)
	}
	if got := p.lists["ora"]; !slices.Equal(got, []string{"60,942"}) {
		t.Errorf("ora: %q", got) // --ora splits on commas in internal/oraerr
	}
}

func TestTrapHideVersion(t *testing.T) {
	p := newProbe()
	if err := p.run("-v", "trace"); err != nil || p.ran != "trace" || !p.rt.verbose {
		t.Errorf("-v must be verbose: ran %q, verbose %v, %v", p.ran, p.rt.verbose, err)
	}
}

func TestTrapHelpCommand(t *testing.T) {
	p := newProbe()
	if err := p.run("trace", "help"); err != nil || p.ran != "trace" || !slices.Equal(p.args, []string{"help"}) {
		t.Errorf("help is an argument here: ran %q %q, %v", p.ran, p.args, err)
	}
	if err := p.run("trace", "h"); err != nil || !slices.Equal(p.args, []string{"h"}) {
		t.Errorf("h is an argument here: ran %q %q, %v", p.ran, p.args, err)
	}
	if err := p.run("store", "put", "put", "drop"); err != nil || p.ran != "store put" || !slices.Equal(p.args, []string{"put", "drop"}) {
		t.Errorf("a subcommand's name is an argument here: ran %q %q, %v", p.ran, p.args, err)
	}
}

// TestTrapExitErrHandler: an error with an ExitCode method makes cli exit in
// the middle of everything.
func TestTrapExitErrHandler(t *testing.T) {
	p := newProbe()
	p.fail = cli.Exit("on purpose", 42)
	if err := p.run("trace"); err == nil || err.Error() != "on purpose" {
		t.Errorf("got %v", err)
	}
}

// TestTrapOnUsageError: cli prints usage errors and help on standard output.
func TestTrapOnUsageError(t *testing.T) {
	for _, args := range [][]string{{"trace", "--nonsense"}, {"trace", "--split=x"}, {"store"}, {"nonsense"}, {}} {
		p := newProbe()
		err := p.run(args...)
		if exit.CodeOf(err) != exit.Usage || p.stdout.Len() > 0 {
			t.Errorf("%q: code %d, standard output %q", args, exit.CodeOf(err), p.stdout.String())
		}
	}
}

func TestTrapHelpStream(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"trace", "x", "-h"}, {"help", "store", "put"}, {"store", "--help"}, {"--help", "trace"}} {
		p := newProbe()
		if err := p.run(args...); err != nil || !strings.Contains(p.stdout.String(), "Usage: ringtrace") || p.stderr.Len() > 0 || p.ran != "" {
			t.Errorf("%q: %v, stdout %q, stderr %q, ran %q", args, err, p.stdout.String(), p.stderr.String(), p.ran)
		}
	}
}

func TestTrapUnknownSubcommand(t *testing.T) {
	p := newProbe()
	err := p.run("store", "pot", "x")
	if exit.CodeOf(err) != exit.Usage || !strings.Contains(exit.HintOf(err), "store put") || p.ran != "" {
		t.Errorf("got %v (%s), ran %q", err, exit.HintOf(err), p.ran)
	}
}

// TestTrapDefaultText: a flag's default must survive that its value was tried.
func TestTrapDefaultText(t *testing.T) {
	p := newProbe("RINGTRACE_TRACE_RING=4096")
	if err := p.run("trace"); err != nil {
		t.Fatal(err)
	}
	if err := p.run("trace", "--help"); err != nil || !strings.Contains(p.stdout.String(), "(default 256000)") {
		t.Errorf("%v\n%s", err, p.stdout.String())
	}
}

func TestCodeMapping(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	cases := []struct {
		name string
		ctx  context.Context
		err  error
		want exit.Code
	}{
		{"no error", t.Context(), nil, 0},
		{"plain error", t.Context(), errors.New("x"), 1},
		{"error with a code", t.Context(), fmt.Errorf("x: %w", exit.Errorf(exit.Journal, "", "dirty")), 9},
		{"interrupted", canceled, fmt.Errorf("x: %w", context.Canceled), 130},
		{"interrupted, and failed in consequence", canceled, exit.Errorf(exit.Partial, "", "x"), 130},
		{"interrupted, and all was done", canceled, nil, 0},
		{"a context of the verb's own ended", t.Context(), context.Canceled, 1},
		{"joined errors", t.Context(), errors.Join(exit.Errorf(exit.Partial, "", "a"), exit.Errorf(exit.Usage, "", "b")), 3},
	}
	for _, c := range cases {
		if got := codeOf(c.ctx, c.err); got != c.want {
			t.Errorf("%s: code %d, want %d", c.name, got, c.want)
		}
	}
}

func TestPrintError(t *testing.T) {
	p := newProbe()
	p.rt.printError(exit.Refused, exit.Errorf(exit.Refused, "type a\nor b", "no \x1b[31mred\u202e"))
	if want := "ringtrace: no \\x1b[31mred\\u202e\nhint: type a\nhint: or b\n"; p.stderr.String() != want {
		t.Errorf("got %q, want %q", p.stderr.String(), want)
	}
	p.stderr.Reset()
	p.rt.output = outputJSON
	p.rt.printError(exit.Refused, exit.Errorf(exit.Refused, "<a&b>", "no"))
	var doc struct {
		Error struct {
			Code          int
			Name, Message string
			Hint          string
		}
	}
	if err := json.Unmarshal(p.stderr.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Error.Code != 7 || doc.Error.Name != "guard_refused" || doc.Error.Message != "no" || doc.Error.Hint != "<a&b>" {
		t.Errorf("got %+v", doc)
	}
}

func TestPrintInterrupted(t *testing.T) {
	p := newProbe()
	p.rt.printError(exit.Interrupted, fmt.Errorf("read: %w", context.Canceled))
	p.rt.printError(exit.Interrupted, exit.Errorf(exit.Partial, "type ringtrace disable", "3 of 10 sessions armed"))
	if want := "ringtrace: interrupted\nringtrace: interrupted: 3 of 10 sessions armed\nhint: type ringtrace disable\n"; p.stderr.String() != want {
		t.Errorf("got %q, want %q", p.stderr.String(), want)
	}
}

func TestPanicIsAnError(t *testing.T) {
	p := newProbe()
	p.panics = true
	err := p.run("trace")
	if exit.CodeOf(err) != exit.Failed || !strings.Contains(err.Error(), "on purpose") || exit.HintOf(err) == "" {
		t.Errorf("got %v, hint %q", err, exit.HintOf(err))
	}
	if p.stderr.Len() > 0 {
		t.Errorf("the stack is shown without -v: %q", p.stderr.String())
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestStandardOutputFails(t *testing.T) {
	cases := []struct {
		err  error
		want string
	}{
		{syscall.ENOSPC, "ringtrace: write standard output: no space left on device\n"},
		{syscall.EPIPE, ""},
	}
	for _, c := range cases {
		var stderr bytes.Buffer
		code := run(t.Context(), []string{"ringtrace", "version"}, strings.NewReader(""), failingWriter{c.err}, &stderr, nil, testNow)
		if first, _, _ := strings.Cut(stderr.String(), "hint:"); code != 1 || first != c.want {
			t.Errorf("%v: code %d, stderr %q", c.err, code, stderr.String())
		}
	}
}

func TestRunWithoutProgramName(t *testing.T) {
	var stderr bytes.Buffer
	if code := run(t.Context(), nil, strings.NewReader(""), io.Discard, &stderr, nil, testNow); code != 2 {
		t.Errorf("code %d, stderr %q", code, stderr.String())
	}
}

func TestPrintable(t *testing.T) {
	cases := map[string]string{
		"plain\ttext\n": "plain\ttext\n", "äöü 日本 😀": "äöü 日本 😀", "\x1b]0;x\x07": `\x1b]0;x\a`, "a\x00b\r": `a\x00b\r`,
		"\u009bx": `\u009bx`, "\xff\xc0": `\xff\xc0`, "a\u200bb\u2066": `a\u200bb\u2066`, "\u2028": `\u2028`, "": "",
	}
	for in, want := range cases {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestQuietAndVerbose(t *testing.T) {
	p := newProbe()
	p.rt.notef("a")
	p.rt.debugf("b")
	p.rt.warnf("c")
	p.rt.quiet, p.rt.verbose = true, true
	p.rt.notef("d")
	p.rt.debugf("e")
	p.rt.warnf("f")
	if want := "ringtrace: a\nringtrace: warning: c\nringtrace: e\nringtrace: warning: f\n"; p.stderr.String() != want {
		t.Errorf("got %q, want %q", p.stderr.String(), want)
	}
}

func TestConfirm(t *testing.T) {
	p := newProbe()
	err := p.rt.confirm(t.Context(), "arm 12 sessions")
	if exit.CodeOf(err) != exit.Refused || !strings.Contains(err.Error(), "arm 12 sessions") || !strings.Contains(exit.HintOf(err), "--yes") {
		t.Errorf("without terminal: %v, hint %q", err, exit.HintOf(err))
	}
	p.rt.yes = true
	if err := p.rt.confirm(t.Context(), "arm 12 sessions"); err != nil {
		t.Errorf("with --yes: %v", err)
	}
	if _, err := p.rt.ask(t.Context(), "disarm a stranger"); exit.CodeOf(err) != exit.Refused {
		t.Errorf("--yes must not answer ask: %v", err)
	}
}
