package main

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"ringtrace/internal/spool"
)

// scriptName is how the scripts of a campaign are called (contract: generate).
var scriptName = regexp.MustCompile(`^(?:enable|disable|collect|generator|alter-session|logon-trigger)(?:_undo)?_[0-9]+(?:_[0-9]+)?\.sql$`)

// warnOfLeftovers names the scripts in dir that an earlier generate left there and
// --force did not replace, because this time there are fewer parts or instances:
// they arm another campaign, and no manifest knows them any more.
func (rt *runtime) warnOfLeftovers(dir string, written []spool.FileItem) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // it has just been written to; what is wrong with it shows elsewhere
	}
	var old []string
	for _, e := range entries {
		ours := slices.ContainsFunc(written, func(f spool.FileItem) bool { return f.Name == e.Name() })
		if !ours && scriptName.MatchString(e.Name()) {
			old = append(old, e.Name())
		}
	}
	if len(old) > 0 {
		n := len(old)
		if old = old[:min(n, 6)]; n > len(old) {
			old = append(old, "…")
		}
		rt.warnf("%s also holds %s of an earlier campaign, which the manifest does not name: run its undo if it was run, then remove: %s",
			dir, count(n, "script"), strings.Join(old, " "))
	}
}
