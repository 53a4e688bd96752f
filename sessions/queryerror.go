package sessions

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/exit"
)

// grants are the object privileges a listing needs (facts/views-and-sqlplus.md 3.1).
const grants = "grant select on sys.v_$session, v_$process, v_$instance, v_$database, v_$parameter, v_$containers " +
	"(and the gv_$ ones on RAC) and sys.dba_users, or select_catalog_role"

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
	case n == 0 && strings.Contains(err.Error(), "bad connection"):
		code, hint = exit.CannotConnect, "the connection was lost; try again, and look into the alert log if it is lost again"
	}
	if f.Container != "" && f.Container != "CDB$ROOT" {
		if hint != "" {
			hint += "; or "
		}
		hint += "connect to the root (CDB$ROOT), where the views of all containers can be read"
	}
	return exit.Errorf(code, hint, "query %s%s: %w", view, where, err)
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

// firstLineOf cuts an error's text at the line end: 23ai clients add a Help
// line, and warnings are one line each.
func firstLineOf(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}
