package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ringtrace/oradebug"
)

// Conversation is a SQL*Plus session on one instance, as SYSDBA, by a dedicated
// server: one command at a time.
type Conversation interface {
	// Do sends one command, an ORADEBUG line or a SELECT without terminator,
	// and returns what was printed for it, without prompts and markers. A
	// SELECT prints one line a row. When ctx ends first, Do returns an error and
	// the command may still run; any other error says that the conversation is
	// over. What Oracle answers, errors included, is in the lines.
	Do(ctx context.Context, command string) (lines []string, err error)
	Close() error
}

// DefaultTimeout bounds one command. Internal callers of ORADEBUG wait 30 s
// (facts/oradebug.md 0.7); a healthy target answers in milliseconds.
const DefaultTimeout = 20 * time.Second

// Console is the Runner over a Conversation.
type Console struct {
	dial    func(context.Context) (Conversation, error)
	timeout time.Duration

	mu   sync.Mutex
	conv Conversation
	read map[string]oradebug.Reply // answers that came before: a campaign gets the same few again and again
}

// NewConsole returns a Runner that opens its conversation when it is needed,
// and again after it was lost. timeout bounds each command; 0 is
// DefaultTimeout.
func NewConsole(timeout time.Duration, dial func(context.Context) (Conversation, error)) *Console {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return &Console{dial: dial, timeout: timeout}
}

// Close ends the conversation.
func (c *Console) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.drop()
}

func (c *Console) drop() error {
	if c.conv == nil {
		return nil
	}
	conv := c.conv
	c.conv = nil
	return conv.Close()
}

// Hold implements Runner.
func (c *Console) Hold(ctx context.Context, t Target, work func(Held) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(ctx); err != nil {
		return err
	}
	h := &held{c: c, t: t}
	err := h.attach(ctx)
	if err == nil {
		err = work(h)
	}
	// The way back has its own time: ctx may have ended.
	if h.failed != nil {
		// Nobody knows what the child still does: it is not used again.
		c.drop() //nolint:errcheck // it failed already
	} else if _, derr := c.do(context.WithoutCancel(ctx), "oradebug setmypid"); derr != nil {
		c.drop() //nolint:errcheck // likewise
	}
	if err == nil {
		err = h.failed
	}
	return err
}

// Own runs commands in the connection's own process, as preflight does.
func (c *Console) Own(ctx context.Context, commands ...string) ([]oradebug.Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.open(ctx); err != nil {
		return nil, err
	}
	var out []oradebug.Reply
	for _, text := range append([]string{"setmypid"}, commands...) {
		lines, err := c.do(ctx, "oradebug "+text)
		if err != nil {
			c.drop() //nolint:errcheck // it failed already
			return out, err
		}
		out = append(out, c.reply(text, lines))
	}
	return out, nil
}

func (c *Console) open(ctx context.Context) error {
	if c.conv != nil {
		return nil
	}
	conv, err := c.dial(ctx)
	if err != nil {
		return &DialError{err}
	}
	c.conv = conv
	// The identity queries are literal and differ from session to session.
	if _, err := c.do(ctx, "alter session set cursor_sharing = force"); err != nil {
		c.drop() //nolint:errcheck // it failed already
		return &DialError{err}
	}
	return nil
}

func (c *Console) do(ctx context.Context, command string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	lines, err := c.conv.Do(ctx, command)
	switch {
	case err == nil, errors.Is(err, ErrTimedOut), errors.Is(err, ErrLost):
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("%w: %w", ErrTimedOut, err)
	default:
		err = fmt.Errorf("%w: %w", ErrLost, err)
	}
	return lines, err
}

// readSize bounds Console.read, in answers, readText the length of one, in
// bytes. Answers that name a process differ from session to session, and stay
// out.
const (
	readSize = 256
	readText = 2048
)

