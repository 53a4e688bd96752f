package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ringtrace/internal/sim/debugger"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
)

// Conversation is a SYSDBA session in process: ORADEBUG commands and
// statements, as a SQL*Plus session answers them without prompts and headings.
type Conversation struct {
	d    *instance.Database
	self *instance.Session
	sql  *engine.Session
	dbg  *debugger.Debugger

	// Impatient gives up at once on a target that does not answer, as if the
	// time were up: for tests, which then need no clock.
	Impatient bool
	gaveUp    bool
}

// Converse logs on to the instance of e.
func Converse(e *engine.Engine) (*Conversation, error) {
	d, in := e.Model(), e.Instance()
	self, err := d.Logon(in, instance.Logon{
		User: "SYS", Sysdba: true, Bequeath: true, Program: "sqlplus@" + in.Host + " (TNS V1-V3)", Machine: in.Host, OSUser: "oracle",
		ClientPID: "4712", Module: "ringtrace",
	})
	if err != nil {
		return nil, err
	}
	c := &Conversation{d: d, self: self, sql: e.NewSession(self), dbg: debugger.New(d, self)}
	c.dbg.Wait = func(ctx context.Context, _ *instance.Process) error {
		if c.gaveUp = c.Impatient; c.gaveUp {
			return context.DeadlineExceeded
		}
		<-ctx.Done()
		return ctx.Err()
	}
	return c, nil
}

// Do carries out one command: "oradebug …" or a statement without terminator.
// It returns what is printed. The error is ctx's, when the target did not
// answer in time, or says that the session has ended.
func (c *Conversation) Do(ctx context.Context, command string) ([]string, error) {
	alive := false
	c.d.Locked(func() { alive = c.self.Alive() })
	if !alive {
		return nil, errors.New("ORA-03113: end-of-file on communication channel")
	}
	if text, ok := strings.CutPrefix(command, "oradebug "); ok {
		c.gaveUp = false
		r := c.dbg.Do(ctx, text)
		if c.gaveUp {
			return r.Lines, context.DeadlineExceeded
		}
		return r.Lines, ctx.Err()
	}
	res, err := c.sql.Query(ctx, command, nil)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return append([]string{"ERROR at line 1:"}, strings.Split(err.Error(), "\n")...), nil
	}
	var lines []string
	for _, row := range res.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			if v != nil {
				cells[i] = fmt.Sprint(v)
			}
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return lines, nil
}

// Close logs off.
func (c *Conversation) Close() error {
	c.d.Logoff(c.self)
	return nil
}
