package plsql

import (
	"context"
	"testing"
	"time"

	"ringtrace/internal/sim/engine"
	"ringtrace/internal/sim/instance"
	"ringtrace/internal/sim/release"
)

// FuzzBlock: no block brings the machine down or holds it for good.
func FuzzBlock(f *testing.F) {
	for _, b := range []string{
		"begin null; end;", "declare n number := 1; begin if n = 1 then n := 2; else null; end if; end;", "begin for r in (select 1 x from dual) loop null; end loop; end;",
		"begin begin raise; exception when others then null; end; end;", "declare", "begin execute immediate 'begin null; end;'; end;", "begin exception when", "begin loop exit; end loop; end;",
		"begin end if; end;", "call x(", "begin :a := :b; end;", "begin r.x.y := 1; end;",
	} {
		f.Add(b)
	}
	r, err := release.Find("19c")
	if err != nil {
		f.Fatal(err)
	}
	d := instance.New(instance.Config{Release: r, Seed: 1, Now: time.Now})
	e, err := engine.Open(d, d.Instances[0])
	if err != nil {
		f.Fatal(err)
	}
	self, err := d.Logon(d.Instances[0], instance.Logon{User: "SYS", Sysdba: true})
	if err != nil {
		f.Fatal(err)
	}
	s := e.NewSession(self)
	f.Fuzz(func(t *testing.T, block string) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		m := &Machine{SQL: s, Binds: map[string]any{}}
		if err := m.Run(ctx, block); err != nil && err.Error() == "" {
			t.Fatalf("%q: an error without text", block)
		}
	})
}
