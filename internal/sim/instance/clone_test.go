package instance

import (
	"reflect"
	"testing"
)

// TestCloneIsApart: a copy is equal, and what happens to one is not seen in
// the other.
func TestCloneIsApart(t *testing.T) {
	d := testDB(t, 2, 20, 4)
	var s *Session
	d.Locked(func() {
		for _, x := range d.Instances[0].Sessions() {
			if x.Eligible {
				s = x
			}
		}
	})
	set(t, d, s.Proc, OfSession, "sql_trace wait=true trace_buffer_on(1000)")
	d.Emit(s.Proc, "held\n")
	c := d.Clone()
	if !reflect.DeepEqual(describe(d), describe(c)) {
		t.Fatal("the copy differs")
	}
	if !reflect.DeepEqual(d.Armed(), c.Armed()) || len(c.Armed()) != 1 {
		t.Fatalf("armed: %v, copy %v", d.Armed(), c.Armed())
	}
	twin := c.Instances[0].Session(s.SID)
	if twin == s || twin.Proc == s.Proc || twin.Proc.Session() != twin || twin.Inst != c.Instances[0] {
		t.Fatal("the copy shares sessions or processes")
	}
	set(t, c, twin.Proc, OfSession, "immediate trace name trace_buffer_off")
	set(t, c, twin.Proc, OfSession, "sql_trace off")
	c.Kill(twin)
	if len(d.Armed()) != 1 || !s.Alive() || s.Killed {
		t.Error("the original changed")
	}
	if _, err := d.Store.Size(s.Proc.TracePath()); err == nil {
		t.Error("the copy wrote into the original's trace file")
	}
	if data, err := c.Store.ReadFile(s.Proc.TracePath()); err != nil || len(data) == 0 {
		t.Errorf("the copy's trace file: %d bytes, %v", len(data), err)
	}
}
