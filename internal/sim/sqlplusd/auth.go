package sqlplusd

import (
	"strings"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/fault"
	"ringtrace/internal/sim/instance"
)

// Request is a logon, from SQL*Plus or through the OCI shim.
type Request struct {
	User, Password string
	Slash          bool   // the operating system vouches
	Where          string // connect string; empty for the instance of SID
	Role           string // SYSDBA …, empty for none
	OSAuth         bool   // the caller is in the OSDBA group
	SID, TwoTask   string // of the caller's environment

	Machine, OSUser, PID, Program, Module, Driver string
}

// Logon opens a session, or returns the *engine.Error that says why not.
func Logon(d *instance.Database, r Request) (*instance.Session, error) {
	if _, on := d.Faults.Get(fault.NotOpen); on && r.Role == "" {
		return nil, &engine.Error{Code: 1033, Message: "ORACLE initialization or shutdown in progress"}
	}
	inst, pdb, err := place(d, r)
	if err != nil {
		return nil, err
	}
	if err := authenticate(d, r); err != nil {
		return nil, err
	}
	self, err := d.Logon(inst, instance.Logon{
		User: r.User, Sysdba: r.Role == "SYSDBA", Bequeath: r.Where == "", Program: r.Program, Machine: r.Machine, OSUser: r.OSUser,
		ClientPID: r.PID, Module: r.Module, Driver: r.Driver, PDB: pdb, Service: service(d, inst, r.Where),
	})
	if err != nil {
		return nil, &engine.Error{Code: 20, Message: strings.TrimPrefix(err.Error(), "ORA-00020: ")}
	}
	return self, nil
}

// service is what V$SESSION.SERVICE_NAME shows of a connect string.
func service(d *instance.Database, in *instance.Instance, where string) string {
	if i := strings.LastIndexByte(where, '/'); i >= 0 {
		if s := where[i+1:]; !strings.EqualFold(s, in.Name) && !strings.EqualFold(s, d.Name) {
			return s
		}
	}
	return ""
}

func authenticate(d *instance.Database, r Request) error {
	denied := &engine.Error{Code: 1017, Message: "invalid username/password; logon denied"}
	lack := &engine.Error{Code: 1031, Message: "insufficient privileges"}
	if _, on := d.Faults.Get(fault.NoPrivilege); on && r.Role != "" {
		return lack
	}
	if r.Slash {
		// No OS authentication with THREADED_EXECUTION
		// (facts/views-and-sqlplus.md 2.4).
		switch {
		case r.Role == "":
			return denied
		case !r.OSAuth || d.Threaded:
			return lack
		}
		return nil
	}
	known := strings.EqualFold(r.User, "SYS") || strings.EqualFold(r.User, "SYSTEM")
	for _, u := range d.Users {
		known = known || strings.EqualFold(u.Name, r.User)
	}
	switch {
	case !known || r.Password != d.Password:
		return denied
	case strings.EqualFold(r.User, "SYS") && r.Role == "":
		return &engine.Error{Code: 28009, Message: "connection as SYS should be as SYSDBA or SYSOPER"}
	case r.Role != "" && !strings.EqualFold(r.User, "SYS"):
		return lack
	}
	return nil
}

// place finds the instance of a connect string: `host:port/service`, an
// alias, or nothing for ORACLE_SID.
func place(d *instance.Database, r Request) (*instance.Instance, string, error) {
	where := r.Where
	if where == "" {
		where = r.TwoTask
	}
	if where == "" {
		for _, x := range d.Instances {
			if r.SID == "" || x.Name == r.SID {
				return x, "", nil
			}
		}
		return nil, "", &engine.Error{Code: 1034, Message: "ORACLE not available"}
	}
	name, net := where, false
	if i := strings.LastIndexByte(where, '/'); i >= 0 {
		name, net = where[i+1:], true
	}
	name, _, _ = strings.Cut(name, "?")
	name, _, _ = strings.Cut(name, ":")
	return serviceInstance(d, name, net)
}

// serviceInstance finds the instance (and PDB) behind a service name or alias.
func serviceInstance(d *instance.Database, name string, net bool) (*instance.Instance, string, error) {
	for _, x := range d.Instances {
		if strings.EqualFold(x.Name, name) {
			return x, "", nil
		}
	}
	if strings.EqualFold(name, d.Name) || strings.EqualFold(name, d.UniqueName) {
		return d.Instances[0], "", nil
	}
	for _, p := range d.PDBs {
		if strings.EqualFold(p.Name, name) && p.ConID > 2 {
			return d.Instances[0], p.Name, nil
		}
	}
	if net {
		return nil, "", &engine.Error{Code: 12514, Message: "TNS:listener does not currently know of service requested in connect descriptor"}
	}
	return nil, "", &engine.Error{Code: 12154, Message: "TNS:could not resolve the connect identifier specified"}
}
