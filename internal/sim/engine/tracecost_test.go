package engine

import (
	"context"
	"strconv"
	"testing"
)

// Tracing costs CPU: most when the lines go to the file, less when they go into a
// ring, nothing when it is off.
func TestTracingCostsCPU(t *testing.T) {
	s := open(t, "19c", 1, 5)
	ask := func(q string) string {
		t.Helper()
		r, err := s.Query(context.Background(), q, nil)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		return flat(r)
	}
	cpu := func() int {
		t.Helper()
		n, err := strconv.Atoi(ask("select value from v$sess_time_model where sid = sys_context('userenv','sid') and stat_name = 'DB CPU'"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const statements = 40
	measure := func(on, off string) int {
		t.Helper()
		if on != "" {
			ask("alter session set events '" + on + "'")
		}
		before := cpu()
		for range statements {
			ask("select 'work' from dual")
		}
		took := cpu() - before
		if off != "" {
			ask("alter session set events '" + off + "'")
		}
		return took
	}
	off := measure("", "")
	file := measure("sql_trace wait=true, bind=true", "sql_trace off")
	again := measure("", "")
	ring := measure("sql_trace wait=true, bind=true trace_buffer_on(256000)", "sql_trace off")
	if off != again || off < statements*microsPerCall {
		t.Errorf("without trace %d us, and %d", off, again)
	}
	if !(off < ring && ring < file) || file-off < statements*3*15 {
		t.Errorf("off %d us, ring %d, file %d", off, ring, file)
	}
	// A line into a ring costs some quarter of one to the file.
	if share := float64(ring-off) / float64(file-off); share < 0.2 || share > 0.33 {
		t.Errorf("a ring costs %.2f of a file", share)
	}
}
