package sqlplus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// probe is asked after the logon: it proves that we are connected, whatever the
// messages say, and that no text is taken for a variable or an escape. It holds
// nothing else that a SQL*Plus could print in two ways, blanks least of all.
const (
	probe       = `select '~p|&ringtrace' || '\|~' from dual`
	probeAnswer = `~p|&ringtrace\|~`
)

// logon is the first talk of a conversation.
func (l *Locked) logon(connect string) error {
	c := l.c
	if _, err := c.exchange(l.ctx, prelude, "# settings"); err != nil {
		return c.opts.explainStart(err, c.said, c.child.errors.lines())
	}
	a := &attempt{banner: c.said}
	shown := connect
	if c.opts.Password != "" {
		shown = strings.ReplaceAll(connect, c.opts.Password, masked)
	}
	var err error
	if a.answer, err = c.exchange(l.ctx, connect, shown); err != nil {
		return c.opts.explainConnect(err, a)
	}
	if _, err := c.exchange(l.ctx, prelude, "# settings again: login.sql runs after every connect"); err != nil {
		return c.opts.explainConnect(err, a)
	}
	text, err := wire(probe)
	if err != nil {
		return err
	}
	lines, err := c.exchange(l.ctx, text, text)
	if err != nil {
		return c.opts.explainConnect(err, a)
	}
	if slices.Contains(lines, probeAnswer) {
		return l.settle()
	}
	a.probe(lines)
	return c.opts.explainConnect(nil, a)
}

// settle sets what the session needs. A database that is not open refuses some
// of it, which does no harm.
func (l *Locked) settle() error {
	c := l.c
	commands := []string{
		"alter session set nls_numeric_characters = '.,'",
		"alter session set nls_comp = binary",
		"alter session set nls_sort = binary",
	}
	commands = append(commands, c.tags().settings()...)
	if c.opts.Module != "" {
		commands = append(commands, fmt.Sprintf("begin dbms_application_info.set_module(%s, %s); end;", quote(c.opts.Module), quote(c.opts.Action)))
	}
	text := strings.Join(commands, "\n/\n") + "\n/"
	if _, err := c.exchange(l.ctx, text, text); err != nil {
		return c.opts.explainConnect(err, &attempt{})
	}
	return nil
}

// asCanceled keeps an interruption apart from a time-out.
func asCanceled(err error) bool { return errors.Is(err, context.Canceled) }
