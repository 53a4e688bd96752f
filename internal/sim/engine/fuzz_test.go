package engine

import (
	"context"
	"errors"
	"testing"
	"time"
)

// FuzzQuery: whatever is typed, the answer is rows or an ORA error with an
// offset inside of the statement, never a panic.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{
		"select 1 from dual", "select s.sid from v$session s, v$process p where p.addr = s.paddr(+) and rownum < 3",
		"select listagg(name,',') within group (order by name) from v$pdbs", "select a||b||'' from (select 'x' a, null b from dual)",
		"select case when 1/2 > 0 then date '2024-01-01' end + interval '1' day from dual", "select to_char(sysdate,'Mon \"x\" Q') from dual",
		"with a as (select 1 x from dual) select x from a fetch first 1 rows only", "select decode(1,1) from dual", "select (((", "select q'[x", "select extract(year from sysdate) from dual",
		"select sid from v$session minus select 1 from dual", "select cast(1 as varchar2(3)) from dual", "select ) from dual", "select 1 /", "select || from dual", "select case end from dual",
	} {
		f.Add(q)
	}
	s := open(f, "19c", 1, 5)
	f.Fuzz(func(t *testing.T, q string) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_, err := s.Query(ctx, q, nil)
		var oe *Error
		if err != nil && !errors.As(err, &oe) {
			t.Fatalf("%q: %v (%T)", q, err, err)
		}
		if oe != nil && (oe.Offset < 0 || oe.Offset > len(q)) {
			t.Fatalf("%q: offset %d", q, oe.Offset)
		}
	})
}
