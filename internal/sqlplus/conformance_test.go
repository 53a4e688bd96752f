//go:build unix

package sqlplus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ringtrace/internal/control"
	"ringtrace/internal/control/controltest"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sqlplus"
	"ringtrace/sessions"
)

// A conversation is a control.Conversation, and the Runner over it holds what
// every Runner must. The played sqlplus has a simulated instance of its own,
// the same in every child.
func TestRunnerOverSQLPlus(t *testing.T) {
	controltest.Run(t, func(t *testing.T) *controltest.Bench {
		ctx := context.Background()
		const spec = "?sessions=6&seed=9"
		truth, hang := filepath.Join(t.TempDir(), "truth"), ""
		console := control.NewConsole(3*time.Second, func(ctx context.Context) (control.Conversation, error) {
			return sqlplus.Start(ctx, sqlplus.SimOptions(t, spec, truth, hang))
		})
		c, err := sqlplus.Start(ctx, sqlplus.SimOptions(t, spec, "", ""))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := console.Close(); err != nil {
				t.Error(err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
		f, err := sessions.Open(ctx, c.OpenDB())
		if err != nil {
			t.Fatal(err)
		}
		inv, err := f.Inventory(ctx, &sessions.Selector{AllApp: true})
		if err != nil {
			t.Fatal(err)
		}
		b := &controltest.Bench{Runner: console, Set: func(target control.Target) []string { return armed(t, truth, target) }}
		for i := range inv.Rows {
			r := &inv.Rows[i]
			if !r.Selected {
				continue
			}
			target, err := control.NewTarget(&r.Session)
			if err != nil {
				t.Fatal(err)
			}
			b.Alive, b.Other, b.Hung = b.Other, b.Hung, target
		}
		if b.Alive.Process.Orapid == 0 {
			t.Fatal("fewer than three sessions")
		}
		hang = fmt.Sprintf("hang-target=%d,%d", b.Hung.Key.SID, b.Hung.Key.Serial)
		return b
	})
}

// armed reads what the child's instance holds for a session.
func armed(t *testing.T, file string, target control.Target) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]instance.Armament
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.SID == target.Key.SID && a.Serial == target.Key.Serial {
			return a.Session
		}
	}
	return nil
}
