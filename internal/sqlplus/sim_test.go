//go:build unix

package sqlplus

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"ringtrace/internal/sim"
	"ringtrace/sessions"
)

func TestFinderThroughSQLPlus(t *testing.T) {
	for _, rel := range []string{"11.2", "19c", "23ai"} {
		t.Run(rel, func(t *testing.T) {
			spec := "?sessions=20&release=" + rel
			c := start(t, simOptions(t, spec))
			db := c.OpenDB()
			defer db.Close()
			list := func(q sessions.Querier) []string {
				f, err := sessions.Open(context.Background(), q)
				if err != nil {
					t.Fatal(err)
				}
				sel := &sessions.Selector{}
				if err := sel.Add("username", "APP"); err != nil {
					t.Fatal(err)
				}
				inv, err := f.Inventory(context.Background(), sel)
				if err != nil {
					t.Fatal(err)
				}
				var out []string
				for _, r := range inv.Rows {
					if r.Reason != "own_session" {
						r.LogonTime = time.Time{}
						out = append(out, reflect.ValueOf(r.Session).String()+r.Key().String()+r.Username+"/"+r.Program+"/"+r.Tracefile+"/"+string(r.Reason))
					}
				}
				return out
			}
			through := list(db)
			s, err := sim.ParseSpec(spec)
			if err != nil {
				t.Fatal(err)
			}
			direct, _, err := sim.Open(context.Background(), s, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			defer direct.Close()
			want := list(direct)
			if len(want) < 20 || strings.Join(through, "\n") != strings.Join(want, "\n") {
				t.Errorf("through sqlplus:\n%s\ndirect:\n%s", strings.Join(through, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
