package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"ringtrace/internal/atomicfile"
)

// keepRecord writes a measurement to DIR/<name>.json below the state directory,
// replacing the last one. A measurement that cannot be kept is still valid.
func (rt *runtime) keepRecord(ctx context.Context, dir, name string, v any) {
	state, err := rt.ensureStateDir()
	if err == nil {
		err = os.MkdirAll(filepath.Join(state, dir), 0o700)
	}
	var doc []byte
	if err == nil {
		doc, err = json.MarshalIndent(v, "", "  ")
	}
	if err == nil {
		err = atomicfile.WriteFile(ctx, filepath.Join(state, dir, recordName(name)), append(doc, '\n'), atomicfile.Options{Force: true})
	}
	if err != nil {
		rt.warnf("the result is not kept: %v", err)
	}
}

// readRecord reads what keepRecord wrote; false if there is none.
func (rt *runtime) readRecord(dir, name string, v any) bool {
	text, err := os.ReadFile(filepath.Join(rt.stateDirPath(), dir, recordName(name)))
	return err == nil && json.Unmarshal(text, v) == nil
}

// recordName makes a file name of what may come from a database.
func recordName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, name) + ".json"
}
