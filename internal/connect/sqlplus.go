package connect

import (
	"strings"

	"ringtrace/internal/exit"
)

// Command returns the CONNECT command for sqlplus's standard input. It holds
// the password and must be written nowhere else. SET DEFINE OFF has to come
// before it, because a quoted user and a password may hold an &.
func (t Target) Command(password string) (string, error) {
	role := ""
	if t.Role != "" {
		role = " as " + strings.ToLower(t.Role)
	}
	switch t.Kind {
	case Local:
		return "connect /" + role, nil
	case Wallet:
		return "connect /@" + t.Address + role, nil
	case Remote:
		if strings.ContainsAny(password, "\"\r\n\x00") {
			return "", exit.Errorf(exit.Usage, "use a wallet (-c /@alias), or change the password",
				"the password holds a character that cannot be typed into sqlplus (a double quote or a line end)")
		}
		return "connect " + t.User + `/"` + password + `"@` + t.Address + role, nil
	}
	return "", exit.Errorf(exit.Usage, forms, "sqlplus cannot connect to %s", t)
}
