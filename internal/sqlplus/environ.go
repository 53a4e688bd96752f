package sqlplus

import "strings"

// childEnviron is the environment of the child (facts/views-and-sqlplus.md
// 3.3, facts/problem-cases.md P07): messages in English and UTF-8; no login.sql
// from SQLPATH (until 12.1) or ORACLE_PATH (from 12.2); none of the NLS
// settings that would change what a value looks like; no password of ours; no
// Help line behind errors (23ai clients).
func childEnviron(environ []string) []string {
	out := make([]string, 0, len(environ)+2)
	for _, e := range environ {
		if name, _, _ := strings.Cut(e, "="); !dropped(name) {
			out = append(out, e)
		}
	}
	return append(out, "NLS_LANG=AMERICAN_AMERICA.AL32UTF8", "ORA_SUPPRESS_ERROR_URL=TRUE")
}

func dropped(name string) bool {
	switch name {
	case "SQLPATH", "ORACLE_PATH", "ORA_SUPPRESS_ERROR_URL":
		return true
	}
	// RINGTRACE_PASSWORD and RINGTRACE_PASSWORD_<inst>; the file's and the
	// command's names are of no use to the child either.
	return strings.HasPrefix(name, "RINGTRACE_PASSWORD") || strings.HasPrefix(name, "NLS_")
}

func lookupIn(environ []string, name string) (string, bool) {
	for i := len(environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(environ[i], "="); ok && k == name {
			return v, true
		}
	}
	return "", false
}
