// Package oradb connects to an Oracle database through godror, which needs cgo
// and an Oracle client library at run time. Without cgo the package builds
// too, and Open says what is missing.
//
// Connection parameters go to the driver as a structure, never as a string:
// the driver's error about a malformed string quotes it, password included
// (facts/views-and-sqlplus.md 6.3).
package oradb

import (
	"time"

	"ringtrace/internal/connect"
)

// Config says how to connect.
type Config struct {
	Target   connect.Target
	Password string // of a Remote target

	// Module and Action tag our own sessions in V$SESSION.
	Module string
	Action string

	LibDir    string // folder of the client library (macOS, Windows); on Linux LD_LIBRARY_PATH decides
	ConfigDir string // TNS_ADMIN: tnsnames.ora, sqlnet.ora, the wallet's address

	// ConnectTimeout bounds the logon, CallTimeout every round trip of a query
	// or statement; 0 is none.
	ConnectTimeout time.Duration
	CallTimeout    time.Duration

	// LookupEnv is asked for variables that messages name.
	LookupEnv func(string) (string, bool)
	// Exists reports whether a file is there; used for hints about client libraries.
	Exists func(path string) bool
}

// DriverVersion is the godror release that this package was written for.
const DriverVersion = "v0.51.5"

// MinClient is the oldest Oracle client that the driver takes (godror 0.51,
// ODPI-C 6.0).
const MinClient = "19.1"
