// Package connect understands what stands behind --connect and finds the
// password for it. It opens nothing.
package connect

import (
	"strings"
)

// Kind is a way to reach sessions.
type Kind uint8

// The kinds of target.
const (
	// Local is the instance of ORACLE_SID, by OS authentication.
	Local Kind = iota + 1
	// Remote has a user, and needs a password.
	Remote
	// Wallet has no user: the credentials are in a wallet (or the OS vouches).
	Wallet
	// Sim is a simulated instance, in process or running in a folder.
	Sim
	// File is an inventory.
	File
	// Postgres is a PostgreSQL database, which only the overhead verb knows.
	Postgres
)

// Target is a parsed --connect. It never holds a password.
type Target struct {
	Kind Kind
	User string // as typed, quotes included; Remote only
	// Address is the connect string as Oracle takes it (host:port/service, a
	// TNS alias, a descriptor), the path of a File, the rest behind sim:, or a
	// postgres URL.
	Address string
	Role    string // SYSDBA, SYSOPER, SYSBACKUP, SYSDG, SYSKM, SYSRAC, or ""
}

// String prints the target as it is typed.
func (t Target) String() string {
	s := ""
	switch t.Kind {
	case Local:
		s = "/"
	case Remote:
		s = t.User
		if t.Address != "" {
			s += "@" + t.Address
		}
	case Wallet:
		s = "/@" + t.Address
	case Sim:
		return "sim:" + t.Address
	case File:
		return "file:" + t.Address
	case Postgres:
		return t.Address
	}
	if t.Role != "" {
		s += " as " + strings.ToLower(t.Role)
	}
	return s
}

// IsOracle reports whether the target is a real Oracle database.
func (t Target) IsOracle() bool { return t.Kind == Local || t.Kind == Remote || t.Kind == Wallet }

// SYSDBA reports whether the connection asks for SYSDBA, which ORADEBUG needs.
func (t Target) SYSDBA() bool { return t.Role == "SYSDBA" }
