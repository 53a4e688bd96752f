package control

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ringtrace/internal/exit"
)

// ErrWrongTarget is what errors.Is finds when a Runner did not hold the
// process that was meant, and so sent it no command.
var ErrWrongTarget = errors.New("not the target that was meant")

// ErrTimedOut says that a command was not answered in its time. It may still
// run, so its target gets no other.
var ErrTimedOut = errors.New("no answer in time")

// ErrLost says that the conversation ended in the middle of a command.
var ErrLost = errors.New("the conversation ended")

// WrongTargetError says why. Reason is a word of the contract: gone,
// shared_process or refused.
type WrongTargetError struct {
	Target   Target
	Reason   string
	Detail   string
	Identity Identity // what the query found, if it came to that
}

func (e *WrongTargetError) Error() string {
	return fmt.Sprintf("%s: %s (%s)", e.Target, e.Detail, e.Reason)
}

// Unwrap makes errors.Is(err, ErrWrongTarget) true.
func (e *WrongTargetError) Unwrap() error { return ErrWrongTarget }

// DialError says that no conversation could be opened; nothing was sent.
type DialError struct{ Err error }

func (e *DialError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *DialError) Unwrap() error { return e.Err }

func asDial(err error, to **DialError) bool { return errors.As(err, to) }

// worst is one error of several: that with the code that wins, with the hints
// of all.
func worst(errs ...error) error {
	var out error
	var hints []string
	for _, err := range errs {
		if err == nil {
			continue
		}
		if hint := exit.HintOf(err); hint != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
		if out == nil || exit.Worst(exit.CodeOf(out), exit.CodeOf(err)) != exit.CodeOf(out) {
			out = err
		}
	}
	if len(hints) < 2 {
		return out
	}
	return exit.Errorf(exit.CodeOf(out), strings.Join(hints, "; then "), "%w", out)
}
