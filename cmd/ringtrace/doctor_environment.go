package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ringtrace/internal/argv"
	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
)

// checkOracleVariables tells of every variable that Oracle's programs heed
// what it does and which one wins (facts/views-and-sqlplus.md 3.3).
func (d *doctor) checkOracleVariables() {
	d.checkOracleHome()
	d.checkOracleSID()
	d.checkTNSAdmin()
	d.checkLibraryPath()
	if v := d.rt.getenv("NLS_LANG"); v != "" {
		d.ok("NLS_LANG", v, "heeded by godror; sqlplus is started with AMERICAN_AMERICA.AL32UTF8, because its messages are read")
	} else {
		d.ok("NLS_LANG", "", "not set; sqlplus is started with AMERICAN_AMERICA.AL32UTF8")
	}
	for _, name := range []string{"SQLPATH", "ORACLE_PATH"} {
		d.checkSearchPath(name)
	}
}

func (d *doctor) checkOracleHome() {
	const check = "ORACLE_HOME"
	home := d.rt.getenv(check)
	switch {
	case home == "":
		d.ok(check, "", "not set; only a local connection (/) and a full Oracle home need it")
	case !filepath.IsAbs(home):
		d.fail(check, home, "is not an absolute path", "set it with . oraenv")
	case !isDir(home):
		d.fail(check, home, "is no directory", "set it with . oraenv, or type: unset ORACLE_HOME")
	default:
		d.ok(check, home, "sqlplus is looked up in its bin, the client library in its lib")
	}
}

func (d *doctor) checkOracleSID() {
	sid, twoTask := d.rt.getenv("ORACLE_SID"), d.rt.getenv("TWO_TASK")
	switch {
	case sid == "":
		d.ok("ORACLE_SID", "", "not set; only a local connection (/) needs it")
	case twoTask != "":
		d.ok("ORACLE_SID", sid, "loses against TWO_TASK")
	default:
		d.ok("ORACLE_SID", sid, "the instance of a local connection (/)")
	}
	if twoTask == "" {
		d.ok("TWO_TASK", "", "not set")
		return
	}
	d.warn("TWO_TASK", twoTask, "wins over ORACLE_SID: sqlplus takes a connection without @ to this alias, through the listener", "type: unset TWO_TASK")
}

func (d *doctor) checkTNSAdmin() {
	const check = "TNS_ADMIN"
	admin, home := d.rt.getenv(check), d.rt.getenv("ORACLE_HOME")
	switch {
	case admin == "" && home == "":
		d.ok(check, "", "not set; connect without an alias: user@host:port/service")
	case admin == "":
		d.ok(check, "", "not set; aliases are looked up in "+filepath.Join(home, "network", "admin"))
	case !isDir(admin):
		d.fail(check, admin, "is no directory: no alias would be found (ORA-12154)", "type: unset TNS_ADMIN, or give the directory that holds tnsnames.ora")
	case !exists(filepath.Join(admin, "tnsnames.ora")) && !exists(filepath.Join(admin, "sqlnet.ora")):
		d.warn(check, admin, "holds neither tnsnames.ora nor sqlnet.ora, and wins over $ORACLE_HOME/network/admin", "give the directory that holds tnsnames.ora, or connect with user@host:port/service")
	default:
		d.ok(check, admin, "wins over $ORACLE_HOME/network/admin")
	}
}

func (d *doctor) checkLibraryPath() {
	const check = "LD_LIBRARY_PATH"
	value := d.rt.getenv(check)
	if value == "" {
		d.ok(check, "", "not set")
		return
	}
	var missing []string
	for _, dir := range filepath.SplitList(value) {
		switch {
		case dir == "":
			d.warn(check, value, "has an empty element, which means the working directory", "take the stray colon out")
			return
		case !isDir(dir):
			missing = append(missing, dir)
		}
	}
	if len(missing) > 0 {
		d.warn(check, value, "names what is no directory: "+joinWords(missing), "take it out, or set it with . oraenv")
		return
	}
	d.ok(check, value, "searched before the loader's cache")
}

// checkSearchPath: sqlplus runs a login.sql from there (SQLPATH until 12.1,
// ORACLE_PATH from 12.2, facts/problem-cases.md P07).
func (d *doctor) checkSearchPath(check string) {
	value := d.rt.getenv(check)
	if value == "" {
		d.ok(check, "", "not set")
		return
	}
	message := "taken from the sqlplus that ringtrace starts"
	if scripts := d.loginScripts(value); len(scripts) > 0 {
		d.warn(check, value, message+"; but a script that you start by hand first runs "+joinWords(scripts),
			"type: unset "+check+", before you start a generated script with sqlplus")
		return
	}
	d.ok(check, value, message)
}

