package oraerr

import "ringtrace/internal/exit"

// Class says what an error means for a program that met it while talking to
// the database.
type Class struct {
	Name string // "connect", "logon", "privilege", "gone", "busy", "other"
	Exit exit.Code
	Hint string // what to type or look at next
}

// ClassOf classes an ORA number. A number without an entry is Failed, and the
// caller prints Oracle's text as it came. The meaning of ORA-00942 depends on
// what was asked: see ClassOfView.
func ClassOf(n int) Class {
	for i := range classes {
		for _, code := range classes[i].codes {
			if code == n {
				return classes[i].Class
			}
		}
	}
	return Class{Name: "other", Exit: exit.Failed}
}

// ClassOfView classes an error of a query on V$ views: a user without the
// grant gets ORA-00942 there, not ORA-01031 (facts/views-and-sqlplus.md 3).
func ClassOfView(n int) Class {
	if n == 942 || n == 1039 || n == 2030 {
		return Class{
			"privilege", exit.NotAllowed,
			"grant SELECT on the V_$ views named by `ringtrace doctor`, or connect as SYSDBA",
		}
	}
	return ClassOf(n)
}

var classes = []struct {
	Class
	codes []int
}{
	{Class{
		"logon", exit.CannotConnect,
		"check user and password (prompt, --password-file or --password-command); with `/` check ORACLE_SID and that the OS user is in the OSDBA group",
	}, []int{1005, 1017, 1045, 28000, 28001, 28009, 28040}},
	{Class{
		"connect", exit.CannotConnect,
		"check host, port and service of --connect, TNS_ADMIN and the listener (`lsnrctl services`); for a local instance ORACLE_HOME, ORACLE_SID and TWO_TASK",
	}, []int{
		12154, 12162, 12170, 12203, 12222, 12505, 12514, 12516, 12518, 12519, 12520, 12521, 12528, 12532,
		12533, 12541, 12543, 12545, 12546, 12560, 12569, 12592,
	}},
	{Class{
		"down", exit.CannotConnect,
		"the instance is down, starting or stopping, or ORACLE_SID and ORACLE_HOME name another one; check both and the alert log",
	}, []int{1033, 1034, 1035, 1089, 1090, 1092, 27101}},
	{Class{
		"full", exit.CannotConnect,
		"the instance takes no more sessions: try again later or end sessions that are not needed",
	}, []int{18, 20, 2391}},
	{Class{
		"lost", exit.CannotConnect,
		"the connection broke; look into the alert log, then run the same command again: it takes up where it stopped",
	}, []int{28, 31, 1012, 1041, 2396, 3113, 3114, 3135, 12537, 12547, 12570, 12571, 12583}},
	{Class{
		"privilege", exit.NotAllowed,
		"ORADEBUG needs SYSDBA: connect with `/ as sysdba` or `user@host:port/service as sysdba`",
	}, []int{1031}},
	{Class{
		"privilege", exit.NotAllowed,
		"the hidden parameter _disable_oradebug_commands forbids it here (the default of Oracle Free 23ai); the way without ORADEBUG is `ringtrace generate --style alter-session`",
	}, []int{32519}},
	{Class{
		"shared", exit.Refused,
		"this connection is a shared server: connect with (SERVER=DEDICATED) or host:port/service:dedicated",
	}, []int{88}},
	{Class{
		"gone", exit.OK,
		"the process is gone, and its events with it",
	}, []int{72, 75}},
	{Class{
		"busy", exit.Partial,
		"the target has not answered an earlier request; it may still do so, so give it no further command, and look at it again with `ringtrace status --probe`",
	}, []int{32515, 32516, 32517, 32518}},
}
