package sessions

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Querier is the one thing the finder needs of a database. *sql.DB, *sql.Conn
// and *sql.Tx have it; a *sql.Conn keeps all statements in one session, so that
// "our own session" means something.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Finder reads the sessions of one database through one connection.
type Finder struct {
	q Querier

	Capability Capability
	Instances  []Instance // all that could be seen, by inst_id
	InstID     int        // the instance we are connected to
	RAC        bool       // all instances are asked (GV$)
	Container  string     // our container; empty where there are none
	InPDB      bool       // only the container's sessions are visible
	Now        time.Time  // UTC by the database host's clock when it was asked; zero if unknown
	Warnings   []string   // grows while sessions are read

	ownSID     int
	ownAudSID  int64
	zone       *time.Location
	maintained map[string]bool // nil: not readable, the shipped list is used
}

// Open asks the database what it is: release, instances, our own session,
// Oracle-maintained users. Only what the listing cannot do without is an
// error; the rest becomes a warning.
func Open(ctx context.Context, q Querier) (*Finder, error) {
	f := &Finder{q: q, zone: time.UTC}
	var here, parallel string
	in, err := f.connectedInstance(ctx, &here, &parallel)
	if err != nil {
		return nil, err
	}
	release, err := ParseRelease(in.Version)
	if err != nil {
		return nil, fmt.Errorf("V$INSTANCE.VERSION: %w", err)
	}
	if err := TooOld(release); err != nil {
		return nil, err
	}
	f.Capability = CapabilityOf(release)
	f.probeColumns(ctx)
	if err := f.own(ctx); err != nil {
		return nil, err
	}
	if f.InPDB {
		f.warn("connected to container %s: sessions of other containers are not seen, so a process that they share is not noticed here", f.Container)
	}
	in.StartupTime = f.timeAt(here)
	f.RAC = strings.EqualFold(parallel, "YES")
	f.Instances = []Instance{in}
	f.allInstances(ctx)
	f.database(ctx)
	f.threaded(ctx)
	f.maintainedUsers(ctx)
	return f, nil
}

func (f *Finder) connectedInstance(ctx context.Context, startup, parallel *string) (Instance, error) {
	var in Instance
	found := false
	err := f.rows(ctx, "instance", false, func(scan scanFunc) error {
		found = true
		return scan(intCol{&in.InstID}, textCol{&in.InstanceName}, textCol{&in.HostName}, textCol{&in.Version}, textCol{startup}, textCol{parallel})
	})
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	if err != nil {
		f.nameContainer(ctx)
		return in, f.failed("V$INSTANCE", err)
	}
	f.InstID = in.InstID
	return in, nil
}

// nameContainer finds the container's name for an error message, on whatever
// release this is; before 12.1 the question itself is an error.
func (f *Finder) nameContainer(ctx context.Context) {
	c := f.Capability
	f.Capability.Containers = true
	if err := f.own(ctx); err != nil {
		f.Container = ""
	}
	f.Capability = c
}

func (f *Finder) own(ctx context.Context) error {
	var tz, utc string
	var conID int
	err := f.rows(ctx, "own", false, func(scan scanFunc) error {
		return scan(intCol{&f.ownSID}, int64Col{&f.ownAudSID}, textCol{&tz}, textCol{&utc}, textCol{&f.Container}, intCol{&conID})
	})
	if err != nil {
		return f.failed("DUAL", err)
	}
	if conID == 0 {
		f.Container = "" // CON_NAME is then the database's name
	}
	f.InPDB = conID > 1
	if f.Now, err = time.Parse(time.DateTime, utc); err != nil {
		f.warn("the database's clock %s was not understood: the expiry of scripts starts from this host's clock", quoteShort(utc))
	}
	if zone, ok := parseOffset(tz); ok {
		f.zone = zone
	} else {
		f.warn("the database host's offset from UTC %s was not understood: times are printed as if in UTC", quoteShort(tz))
	}
	return nil
}

// probeColumns corrects what the release promises by what the dictionary
// shows. A dictionary that shows nothing (no grant, or none of ours) decides
// nothing.
func (f *Finder) probeColumns(ctx context.Context) {
	seen := map[string]bool{}
	err := f.rows(ctx, "columns", false, func(scan scanFunc) error {
		var table, column string
		if err := scan(textCol{&table}, textCol{&column}); err != nil {
			return err
		}
		seen[table+"."+column] = true
		return nil
	})
	if err != nil {
		return
	}
	c := &f.Capability
	if seen["V_$SESSION.SID"] && seen["V_$PROCESS.PID"] {
		c.Containers = seen["V_$SESSION.CON_ID"] && seen["V_$PROCESS.STID"]
	}
	if seen["V_$INSTANCE.INSTANCE_NAME"] {
		c.VersionFull = seen["V_$INSTANCE.VERSION_FULL"]
	}
}

