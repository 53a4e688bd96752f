package sim

import (
	"ringtrace/internal/sim/debugger"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
)

// ConverseAs is Converse for another logon: an ordinary user, for example.
func ConverseAs(e *engine.Engine, l instance.Logon) (*Conversation, error) {
	self, err := e.Model().Logon(e.Instance(), l)
	if err != nil {
		return nil, err
	}
	c := &Conversation{d: e.Model()}
	c.as(e, self)
	return c, nil
}

func (c *Conversation) as(e *engine.Engine, self *instance.Session) {
	c.self, c.sql, c.dbg = self, e.NewSession(self), debugger.New(c.d, self)
}

// Switch gives the process of the conversation another session, as a
// connection pool may do and SQL*Plus cannot.
func (c *Conversation) Switch() error {
	l := instance.Logon{User: c.self.Username, Service: c.self.Service, Program: c.self.Program, Machine: c.self.Machine, OSUser: c.self.OSUser}
	c.as(c.sql.Engine, c.d.SwitchSession(c.self, l))
	return nil
}
