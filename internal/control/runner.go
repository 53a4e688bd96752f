package control

import (
	"context"

	"ringtrace/internal/journal"
	"ringtrace/oradebug"
)

// Runner holds targets, one at a time.
type Runner interface {
	// Hold attaches to t's process and proves it: the reply's pid pair and
	// image, then the identity query with what t.Want asks for. Only then it
	// calls work, and afterwards it lets go of the process (setmypid), whatever
	// work returned. If the proof fails it returns a *WrongTargetError, and no
	// command has gone to the process. No other Hold runs meanwhile.
	//
	// A command that is not answered in time is ErrTimedOut; Held then refuses
	// every further command with the same error, and the next Hold starts on a
	// conversation that works.
	Hold(ctx context.Context, t Target, work func(Held) error) error
}

// Held is a target while it is held.
type Held interface {
	// Identity is what the query found before work began.
	Identity() Identity
	// Send sends one command, without the word ORADEBUG, to the target. The
	// error is about the conversation alone; Oracle's errors are in the reply.
	Send(ctx context.Context, command string) (oradebug.Reply, error)
	// Identify asks again.
	Identify(ctx context.Context) (Identity, error)
}

// Recorder makes intents and outcomes durable; *journal.Journal is one.
type Recorder interface {
	Begin(journal.Intent) (journal.Seq, error)
	Note(journal.Evidence) error
	Finish(journal.Outcome) error
	Observe(journal.Observed) error
}
