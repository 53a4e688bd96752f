package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"
	"ringtrace/internal/journal"
	"ringtrace/internal/jsontext"
)

// Output formats of the global flag -o.
const (
	outputText = "text"
	outputJSON = "json"
	outputCSV  = "csv"
)

var outputs = []string{outputText, outputJSON, outputCSV}

// runtime is what a verb gets from the outside: streams, environment, clock
// and the global flags. One per run of the program; nothing is package state.
// The global flags are filled in before any verb's action runs.
type runtime struct {
	stdin  io.Reader // the terminal, for questions
	input  io.Reader // the same as data; Ctrl-C ends a Read from it
	stdout io.Writer // the product
	stderr io.Writer // the talk: use notef, warnf, debugf

	environ []string
	now     func() time.Time

	// Global flags (contract: Flags, environment, output).
	connect    string // -c/--connect, not parsed yet
	output     string // -o/--output: outputText, outputJSON or outputCSV
	configPath string // --config
	stateDir   string // --state-dir; use ensureStateDir before writing
	quiet      bool   // -q
	verbose    bool   // -v
	noColor    bool   // --no-color or NO_COLOR
	yes        bool   // --yes: use confirm, do not look at it yourself
	dryRun     bool   // --dry-run

	verbs           []func(*runtime) *cli.Command // of the tree that newApp builds
	settler         *settler                      // for the verbs config and doctor
	settings        []setting                     // of this run's flags: use sourceOf
	settingProblems []error                       // what lenientVerbs tolerate
	announced       *journal.Announcement         // of a run that is about to arm sessions
	passwordOf      *knownPassword                // of the main connection, once it was asked for
}

func newRuntime(stdin io.Reader, stdout, stderr io.Writer, environ []string, now func() time.Time) *runtime {
	return &runtime{
		stdin: stdin, input: stdin, stdout: stdout, stderr: stderr,
		environ: environ, now: now, output: outputText, verbs: verbs(),
	}
}

// lookupEnv returns the value of an environment variable and whether it is
// set. As in execve, the last of several wins.
func (rt *runtime) lookupEnv(name string) (string, bool) {
	for i := len(rt.environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(rt.environ[i], "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}

// getenv returns the value of an environment variable, empty if it is unset.
func (rt *runtime) getenv(name string) string {
	v, _ := rt.lookupEnv(name)
	return v
}

// isTerminal reports whether somebody can answer a question: standard input
// is a terminal.
func (rt *runtime) isTerminal() bool { return isTerminal(rt.stdin) }

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// notef tells the user something that -q silences.
func (rt *runtime) notef(format string, args ...any) {
	if !rt.quiet {
		fmt.Fprintf(rt.stderr, "ringtrace: %s\n", printable(brief(fmt.Sprintf(format, args...))))
	}
}

// warnf tells the user something that -q does not silence.
func (rt *runtime) warnf(format string, args ...any) {
	fmt.Fprintf(rt.stderr, "ringtrace: warning: %s\n", printable(brief(fmt.Sprintf(format, args...))))
}

// debugf tells the user something that only -v shows.
func (rt *runtime) debugf(format string, args ...any) {
	if rt.verbose {
		fmt.Fprintf(rt.stderr, "ringtrace: %s\n", printable(brief(fmt.Sprintf(format, args...))))
	}
}

// printJSON prints v as the one JSON document that -o json promises.
func (rt *runtime) printJSON(v any) error {
	if err := writeJSON(rt.stdout, v); err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}

// writeJSON writes the document of -o json.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(jsontext.Writer(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
