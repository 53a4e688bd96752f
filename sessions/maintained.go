package sessions

import "strings"

// MaintainedUser reports whether a user comes with the database. It is the
// shipped list, for releases before 12.1 (which have no
// DBA_USERS.ORACLE_MAINTAINED), for file inventories, and where DBA_USERS
// cannot be read. Names are compared exactly: a quoted "Sys" is somebody
// else's.
func MaintainedUser(username string) bool {
	if maintainedUsers[username] {
		return true
	}
	for _, p := range maintainedPrefixes {
		if strings.HasPrefix(username, p) && isVersioned(username[len(p):]) {
			return true
		}
	}
	return false
}

// maintainedUsers are the accounts that the server's own components create,
// 9.2 to 26ai [general knowledge; no fact sheet lists them]. Sample schemas
// (SCOTT, HR, OE …) are not here: people do run applications under them.
var maintainedUsers = setOf(
	"ANONYMOUS", "APEX_PUBLIC_USER", "APPQOSSYS", "AUDSYS", "AVSYS", "BAASSYS",
	"CTXSYS", "DBSFWUSER", "DBSNMP", "DGPDB_INT", "DIP", "DMSYS", "DVF", "DVSYS",
	"EXFSYS", "FLOWS_FILES", "GGSHAREDCAP", "GGSYS", "GSMADMIN_INTERNAL",
	"GSMCATUSER", "GSMROOTUSER", "GSMUSER", "LBACSYS", "MDDATA", "MDSYS", "MGMT_VIEW",
	"ODM", "ODM_MTR", "OJVMSYS", "OLAPSYS", "ORACLE_OCM", "ORDDATA", "ORDPLUGINS",
	"ORDSYS", "OUTLN", "OWBSYS", "OWBSYS_AUDIT", "REMOTE_SCHEDULER_AGENT",
	"SI_INFORMTN_SCHEMA", "SPATIAL_CSW_ADMIN_USR", "SPATIAL_WFS_ADMIN_USR", "SYS",
	"SYS$UMF", "SYSBACKUP", "SYSDG", "SYSKM", "SYSMAN", "SYSRAC", "SYSTEM",
	"TRACESVR", "TSMSYS", "VECSYS", "WKPROXY", "WKSYS", "WK_TEST", "WMSYS", "XDB",
	"XS$NULL",
)

// maintainedPrefixes are followed by a version: APEX_030200, FLOWS_030000.
var maintainedPrefixes = []string{"APEX_", "FLOWS_"}

func isVersioned(rest string) bool {
	return len(rest) == 6 && strings.Trim(rest, "0123456789") == ""
}

func setOf(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