// checkConnection looks at -c and at what in the environment bends it
// (facts/problem-cases.md P15).
func (d *doctor) checkConnection() {
	const check = "connection"
	if d.rt.connect == "" {
		d.ok(check, "", "none given; -c TARGET has it examined too")
		return
	}
	target, err := connect.Parse(d.rt.connect)
	if err != nil {
		d.fail(check, maskConnect(d.rt.connect), err.Error(), exit.HintOf(err))
		d.password = holdsPassword(d.rt.connect)
		return
	}
	warnings := connect.Warnings(target, d.rt.lookupEnv)
	for _, w := range warnings {
		sentence, hint, ok := strings.Cut(w, ": type ")
		if !ok {
			sentence, hint = w, connect.Variables(d.rt.lookupEnv)
		} else {
			hint = "type: " + hint
		}
		d.warn(check, target.String(), sentence, hint)
	}
	if len(warnings) == 0 {
		d.ok(check, target.String(), "understood")
	}
}

// needsSqlplus reports whether the given connection is one that only sqlplus
// can make well: a local one.
func (d *doctor) needsSqlplus() bool {
	target, err := connect.Parse(d.rt.connect)
	return err == nil && target.Kind == connect.Local
}

// checkOwnVariables tells which flag each RINGTRACE_ variable sets, and which
// mean nothing.
func (d *doctor) checkOwnVariables() {
	twins, known := d.twins()
	names := []string{}
	for _, pair := range d.rt.environ {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "RINGTRACE_") && value != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		value := d.rt.getenv(name)
		twin, ok := twins[name]
		switch {
		case name == "RINGTRACE_PASSWORD":
			d.ok(name, "***", "the password of the main connection; no child process sees it")
		case isInstancePassword(name):
			d.ok(name, "***", "the password of --instance-connect "+name[len("RINGTRACE_PASSWORD_"):]+"; no child process sees it")
		case name == "RINGTRACE_SHARED":
			d.ok(name, value, "used by ringtrace's own tests only")
		case !ok:
			hint := "take it out; `ringtrace config show --all -o json` lists the names"
			if guess := argv.Closest(name, known); guess != "" {
				hint = "did you mean " + guess + "?"
			}
			d.warn(name, masked(name, value), "sets nothing", hint)
		default:
			d.checkTwin(name, value, twin)
		}
	}
}

func isInstancePassword(name string) bool {
	inst, ok := strings.CutPrefix(name, "RINGTRACE_PASSWORD_")
	return ok && inst != "" && strings.Trim(inst, "0123456789") == ""
}

func (d *doctor) checkTwin(name, value string, twin flagTwin) {
	what := fmt.Sprintf("sets --%s of %s", twin.flag, twin.of)
	shown := masked(name, value)
	if twin.flag == "connect" {
		shown = maskConnect(value)
	}
	if _, err := twin.try(d.rt.settler); err != nil {
		d.fail(name, shown, err.Error(), exit.HintOf(err))
		return
	}
	if twin.level == 0 && d.rt.sourceOf(twin.flag) == fromFlag {
		what += ", but the flag on this command line wins"
	}
	d.ok(name, shown, what)
}

func masked(name, value string) string {
	if isSecret(name) {
		return "***"
	}
	return strings.ReplaceAll(value, "\n", " | ")
}

// flagTwin is the flag that a variable sets.
type flagTwin struct {
	path  []*argv.Command
	spec  *argv.Flag
	flag  string
	of    string
	level int
}

// try settles the flag from below the command line.
func (t flagTwin) try(s *settler) (setting, error) {
	this, err := s.find(t.path, t.spec, nil)
	if err != nil {
		return this, err
	}
	return this, s.try(this)
}

// twins maps every variable that means something to its flag; known lists
// their names.
func (d *doctor) twins() (twins map[string]flagTwin, known []string) {
	twins = map[string]flagTwin{}
	tr := d.rt.settler.tree
	for _, path := range tr.paths() {
		for _, spec := range path[len(path)-1].Flags {
			if tr.flags[spec] == nil {
				continue
			}
			t := flagTwin{path, spec, spec.Name(), strings.Join(words(path), " "), len(path) - 1}
			if t.level == 0 {
				t.of = "every verb"
			}
			twins[envName(path, spec.Name())] = t
			if spec.OnOff {
				twins[envName(path, "no-"+spec.Name())] = t
			}
			if t.level > 0 && slices.Contains(sharedFlags, spec.Name()) {
				shared := t
				shared.of = "every verb that has it"
				twins[envName(path[:1], spec.Name())] = shared
			}
		}
	}
	for name := range twins {
		known = append(known, name)
	}
	slices.Sort(known)
	return twins, known
}
