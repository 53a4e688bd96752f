package plan

import "ringtrace/sessions"

// InstanceFacts returns what is known of instance id, checked to be fit for a
// script's guard; the error has code Usage.
func InstanceFacts(known []sessions.Instance, id int) (sessions.Instance, error) {
	return instanceFacts(known, id)
}

// AtLeast reports whether an Oracle version such as 12.2.0.1.0 is that release
// or a later one; a version that cannot be read is not old.
func AtLeast(version string, major, minor int) bool { return atLeast(version, major, minor) }
