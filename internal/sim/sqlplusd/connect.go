package sqlplusd

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"ringtrace/internal/sim/debugger"
	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
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
	// A password must not be in a report of what was done.
	defer func() {
		if l.hasPassword && l.password != "" {
			in.step.Command = strings.ReplaceAll(in.step.Command, l.password, "********")
		}
	}()
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
	if _, on := d.Faults.Get(fault.NotOpen); on && l.role == "" {
		return &engine.Error{Code: 1033, Message: "ORACLE initialization or shutdown in progress"}
	}
	inst, pdb, err := in.place(l)
	if err != nil {
		return err
	}
	if err := in.authenticate(l); err != nil {
		return err
	}
	program := "sqlplus@" + in.machine() + " (TNS V1-V3)"
	self, lerr := d.Logon(inst, instance.Logon{
		User: l.user, Sysdba: l.role == "SYSDBA", Bequeath: l.where == "", Program: program, Machine: in.machine(), OSUser: in.c.OSUser,
		ClientPID: in.c.PID, Module: program, Driver: "SQL*PLUS", PDB: pdb,
	})
	if lerr != nil {
		return &engine.Error{Code: 20, Message: strings.TrimPrefix(lerr.Error(), "ORA-00020: ")}
	}
	e, eerr := in.c.Engine(inst)
	if eerr != nil {
		d.Logoff(self)
		return fmt.Errorf("simulator: %w", eerr)
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

func (in *Interp) authenticate(l logon) error {
	d := in.c.DB
	denied := &engine.Error{Code: 1017, Message: "invalid username/password; logon denied"}
	lack := &engine.Error{Code: 1031, Message: "insufficient privileges"}
	if _, on := d.Faults.Get(fault.NoPrivilege); on && l.role != "" {
		return lack
	}
	if l.slash {
		// No OS authentication with THREADED_EXECUTION
		// (facts/views-and-sqlplus.md 2.4).
		if l.role == "" {
			return denied
		}
		if !in.c.OSAuth || d.Threaded {
			return lack
		}
		return nil
	}
	known := strings.EqualFold(l.user, "SYS") || strings.EqualFold(l.user, "SYSTEM")
	for _, u := range d.Users {
		known = known || strings.EqualFold(u.Name, l.user)
	}
	switch {
	case !known || l.password != d.Password:
		return denied
	case strings.EqualFold(l.user, "SYS") && l.role == "":
		return &engine.Error{Code: 28009, Message: "connection as SYS should be as SYSDBA or SYSOPER"}
	case l.role != "" && !strings.EqualFold(l.user, "SYS"):
		return lack
	}
	return nil
}

// place finds the instance of a connect string: `host:port/service`, an
// alias, or nothing for ORACLE_SID.
func (in *Interp) place(l logon) (*instance.Instance, string, error) {
	d := in.c.DB
	where := l.where
	if where == "" {
		where = in.c.Env["TWO_TASK"]
	}
	if where == "" {
		sid := in.c.Env["ORACLE_SID"]
		for _, x := range d.Instances {
			if sid == "" || x.Name == sid {
				return x, "", nil
			}
		}
		return nil, "", &engine.Error{Code: 1034, Message: "ORACLE not available"}
	}
	service, net := where, false
	if i := strings.IndexByte(where, '/'); i >= 0 {
		service, net = where[i+1:], true
	}
	service, _, _ = strings.Cut(service, "?")
	service, _, _ = strings.Cut(service, ":")
	return Service(d, service, net)
}

// Service finds the instance (and PDB) behind a service name or alias.
func Service(d *instance.Database, service string, net bool) (*instance.Instance, string, error) {
	for _, x := range d.Instances {
		if strings.EqualFold(x.Name, service) {
			return x, "", nil
		}
	}
	if strings.EqualFold(service, d.Name) || strings.EqualFold(service, d.UniqueName) {
		return d.Instances[0], "", nil
	}
	for _, p := range d.PDBs {
		if strings.EqualFold(p.Name, service) && p.ConID > 2 {
			return d.Instances[0], p.Name, nil
		}
	}
	if net {
		return nil, "", &engine.Error{Code: 12514, Message: "TNS:listener does not currently know of service requested in connect descriptor"}
	}
	return nil, "", &engine.Error{Code: 12154, Message: "TNS:could not resolve the connect identifier specified"}
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
