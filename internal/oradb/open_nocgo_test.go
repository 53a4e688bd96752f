//go:build !cgo

package oradb

import (
	"context"
	"strings"
	"testing"

	"ringtrace/internal/exit"
)

func TestOpenSaysWhatIsMissing(t *testing.T) {
	_, err := Open(context.Background(), *config("scott@db1:1521/s", ""))
	if exit.CodeOf(err) != exit.ToolMissing || !strings.Contains(err.Error(), "without cgo") || !strings.Contains(exit.HintOf(err), "sqlplus") {
		t.Errorf("%v, hint %q", err, exit.HintOf(err))
	}
	_, err = Open(context.Background(), *config("/ as sysdba", ""))
	if exit.CodeOf(err) != exit.ToolMissing || !strings.Contains(exit.HintOf(err), "sqlplus") {
		t.Errorf("local: %v", err)
	}
}
