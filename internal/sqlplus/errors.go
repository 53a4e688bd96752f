package sqlplus

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrTimedOut says that a command was not answered before its context ended.
// It may still run in the database.
var ErrTimedOut = errors.New("sqlplus gave no answer")

// timeoutError is ErrTimedOut with how long was waited.
type timeoutError struct {
	waited time.Duration
	cause  error // of the context that ended; nil: it has no deadline
}

func (e *timeoutError) Error() string {
	s := fmt.Sprintf("%v within %s", ErrTimedOut, rounded(e.waited))
	if e.cause != nil && !errors.Is(e.cause, context.DeadlineExceeded) {
		s += ": " + e.cause.Error()
	}
	return s
}

// rounded is a time as it was given, without the moment until it was noticed.
func rounded(d time.Duration) string {
	if d > time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

func (e *timeoutError) Unwrap() []error { return []error{ErrTimedOut, e.cause} }

// ErrLost says that the conversation has ended; what the last command did is
// not known.
var ErrLost = errors.New("the conversation with sqlplus ended")

// ErrTooLong says that an answer was longer than Options.MaxOutput.
var ErrTooLong = errors.New("the answer is too long")

// lostError tells how the child ended.
type lostError struct {
	status string        // of the process
	stderr []string      // its last words
	lines  []string      // of the answer that was cut off
	waited time.Duration // for an answer, before it was stopped; 0: it ended by itself
}

func (e *lostError) Error() string {
	b := ErrLost.Error() + " (" + e.status + ")"
	if e.waited > 0 {
		return b + ": it gave no answer within " + rounded(e.waited) + ", and was stopped"
	}
	if len(e.stderr) > 0 {
		b += ": " + strings.Join(e.stderr, " / ")
	} else if n := len(e.lines); n > 0 {
		b += ", after: " + e.lines[n-1]
	}
	return b
}

func (e *lostError) Unwrap() error { return ErrLost }

// OracleError is an error line of an answer.
type OracleError struct {
	Prefix string // ORA, SP2, PLS, TNS …
	Number int
	Text   string // the line, with its code
}

func (e *OracleError) Error() string { return e.Text }

// Code is the ORA number, 0 for an error that SQL*Plus raised itself. SP2-0640
// (not connected) counts as ORA-01012 (not logged on).
func (e *OracleError) Code() int {
	switch {
	case e.Prefix == "ORA" || e.Prefix == "TNS":
		return e.Number
	case e.Prefix == "SP2" && e.Number == 640:
		return 1012
	}
	return 0
}

// Message is the text, as drivers' errors have it.
func (e *OracleError) Message() string { return e.Text }

var codeLine = regexp.MustCompile(`^\s*(ORA|SP2|PLS|TNS|CPY|O/S)-(\d{4,5})(:|\b)`)

// FindError returns the first error line of an answer, nil for none. It is the
// only judge of success (facts/problem-cases.md P03, P04).
func FindError(lines []string) *OracleError {
	for _, l := range lines {
		if m := codeLine.FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[2])
			return &OracleError{Prefix: m[1], Number: n, Text: strings.TrimSpace(l)}
		}
	}
	return nil
}

// withoutHelp drops the Help lines of 23ai clients
// (facts/views-and-sqlplus.md 3.4).
func withoutHelp(lines []string) []string {
	return slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Help: https://docs.oracle.com/error-help/") })
}

// CommandError refuses a command that cannot be sent as one command.
type CommandError struct {
	Command string // its beginning
	Reason  string
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("%q cannot be sent: %s", e.Command, e.Reason)
}

func refuse(command, reason string) error {
	if r := []rune(command); len(r) > 60 {
		command = string(r[:60]) + "…"
	}
	return &CommandError{command, reason}
}
