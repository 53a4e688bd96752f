package main

import (
	"context"
	"fmt"
	"strings"

	"ringtrace/internal/exit"
)

// confirm asks before something is done. --yes answers it; without --yes and
// without a terminal it refuses with exit 7. The question is one sentence
// without the mark, e.g. "arm 12 sessions on instance 1".
func (rt *runtime) confirm(ctx context.Context, question string) error {
	if rt.yes {
		return nil
	}
	ok, err := rt.ask(ctx, question)
	if err != nil {
		return err
	}
	if !ok {
		return exit.Errorf(exit.Refused, "answer y, or give --yes", "not confirmed: %s", question)
	}
	return nil
}

// ask puts a question that --yes does not answer. Without a terminal it
// refuses with exit 7.
func (rt *runtime) ask(ctx context.Context, question string) (bool, error) {
	if !rt.isTerminal() {
		return false, exit.Errorf(exit.Refused,
			"run it on a terminal, or read what it would do and give --yes", "no terminal to ask: %s?", question)
	}
	fmt.Fprintf(rt.stderr, "ringtrace: %s? [y/N] ", printable(question))
	line, err := rt.readAnswer(ctx)
	if err != nil {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}
