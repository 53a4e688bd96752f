package sqlplus

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// Conversation is a logged-on sqlplus. Its methods may be called from several
// goroutines; one command runs at a time.
type Conversation struct {
	opts  Options
	child *child
	lines *lineReader
	log   *dialogue
	nonce string

	turn chan struct{} // holds a token while nobody talks
	n    int           // of the last command; guarded by turn, as are the next ones
	lost error
	said []string                       // what stood before the first mark of the last command
	buf  []byte                         // of what is sent; it held the password, and is in this process only
	last struct{ command, text string } // of the last statement

	close    sync.Once
	closeErr error
}

// Start starts sqlplus and logs on. ctx bounds that, and nothing afterwards: a
// way back must not end because the way there was interrupted. Errors carry
// exit codes and hints (internal/exit): 5 cannot connect, 6 not allowed, 8 no
// sqlplus that works.
func Start(ctx context.Context, o Options) (*Conversation, error) {
	o = o.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, o.ConnectTimeout)
	defer cancel()
	connect, err := o.Target.Command(o.Password)
	if err != nil {
		return nil, err
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	nonce := make([]byte, 8)
	if _, err := io.ReadFull(o.Random, nonce); err != nil {
		return nil, fmt.Errorf("a random word for the marks: %w", err)
	}
	c := &Conversation{
		opts: o, nonce: hex.EncodeToString(nonce), turn: make(chan struct{}, 1),
		log: newDialogue(o.Dialogue, o.Now, o.Password),
	}
	c.log.note("%s -S -L /nolog", o.Program)
	if c.child, err = startChild(&c.opts); err != nil {
		return nil, o.explainStart(err, nil, nil)
	}
	c.lines = newLineReader(c.child)
	c.turn <- struct{}{}
	if err := c.Locked(ctx, func(l *Locked) error { return l.logon(connect) }); err != nil {
		c.abandon()
		return nil, err
	}
	return c, nil
}

// Locked runs work while no other command can come between: a target and the
// commands that are meant for it.
func (c *Conversation) Locked(ctx context.Context, work func(*Locked) error) error {
	select {
	case <-c.turn:
	case <-ctx.Done():
		return fmt.Errorf("%w: another command holds the conversation: %w", ErrTimedOut, context.Cause(ctx))
	}
	defer func() { c.turn <- struct{}{} }()
	return work(&Locked{c: c, ctx: ctx})
}

// Locked is the conversation while it is held.
type Locked struct {
	c   *Conversation
	ctx context.Context //nolint:containedctx // lives as long as the call that made it
}

// Do sends one command and returns the lines that were printed for it: an
// ORADEBUG line, or a statement without its terminator. The error is about the
// conversation alone (ErrTimedOut, ErrLost, ErrTooLong) or refuses the command;
// what Oracle answers, errors included, is in the lines: see FindError.
//
// When ctx ends first, or nothing comes for Options.Timeout and ctx has no
// deadline, the command is interrupted (SIGINT); if that is not answered, the
// child is killed and every later call is ErrLost.
func (c *Conversation) Do(ctx context.Context, command string) (lines []string, err error) {
	err = c.Locked(ctx, func(l *Locked) error {
		lines, err = l.Do(ctx, command)
		return err
	})
	return lines, err
}

// Do is Conversation.Do within Locked.
func (l *Locked) Do(ctx context.Context, command string) ([]string, error) {
	text, err := l.c.wire(command)
	if err != nil {
		return nil, err
	}
	lines, err := l.c.exchange(ctx, text, text)
	return withoutHelp(lines), err
}

// exchange sends text between two marks and reads the answer. shown is what
// the dialogue gets of it.
func (c *Conversation) exchange(ctx context.Context, text, shown string) ([]string, error) {
	if c.lost != nil {
		return nil, c.lost
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%w: not sent: %w", ErrTimedOut, context.Cause(ctx))
	}
	c.n++
	begin, end := marks(c.nonce, c.n)
	f := &frame{begin: begin, end: end, limit: c.opts.MaxOutput, sent: time.Now()}
	c.log.write(">", shown)
	c.buf = append(append(append(c.buf[:0], "PROMPT "...), begin...), '\n')
	c.buf = append(append(append(append(c.buf, text...), "\nPROMPT "...), end...), '\n')
	err := c.talk(ctx, c.buf, f)
	c.said = f.before
	c.log.write("<", f.lines...)
	switch {
	case err == nil && f.over > 0:
		return f.lines, fmt.Errorf("%w: %d bytes more than %d", ErrTooLong, f.over, c.opts.MaxOutput)
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = &timeoutError{f.waited, context.Cause(ctx)}
		c.log.note("%v", err)
	case err != nil:
		c.log.note("%v", err)
	}
	return f.lines, err
}

