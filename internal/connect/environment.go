package connect

import (
	"fmt"
	"runtime"
	"strings"

	"ringtrace/internal/exit"
)

// oracleVariables are the environment variables that decide where a
// connection goes.
var oracleVariables = []string{"ORACLE_SID", "ORACLE_HOME", "TWO_TASK", "LOCAL", "TNS_ADMIN", "LD_LIBRARY_PATH"}

// Variables prints the Oracle variables that are set, for messages: "ORACLE_SID=ORCL TNS_ADMIN unset".
func Variables(lookup func(string) (string, bool)) string {
	var b []string
	for _, n := range oracleVariables {
		if v, ok := lookup(n); ok {
			b = append(b, n+"="+v)
		} else if n != "LOCAL" { // seen where it is set
			b = append(b, n+" unset")
		}
	}
	return strings.Join(b, ", ")
}

// Warnings says what in the environment will send the connection elsewhere
// than one may think. It returns sentences for stderr.
func Warnings(t Target, lookup func(string) (string, bool)) []string {
	if t.Kind != Local {
		return nil
	}
	var out []string
	for _, n := range elsewhere() {
		if v, ok := lookup(n); ok && v != "" {
			out = append(out, fmt.Sprintf("%s=%s is set, so %q goes through the listener to %s and not to the local instance: "+
				"type unset %s, or -c /@%s if that is meant", n, v, t.String(), v, n, v))
		}
	}
	if len(out) > 0 {
		return out
	}
	if v, ok := lookup("ORACLE_SID"); !ok || v == "" {
		out = append(out, "ORACLE_SID is not set, so "+t.String()+" reaches no instance: set it with . oraenv (seen: "+Variables(lookup)+")")
	}
	return out
}

// elsewhere are the variables that send a local connection through the listener:
// TWO_TASK, and LOCAL where the client is on Windows.
func elsewhere() []string {
	if runtime.GOOS == "windows" {
		return []string{"TWO_TASK", "LOCAL"}
	}
	return []string{"TWO_TASK"}
}

// WithoutDriver is what to do where the driver cannot be used.
const WithoutDriver = "go through sqlplus: --via sqlplus; or let it write the list (docs/session-inventories.md has the statement) and give -c file:sessions.csv"

// LocalHint explains why a local connection that works in sqlplus fails in a
// driver (ORA-12154, ORA-01017), naming the variables seen.
func LocalHint(lookup func(string) (string, bool)) string {
	return "a local connection needs the server home's own client library and its environment; or " + WithoutDriver +
		" (seen: " + Variables(lookup) + ")"
}

// NoOSAuthentication is the refusal of a door that cannot log on as the
// operating-system user.
func NoOSAuthentication(t Target) error {
	return exit.Errorf(exit.ToolMissing, WithoutDriver+", or give a user: -c user@host:port/service",
		"%s means operating-system authentication, which only sqlplus or an Oracle client library can do", t)
}

// Preliminary is the refusal of --prelim. A preliminary connection attaches to
// a hung instance without a session, so no V$ view can be asked, and nobody's
// identity could be proved before a command is sent.
func Preliminary() error {
	return exit.Errorf(exit.Refused,
		"for a hang analysis by hand type: sqlplus -prelim / as sysdba, then oradebug setmypid, oradebug unlimit, oradebug hanganalyze 3, oradebug tracefile_name; "+
			"it cannot list sessions, and ringtrace disable works again once the instance answers",
		"a preliminary connection is refused: without V$ views no session's identity can be proved")
}

// HintHung is for a connection that an instance does not answer, or has no
// process left for.
const HintHung = "if the instance itself hangs, sqlplus -prelim / as sysdba on its host still gets in, for oradebug hanganalyze; no V$ query works there, so ringtrace cannot: --prelim says more"
