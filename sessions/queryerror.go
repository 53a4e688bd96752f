package sessions

import (
	"database/sql/driver"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
)

// grants are the object privileges a listing needs (facts/views-and-sqlplus.md 3.1).
const grants = "grant select_catalog_role; or, each by a statement of its own, select on sys.v_$session, sys.v_$process, sys.v_$instance, " +
	"sys.v_$database, sys.v_$parameter, sys.v_$containers (on RAC the sys.gv_$ ones too) and sys.dba_users"

// failed turns a query's error into what the user meets. ORA texts are shown
// as they came; the container is named because the same statement often works
// in the root.
func (f *Finder) failed(view string, err error) error {
	var known *exit.Error
	if errors.As(err, &known) {
		return err
	}
	where, hint := "", ""
	if f.Container != "" {
		where = " in container " + f.Container
	}
	code := exit.Failed
	switch n := oraCode(err); {
	case n == 942 || n == 1031:
		code, hint = exit.NotAllowed, grants
	case n == 1219 || n == 1109 || n == 1507:
		hint = "the database is not open: connect as sysdba, or use the primary"
	case n == 3156:
		code, hint = exit.CannotConnect, "the database did not answer in time: look at its load, or give a longer --command-timeout"
	case isLost(n), errors.Is(err, driver.ErrBadConn):
		code, hint = exit.CannotConnect, "the connection was lost: try again, and look into the alert log if it is lost again"
	}
	if f.InPDB {
		if hint != "" {
			hint += "; or "
		}
		hint += "connect to the root (CDB$ROOT), where the views of all containers can be read"
	}
	return &exit.Error{Code: code, Hint: hint, Message: "query " + view + where + ": " + databaseText(err), Err: err}
}

// isLost reports whether an ORA number says that the connection or our own
// session is gone (facts/views-and-sqlplus.md 6.4).
func isLost(n int) bool {
	switch n {
	case 22, 28, 31, 1012, 1033, 1034, 1041, 1089, 1092, 2396, 3113, 3114, 3135, 12537, 12547, 12570, 12571, 12583:
		return true
	}
	return false
}

// databaseText is the database's own words: what a driver writes before the
// first ORA- is cut, and so are the Help lines of 23ai clients.
func databaseText(err error) string {
	text := err.Error()
	if at := oraPattern.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	var b []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); !strings.HasPrefix(line, "Help: https://docs.oracle.com/error-help/") {
			b = append(b, line)
		}
	}
	return strings.Join(b, "\n")
}

var oraPattern = regexp.MustCompile(`\bORA-(\d{5})\b`)

// oraCode returns the ORA number of an error, 0 for none. Drivers' errors have
// a Code method; a wrapped text is read.
func oraCode(err error) int {
	var coder interface{ Code() int }
	if errors.As(err, &coder) && coder.Code() != 0 {
		return coder.Code()
	}
	if m := oraPattern.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// firstLineOf is the first line of the database's words; warnings are one line.
func firstLineOf(err error) string {
	text, _, _ := strings.Cut(databaseText(err), "\n")
	return text
}
