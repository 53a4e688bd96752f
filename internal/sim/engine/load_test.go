package engine

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

// everything reads two views as a session of its own dictionary sees them.
func everything(t *testing.T, e *Engine, self *instance.Session) [][]any {
	t.Helper()
	var out [][]any
	for _, q := range []string{"select * from v$session order by sid", "select * from gv$process order by inst_id, pid"} {
		res, err := e.NewSession(self).Query(context.Background(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, res.Rows...)
	}
	return out
}

// TestChangedRowsAreTheRows: a dictionary that writes only what changed answers as
// one that was just opened.
func TestChangedRowsAreTheRows(t *testing.T) {
	rel, err := release.Find("19c")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	d := instance.New(instance.Config{Release: rel, Instances: 2, Sessions: 30, Seed: 1, Now: func() time.Time { return now }})
	d.Quiet(30)
	self, err := d.Logon(d.Instances[0], instance.Logon{User: "SYS", Sysdba: true})
	if err != nil {
		t.Fatal(err)
	}
	old, err := Open(d, d.Instances[0])
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	r := rand.New(rand.NewPCG(1, 2))
	for step := range 60 {
		in := d.Instances[r.IntN(2)]
		var all []*instance.Session
		d.Locked(func() {
			for _, s := range in.Sessions() {
				if s.Eligible && s.Proc != nil {
					all = append(all, s)
				}
			}
		})
		what := r.IntN(6)
		if len(all) == 0 {
			what = 0
		}
		switch what {
		case 0:
			for range 1 + r.IntN(12) {
				s, err := d.Logon(in, instance.Logon{User: "APP"})
				if err != nil {
					t.Fatal(err)
				}
				s.Eligible = true
			}
		case 1:
			for _, s := range all[:1+r.IntN(len(all))] {
				d.Logoff(s)
			}
		case 2:
			d.Kill(all[r.IntN(len(all))])
		case 3:
			d.SwitchSession(all[r.IntN(len(all))], instance.Logon{User: "OTHER"}).Eligible = true
		case 4:
			d.Locked(func() { all[r.IntN(len(all))].Module = "changed" })
			d.Touch()
		case 5:
			now = now.Add(time.Second)
		}
		got := everything(t, old, self)
		fresh, err := Open(d, d.Instances[0])
		if err != nil {
			t.Fatal(err)
		}
		want := everything(t, fresh, self)
		_ = fresh.Close()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d, change %d: %d rows, want %d, or other ones", step, what, len(got), len(want))
		}
	}
}

func TestSameRow(t *testing.T) {
	for _, c := range []struct {
		a, b []any
		same bool
	}{
		{[]any{1, "x", nil}, []any{1, "x", nil}, true},
		{[]any{[]byte{1}}, []any{[]byte{1}}, true},
		{[]any{[]byte{1}}, []any{[]byte{2}}, false},
		{[]any{[]byte{1}}, []any{"x"}, false},
		{[]any{"x"}, []any{[]byte{1}}, false},
		{[]any{nil}, []any{""}, false},
		{[]any{1}, []any{1, 2}, false},
		{[]any{1}, []any{int64(1)}, false},
	} {
		if got := sameRow(c.a, c.b); got != c.same {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}