// talk writes text and reads its answer. It returns os.ErrDeadlineExceeded
// when ctx ended first; then the command was interrupted, and the child is
// either ready for the next one or dead. Any other error is ErrLost.
func (c *Conversation) talk(ctx context.Context, text []byte, f *frame) error {
	release := c.wakeAt(ctx)
	_, err := c.child.in.Write(text)
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
		// A broken pipe: the child has ended, and its last words are to be read.
		err = f.fill(c.lines)
	}
	release()
	if err == nil {
		return nil
	}
	timedOut := errors.Is(err, os.ErrDeadlineExceeded) && !c.child.ended()
	if timedOut {
		f.waited = time.Since(f.sent)
		c.log.note("SIGINT")
		c.child.deadline(time.Now().Add(c.opts.Grace))
		c.child.interrupt()
		if err = f.fill(c.lines); err == nil {
			return os.ErrDeadlineExceeded
		}
	}
	c.log.note("the child is stopped")
	c.child.kill(c.opts.Grace)
	c.end(f)
	if timedOut {
		return os.ErrDeadlineExceeded
	}
	return c.lost
}

// wakeAt makes reads and writes end when ctx does; the returned function takes
// that back. Without a deadline each wait is bounded by Options.Timeout, so that
// a long answer may take its time as long as it comes.
func (c *Conversation) wakeAt(ctx context.Context) (release func()) {
	if _, ok := ctx.Deadline(); ok {
		c.child.deadline(time.Time{}) // ctx has a timer, one is enough
	} else {
		c.child.silence(c.opts.Timeout)
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		c.child.deadline(time.Unix(1, 0))
	})
	return func() {
		if !stop() {
			<-done
		}
	}
}

// end notes that there is no child any more. A death that shows as an end of
// file comes a moment before the process can be waited for.
func (c *Conversation) end(f *frame) {
	c.child.awaitEnd(c.opts.Grace)
	e := &lostError{status: c.child.status(), stderr: c.child.errors.lines(), lines: f.lines, waited: f.waited}
	if len(e.lines) == 0 {
		e.lines = f.before
	}
	c.log.write("!", e.stderr...)
	c.lost = e
}

// Close ends the conversation: EXIT, and what is needed if that is not obeyed.
// The error is one of the dialogue's file.
func (c *Conversation) Close() error {
	c.close.Do(func() {
		select {
		case <-c.turn:
			if c.lost == nil {
				c.log.write(">", "exit")
				c.child.deadline(time.Now().Add(c.opts.Grace))
				_, _ = io.WriteString(c.child.in, "exit\n") // a child that is gone needs none
				_ = c.child.in.Close()                      // likewise
				if !c.child.awaitEnd(c.opts.Grace) {
					c.log.note("exit was not obeyed: the child is stopped")
				}
				c.lost = fmt.Errorf("%w: it was closed", ErrLost)
			}
			c.child.kill(c.opts.Grace)
			c.turn <- struct{}{}
		case <-time.After(c.opts.Grace): // somebody waits for an answer
			c.child.kill(c.opts.Grace)
			<-c.turn
			c.turn <- struct{}{}
		}
		c.child.cleanup()
		if err := c.log.failed(); err != nil {
			c.closeErr = fmt.Errorf("the dialogue is not complete: %w", err)
		}
	})
	return c.closeErr
}

// abandon ends a conversation that did not come to be.
func (c *Conversation) abandon() {
	c.child.kill(c.opts.Grace)
	_ = c.Close() // the error that led here is the one to tell
}

// wire is wire, and remembers a statement: an identity is asked for twice.
func (c *Conversation) wire(command string) (string, error) {
	if command == c.last.command && command != "" {
		return c.last.text, nil
	}
	text, err := wire(command)
	if err == nil && strings.HasSuffix(text, "/") {
		c.last.command, c.last.text = command, text
	}
	return text, err
}

// wire writes a command as it is sent: an ORADEBUG line as it is, a statement
// laid out and followed by a slash.
func wire(command string) (string, error) {
	if word, _, _ := strings.Cut(strings.TrimSpace(command), " "); strings.EqualFold(word, "oradebug") {
		return oradebugLine(strings.TrimSpace(command))
	}
	s, err := parseStatement(command, nil)
	if err != nil {
		return "", err
	}
	return s.layout()
}

// maxLine bounds a line, in bytes (facts/oradebug.md 1.1: 2,500 until 12.1).
const maxLine = 2400

func oradebugLine(command string) (string, error) {
	switch {
	case strings.ContainsAny(command, "\n\r\x00"):
		return "", refuse(command, "it is more than one line")
	case strings.HasSuffix(command, "-"):
		return "", refuse(command, "a hyphen at its end would continue it on the next line")
	case len(command) > maxLine:
		return "", refuse(command, fmt.Sprintf("it is longer than %d bytes", maxLine))
	}
	return command, nil
}
