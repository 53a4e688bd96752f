// Package exit holds ringtrace's exit codes and the one error type that
// carries a code and a hint from any layer up to main, the only place that
// calls os.Exit.
//
// The numbers are part of the contract with scripts (docs/scripting.md).
package exit

import (
	"errors"
	"fmt"
)

// Code is a process exit code.
type Code int

// The exit codes, in the numbers that scripts rely on.
const (
	OK            Code = 0
	Failed        Code = 1
	Usage         Code = 2
	Partial       Code = 3
	NothingMatch  Code = 4
	CannotConnect Code = 5
	NotAllowed    Code = 6
	Refused       Code = 7
	ToolMissing   Code = 8
	Journal       Code = 9
	Findings      Code = 10
	Interrupted   Code = 130
)

// precedence lists the codes from the one that wins to the one that yields,
// when several hold at once.
var precedence = []Code{
	Interrupted, Usage, ToolMissing, CannotConnect, NotAllowed, Journal,
	Refused, Failed, Partial, NothingMatch, Findings, OK,
}

var names = map[Code]string{
	OK: "ok", Failed: "failed", Usage: "usage", Partial: "partial",
	NothingMatch: "nothing_matched", CannotConnect: "cannot_connect",
	NotAllowed: "not_allowed", Refused: "guard_refused",
	ToolMissing: "tool_missing", Journal: "journal_dirty_or_locked",
	Findings: "findings", Interrupted: "interrupted",
}

// Name returns the code's name as printed in JSON errors.
func (c Code) Name() string {
	if n, ok := names[c]; ok {
		return n
	}
	return "failed"
}

// Worst returns the code that wins by the contract's precedence; OK for none.
func Worst(codes ...Code) Code {
	for _, p := range precedence {
		for _, c := range codes {
			if c == p {
				return c
			}
		}
	}
	if len(codes) > 0 {
		return Failed
	}
	return OK
}

// Error is a refusal or failure as a person meets it: what happened, and what
// to type next. Message is lower case without a full stop. Neither part may
// ever hold a password.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error
}

// Errorf returns an *Error with the given code and hint; a %w operand is
// kept for errors.Is and errors.As.
func Errorf(code Code, hint, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Hint: hint, Err: errors.Unwrap(err)}
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code that err carries: OK for nil, Failed for an error
// without a code.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Failed
}

// HintOf returns the hint that err carries, or the empty string.
func HintOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}
