package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ringtrace/internal/bundle"
	"ringtrace/internal/exit"
)

// kept are the endings of files that other verbs of this program write and
// refuse to replace: bundles, scripts, their logs, journals. A report can be
// made again from them, so an earlier report is replaced without a question.
var kept = []string{".zip", ".tar", ".tgz", ".gz", ".zst", ".sql", ".log", ".jsonl", ".trm"}

// keepsEvidence refuses to write a report over a file that it is made of, or
// over any other trace, bundle or script.
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

// formatOfEnding is the format that the name of a report's file asks for, "" if
// it asks for none.
func formatOfEnding(out string) string {
	switch ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(out), ".")); ext {
	case formatHTML, outputJSON, outputCSV, formatFolded:
		return ext
	case "htm":
		return formatHTML
	}
	return ""
}