// allInstances reads all instances, and the full version; when GV$ cannot be
// read, the listing goes on with the instance we are connected to.
func (f *Finder) allInstances(ctx context.Context) {
	var all []Instance
	err := f.rows(ctx, "instances", f.RAC, func(scan scanFunc) error {
		var in Instance
		var startup string
		if err := scan(intCol{&in.InstID}, textCol{&in.InstanceName}, textCol{&in.HostName}, textCol{&in.Version}, textCol{&startup}); err != nil {
			return err
		}
		in.StartupTime = f.timeAt(startup)
		all = append(all, in)
		return nil
	})
	if err != nil {
		if f.RAC {
			f.localOnly(err)
		}
		return
	}
	for i := range all {
		if all[i].Version == "" {
			all[i].Version = f.Instances[0].Version
		}
	}
	if len(all) > 0 {
		f.Instances = all
	}
}

// localOnly falls back from GV$ to V$ and says so.
func (f *Finder) localOnly(err error) {
	f.RAC = false
	f.warn("GV$ cannot be read (%v): only instance %d is listed, although this is a cluster; connect to each instance, "+
		"or grant select on the GV_$ views", firstLineOf(err), f.InstID)
}

func (f *Finder) database(ctx context.Context) {
	err := f.rows(ctx, "database", false, func(scan scanFunc) error {
		var dbid int64
		var name, cdb string
		if err := scan(int64Col{&dbid}, textCol{&name}, textCol{&cdb}); err != nil {
			return err
		}
		for i := range f.Instances {
			in := &f.Instances[i]
			in.DBID, in.DBUniqueName, in.CDB, in.cdbKnown = dbid, name, strings.EqualFold(cdb, "YES"), true
		}
		return nil
	})
	if err != nil {
		f.warn("V$DATABASE cannot be read (%v): the database's name and id are not known, so a script cannot check them", firstLineOf(err))
	}
}

func (f *Finder) threaded(ctx context.Context) {
	if !f.Capability.Containers { // the parameter came with 12.1
		for i := range f.Instances {
			f.Instances[i].threadedKnown = true
		}
		return
	}
	err := f.rows(ctx, "threaded", f.RAC, func(scan scanFunc) error {
		var id int
		var value string
		if err := scan(intCol{&id}, textCol{&value}); err != nil {
			return err
		}
		for i := range f.Instances {
			if !f.RAC || f.Instances[i].InstID == id {
				f.Instances[i].Threaded, f.Instances[i].threadedKnown = strings.EqualFold(value, "TRUE"), true
			}
		}
		return nil
	})
	if err != nil {
		f.warn("V$PARAMETER cannot be read (%v): threaded_execution is not known and taken as FALSE", firstLineOf(err))
	}
}

func (f *Finder) maintainedUsers(ctx context.Context) {
	if !f.Capability.Containers {
		return
	}
	users := map[string]bool{}
	err := f.rows(ctx, "maintained", false, func(scan scanFunc) error {
		var name string
		if err := scan(textCol{&name}); err != nil {
			return err
		}
		users[name] = true
		return nil
	})
	switch {
	case err != nil:
		f.warn("DBA_USERS cannot be read (%v): Oracle's own users are told by a built-in list", firstLineOf(err))
	case len(users) > 0:
		f.maintained = users
	}
}

// IsMaintained reports whether a user comes with the database.
func (f *Finder) IsMaintained(username string) bool {
	if f.maintained == nil {
		return MaintainedUser(username)
	}
	return f.maintained[username]
}

func (f *Finder) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// timeAt reads the digits of a DATE in the database host's offset.
func (f *Finder) timeAt(digits string) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04:05", digits, f.zone)
	if err != nil {
		return time.Time{}
	}
	return t
}

// parseOffset reads TZH:TZM: +02:00, -03:30.
func parseOffset(s string) (*time.Location, bool) {
	s = strings.TrimSpace(s)
	t, err := time.Parse("-07:00", s)
	if err != nil {
		return nil, false
	}
	_, seconds := t.Zone()
	if seconds == 0 {
		return time.UTC, true
	}
	return time.FixedZone("", seconds), true
}
