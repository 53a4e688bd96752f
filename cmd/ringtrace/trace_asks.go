package main

import (
	"context"

	"ringtrace/internal/exit"
)

// traceAsks is what --ora leaves to settle: a refusal (an event number without
// --force) or a question (noisy codes). It is settled last, after everything
// whose exit code outranks 7.
type traceAsks struct {
	refusal  error
	question string // empty: none
}

// settle refuses or asks.
func (rt *runtime) settle(ctx context.Context, a traceAsks) error {
	if a.refusal != nil {
		return a.refusal
	}
	if a.question == "" {
		return nil
	}
	return rt.confirm(ctx, a.question)
}

// outranked returns the error to end with when err stops a run before its
// questions. That is the refusal, if it holds whatever a person would answer
// and its code outranks that of err.
func (rt *runtime) outranked(ctx context.Context, a traceAsks, err error) error {
	if err == nil || exit.Worst(exit.CodeOf(err), exit.Refused) != exit.Refused || exit.CodeOf(err) == exit.Refused {
		return err
	}
	if a.refusal == nil && rt.isTerminal() {
		return err
	}
	if no := rt.settle(ctx, a); no != nil {
		return no
	}
	return err
}
