package sqlplusd

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"ringtrace/internal/sim/debugger"
	"ringtrace/internal/sim/engine"
)

// logon is a parsed `user/password@where as sysdba`.
type logon struct {
	user, password, where string
	slash                 bool // `/`: the operating system vouches
	hasPassword           bool
	role                  string
}

var asRole = regexp.MustCompile(`(?i)\s+as\s+(sysdba|sysoper|sysasm|sysbackup|sysdg|syskm|sysrac)\s*$`)

func parseLogon(s string) logon {
	var l logon
	s = strings.TrimSpace(s)
	if m := asRole.FindStringSubmatch(" " + s); m != nil {
		l.role = strings.ToUpper(m[1])
		s = strings.TrimSpace(asRole.ReplaceAllString(" "+s, ""))
	}
	if strings.HasPrefix(s, "/") {
		l.slash = true
		l.where = strings.TrimPrefix(strings.TrimSpace(s[1:]), "@")
		return l
	}
	l.user = s
	if i := strings.IndexAny(s, "/@"); i >= 0 {
		l.user = s[:i]
		if s[i] == '/' {
			l.hasPassword = true
			l.password = s[i+1:]
			if q := l.password; strings.HasPrefix(q, `"`) {
				if j := strings.IndexByte(q[1:], '"'); j >= 0 {
					l.password, l.where = q[1:1+j], strings.TrimPrefix(q[j+2:], "@")
					return l
				}
			}
			if j := strings.LastIndexByte(l.password, '@'); j >= 0 {
				l.where = l.password[j+1:]
				l.password = l.password[:j]
			}
		} else {
			l.where = s[i+1:]
		}
	}
	l.user = strings.Trim(l.user, `"`)
	return l
}

func cmdDisconnect(in *Interp, _ context.Context, _ string) error {
	if in.conn == nil {
		in.out.println("SP2-0640: Not connected")
		return nil
	}
	in.drop()
	in.out.println("Disconnected from " + in.c.DB.Release.Banner)
	return nil
}

// drop ends the connection.
func (in *Interp) drop() {
	if in.conn != nil {
		in.c.DB.Logoff(in.conn.self)
		in.conn = nil
	}
}

func cmdConnect(in *Interp, ctx context.Context, rest string) error {
	l := parseLogon(rest)
	if !l.slash && !l.hasPassword {
		in.out.println("Enter password: ")
		l.password, _ = in.base.read()
	}
	was := in.conn != nil
	in.drop()
	if err := in.logon(l); err != nil {
		in.out.println("ERROR:")
		in.out.println(err.Error())
		in.out.println("")
		in.out.println("")
		if was {
			in.out.println("Warning: You are no longer connected to ORACLE.")
		}
		if e, ok := err.(*engine.Error); ok {
			in.fail(e.Code)
		}
		return nil
	}
	in.out.println("Connected.")
	return in.loginScripts(ctx)
}

// logon opens a session, or says as ORA error why not.
func (in *Interp) logon(l logon) error {
	d := in.c.DB
	program := "sqlplus@" + in.machine() + " (TNS V1-V3)"
	self, err := Logon(d, Request{
		User: l.user, Password: l.password, Slash: l.slash, Where: l.where, Role: l.role, OSAuth: in.c.OSAuth, SID: in.c.Env["ORACLE_SID"],
		TwoTask: in.c.Env["TWO_TASK"], Machine: in.machine(), OSUser: in.c.OSUser, PID: in.c.PID, Program: program, Module: program, Driver: "SQL*PLUS",
	})
	if err != nil {
		return err
	}
	e, err := in.c.Engine(self.Inst)
	if err != nil {
		d.Logoff(self)
		return fmt.Errorf("simulator: %w", err)
	}
	in.conn = &connection{sql: e.NewSession(self), dbg: debugger.New(d, self), self: self}
	in.conn.dbg.Wait = in.c.Wait
	return nil
}

func (in *Interp) machine() string {
	if in.c.Machine != "" {
		return in.c.Machine
	}
	return in.c.DB.Instances[0].Host
}

// loginScripts runs glogin.sql and login.sql, as after every connect
// (facts/views-and-sqlplus.md 3.3).
func (in *Interp) loginScripts(ctx context.Context) error {
	for _, name := range in.c.Login {
		f, err := in.c.Files.Open(name)
		if err != nil {
			continue // there is none
		}
		s := newSource(name, f)
		s.c = f
		in.sources = append(in.sources, s)
		depth := len(in.sources)
		for len(in.sources) >= depth && in.exit == nil {
			line, src, ok := in.sources[len(in.sources)-1].next(in)
			if !ok {
				in.pop()
				continue
			}
			saved := in.out.mark
			if err := in.one(ctx, line, src); err != nil {
				return err
			}
			in.out.mark = saved
		}
	}
	return nil
}

// next reads a line of this very source.
func (s *source) next(*Interp) (string, *source, bool) {
	l, ok := s.read()
	return l, s, ok
}

// withoutPassword is a CONNECT argument as a report may show it.
func withoutPassword(rest string) string {
	l := parseLogon(rest)
	if !l.hasPassword {
		return rest
	}
	out := l.user + "/********"
	if l.where != "" {
		out += "@" + l.where
	}
	if l.role != "" {
		out += " as " + strings.ToLower(l.role)
	}
	return out
}
