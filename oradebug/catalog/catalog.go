// Package catalog holds what is known of ORADEBUG's vocabulary as data:
// commands of 9.2 to 26ai, dump names by risk, event names, aliases, mapped
// numbers, scopes, filters, actions and components.
//
// The names are those of a 19c instance (facts/oradebug.md 1, 3 and appendix
// A) with the 9.2 dump names added. Risk and "needs a target" are our
// judgement (the facts mark them inferred). Nothing here can be changed at run
// time: every look-up returns a copy.
package catalog

import "strings"

// Risk says what using a name can do to a production system.
type Risk uint8

// The risks. Safe reads or sets what can be undone; Risky pauses, dumps much
// or may surprise; Dangerous changes memory or state, kills or corrupts.
const (
	Safe Risk = iota
	Risky
	Dangerous
)

// String returns "safe", "risky" or "dangerous".
func (r Risk) String() string { return [...]string{"safe", "risky", "dangerous"}[r] }

// Param is a parameter of an event, action, filter or scope.
type Param struct {
	Name    string
	Type    string   // ub4, ub8, string, enum, pointer
	Max     int      // longest text for a string, 0 if not published
	Values  []string // allowed words for an enum
	Default string   // Oracle's default, empty if none is shown
	Needed  bool     // must be given
}

func key(name string) string { return strings.ToUpper(strings.TrimSpace(name)) }
