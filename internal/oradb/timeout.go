package oradb

import (
	"context"
	"errors"
	"strings"
	"time"

	"ringtrace/internal/exit"
)

// perCall is a context whose deadline moves: it is always timeout away, unless
// the parent ends sooner. godror 0.51 asks for the deadline before every
// execution and every fetch and hands it to the client library as
// OCI_ATTR_CALL_TIMEOUT, which bounds one round trip. Its own option
// CallTimeout works for statements without rows only, and a fixed deadline
// would bound the reading of all rows together.
type perCall struct {
	context.Context //nolint:containedctx // it is one
	timeout         time.Duration
}

// Deadline implements context.Context.
func (p perCall) Deadline() (time.Time, bool) {
	at := time.Now().Add(p.timeout)
	if parent, ok := p.Context.Deadline(); ok && parent.Before(at) {
		return parent, true
	}
	return at, true
}

// bound makes every round trip of ctx end after CallTimeout.
func (c *Config) bound(ctx context.Context) context.Context {
	if c.CallTimeout <= 0 {
		return ctx
	}
	return perCall{ctx, c.CallTimeout}
}

// late explains an error of a call that was not answered in time: DPI-1067
// (call timeout exceeded), ORA-03156 and ORA-03136 beside it, or the deadline of
// the caller. Other errors are returned as they are.
func (c *Config) late(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	var known *exit.Error
	if errors.As(err, &known) {
		return err
	}
	number, text := oraError(err)
	if number == 3156 || number == 3136 || strings.Contains(text, "DPI-1067") || errors.Is(err, context.DeadlineExceeded) {
		return exit.Errorf(exit.CannotConnect, lateHint, "%s gave no answer within %v: %w", c.Target, c.CallTimeout, err)
	}
	return err
}

// gaveUp is an answer that did not come at all.
func (c *Config) gaveUp() error {
	return exit.Errorf(exit.CannotConnect, lateHint, "%s gave no answer within %v", c.Target, c.CallTimeout)
}

const lateHint = "look at the load of the database and at the network, or give a longer --command-timeout"
