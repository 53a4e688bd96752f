package main

import (
	"os"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/connect"
	"ringtrace/internal/exit"
	"ringtrace/internal/oradb"
	"ringtrace/sessions"
)

// The doors of --via.
const (
	viaAuto    = "auto"
	viaGodror  = "godror"
	viaSqlplus = "sqlplus"
)

// openOracle logs on to a real database, through the door that --via names.
// auto takes sqlplus for a local connection, because the driver needs the
// server home's own library for that (facts/problem-cases.md P15); else the
// driver, and sqlplus where the driver is not built in or finds no client
// library.
func (rt *runtime) openOracle(c *cli.Context, t connect.Target) (*door, error) {
	via := c.String("via")
	if via == viaSqlplus {
		return rt.openThroughSqlplus(c, t)
	}
	if via == viaAuto && (t.Kind == connect.Local || !oradb.Built) {
		d, err := rt.openThroughSqlplus(c, t)
		if exit.CodeOf(err) != exit.ToolMissing || !oradb.Built {
			return d, err
		}
		rt.debugf("%v; trying the driver", err)
		if d, derr := rt.openThroughDriver(c, t); exit.CodeOf(derr) != exit.ToolMissing {
			return d, derr
		}
		return nil, err // sqlplus is what a local connection wants
	}
	d, err := rt.openThroughDriver(c, t)
	if via == viaGodror || exit.CodeOf(err) != exit.ToolMissing {
		return d, err
	}
	if _, _, missing := rt.findSqlplus(c.String("sqlplus")); missing != nil {
		return nil, err
	}
	rt.debugf("%v; going through sqlplus", err)
	return rt.openThroughSqlplus(c, t)
}

// openThroughDriver logs on with godror.
func (rt *runtime) openThroughDriver(c *cli.Context, t connect.Target) (*door, error) {
	cfg := oradb.Config{
		Target: t, Module: sessions.OwnModule, Action: c.Command.Name,
		ConfigDir: rt.getenv("TNS_ADMIN"), ConnectTimeout: durationOf(c, "connect-timeout"), CallTimeout: commandTimeout(c),
		LookupEnv: rt.lookupEnv,
		Exists: func(path string) bool {
			_, err := os.Stat(path)
			return err == nil
		},
	}
	var err error
	if cfg.Password, err = rt.password(c, t); err != nil {
		return nil, err
	}
	db, err := oradb.Open(c.Context, cfg)
	if err != nil {
		if path, ok := cfg.Cure(err); ok && rt.getenv(startedAgain) == "" {
			return nil, rt.startAgain(path, err)
		}
		return nil, err
	}
	return &door{Querier: db, target: t, close: db.Close}, nil
}

// startedAgain marks a program that was started again by startAgain, so that
// it happens once.
const startedAgain = "_RINGTRACE_STARTED_AGAIN"

// startAgain replaces the program by itself with another LD_LIBRARY_PATH,
// which the loader reads at start only. It returns only when that fails.
func (rt *runtime) startAgain(libraryPath string, cause error) error {
	self, err := os.Executable()
	if err != nil {
		return cause
	}
	rt.debugf("starting again with LD_LIBRARY_PATH=%s, where the client library of ORACLE_HOME is", libraryPath)
	environ := make([]string, 0, len(rt.environ)+2)
	for _, e := range rt.environ {
		if !strings.HasPrefix(e, "LD_LIBRARY_PATH=") {
			environ = append(environ, e)
		}
	}
	environ = append(environ, "LD_LIBRARY_PATH="+libraryPath, startedAgain+"=1")
	if err := syscall.Exec(self, os.Args, environ); err != nil {
		rt.debugf("start again: %v", err)
	}
	return cause
}
