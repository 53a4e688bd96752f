package oradb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ringtrace/internal/connect"
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
	hintNetwork  = "check the network path and firewalls: tnsping, or nc -vz host port"
	hintDown     = "the instance is not open: check with sqlplus / as sysdba, then select status from v$instance"
	hintLogin    = "check user and password; as SYS add 'as sysdba' (needs a password file: REMOTE_LOGIN_PASSWORDFILE)"
	hintLost     = "the connection was lost: try again, and look into the alert log if it is lost again"
	hintFull     = "the instance takes no more sessions: try again later, or connect as sysdba"
	hintGrants   = "grant select_catalog_role, or connect as sysdba"
)

// classes maps ORA numbers, by ranges of meaning; what is not here is exit 1
// with the text as it came. Numbers and texts are Oracle's documented ones.
var classes = buildClasses()

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
	add(exit.CannotConnect, hintNetwork, 12170, 12535, 12543, 12545, 12609, 12606, 12608, 12636)
	add(exit.CannotConnect, hintDown, 1033, 1034, 1089, 1090, 1092, 12526, 12528, 27101, 1109, 1219, 1507)
	add(exit.CannotConnect, hintLogin, 1017, 1005, 28009, 1994, 1999)
	add(exit.CannotConnect, "the account is locked: alter user … account unlock", 28000)
	add(exit.CannotConnect, "the password has expired: log on with sqlplus and change it", 28001, 28002, 28011)
	add(exit.CannotConnect, "log on over an address: a proxy or enterprise user is refused here", 28150, 28030)
	add(exit.CannotConnect, "client and server have no common authentication protocol: use a client of 19c or later, or SQLNET.ALLOWED_LOGON_VERSION_SERVER", 28040, 3134)
	add(exit.CannotConnect, "encryption settings differ: compare sqlnet.ora on both sides", 12650, 12660, 12699, 12638, 28860, 28862, 29024)
	add(exit.CannotConnect, "the wallet cannot be opened: check WALLET_LOCATION in sqlnet.ora and the file modes", 28759, 28368, 12578)
	add(exit.CannotConnect, hintFull, 18, 20, 2391, 12516, 12518, 12519, 12520, 4031)
	add(exit.CannotConnect, hintLost, 3113, 3114, 3135, 12537, 12547, 12570, 12571, 12583, 12152, 1012, 3106, 3136, 28547, 28511, 25408, 25402)
	add(exit.CannotConnect, "our own session was killed: somebody ended it with ALTER SYSTEM KILL SESSION, or a resource limit did", 28, 31, 2396, 2399)
	add(exit.NotAllowed, hintGrants, 942, 1031, 1039, 41900)
	add(exit.NotAllowed, "grant create session to the user", 1045)
	add(exit.Failed, "the database answers too slowly: try again, or give a longer --connect-timeout", 3156, 1013)
	add(exit.Failed, "the pluggable database is not open, or does not exist: select name, open_mode from v$pdbs in the root", 65011, 65054, 65144, 65016)
	return m
}

// Explain turns an error of the driver into what the user meets: an exit code
// and what to type. The text is the database's own first line; it never holds
// the connection parameters. An error that has a code already is kept.
func (c *Config) Explain(err error) error {
	if err == nil {
		return nil
	}
	var known *exit.Error
	if errors.As(err, &known) {
		return err
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if e := c.clientProblem(err); e != nil {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return exit.Errorf(exit.CannotConnect, hintNetwork+", or give a longer --connect-timeout", "connect %s: no answer in time", c.Target)
	}
	number, text := oraError(err)
	cl, ok := classes[number]
	switch {
	case ok:
	case number == 0 && errors.Is(err, driver.ErrBadConn):
		cl, text = class{exit.CannotConnect, hintLost}, "the connection was lost"
	default:
		cl = class{code: exit.Failed}
	}
	hint := cl.hint
	switch {
	case hint == hintAlias:
		hint = fmt.Sprintf(hintAlias, connect.Variables(c.LookupEnv))
	case number == 1031 && c.Target.Role != "" && c.Target.Kind == connect.Local:
		hint = "be an operating-system user in the OSDBA group (dba) of this home; with threaded_execution a password is needed: -c 'sys@host:port/service as sysdba'"
	case number == 1031 && c.Target.Role != "":
		hint = "grant " + strings.ToLower(c.Target.Role) + " to the user (it then stands in V$PWFILE_USERS), or connect as one who has it"
	}
	if c.Target.Kind == connect.Local && (number == 12154 || number == 1017 || number == 12162 || number == 12560 || number == 1034 || number == 27101) {
		hint = connect.LocalHint(c.LookupEnv)
	}
	return &exit.Error{Code: cl.code, Message: c.Target.String() + ": " + text, Hint: hint, Err: err}
}

var oraText = regexp.MustCompile(`\bORA-(\d{5}): ?([^\n]*)`)

// oraError returns the ORA number of an error and its first line. A driver's
// error is asked first, because the text around it may hold parameters; a
// number of 0 is a driver's own error (DPI-…).
func oraError(err error) (number int, text string) {
	var coded interface {
		Code() int
		Message() string
	}
	if errors.As(err, &coded) && (coded.Code() != 0 || coded.Message() != "") {
		line, _, _ := strings.Cut(coded.Message(), "\n")
		if coded.Code() == 0 {
			return 0, line
		}
		if strings.HasPrefix(line, "ORA-") {
			return coded.Code(), line
		}
		return coded.Code(), fmt.Sprintf("ORA-%05d: %s", coded.Code(), line)
	}
	if m := oraText.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n, strings.TrimSpace("ORA-" + m[1] + ": " + m[2])
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return 0, line
}
