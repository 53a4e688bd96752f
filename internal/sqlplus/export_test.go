//go:build unix

package sqlplus

import "testing"

// SimOptions is simOptions, for tests outside the package: a file
// for the truth and a fault, both may be empty.
func SimOptions(t testing.TB, spec, truth, fault string) Options {
	return simOptions(t, spec, simulatorTruth+"="+truth, simulatorFault+"="+fault)
}
