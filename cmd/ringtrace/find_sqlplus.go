package main

import (
	"os"
	"path/filepath"
	goruntime "runtime"

	"ringtrace/internal/exit"
)

// findSqlplus looks for sqlplus where the contract says: at --sqlplus (given,
// empty if not), in $ORACLE_HOME/bin, on PATH. place tells which it was. The
// error has code 8.
func (rt *runtime) findSqlplus(given string) (path, place string, err error) {
	if given != "" {
		if !isExecutable(given) {
			return "", "", exit.Errorf(exit.ToolMissing, "give --sqlplus FILE of a program that you may run", "--sqlplus %s is no program", given)
		}
		return whole(given), "--sqlplus", nil
	}
	if home := rt.getenv("ORACLE_HOME"); home != "" {
		if at := filepath.Join(home, "bin", programName("sqlplus")); isExecutable(at) {
			return whole(at), "$ORACLE_HOME/bin", nil
		}
	}
	if at := rt.lookPath("sqlplus"); at != "" {
		return at, "PATH", nil
	}
	return "", "", exit.Errorf(exit.ToolMissing,
		"set ORACLE_HOME (. oraenv), or give --sqlplus FILE; without Oracle, work on an inventory with -c file:sessions.csv or try -c sim:",
		"sqlplus was found neither in $ORACLE_HOME/bin nor on PATH")
}

// whole makes a path one that holds in another working directory, too: sqlplus
// is started in one of its own.
func whole(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// lookPath finds a program on the PATH of rt's environment; empty if there is
// none. Relative elements, the empty one included, are passed over: a program
// from the working directory must never be started by accident.
func (rt *runtime) lookPath(program string) string {
	for _, dir := range filepath.SplitList(rt.getenv("PATH")) {
		if at := filepath.Join(dir, programName(program)); filepath.IsAbs(dir) && isExecutable(at) {
			return at
		}
	}
	return ""
}

func programName(name string) string {
	if goruntime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (goruntime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}
