package main

import (
	"os"

	"ringtrace/internal/bundle"
	"ringtrace/internal/exit"
)

// keepsEvidence refuses a report that would replace what it is made of, or
// another trace: an earlier report is replaced, evidence is not.
func keepsEvidence(out string, inputs []string) error {
	there, err := os.Stat(out)
	if err != nil {
		return nil // nothing there; what else is wrong shows when it is written
	}
	taken := bundle.IsTrace(out)
	for _, name := range inputs {
		if info, err := os.Stat(name); err == nil && os.SameFile(there, info) {
			taken = true
		}
	}
	if !taken {
		return nil
	}
	return exit.Errorf(exit.Refused, "give another name, such as --out report.html", "--out %s would replace a trace that is evidence", out)
}
