package engine

import (
	"context"
	"errors"
	"testing"

	"ringtrace/internal/sim/instance"
)

// TestScratchSchema: a privileged session makes a schema, fills a table and
// drops it; the errors have Oracle's codes.
func TestScratchSchema(t *testing.T) {
	s := open(t, "11.2", 1, 5) // no container database
	code := func(q string) int {
		t.Helper()
		_, err := s.Query(context.Background(), q, nil)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%s: %v", q, err)
		}
		if e == nil {
			return 0
		}
		return e.Code
	}
	for _, c := range []struct {
		q    string
		want int
	}{
		{`create table RT.T (id number primary key, pad varchar2(400))`, 1918},
		{`grant unlimited tablespace to RT`, 1917},
		{`create user RT identified by "x" account lock`, 0},
		{`create user RT identified by "x" account lock`, 1920},
		{`create user APP identified by "x"`, 1920},
		{`grant unlimited tablespace to RT`, 0},
		{`create table RT.T (id number primary key, pad varchar2(400))`, 0},
		{`create table RT.T (id number primary key, pad varchar2(400))`, 955},
		{`insert into RT.T select level, rpad('x', 400, 'x') from dual connect by level <= 1000`, 0},
		{`insert into RT.T select level, 'x' from dual connect by level <= 1`, 1},
		{`drop user RT`, 1922},
		{`drop user APP cascade`, 1031},
	} {
		if got := code(c.q); got != c.want {
			t.Errorf("%s: ORA-%05d, want ORA-%05d", c.q, got, c.want)
		}
	}
	for q, want := range map[string]string{
		"select count(*), sum(length(pad)), min(id), max(id) from RT.T": "1000,400000,1,1000",
		"select username from all_users where username = 'RT'":          "RT",
		"select count(*) from (select level n from dual connect by level <= 20) a, (select level n from dual connect by level <= 20) b where mod(a.n * b.n, 7) = 3": "54",
	} {
		r, err := s.Query(context.Background(), q, nil)
		if err != nil || flat(r) != want {
			t.Errorf("%s: %v, %v, want %s", q, r, err, want)
		}
	}
	if got := code("drop user RT cascade"); got != 0 {
		t.Errorf("drop user: ORA-%05d", got)
	}
	if got := code("select count(*) from RT.T"); got != 942 {
		t.Errorf("after drop user: ORA-%05d, want ORA-00942", got)
	}
	if got := code("drop user RT cascade"); got != 1918 {
		t.Errorf("drop user twice: ORA-%05d, want ORA-01918", got)
	}
}

// TestScratchSchemaInContainers: the root takes names with C## alone, and an
// ordinary user none.
func TestScratchSchemaInContainers(t *testing.T) {
	s := open(t, "19c", 1, 5)
	var e *Error
	if _, err := s.Query(context.Background(), `create user RT identified by "x" account lock`, nil); !errors.As(err, &e) || e.Code != 65096 {
		t.Errorf("in the root: %v, want ORA-65096", err)
	}
	d := s.Engine.model
	self, err := d.Logon(d.Instances[0], instance.Logon{User: "APP", PDB: d.PDBs[0].Name})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Engine.NewSession(self).Query(context.Background(), `create user RT identified by "x"`, nil); !errors.As(err, &e) || e.Code != 1031 {
		t.Errorf("as an ordinary user: %v, want ORA-01031", err)
	}
	self, err = d.Logon(d.Instances[0], instance.Logon{User: "SYSTEM", PDB: d.PDBs[0].Name})
	if err != nil {
		t.Fatal(err)
	}
	in := s.Engine.NewSession(self)
	if _, err := in.Query(context.Background(), `create user C##RT identified by "x"`, nil); !errors.As(err, &e) || e.Code != 65094 {
		t.Errorf("in a pluggable database: %v, want ORA-65094", err)
	}
	for _, q := range []string{`create user RT identified by "x"`, "drop user RT cascade"} {
		if _, err := in.Query(context.Background(), q, nil); err != nil {
			t.Errorf("%s: %v", q, err)
		}
	}
}
