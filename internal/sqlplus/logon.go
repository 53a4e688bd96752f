package sqlplus

import (
	"context"
	"errors"
	"fmt"
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
	shown := connect
	if c.opts.Password != "" {
		shown = strings.ReplaceAll(connect, c.opts.Password, masked)
	}
	answer, err := c.exchange(l.ctx, connect, shown)
	if err != nil {
		return c.opts.explainConnect(err, answer)
	}
	if _, err := c.exchange(l.ctx, prelude, "# settings again: login.sql runs after every connect"); err != nil {
		return c.opts.explainConnect(err, answer)
	}
	text, err := wire(probe)
	if err != nil {
		return err
	}
	lines, err := c.exchange(l.ctx, text, text)
	if err != nil {
		return c.opts.explainConnect(err, answer)
	}
	for _, line := range lines {
		if line == probeAnswer {
			return l.settle()
		}
	}
	if e := FindError(lines); e != nil && e.Code() != 1012 {
		answer = append(answer, e.Text) // an idle instance: the connect itself worked
	}
	if FindError(answer) == nil {
		answer = append(answer, lines...)
	}
	return c.opts.explainConnect(nil, answer)
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
		return c.opts.explainConnect(err, nil)
	}
	return nil
}

// asCanceled keeps an interruption apart from a time-out.
func asCanceled(err error) bool { return errors.Is(err, context.Canceled) }
