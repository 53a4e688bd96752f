package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ringtrace/internal/bundle"
	"ringtrace/internal/exit"
)

// kept are the endings of what other verbs of this program write and refuse to
// replace: bundles, scripts, logs of their runs, journals. A report is made again
// from them at any time, so an earlier one is replaced without a question.
var kept = []string{".zip", ".tar", ".tgz", ".gz", ".zst", ".sql", ".log", ".jsonl", ".trm"}

// keepsEvidence refuses a report that would replace what it is made of, or
// another trace, bundle or script: an earlier report is replaced, evidence is not.
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
	if !taken && slices.Contains(kept, strings.ToLower(filepath.Ext(out))) {
		return exit.Errorf(exit.Refused, "give another name, such as --out report.html", "--out %s would replace a file that does not look like a report", out)
	}
	if !taken {
		return nil
	}
	return exit.Errorf(exit.Refused, "give another name, such as --out report.html", "--out %s would replace a trace that is evidence", out)
}
