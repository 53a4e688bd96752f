package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ringtrace/internal/exit"
	"ringtrace/internal/sqlplus"
)

func (d *doctor) checkBuild() {
	b := readBuildInfo()
	if b.Cgo {
		d.ok("build", b.String(), "both doors are built in: godror and sqlplus")
		return
	}
	d.warn("build", b.String(), "built without cgo: sessions can be read through sqlplus only (--via sqlplus)",
		"build it again with CGO_ENABLED=1 and gcc if godror is wanted")
}

// checkCompiler looks for gcc, which builds godror, and the client library of
// a simulated instance (`sim up`).
func (d *doctor) checkCompiler() {
	if at := d.rt.lookPath("gcc"); at != "" {
		d.ok("gcc", at, "sim up can build its client library")
		return
	}
	d.warn("gcc", "", "not on PATH: a simulated instance can be reached through sqlplus only, not through godror",
		"install gcc (apt-get install gcc libc6-dev, dnf install gcc) if sim up with --via godror is wanted")
}

func (d *doctor) checkSqlplus(ctx context.Context) {
	path, place, err := d.rt.findSqlplus(d.sqlplus)
	if err != nil {
		status := statusWarn
		if d.sqlplus != "" || d.needsSqlplus() {
			status = statusFail
		}
		d.add("sqlplus", status, "", err.Error(), exit.HintOf(err))
		return
	}
	d.ok("sqlplus", path, "found by "+place)
	release, err := sqlplus.Version(ctx, path, d.rt.environ)
	if err != nil {
		status := statusWarn
		if d.needsSqlplus() {
			status = statusFail
		}
		d.add("release of sqlplus", status, "", err.Error(), exit.HintOf(err))
	} else {
		d.ok("release of sqlplus", release, "it starts")
	}
	d.checkHomeOf(path)
}

// checkHomeOf compares the home that sqlplus lies in with ORACLE_HOME. Unset,
// or of another release, it makes sqlplus end with "Error 6 initializing
// SQL*Plus" and SP2-0667 (facts/views-and-sqlplus.md 3.3).
func (d *doctor) checkHomeOf(sqlplus string) {
	real, err := filepath.EvalSymlinks(sqlplus)
	if err != nil {
		return
	}
	home := filepath.Dir(filepath.Dir(real))
	if filepath.Base(filepath.Dir(real)) != "bin" || !isDir(filepath.Join(home, "sqlplus", "mesg")) {
		return // an Instant Client needs no ORACLE_HOME
	}
	set := d.rt.getenv("ORACLE_HOME")
	if set == "" {
		d.warn("home of sqlplus", home, "ORACLE_HOME is not set; this sqlplus would end with Error 6 or SP2-0750", "type: export ORACLE_HOME="+home)
		return
	}
	if same, err := filepath.EvalSymlinks(set); err == nil && same != home {
		d.warn("home of sqlplus", home, "ORACLE_HOME is another home ("+set+"); sqlplus may end with Error 6 or SP2-0667",
			"type: export ORACLE_HOME="+home+"\nor give --sqlplus "+filepath.Join(set, "bin", "sqlplus"))
	}
}

// login.sql and glogin.sql run after every CONNECT and can redefine anything
// (facts/views-and-sqlplus.md 3.3).
func (d *doctor) loginScripts(dirs string) (found []string) {
	for _, dir := range filepath.SplitList(dirs) {
		if at := filepath.Join(dir, "login.sql"); dir != "" && exists(at) {
			found = append(found, at)
		}
	}
	return found
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func joinWords(list []string) string { return strings.Join(list, ", ") }
