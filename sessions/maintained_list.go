package sessions

import (
	"maps"
	"slices"
)

// MaintainedUsers is the shipped list by name, sorted, for scripts that find
// their sessions themselves; it leaves out the versioned names (APEX_030200)
// that MaintainedUser knows by their form.
func MaintainedUsers() []string { return slices.Sorted(maps.Keys(maintainedUsers)) }
