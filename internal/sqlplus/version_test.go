//go:build unix

package sqlplus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestVersion(t *testing.T) {
	for name, c := range map[string]struct{ script, want, text string }{
		"until 12.2":    {"echo; echo 'SQL*Plus: Release 12.1.0.2.0 Production'; echo", "12.1.0.2.0", ""},
		"from 18c on":   {"echo 'SQL*Plus: Release 19.0.0.0.0 - Production'; echo 'Version 19.23.0.0.0'", "19.23.0.0.0", ""},
		"no libraries":  {"echo 'sqlplus: error while loading shared libraries: libsqlplus.so: cannot open' >&2; exit 127", "", "libraries"},
		"no messages":   {"echo 'Error 6 initializing SQL*Plus'; echo 'SP2-0667: Message file sp1<lang>.msb not found'; exit 1", "", "message files"},
		"not a sqlplus": {"exit 0", "", "no release"},
		"no password":   {`test -z "$RINGTRACE_PASSWORD" && echo Release 1.2`, "1.2", ""},
	} {
		program := filepath.Join(t.TempDir(), "sqlplus")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		got, err := Version(context.Background(), program, []string{"PATH=/usr/bin:/bin", "RINGTRACE_PASSWORD=x"})
		if got != c.want || c.want == "" && (exit.CodeOf(err) != exit.ToolMissing || !strings.Contains(err.Error(), c.text)) || c.want != "" && err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := Version(context.Background(), "/nonexistent/sqlplus", nil); exit.CodeOf(err) != exit.ToolMissing {
		t.Errorf("no file: %v", err)
	}
}
