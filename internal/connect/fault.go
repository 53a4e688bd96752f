package connect

import (
	"fmt"
	"strings"

	"ringtrace/internal/exit"
)

// class is what an error number means to somebody who wants to connect or
// query: the exit code, and what to type.
type class struct {
	code exit.Code
	hint string
}

// Shared hints.
const (
	hintAlias    = "check the alias in tnsnames.ora and TNS_ADMIN (seen: %v), or type the address: -c user@host:port/service"
	hintListener = "check host and port, and whether the listener is up: lsnrctl status"
	hintService  = "check the service name: lsnrctl services, or select name from v$services"
	HintNetwork  = "check the network path and firewalls: tnsping, or nc -vz host port"
	hintDown     = "the instance is not open: check with sqlplus / as sysdba, then select status from v$instance"
	hintLogin    = "check user and password; as SYS add 'as sysdba' (needs a password file: REMOTE_LOGIN_PASSWORDFILE)"
	HintLost     = "the connection was lost: try again, and look into the alert log if it is lost again"
	hintFull     = "the instance takes no more sessions: try again later, or connect as sysdba"
	hintGrants   = "grant select_catalog_role, or connect as sysdba"
)

// buildClasses maps ORA numbers, by ranges of meaning; what is not here is exit 1
// with the text as it came. Numbers and texts are Oracle's documented ones.
func buildClasses() map[int]class {
	m := map[int]class{}
	add := func(code exit.Code, hint string, numbers ...int) {
		for _, n := range numbers {
			m[n] = class{code, hint}
		}
	}
	add(exit.CannotConnect, hintAlias, 12154, 12162, 12504, 12533, 12560)
	add(exit.CannotConnect, hintListener, 12541, 12500, 12502, 12564)
	add(exit.CannotConnect, hintService, 12514, 12505, 12521)
	add(exit.CannotConnect, HintNetwork, 12170, 12535, 12543, 12545, 12609, 12606, 12608, 12636)
	add(exit.CannotConnect, hintDown, 1033, 1034, 1089, 1090, 1092, 12526, 12528, 27101, 1109, 1219, 1507)
	add(exit.CannotConnect, hintLogin, 1017, 1005, 28009, 1994, 1999)
	add(exit.CannotConnect, "the account is locked: alter user … account unlock", 28000)
	add(exit.CannotConnect, "the password has expired: log on with sqlplus and change it", 28001, 28002, 28011)
	add(exit.CannotConnect, "log on over an address: a proxy or enterprise user is refused here", 28150, 28030)
	add(exit.CannotConnect, "client and server have no common authentication protocol: use a client of 19c or later, or SQLNET.ALLOWED_LOGON_VERSION_SERVER", 28040, 3134)
	add(exit.CannotConnect, "encryption settings differ: compare sqlnet.ora on both sides", 12650, 12660, 12699, 12638, 28860, 28862, 29024)
	add(exit.CannotConnect, "the wallet cannot be opened: check WALLET_LOCATION in sqlnet.ora and the file modes", 28759, 28368, 12578)
	add(exit.CannotConnect, hintFull, 18, 20, 2391, 12516, 12518, 12519, 12520, 4031)
	add(exit.CannotConnect, HintLost, 3113, 3114, 3135, 12537, 12547, 12570, 12571, 12583, 12152, 1012, 3106, 3136, 28547, 28511, 25408, 25402)
	add(exit.CannotConnect, "our own session was killed: somebody ended it with ALTER SYSTEM KILL SESSION, or a resource limit did", 28, 31, 2396, 2399)
	add(exit.NotAllowed, hintGrants, 942, 1031, 1039, 41900)
	add(exit.NotAllowed, "grant create session to the user", 1045)
	add(exit.CannotConnect, "the database answers too slowly: look at its load, or give a longer --connect-timeout", 3156, 1013)
	add(exit.Failed, "the pluggable database is not open, or does not exist: select name, open_mode from v$pdbs in the root", 65011, 65054, 65144, 65016)
	return m
}

// Fault says what an ORA number means to somebody who wants to connect or
// query: the exit code and what to type. ok is false for a number that means
// nothing in particular.
func Fault(t Target, number int, lookup func(string) (string, bool)) (code exit.Code, hint string, ok bool) {
	cl, ok := buildClasses()[number]
	hint = cl.hint
	switch {
	case hint == hintAlias:
		hint = fmt.Sprintf(hintAlias, Variables(lookup))
	case number == 1031 && t.Role != "" && t.Kind == Local:
		hint = "be an operating-system user in the OSDBA group (dba) of this home; with threaded_execution a password is needed: -c 'sys@host:port/service as sysdba'"
	case number == 1031 && t.Role != "":
		hint = "grant " + strings.ToLower(t.Role) + " to the user (it then stands in V$PWFILE_USERS), or connect as one who has it"
	}
	return cl.code, hint, ok
}