// reply reads an answer, or remembers it.
func (c *Console) reply(text string, lines []string) oradebug.Reply {
	word, _, _ := strings.Cut(text, " ")
	answer := strings.Join(lines, "\n")
	if len(answer) > readText {
		return oradebug.ParseReply(word, answer)
	}
	key := word + "\n" + answer
	if r, ok := c.read[key]; ok {
		return r
	}
	r := oradebug.ParseReply(word, answer)
	if r.Kind != oradebug.ReplyProcessed && r.Kind != oradebug.ReplyEvents {
		return r
	}
	if c.read == nil || len(c.read) >= readSize {
		c.read = map[string]oradebug.Reply{}
	}
	// Whoever appends to what it got must not write into what others get.
	r.Lines, r.Events = slices.Clip(r.Lines), slices.Clip(r.Events)
	c.read[key] = r
	return r
}

// held is a target of a Console.
type held struct {
	c      *Console
	t      Target
	id     Identity
	failed error // of the conversation: no more commands
}

func (h *held) Identity() Identity { return h.id }

// attach selects the process and proves it. setmypid goes first, so that a
// failed setorapid leaves our own process selected (facts/oradebug.md 7.4).
func (h *held) attach(ctx context.Context) error {
	if _, err := h.do(ctx, "oradebug setmypid"); err != nil {
		return err
	}
	text := fmt.Sprintf("setorapid %d", h.t.Process.Orapid)
	lines, err := h.do(ctx, "oradebug "+text)
	if err != nil {
		return err
	}
	r := h.c.reply(text, lines)
	wrong := h.attached(r)
	id, err := h.Identify(ctx)
	if err != nil {
		return err
	}
	h.id = id
	var w *WrongTargetError
	if errors.As(wrong, &w) {
		w.Identity = id
		if w.Reason == "gone" && id.Process {
			// The view still shows our process, and the reply does not: no
			// command goes out on a contradiction.
			w.Reason = "refused"
		}
		return w
	}
	return h.t.check(id)
}

func (h *held) attached(r oradebug.Reply) error {
	switch {
	case r.Kind == oradebug.ReplyAttached:
		return h.t.matches(r.Attach)
	case r.HasError(71), r.HasError(72), r.HasError(75):
		return &WrongTargetError{Target: h.t, Reason: "gone", Detail: r.Errors[0].String()}
	case len(r.Errors) > 0:
		return &WrongTargetError{Target: h.t, Reason: "refused", Detail: r.Errors[0].String()}
	}
	return &WrongTargetError{Target: h.t, Reason: "refused", Detail: fmt.Sprintf("setorapid was answered by %q", strings.Join(r.Lines, " "))}
}

func (h *held) Send(ctx context.Context, command string) (oradebug.Reply, error) {
	lines, err := h.do(ctx, "oradebug "+command)
	if err != nil {
		return oradebug.Reply{}, err
	}
	r := h.c.reply(command, lines)
	if len(r.Errors) == 0 {
		return r, nil
	}
	for _, code := range []int{32515, 32516, 32517, 32518} {
		if r.HasError(code) { // the server gave up waiting (facts/oradebug.md 2.3)
			h.failed = fmt.Errorf("%w: %s", ErrTimedOut, r.Errors[0])
			return r, h.failed
		}
	}
	return r, nil
}

func (h *held) Identify(ctx context.Context) (Identity, error) {
	lines, err := h.do(ctx, h.t.query)
	if err != nil {
		return Identity{}, err
	}
	for _, l := range lines {
		if id, ok := readIdentity(l); ok {
			return id, nil
		}
	}
	return Identity{}, fmt.Errorf("the identity query was answered by %q", strings.Join(lines, " "))
}

func (h *held) do(ctx context.Context, command string) ([]string, error) {
	if h.failed != nil {
		return nil, h.failed
	}
	lines, err := h.c.do(ctx, command)
	if err != nil {
		h.failed = err
	}
	return lines, err
}
